"""From a model's text to a checked answer. ThoughtGate tells what a model thinks aloud at the beginning of
its text from what it says; `read_answer` holds what is said to the JSON Schema that decoding is held to.

Only the beginning is looked at: a reply that speaks about `<think>` later is left as it is. Tags may be
split over pieces. A thought that is not closed is a thought to the end.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn, TypeAlias

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
        while not self._begun:
            if self._closing:
                tag = re.search(re.escape(self._closing), self._held, re.IGNORECASE)
                end = tag.start() if tag else len(self._held) - _begun_tag(self._held, self._closing)
                found += [Thought(self._held[:end])] if end else []
                self._held = self._held[tag.end() if tag else end :]
                if tag is None:
                    break
                self._closing = ""
                continue
            text = self._held.lstrip()
            opening = next((tag for tag in _TAGS if text.lower().startswith(tag)), "")
            if opening:
                self._held, self._closing = text[len(opening) :], _TAGS[opening]
            elif any(tag.startswith(text.lower()) for tag in _TAGS):
                break
            else:
                self._begun, self._held = True, ""
                found.append(text)
        return found

    def end(self) -> list[str]:
        """The answer is over: what was still held."""
        held, self._held = self._held, ""
        if self._closing:
            return [Thought(held)] if held else []
        return [held] if held.strip() else []


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


Answer: TypeAlias = Mapping[str, Any]
"""An answer that fits its schema. Any: what the schema says."""

_FENCED = re.compile(r"^```[\w+-]*[ \t]*\n(?P<inner>.*?)\n?```$", re.DOTALL)
#: The rule of a schema that an answer breaks → what is told of it; all others: a value does not fit.
_FLAWS = {
    "required": Flaw.KEYS,
    "additionalProperties": Flaw.KEYS,
    "type": Flaw.TYPES,
    "anyOf": Flaw.TYPES,
    "enum": Flaw.CHOICE,
}
_NEAREST, _TYPED_NAME = 3, 80


def read_answer(schema: JsonObject, text: str) -> Answer:
    """The answer that a model's text holds.

    Raises:
        FlawError: It holds none.
    """
    return checked_answer(schema, json_object(text))


def checked_answer(schema: JsonObject, found: JsonObject) -> Answer:
    """An object that fits a schema. To be looked at in a thread: `jsonschema` is slow the first time.

    Raises:
        FlawError: It does not fit.
    """
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - a start does without
    from jsonschema.exceptions import best_match  # noqa: PLC0415

    try:
        error = best_match(Draft202012Validator(schema).iter_errors(found))
    except RecursionError:  # as deep as may just be read is deeper than may be told of
        raise FlawError(Flaw.NOT_JSON) from None
    if error is None:
        return found
    for wrong in (error, *(error.context or ())):  # a name or nothing
        if wrong.validator == "enum" and isinstance(wrong.instance, str):
            raise FlawError(Flaw.CHOICE, nearest_of(wrong.instance, wrong.validator_value))
    raise FlawError(_FLAWS.get(str(error.validator), Flaw.VALUES))


def nearest_of(called: str, names: Sequence[str]) -> list[str]:
    """The names on offer that are written most alike, or the first of them."""
    alike = {name.rpartition("::")[2].casefold(): name for name in reversed(names)}
    bare = called[:_TYPED_NAME].casefold().rpartition("::")[2]
    near = get_close_matches(bare, alike, n=_NEAREST, cutoff=0.4)
    return [alike[one] for one in near] or list(names[:_NEAREST])


def json_object(text: str) -> JsonObject:
    """The one JSON object that a text is, a fence or thoughts around it aside; `3.0` is `3` in it.

    Raises:
        FlawError: It is none, or holds what no other part could take: half characters, endless numbers.
    """
    bare = said(text).strip()
    fenced = _FENCED.match(bare)
    try:
        found = json.loads(
            fenced["inner"] if fenced else bare,
            parse_constant=_no_number,
            parse_float=_number,
            object_pairs_hook=_object,
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


def _number(written: str) -> float:
    number = float(written)
    return int(number) if number.is_integer() else number


def _object(pairs: list[tuple[str, Json]]) -> JsonObject:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise FlawError(Flaw.KEYS)
    return found


# Schemas are flat: every key required, an absent value null.


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


def number_to(most: int, *, least: int = 1) -> JsonObject:
    """A whole number."""
    return {"type": "integer", "minimum": least, "maximum": most}


def list_of(items: JsonObject, *, least: int = 0, most: int) -> JsonObject:
    """A list with an end."""
    return {"type": "array", "items": items, "minItems": least, "maxItems": most}


def or_null(schema: JsonObject) -> JsonObject:
    """The same, or nothing."""
    return {"anyOf": [schema, {"type": "null"}]}
