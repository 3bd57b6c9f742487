"""The prompts of the questions, by name, and what each is filled with."""

from __future__ import annotations

import json
import re
from enum import StrEnum

from partner_desktop.base.prompts import filled, prompt_text
from partner_desktop.domain.json_value import Json

#: Prompt → what it is filled with; in every language the same.
PROMPTS: dict[str, frozenset[str]] = {
    "evaluate_intent": frozenset({"abilities", "said"}),
    "pick_ability": frozenset({"abilities", "said"}),
    "extract_params": frozenset({"ability", "params", "known", "trouble", "said", "keys"}),
    "asked_param": frozenset({"param"}),
    "wrong_params": frozenset({"problems"}),
    "judge_confirmation": frozenset({"pending", "said"}),
    "generate_action": frozenset({"said"}),
    "generate_code": frozenset({"said", "language", "action", "params"}),
    "correction": frozenset({"flaw"}),
    "flaws": frozenset(),
}

#: Characters of the person's words that a question shows; of a longer text the beginning and the end.
_SAID = 8_000
#: What may pass for a control token or the frame of another turn: `<|im_start|>`, `</s>`, `[INST]`.
_CONTROL = re.compile(r"<(?=[|｜/!<a-zA-Z])|\[(?=/?[A-Z_]{3,}\])")


class Flaw(StrEnum):
    """What was wrong with an answer: all that the model is told of it, since the answer is never replayed."""

    NOT_JSON = "not_json"
    KEYS = "keys"
    TYPES = "types"
    CHOICE = "choice"
    VALUES = "values"
    TOO_LONG = "too_long"
    EMPTY = "empty"
    NOT_CODE = "not_code"


class FlawError(ValueError):
    """An answer that cannot be used."""

    def __init__(self, flaw: Flaw) -> None:
        super().__init__(flaw.value)
        self.flaw = flaw


def tail_of(name: str, language: str, /, **values: str) -> str:
    """A question's own part of the prompt."""
    return filled(prompt_text(name, language), **values)


def correction(flaw: Flaw, language: str) -> str:
    """The sentence that goes behind the tail when it is asked once more."""
    return tail_of("correction", language, flaw=flaws(language)[flaw])


def flaws(language: str) -> dict[str, str]:
    """Flaw → what the model is told of it."""
    lines = prompt_text("flaws", language).splitlines()
    return {name: words.strip() for name, _, words in (line.partition(":") for line in lines)}


def quoted(text: str, limit: int = _SAID) -> str:
    """A text as material: one JSON string, in which nothing can end the quotation or open another turn."""
    return _safe(json.dumps(_whole(_shortened(text, limit)), ensure_ascii=False))


def written(value: Json) -> str:
    """Any value as material, as JSON."""
    return _safe(_whole(json.dumps(value, ensure_ascii=False)))


def _safe(literal: str) -> str:
    """The same JSON, without anything that a tokenizer reads as more than text."""
    return _CONTROL.sub(lambda match: f"\\u{ord(match.group()):04x}", literal)


def _whole(text: str) -> str:
    """Half characters replaced: no pipe takes them."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _shortened(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    end = limit // 4
    return f"{text[: limit - end - 3]} … {text[-end:]}"
