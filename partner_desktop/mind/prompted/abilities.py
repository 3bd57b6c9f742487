"""What a question shows of abilities and chains, so that a model can answer it.

Abilities stand under short names that the answer must take one of; their parameters as a flat form, whose
entries become typed values; a chain as its stages, its steps, how far they are, and what they brought, as
material.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, time
from difflib import get_close_matches

from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.chain import Chain, Step, StepStatus
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.message import TurnRef
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.arguments.answer import read_answer
from partner_desktop.language.arguments.conversion import UnfitError, path_text
from partner_desktop.language.arguments.offers.number_offers import wants_moment
from partner_desktop.language.arguments.slot import Slot, flattened, rebuilt, slots_of
from partner_desktop.language.terms import has_cjk
from partner_desktop.language.values.moments import read_moments
from partner_desktop.mind.prompted.answers import object_schema, or_null, whole
from partner_desktop.mind.prompted.prompts import Flaw, FlawError, quoted, written

Clock = Callable[[], datetime]

#: Entries that a small model can still fill in.
_ENTRIES = 24
_ENTRY_CHOICES, _ENTRY_DESCRIPTION = 60, 200
_PLAIN_NAME = re.compile(r"[A-Za-z_][\w.\-]{0,39}")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_TYPES = ("boolean", "integer", "number", "string")
_MOMENTS: dict[str, type[date | time]] = {"date": date, "time": time, "date-time": datetime}
_LIMITS = (("at least", "minimum"), ("at most", "maximum"), ("at most characters:", "maxLength"))
_JOINT = "\x1f"


class ParamSlots:
    """The entries by short name, those of objects each on its own. What only an object can say, is not."""

    def __init__(self, info: MetaActionInfo) -> None:
        self._info = info
        self._slots: dict[str, Slot] = {}
        for slot in flattened(slots_of(info)):
            if len(self._slots) < _ENTRIES and slot_kind(slot.item):
                self._slots[self._free_name(slot)] = slot

    def _free_name(self, slot: Slot) -> str:
        own = slot.name.replace(_JOINT, ".")
        plain = _PLAIN_NAME.fullmatch(own) and own not in self._slots
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
        kind = slot_kind(slot.item)
        words = [f"list of {kind}" if slot.is_list else kind]
        words += [slot.format] if slot.format in ("path", "date", "time", "date-time", "email", "uri") else []
        limits = [(word, slot.schema.get(key)) for word, key in _LIMITS]
        words += [f"{word} {limit}" for word, limit in limits if isinstance(limit, int | float)]
        words += ["required"] if slot.required else []
        choices = f", one of {written(list(choices_of(slot)))}" if choices_of(slot) else ""
        return f"{quoted(slot.description, _ENTRY_DESCRIPTION)} ({', '.join(words)}{choices})"

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
        kind = slot_kind(slot)
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
            return read_answer(entry, slot, self._info, await read_moments(entry, now())).value
        except UnfitError:
            raise FlawError(Flaw.VALUES) from None


def _is_written(entry: str, slot: Slot) -> bool:
    """Whether a moment stands there in its format already."""
    kind = _MOMENTS.get(slot.format)
    try:
        return kind is not None and bool(kind.fromisoformat(entry))
    except ValueError:
        return False


def slot_kind(slot: Slot) -> str:
    """The JSON type of an entry; empty for what only an object or a list can say."""
    choices = choices_of(slot)
    if choices:
        return "string" if isinstance(choices[0], str) else "choice"
    return next((name for name in _TYPES if name in slot.types), "")


def choices_of(slot: Slot) -> tuple[Json, ...]:
    """The values that an entry is one of; empty where it is none of some."""
    found = slot.item.choices if slot.is_list else slot.choices
    return tuple(choice for choice in found[:_ENTRY_CHOICES] if isinstance(choice, str | int | float))


def _schema(slot: Slot) -> JsonObject:
    return {"type": "array", "items": _item(slot.item)} if slot.is_list else _item(slot)


def _item(slot: Slot) -> JsonObject:
    choices = choices_of(slot)
    if not choices:
        return {"type": slot_kind(slot)}
    texts = all(isinstance(choice, str) for choice in choices)
    return {"type": "string", "enum": list(choices)} if texts else {"enum": list(choices)}


def is_free_text(slot: Slot) -> bool:
    """Whether only the sense of the words tells what its value is."""
    typed = slot.is_path or slot.is_number or bool(slot.choices) or "boolean" in slot.types
    return not typed and not wants_moment(slot)


def slot_named(info: MetaActionInfo, name: str) -> Slot | None:
    """The slot of a parameter."""
    return next((slot for slot in slots_of(info) if slot.name == name), None)


#: Abilities that a small model can still choose among.
MOST_SHOWN = 12
#: Bytes of all lines together: with the shared beginning they fit a context of two thousand tokens.
_ALL_LINES = 3_600
_LEAST_PARAMS, _MOST_PARAMS = 72, 400

_PLAIN = re.compile(r"[\w.:\-]{1,48}")
_OTHER = re.compile(r"[^\w]+")
_SLUG, _DESCRIPTION, _PARAM, _CHOICE, _CHOICES = 32, 160, 32, 20, 6
_NEAREST, _TYPED_NAME = 3, 80


class NamedAbilities:
    """Abilities by short name, in order. A key that is short and plain is its own."""

    def __init__(self, abilities: Sequence[MetaActionInfo]) -> None:
        self._named: dict[str, MetaActionInfo] = {}
        for info in abilities:
            self._named[_free_name(info, self._named)] = info

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._named)

    def lines(self) -> str:
        """One line an ability: its name, what it does, what it takes."""
        room = _ALL_LINES // max(1, len(self._named))
        return "\n".join(f"- {name}: {described(info, room)}" for name, info in self._named.items())

    def named(self, name: str) -> MetaActionInfo:
        """The ability of a name.

        Raises:
            FlawError: There is none: the model made it up.
        """
        if name not in self._named:
            raise FlawError(Flaw.CHOICE, self._nearest(name))
        return self._named[name]

    def name_of(self, key: str) -> str:
        """The short name of an ability; empty where it is none of these."""
        return next((name for name, info in self._named.items() if info.key == key), "")

    def _nearest(self, name: str) -> list[str]:
        """The names that are written most alike, or the likeliest."""
        called = name[:_TYPED_NAME].casefold()
        alike = {short.rpartition("::")[2].casefold(): short for short in reversed(self._named)}
        found = get_close_matches(called.rpartition("::")[2], alike, n=_NEAREST, cutoff=0.4)
        return [alike[one] for one in found] or list(self._named)[:_NEAREST]


def described(info: MetaActionInfo, room: int) -> str:
    """What an ability does and takes, in about `room` bytes; all of it is the words of who wrote it."""
    head = first_line(info)
    left = max(_LEAST_PARAMS, min(_MOST_PARAMS, room - len(head.encode())))
    return f"{head} ({_params(info, left)})"


def first_line(info: MetaActionInfo) -> str:
    """The beginning of its description."""
    line = next(iter(info.description.strip().splitlines()), "") or info.title
    return quoted(line, _DESCRIPTION // 2 if has_cjk(line) else _DESCRIPTION)


def _params(info: MetaActionInfo, room: int) -> str:
    """The parameters that the room holds, what a call must carry first."""
    told: list[str] = []
    slots = sorted(slots_of(info), key=lambda slot: not slot.required)
    for slot in slots:
        words = _param(slot)
        room -= len(words.encode()) + 2
        if room < 0:
            told.append("…")
            break
        told.append(words)
    return "; ".join(told)


def _param(slot: Slot) -> str:
    choices = choices_of(slot)
    kind = "one of " + _some(choices) if choices else _kind(slot)
    words = f"{quoted(slot.name, _PARAM)}: {'list of ' if slot.is_list else ''}{kind}"
    return f"{words}, required" if slot.required else words


def _kind(slot: Slot) -> str:
    plain = slot.format if slot.format in ("path", "date", "time", "date-time", "email", "uri") else ""
    return plain or slot_kind(slot.item) or "object"


def _some(choices: Sequence[object]) -> str:
    shown = [
        quoted(choice, _CHOICE) if isinstance(choice, str) else written(str(choice))
        for choice in choices[:_CHOICES]
    ]
    return "/".join(shown) + ("/…" if len(choices) > _CHOICES else "")


def _free_name(info: MetaActionInfo, taken: Mapping[str, MetaActionInfo]) -> str:
    own = info.key if _PLAIN.fullmatch(info.key) else _OTHER.sub("_", info.title).strip("_")[:_SLUG].lower()
    name, number = own or "ability", 2
    while name in taken:
        name, number = f"{own or 'ability'}_{number}", number + 1
    return name


#: Characters of arguments and results in all, so that they fit a context of two thousand tokens.
_DETAILS, _LEAST, _MOST = 2_400, 40, 160
_MOST_STEPS, _TITLE = 24, 60


def turn_of(action: ActionRecord) -> TurnRef | None:
    """Whose dialog and costs a question between two steps belongs to: the chain's conversation."""
    return TurnRef(action.conversation_id, action.id) if action.conversation_id else None


