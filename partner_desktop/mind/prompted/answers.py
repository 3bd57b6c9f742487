"""The answers to structured questions, and the one way from a model's text to a checked one. ThoughtGate
tells what a model thinks aloud at the beginning of its text from what it says.

Only the beginning is looked at: a reply that speaks about `<think>` later is left as it is. Tags may be
split over pieces. A thought that is not closed is a thought to the end.
"""

from __future__ import annotations

import json
import math
import re
from typing import Literal, NoReturn, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.mind.prompted.prompts import Flaw, FlawError
from partner_desktop.mind.question import Thought

#: Where a thought begins → where it ends.
_TAGS = {
    **{f"<{name}>": f"</{name}>" for name in ("think", "thinking", "thought", "reasoning")},
    "<|channel|>analysis<|message|>": "<|end|><|start|>assistant<|channel|>final<|message|>",
}


class ThoughtGate:
    """Takes the pieces of one answer."""

    def __init__(self) -> None:
        self._held = ""
        self._closing = ""
        """With an open thought: the tag that ends it."""
        self._begun = False
        """Something was said: nothing is a thought any more."""

    def take(self, piece: str) -> list[str]:
        """What can be shown of the answer now: thoughts as `Thought`, and text."""
        if self._begun:
            return [piece] if piece else []
        self._held += piece
        found: list[str] = []
        while self._step(found):
            pass
        return found

    def end(self) -> list[str]:
        """The answer is over: what was still held."""
        held, self._held = self._held, ""
        if self._closing:
            return [Thought(held)] if held else []
        return [held] if held.strip() else []

    def _step(self, found: list[str]) -> bool:
        """Settle what can be settled; false when more is needed."""
        return self._thought(found) if self._closing else self._beginning(found)

    def _thought(self, found: list[str]) -> bool:
        tag = re.search(re.escape(self._closing), self._held, re.IGNORECASE)
        end = tag.start() if tag else len(self._held) - _begun_tag(self._held, self._closing)
        if end:
            found.append(Thought(self._held[:end]))
        self._held = self._held[tag.end() if tag else end :]
        self._closing = "" if tag else self._closing
        return tag is not None

    def _beginning(self, found: list[str]) -> bool:
        text = self._held.lstrip()
        for opening, closing in _TAGS.items():
            if text[: len(opening)].lower() == opening:
                self._held, self._closing = text[len(opening) :], closing
                return True
        if text and not any(opening.startswith(text.lower()) for opening in _TAGS):
            self._begun, self._held = True, ""
            found.append(text)
        return False


def _begun_tag(text: str, tag: str) -> int:
    """How many characters at the end of a text may be the beginning of a tag."""
    most = min(len(tag) - 1, len(text))
    return next((count for count in range(most, 0, -1) if text[-count:].lower() == tag[:count]), 0)


#: The end of a thought that a server's template began, so that its opening is not in the text.
_END = re.compile(r"^</(?P<name>think|thinking|thought|reasoning)>", re.IGNORECASE | re.MULTILINE)


def said(text: str) -> str:
    """A whole answer without its thoughts."""
    end = _END.search(text)
    if end is not None and f"<{end['name']}>" not in text[: end.start()]:
        text = text[end.end() :]
    gate = ThoughtGate()
    pieces = [*gate.take(text), *gate.end()]
    return "".join(piece for piece in pieces if not isinstance(piece, Thought))


_FENCED = re.compile(r"^```[\w+-]*[ \t]*\n(?P<inner>.*?)\n?```$", re.DOTALL)


