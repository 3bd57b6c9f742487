"""Which arguments a text gives, asked of a model: a flat form, each entry filled in or null.

The starter mind reads the text first. Its values stand wherever the model gives none, or none that keeps
the ability's schema. A plain answer to the question for a number, a path, a date or a choice is not put to
the model at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, time

from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.schema_check import misfits
from partner_desktop.language.arguments.answer import read_answer
from partner_desktop.language.arguments.conversion import UnfitError, path_text
from partner_desktop.language.arguments.offers.number_offers import wants_moment
from partner_desktop.language.arguments.slot import Slot, flattened, rebuilt, slots_of
from partner_desktop.language.values.moments import moments_now
from partner_desktop.mind.prompted.abilities import (
    FORMATS,
    NamedAbilities,
    choices_of,
    first_line,
    slot_kind,
    unframed_line,
)
from partner_desktop.mind.prompted.answers import checked_answer, json_object, object_schema, or_null
from partner_desktop.mind.prompted.asker import Asker, Offered
from partner_desktop.mind.prompted.prompts import Flaw, FlawError, quoted, tail_of, unframed, written
from partner_desktop.mind.question import ExtractedParams, ExtractParams, Mind
from partner_desktop.model.chat import ToolDefinition

#: Tokens for the braces, and for each entry: a path or a sentence.
_TOKENS, _TOKENS_EACH, _MOST_TOKENS = 64, 64, 1_024
_KNOWN, _PROBLEM = 400, 200
#: Entries that a small model can still fill in.
_ENTRIES, _DESCRIPTION = 24, 200
_PLAIN_NAME = re.compile(r"[A-Za-z_][\w.\-]{0,39}")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_MOMENTS: dict[str, type[date | time]] = {"date": date, "time": time, "date-time": datetime}
_LIMITS = (("at least", "minimum"), ("at most", "maximum"), ("at most characters:", "maxLength"))
_JOINT = "\x1f"

Values = dict[str, Json]


async def extract(
    asker: Asker, starter: Mind, request: ExtractParams, *, now: Callable[[], datetime]
) -> ExtractedParams:
    """The model's values over the starter's."""
    known = await starter.ask(request)
    form = ArgumentForm(request, now)
    if not form.slots or _plainly_answered(request, known):
        return known
    values = await asker.ask_text(
        request,
        form.read,
        form.shown(asker.language),
        turn=request.turn,
        schema=form.schema,
        max_tokens=min(_MOST_TOKENS, _TOKENS + _TOKENS_EACH * (len(form.slots) - 1)),
        offered=form.offered(),
    )
    values = form.kept if values is None else values
    missing = tuple(name for name in known.missing if name not in values)
    merged = replace(known, values={**known.values, **values}, missing=missing)
    return replace(merged, problem="", unsure=False) if request.asked in values else merged


def _plainly_answered(request: ExtractParams, known: ExtractedParams) -> bool:
    """Whether words settle it, and not only their sense."""
    slot = next((slot for slot in slots_of(request.info) if slot.name == request.asked), None)
    if slot is None or known.problem or known.unsure or request.asked not in known.values:
        return False
    typed = slot.is_path or slot.is_number or bool(slot.choices) or "boolean" in slot.types
    return typed or wants_moment(slot)


class ArgumentForm:
    """The entries by short name, those of objects each on its own. What only an object can say, is not."""

    def __init__(self, request: ExtractParams, now: Callable[[], datetime]) -> None:
        self._request, self._now = request, now
        self.kept: Values = {}
        """Of the last answer that was a filled-in form: the values that keep the ability's schema."""
        self.slots: dict[str, Slot] = {}
        for slot in flattened(slots_of(request.info)):
            if len(self.slots) < _ENTRIES and slot_kind(slot.item):
                own = slot.name.replace(_JOINT, ".")
                plain = _PLAIN_NAME.fullmatch(own) and own not in self.slots
                self.slots[own if plain else f"p{len(self.slots) + 1}"] = slot
        self.schema = object_schema(**{name: or_null(slot_schema(slot)) for name, slot in self.slots.items()})

    def _named(self, param: str) -> str:
        """The short name of a parameter; the parameter quoted where it has none."""
        return next((name for name, slot in self.slots.items() if slot.name == param), quoted(param))

    def shown(self, language: str) -> dict[str, str]:
        """What fills the prompt."""
        request, trouble = self._request, ""
        if request.asked:
            trouble += tail_of("asked_param", language, param=self._named(request.asked)) + "\n"
        if request.problems:
            told = [f"{self._named(name)}: {quoted(why, _PROBLEM)}" for name, why in request.problems.items()]
            trouble += tail_of("wrong_params", language, problems="; ".join(told)) + "\n"
        known = ((self._named(name), written(value)) for name, value in request.known.items())
        kept = (f"{name} = {said if len(said) <= _KNOWN else quoted(said, _KNOWN)}" for name, said in known)
        return {
            "ability": f"{quoted(request.info.title)}, {first_line(request.info)}",
            "params": "\n".join(f"- {name}: {described_slot(slot)}" for name, slot in self.slots.items()),
            "known": ", ".join(kept) or "-",
            "trouble": trouble,
            "said": quoted(request.text),
            "keys": ", ".join(f'"{name}"' for name in self.slots),
        }

    def offered(self) -> Offered:
        """The ability as a tool, all of whose arguments may be left out: what nobody said is null."""
        info = self._request.info
        (name,) = NamedAbilities([info]).names
        properties: JsonObject = {
            own: {**slot_schema(slot), "description": _described(slot, unframed)}
            for own, slot in self.slots.items()
        }
        shape: JsonObject = {"type": "object", "properties": properties}
        tool = ToolDefinition(name, unframed_line(info), shape, dict.fromkeys(self.slots))
        shown = {"name": name, "params": "\n".join(f"- {own}" for own in self.slots)}
        return Offered((tool,), "call_with", shown)

    def read(self, text: str) -> Values:
        """As `values`, of a model's text."""
        return self.values(json_object(text))

    def values(self, said: JsonObject) -> Values:
        """Parameter → value, of what was filled in.

        Raises:
            FlawError: It is no such form, or a value does not fit; the others are `kept`.
        """
        # An empty text is how many a model says null, whatever is wanted.
        blank = {name for name, entry in said.items() if isinstance(entry, str) and not entry.strip()}
        entries = checked_answer(self.schema, {**said, **dict.fromkeys(blank)})
        self.kept = {}
        values = {slot.name: self._value(entries[name], slot) for name, slot in self.slots.items()}
        found = rebuilt({name: value for name, value in values.items() if value is not None})
        broken = misfits(self._request.info, found)
        self.kept = {name: value for name, value in found.items() if name not in broken}
        if broken:
            raise FlawError(Flaw.VALUES)
        return found

    def _value(self, entry: Json, slot: Slot) -> Json:
        """As the starter mind writes it down: folders by their paths, moments as the parameter wants them;
        `None` where nothing was filled in."""
        if isinstance(entry, list):
            values = [self._value(item, slot.item) for item in entry]
            return [value for value in values if value is not None] or None
        if not isinstance(entry, str) or choices_of(slot):
            return entry
        if _CONTROL.search(entry):
            raise FlawError(Flaw.VALUES)
        if not entry.strip():
            return None
        if slot.is_path:
            return path_text(entry)
        if not wants_moment(slot) or _is_written(entry, slot):
            return entry
        try:
            return read_answer(entry, slot, self._request.info, moments_now(entry, self._now())).value
        except UnfitError:
            raise FlawError(Flaw.VALUES) from None


