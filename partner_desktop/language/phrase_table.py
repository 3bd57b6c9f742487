"""Phrase tables: what is said in fixed ways, as data, and the one matcher that reads it.

A table is `resources/language/LANGUAGE/NAME.toml`: `lead` and `tail` are patterns of what may stand around
any phrase, once or often (`barest_first`: the text without them is read first); `[slots]` has patterns that a
name in braces stands for; `[spelling]` says how words are meant that are typed otherwise. Each `[[phrase]]`
has its patterns as `say`, beside what the reader of the table wants to know of it; `[phrases]` are such of
which nothing but a kind is to be known. A pattern fits the whole text, in small or large letters alike. `has`
are pieces of words: a text that has none of them is no such phrase, so that most patterns are never made. A
language is files only: every folder is read.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.paths import shipped
from partner_desktop.base.patterns import late
from partner_desktop.language.rule_table import UNSPACED, groups_of, numbered
from partner_desktop.language.terms import has_cjk

_LONGEST = 200
_ENDS = " \t\n?？.!。！…~～"
_SLOT = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True)
class SaidPhrase:
    """A text that is a phrase of a table."""

    row: Mapping[str, Any]  # Any: what TOML says
    groups: Mapping[str, str]
    """What its named groups hold; a group that ends in `_2`, `_3` … is another place of the same name."""
    known: Mapping[str, Any]  # Any: what else its table holds

    @property
    def kind(self) -> str:
        return str(self.row["kind"])


@dataclass(frozen=True)
class TablePhrase:
    """One row of a table."""

    row: Mapping[str, Any]  # Any: what TOML says; who reads the table knows the shape
    text: str

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return late(self.text, re.IGNORECASE)


class LanguageTable:
    """One language's phrases of one name."""

    def __init__(self, table: dict[str, Any]) -> None:  # Any: what TOML says
        slots: Mapping[str, str] = table.get("slots", {})

        def filled(pattern: str) -> str:
            return _SLOT.sub(lambda slot: f"(?:{filled(slots[slot[1]])})", pattern)

        kinds = [{"kind": kind, "say": say} for kind, say in table.get("phrases", {}).items()]
        self._known = table
        self._spelling: Mapping[str, str] = table.get("spelling", {})
        self._phrases = [
            TablePhrase(row, numbered("|".join(filled(say) for say in row["say"])))
            for row in [*table.get("phrase", []), *kinds]
        ]
        self._lead = re.compile(filled(table.get("lead", "(?!)")), re.IGNORECASE)
        self._tail = re.compile(f"(?:{filled(table.get('tail', '(?!)'))})$", re.IGNORECASE)

    def read(self, text: str) -> Iterator[SaidPhrase]:
        """What the text is, the first phrase first."""
        text = " ".join(self._spelling.get(word.casefold(), word) for word in text.split(" "))
        readings, lowered = list(self._readings(text)), text.casefold()
        if self._known.get("barest_first"):
            readings.sort(key=len)
        for phrase in self._phrases:
            if not any(word in lowered for word in phrase.row.get("has", "").split() or ("",)):
                continue
            match = next(filter(None, map(phrase.pattern.fullmatch, readings)), None)
            if match is not None:
                yield SaidPhrase(phrase.row, groups_of(match), self._known)

    def _readings(self, text: str) -> Iterator[str]:
        """The text as it stands, then without more and more of what leads to it; no end first."""
        begun = [text]
        while (match := self._lead.match(begun[-1])) is not None and match.end():
            begun.append(begun[-1][match.end() :])
        for said in begun:
            ends = [said]
            while (match := self._tail.search(ends[-1])) is not None and match.group():
                ends.append(ends[-1][: match.start()])
            yield from (end.strip(_ENDS) for end in reversed(ends) if end)


class PhraseTable:
    """The phrases of one name, in every language of `folder`; `None`: of those that are shipped."""

    def __init__(self, name: str, folder: Path | None = None) -> None:
        files = sorted((folder or shipped("resources") / "language").glob(f"*/{name}.toml"))
        self._languages = [
            (path.parent.name in UNSPACED, LanguageTable(tomllib.loads(path.read_text(encoding="utf-8"))))
            for path in sorted(files, key=lambda path: path.parent.name not in UNSPACED)
        ]

    def read(self, text: str, *, longest: int = _LONGEST) -> SaidPhrase | None:
        """The first phrase that is all of the text; `None`: it is none."""
        return next(self.readings(text, longest=longest), None)

    def readings(self, text: str, *, longest: int = _LONGEST) -> Iterator[SaidPhrase]:
        """All phrases that the text is; marks at its ends and kinds of apostrophes do not count."""
        said = plainly(text)
        if said and len(said) <= longest:
            unspaced = has_cjk(said)
            for is_unspaced, table in self._languages:
                if unspaced or not is_unspaced:
                    yield from table.read(said)


@cache
def phrase_table(name: str) -> PhraseTable:
    """The table of a name, read once."""
    return PhraseTable(name)


def plainly(text: str) -> str:
    """A text as phrases are matched with it."""
    return " ".join(re.sub("[’‘`´]", "'", text).split()).strip(_ENDS)
