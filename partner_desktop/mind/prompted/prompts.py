"""The prompts of the questions, by name, and what each is filled with."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from enum import StrEnum

from partner_desktop.base.prompts import filled, prompt_text
from partner_desktop.domain.json_value import Json

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
    UNSAID = "unsaid"
    UNDONE = "undone"
    STAGE = "stage"


class FlawError(ValueError):
    """An answer that cannot be used; `nearest` are the names on offer that come near to a wrong one."""

    def __init__(self, flaw: Flaw, nearest: Sequence[str] = ()) -> None:
        super().__init__(flaw.value)
        self.flaw = flaw
        self.nearest = tuple(nearest)


def tail_of(name: str, language: str, /, **values: str) -> str:
    """A question's own part of the prompt."""
    return filled(prompt_text(name, language), **values)


def correction(flaw: Flaw, language: str, nearest: Sequence[str] = ()) -> str:
    """What goes behind the tail when it is asked once more; `nearest` names what is on offer."""
    told = flaws(language)[flaw]
    if nearest:
        names = ", ".join(written(name) for name in nearest)
        told = f"{told} {tail_of('nearest', language, names=names)}"
    return tail_of("correction", language, flaw=told)


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
