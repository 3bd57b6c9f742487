"""The tasks of a model's self-test, `resources/models/self_test.toml`, and the rules that score them.

Rules are exact: the key of an ability, the values of arguments, an object that keeps to its schema, the
letters and common words of a language, words that must be there and words that must not. No model judges
another.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from partner_desktop.base.messages import sentence_of
from partner_desktop.base.paths import shipped
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.domain.model_check import CheckArea
from partner_desktop.language.terms import has_cjk

#: By language, or the same in all.
Wording: TypeAlias = str | dict[str, str]
CheckQuestion = Literal[
    "evaluate_intent", "pick_ability", "extract_params", "write_for_agent", "reply", "summarise"
]
SpokenLanguage = Literal["", "en", "zh", "de"]

#: The least share of letters that are Chinese, and of words that nearly every sentence of a language has.
_CJK_SHARE, _LEAST_COMMON = 0.5, 2
_WORD = re.compile(r"[^\W\d_]+")


def wording_in(wording: Wording, language: str) -> str:
    """What is said in a language; in English where there is nothing in it."""
    return wording if isinstance(wording, str) else wording.get(language, wording["en"])


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Expectation(_Data):
    """What passes; what is not named does not matter."""

    ability: str | None = None
    """The key of the one to choose; empty: none."""
    values: dict[str, Json] | None = None
    """Exactly these."""
    contains: tuple[tuple[str, ...], ...] = ()
    """Of each group one."""
    absent: tuple[str, ...] = ()
    language: SpokenLanguage = ""

    def valued(self, language: str) -> JsonObject:
        """The values as they are to be said in a language."""
        return {name: _spoken(value, language) for name, value in (self.values or {}).items()}

    def told(self, names: Mapping[str, str], language: str) -> str:
        """What is asked for, in a few words; `names` are those of the abilities by their keys."""
        told: list[str] = []
        if self.ability is not None:
            told.append(names[self.ability] if self.ability else sentence_of("checks.no_ability"))
        told += [f"{name} = {value}" for name, value in self.valued(language).items()]
        if self.language:
            told.append(sentence_of(f"checks.in_{self.language}"))
        told += [" / ".join(group[:1]) for group in self.contains]
        if self.absent:
            told.append(sentence_of("checks.without", words=self.absent[0]))
        return ", ".join(told)

    def met_by_words(self, text: str) -> bool:
        """Whether a text has what it must have, and nothing of what it must not."""
        said = text.casefold()
        return (
            all(any(word.casefold() in said for word in group) for group in self.contains)
            and not any(word.casefold() in said for word in self.absent)
            and (not self.language or speaks(text, self.language))
        )

    def met_by_values(self, values: Mapping[str, Json], language: str) -> bool:
        """Whether these are the values, signs around words and their case aside."""
        wanted = self.valued(language)
        return {name: _bare(value) for name, value in values.items()} == {
            name: _bare(value) for name, value in wanted.items()
        }


def _spoken(value: Json, language: str) -> Json:
    return value.get(language, value["en"]) if isinstance(value, dict) else value


def _bare(value: Json) -> Json:
    """A value as it is compared: `"Oban."` is `oban`, and `true` is not 1."""
    if isinstance(value, str):
        return value.strip(" \t\n.,;\"'“”‘’《》「」。").casefold()
    if isinstance(value, list):
        return [_bare(one) for one in value]
    return repr(value) if isinstance(value, bool) else value


def speaks(text: str, language: SpokenLanguage) -> bool:
    """Whether a text is in a language: by its letters, and by the words that every sentence has."""
    letters = [sign for sign in text if sign.isalpha()]
    cjk = sum(has_cjk(sign) for sign in letters)
    if language == "zh":
        return bool(letters) and cjk >= _CJK_SHARE * len(letters)
    words = [word.casefold() for word in _WORD.findall(text)]
    counts = {spoken: sum(word in common for word in words) for spoken, common in _read().common.items()}
    most = max(counts.values())
    return cjk <= len(letters) * (1 - _CJK_SHARE) and counts[language] == most >= _LEAST_COMMON


class CheckTask(_Data):
    """One task."""

    id: str
    area: CheckArea
    question: CheckQuestion
    text: Wording
    expect: Expectation
    ability: str = ""
    """Whose arguments are asked for, or whose result is spoken of."""
    offers: tuple[str, ...] = ()
    result: str = ""
    """What the ability brought."""
    answer_schema: JsonObject = Field(default_factory=dict, alias="schema")


class _AbilityData(_Data):
    key: str
    label: dict[str, str]
    description: dict[str, str]
    needs: tuple[str, ...]
    params: JsonObject

    def info(self, language: str) -> MetaActionInfo:
        return MetaActionInfo(
            key=self.key,
            route=Route.MCP,
            label=wording_in(self.label, language),
            description=wording_in(self.description, language),
            params={"type": "object", "properties": self.params, "required": list(self.needs)},
        )


class _TaskData(_Data):
    common: dict[str, frozenset[str]]
    """By language: words that nearly every sentence has."""
    ability: tuple[_AbilityData, ...]
    task: tuple[CheckTask, ...]


@cache
def _read() -> _TaskData:
    text = (shipped("resources") / "models" / "self_test.toml").read_text(encoding="utf-8")
    return _TaskData.model_validate(tomllib.loads(text))


def check_tasks() -> tuple[CheckTask, ...]:
    """All of them, in order. The first call reads them from the disk."""
    return _read().task


def check_abilities(language: str) -> dict[str, MetaActionInfo]:
    """What can be done in the tasks, by key."""
    return {one.key: one.info(language) for one in _read().ability}