def chain_lines(action: ActionRecord, records: Sequence[ActionRecord], named: NamedAbilities) -> str:
    """One line a stage and one a step; `records` are what ran of it."""
    chain = action.chain or Chain(())
    ran = {record.id: record for record in records}
    room = max(_LEAST, min(_MOST, _DETAILS // (2 * max(1, len(chain.steps)))))
    lines = list(_lines(chain, ran, named, room))
    return "\n".join(lines) or "-"


def _lines(chain: Chain, ran: dict[str, ActionRecord], named: NamedAbilities, room: int) -> Iterator[str]:
    left = _MOST_STEPS
    for number, stage in enumerate(chain.stages, 1):
        state = "done" if number <= chain.at else "now" if number == chain.at + 1 else "later"
        yield f"Stage {number} ({state}):"
        for step in stage.steps[:left]:
            yield _line(step, ran.get(step.id), named, room)
        left -= len(stage.steps)
        if left < 0:
            yield f"… and {len(chain.stages) - number} more stages"
            return


def _line(step: Step, record: ActionRecord | None, named: NamedAbilities, room: int) -> str:
    name = named.name_of(step.key)
    called = f"{quoted(step.title, _TITLE)} ({name})" if name else quoted(step.title, _TITLE)
    words = f"- {called}, {step.status.value}: {quoted(written(step.params), room)}"
    brought = _brought(step, record)
    if not brought:
        return words
    verb = "failed with" if step.status is StepStatus.FAILED else "brought"
    return f"{words}, {verb} {quoted(brought, room)}"


def _brought(step: Step, record: ActionRecord | None) -> str:
    if record is None:
        return step.error or step.result
    data = "" if record.data is None else written(record.data)
    return (record.error or record.stdout or data or step.error or step.result).strip()