def _is_written(entry: str, slot: Slot) -> bool:
    """Whether a moment stands there in its format already."""
    kind = _MOMENTS.get(slot.format)
    try:
        return kind is not None and bool(kind.fromisoformat(entry))
    except ValueError:
        return False


def described_slot(slot: Slot) -> str:
    return _described(slot, quoted)


def _described(slot: Slot, words_of: Callable[[str, int], str]) -> str:
    limits = [(word, slot.schema.get(key)) for word, key in _LIMITS]
    kind = slot_kind(slot.item)
    words = [f"list of {kind}" if slot.is_list else kind, *({slot.format} & FORMATS)]
    words += [f"{word} {limit}" for word, limit in limits if isinstance(limit, int | float)]
    words += ["required"] if slot.required else []
    words += [f"one of {written(list(choices_of(slot)))}"] if choices_of(slot) else []
    return f"{words_of(slot.description, _DESCRIPTION)} ({', '.join(words)})"


def slot_schema(slot: Slot) -> JsonObject:
    if slot.is_list:
        return {"type": "array", "items": slot_schema(slot.item)}
    choices = list(choices_of(slot))
    if not choices:
        return {"type": slot_kind(slot)}
    texts = all(isinstance(choice, str) for choice in choices)
    return {"type": "string", "enum": choices} if texts else {"enum": choices}
