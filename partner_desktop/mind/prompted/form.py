"""ParamForm: an ability's parameters as a flat form for a model, and its entries as typed values."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, time

from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.arguments.answer import read_answer
from partner_desktop.language.arguments.conversion import UnfitError, path_text
from partner_desktop.language.arguments.nested_slots import flattened, rebuilt
from partner_desktop.language.arguments.offers.moment_offers import wants_moment
from partner_desktop.language.arguments.slot import Slot, slots_of
from partner_desktop.language.values.moments import read_moments
from partner_desktop.mind.prompted.answers import object_schema, or_null, whole
from partner_desktop.mind.prompted.prompts import Flaw, FlawError, quoted, written

Clock = Callable[[], datetime]

#: Entries that a small model can still fill in.
_ENTRIES = 24
_CHOICES, _DESCRIPTION = 60, 200
_PLAIN = re.compile(r"[A-Za-z_][\w.\-]{0,39}")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_TYPES = ("boolean", "integer", "number", "string")
_MOMENTS: dict[str, type[date | time]] = {"date": date, "time": time, "date-time": datetime}
_LIMITS = (("at least", "minimum"), ("at most", "maximum"), ("at most characters:", "maxLength"))
_JOINT = "\x1f"


class ParamForm:
    """The entries by short name, those of objects each on its own. What only an object can say, is not."""

    def __init__(self, info: MetaActionInfo) -> None:
        self._info = info
        self._slots: dict[str, Slot] = {}
        for slot in flattened(slots_of(info)):
            if len(self._slots) < _ENTRIES and kind_of(slot.item):
                self._slots[self._free_name(slot)] = slot

    def _free_name(self, slot: Slot) -> str:
        own = slot.name.replace(_JOINT, ".")
        plain = _PLAIN.fullmatch(own) and own not in self._slots
        return own if plain else f"p{len(self._slots) + 1}"

    def __bool__(self) -> bool:
        return bool(self._slots)

    @property
    def keys(self) -> str:
        return ", ".join(f'"{name}"' for name in self._slots)

    def schema(self) -> JsonObject:
        """What decoding is held to; every entry may be null."""
        return object_schema(**{name: or_null(_schema(slot)) for name, slot in self._slots.items()})

    def lines(self) -> str:
        """One line an entry."""
        return "\n".join(f"- {name}: {self._described(slot)}" for name, slot in self._slots.items())

    def named(self, param: str) -> str:
        """The short name of a parameter; the parameter quoted where it has none."""
        return next((name for name, slot in self._slots.items() if slot.name == param), quoted(param))

    def _described(self, slot: Slot) -> str:
        kind = kind_of(slot.item)
        words = [f"list of {kind}" if slot.is_list else kind]
        words += [slot.format] if slot.format in ("path", "date", "time", "date-time", "email", "uri") else []
        limits = [(word, slot.schema.get(key)) for word, key in _LIMITS]
        words += [f"{word} {limit}" for word, limit in limits if isinstance(limit, int | float)]
        words += ["required"] if slot.required else []
        choices = f", one of {written(list(choices_of(slot)))}" if choices_of(slot) else ""
        return f"{quoted(slot.description, _DESCRIPTION)} ({', '.join(words)}{choices})"

    async def read(self, entries: JsonObject, now: Clock) -> dict[str, Json]:
        """Parameter → value, of what was filled in.

        Raises:
            FlawError: Other entries than those asked for, or one of another type.
        """
        if set(entries) != set(self._slots):
            raise FlawError(Flaw.KEYS)
        found: dict[str, Json] = {}
        for name, slot in self._slots.items():
            value = await self._value(entries[name], slot, now)
            if value is not None:
                found[slot.name] = value
        return rebuilt(found)

    async def _value(self, entry: Json, slot: Slot, now: Clock) -> Json:
        """`None` where nothing was filled in."""
        if entry is None or (isinstance(entry, str) and not entry.strip()):
            return None
        if not slot.is_list:
            return await self._one(entry, slot, now)
        if not isinstance(entry, list):
            raise FlawError(Flaw.TYPES)
        return [await self._one(item, slot.item, now) for item in entry] or None

    async def _one(self, entry: Json, slot: Slot, now: Clock) -> Json:
        choices = choices_of(slot)
        if choices:
            if not any(entry == choice and type(entry) is type(choice) for choice in choices):
                raise FlawError(Flaw.CHOICE)
            return entry
        kind = kind_of(slot)
        if kind == "boolean" and isinstance(entry, bool):
            return entry
        if kind == "string" and isinstance(entry, str):
            return await self._text(entry, slot, now)
        if kind in ("integer", "number") and isinstance(entry, int | float) and not isinstance(entry, bool):
            number = whole(entry)
            if number is not None or kind == "number":
                return number if number is not None else entry
        raise FlawError(Flaw.TYPES)

    async def _text(self, entry: str, slot: Slot, now: Clock) -> Json:
        """As the starter mind writes it down: folders by their paths, moments as the parameter wants them."""
        if _CONTROL.search(entry):
            raise FlawError(Flaw.VALUES)
        if slot.is_path:
            return path_text(entry)
        if not wants_moment(slot) or _is_written(entry, slot):
            return entry
        try:
            return read_answer(entry, slot, self._info, await read_moments(entry, now()))
        except UnfitError:
            raise FlawError(Flaw.VALUES) from None


def _is_written(entry: str, slot: Slot) -> bool:
    """Whether a moment stands there in its format already."""
    kind = _MOMENTS.get(slot.format)
    try:
        return kind is not None and bool(kind.fromisoformat(entry))
    except ValueError:
        return False


def kind_of(slot: Slot) -> str:
    """The JSON type of an entry; empty for what only an object or a list can say."""
    choices = choices_of(slot)
    if choices:
        return "string" if isinstance(choices[0], str) else "choice"
    return next((name for name in _TYPES if name in slot.types), "")


def choices_of(slot: Slot) -> tuple[Json, ...]:
    """The values that an entry is one of; empty where it is none of some."""
    found = slot.item.choices if slot.is_list else slot.choices
    return tuple(choice for choice in found[:_CHOICES] if isinstance(choice, str | int | float))


def _schema(slot: Slot) -> JsonObject:
    return {"type": "array", "items": _item(slot.item)} if slot.is_list else _item(slot)


def _item(slot: Slot) -> JsonObject:
    choices = choices_of(slot)
    if not choices:
        return {"type": kind_of(slot)}
    texts = all(isinstance(choice, str) for choice in choices)
    return {"type": "string", "enum": list(choices)} if texts else {"enum": list(choices)}


def is_free_text(slot: Slot) -> bool:
    """Whether only the sense of the words tells what its value is."""
    typed = slot.is_path or slot.is_number or bool(slot.choices) or "boolean" in slot.types
    return not typed and not wants_moment(slot)


def slot_named(info: MetaActionInfo, name: str) -> Slot | None:
    """The slot of a parameter."""
    return next((slot for slot in slots_of(info) if slot.name == name), None)