class StructuredAnswer(BaseModel):
    """What all answers share: nothing is put in, left out or converted."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, defer_build=True)


class HelpfulAnswer(StructuredAnswer):
    """The numbers of the passages that help."""

    helpful: list[int]


class FoundFact(StructuredAnswer):
    """One thing that a line says of somebody."""

    line: int
    about: str
    """`me`, a name, or what somebody is to the person: `sister`."""
    what: str
    value: str


class FoundFactsAnswer(StructuredAnswer):
    """What lines say of people and things."""

    facts: list[FoundFact]


class SummaryAnswer(StructuredAnswer):
    """What was said, in short."""

    summary: str


class IntentAnswer(StructuredAnswer):
    """Talk or act, and on what."""

    do: Literal["reply", "act"]
    ability: str | None


class PickAnswer(StructuredAnswer):
    """Which of the abilities on offer."""

    ability: str | None


class VerdictAnswer(StructuredAnswer):
    """What words mean for what is pending."""

    means: Literal["confirm", "reject", "other"]


class StagesAnswer(StructuredAnswer):
    """A request, part by part: stages in order, each the parts that are done together."""

    stages: list[list[str]]


class StepWish(StructuredAnswer):
    """A step that is wished for."""

    ability: str
    words: str


class ChangeAnswer(StructuredAnswer):
    """A change of a chain. Stages are counted from 1."""

    kind: Literal["append", "insert", "delete", "cancel", "rebuild"]
    stage: int
    steps: list[StepWish]
    reason: str


class ChangesAnswer(StructuredAnswer):
    """What is to change so that the chain goes on."""

    changes: list[ChangeAnswer]


class InterventionAnswer(ChangesAnswer):
    """What words want of which chain; 0: of none."""

    chain: int


class JudgedAnswer(StructuredAnswer):
    """Whether a chain does what was asked."""

    ok: bool
    reason: str


class ParamAnswer(StructuredAnswer):
    """A parameter of a script that is to be written."""

    name: str
    type: Literal["string", "integer", "number", "boolean", "path"]
    description: str
    required: bool


class ActionAnswer(StructuredAnswer):
    """A script that is to be written."""

    name: str
    description: str
    language: Literal["python", "shell"]
    params: list[ParamAnswer]


A = TypeVar("A", bound=StructuredAnswer)


def read_answer(kind: type[A], text: str) -> A:
    """The answer that a model's text holds.

    Raises:
        FlawError: It holds none.
    """
    found = json_object(text)
    try:
        return kind.model_validate(found)
    except ValidationError as error:
        kinds = {one["type"] for one in error.errors(include_url=False, include_input=False)}
        raise FlawError(Flaw.KEYS if kinds & {"missing", "extra_forbidden"} else Flaw.TYPES) from None


def json_object(text: str) -> JsonObject:
    """The one JSON object that a text is, a fence or thoughts around it aside.

    Raises:
        FlawError: It is none, or holds what no other part could take: half characters, endless numbers.
    """
    bare = said(text).strip()
    fenced = _FENCED.match(bare)
    try:
        found = json.loads(
            fenced["inner"] if fenced else bare, parse_constant=_no_number, object_pairs_hook=_object
        )
        json.dumps(found, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except FlawError:
        raise
    except (ValueError, RecursionError):  # half characters too: UnicodeEncodeError is a ValueError
        raise FlawError(Flaw.NOT_JSON) from None
    if not isinstance(found, dict):
        raise FlawError(Flaw.NOT_JSON)
    return found


def _no_number(_: str) -> NoReturn:
    raise FlawError(Flaw.NOT_JSON)


def _object(pairs: list[tuple[str, Json]]) -> JsonObject:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise FlawError(Flaw.KEYS)
    return found


# The schemas that decoding is held to: flat, every key required, an absent value null.


def object_schema(**properties: Json) -> JsonObject:
    """An object with exactly these keys."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def one_of(*names: str) -> JsonObject:
    """One of some texts."""
    return {"type": "string", "enum": list(names)}


def text_of_at_most(characters: int) -> JsonObject:
    """A text with an end."""
    return {"type": "string", "maxLength": characters}


def list_of(items: JsonObject, *, least: int = 0, most: int) -> JsonObject:
    """A list with an end."""
    return {"type": "array", "items": items, "minItems": least, "maxItems": most}


def or_null(schema: JsonObject) -> JsonObject:
    """The same, or nothing."""
    return {"anyOf": [schema, {"type": "null"}]}


def whole(value: float) -> int | None:
    """A number without a fraction as an integer: JSON does not tell `3.0` from `3`."""
    if isinstance(value, int):
        return value
    return int(value) if math.isfinite(value) and value == int(value) else None
