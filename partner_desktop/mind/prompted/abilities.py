"""What a question shows of abilities and chains, so that a model can answer it.

Abilities stand under short names that the answer must take one of; a chain as its stages, its steps, how far
they are, and what they brought, as material.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.message import TurnRef
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.plan import Plan, Step, StepStatus
from partner_desktop.language.arguments.slot import Slot, slots_of
from partner_desktop.language.terms import has_cjk
from partner_desktop.mind.prompted.answers import nearest_of
from partner_desktop.mind.prompted.prompts import Flaw, FlawError, quoted, unframed, written
from partner_desktop.model.chat import ToolDefinition

#: Abilities that a small model can still choose among.
MOST_SHOWN = 12
#: Bytes of all lines together: with the shared beginning they fit a context of two thousand tokens.
_ALL_LINES = 3_600
_LEAST_PARAMS, _MOST_PARAMS = 72, 400

_PLAIN = re.compile(r"[\w.:\-]{1,48}")
_OTHER = re.compile(r"[^\w]+")
_SLUG, _DESCRIPTION, _PARAM, _CHOICE, _CHOICES = 32, 160, 32, 20, 6
FORMATS = frozenset({"path", "date", "time", "date-time", "email", "uri"})
_TYPES = ("boolean", "integer", "number", "string")
_ENTRY_CHOICES = 60


class NamedAbilities:
    """Abilities by short name, in order. A key that is short and plain is its own."""

    def __init__(self, abilities: Sequence[MetaActionInfo]) -> None:
        self._named: dict[str, MetaActionInfo] = {}
        for info in abilities:
            slug = _OTHER.sub("_", info.title).strip("_")[:_SLUG].lower() or "ability"
            own = info.key if _PLAIN.fullmatch(info.key) else slug
            name, number = own, 2
            while name in self._named:
                name, number = f"{own}_{number}", number + 1
            self._named[name] = info

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._named)

    def lines(self) -> str:
        """One line an ability: its name, what it does, what it takes."""
        room = _ALL_LINES // max(1, len(self._named))
        return "\n".join(f"- {name}: {described(info, room)}" for name, info in self._named.items())

    def listed(self) -> str:
        """Their names alone, in order: the rest is told where they are offered as tools."""
        return "\n".join(f"- {name}" for name in self._named)

    def tools(self, answer: Callable[[str], JsonObject]) -> tuple[ToolDefinition, ...]:
        """The same as tools; a call of one stands for the answer that is made of its name."""
        room = _ALL_LINES // max(1, len(self._named))
        return tuple(
            ToolDefinition(name, unframed_line(info), _tool_params(info, room), answer(name))
            for name, info in self._named.items()
        )

    def named(self, name: str) -> MetaActionInfo:
        """The ability of a name.

        Raises:
            FlawError: There is none: the model made it up.
        """
        if name not in self._named:
            raise FlawError(Flaw.CHOICE, nearest_of(name, self.names))
        return self._named[name]

    def name_of(self, key: str) -> str:
        """The short name of an ability; empty where it is none of these."""
        return next((name for name, info in self._named.items() if info.key == key), "")


def described(info: MetaActionInfo, room: int) -> str:
    """What an ability does and takes, in about `room` bytes; all of it is the words of who wrote it."""
    head = first_line(info)
    left = max(_LEAST_PARAMS, min(_MOST_PARAMS, room - len(head.encode())))
    return f"{head} ({_params(info, left)})"


def first_line(info: MetaActionInfo) -> str:
    """The beginning of its description, quoted."""
    return quoted(*_line_of(info))


def unframed_line(info: MetaActionInfo) -> str:
    """The same for a place that quotes it."""
    return unframed(*_line_of(info))


def _line_of(info: MetaActionInfo) -> tuple[str, int]:
    """The line, and how much of it is shown."""
    line = next(iter(info.description.strip().splitlines()), "") or info.title
    return line, _DESCRIPTION // 2 if has_cjk(line) else _DESCRIPTION


def _tool_params(info: MetaActionInfo, room: int) -> JsonObject:
    """JSON Schema of the parameters that about so many bytes hold, what a call must carry first."""
    properties: JsonObject = {}
    required: list[Json] = []
    left = max(_LEAST_PARAMS, min(_MOST_PARAMS, room))
    for slot in sorted(slots_of(info), key=lambda slot: not slot.required):
        name, shape = unframed(slot.name, _PARAM), _tool_param(slot.item)
        left -= len(json.dumps({name: shape}).encode())
        if left < 0:
            break
        properties[name] = {"type": "array", "items": shape} if slot.is_list else shape
        required += [name] if slot.required else []
    return {"type": "object", "properties": properties, "required": required}


def _tool_param(slot: Slot) -> JsonObject:
    some = choices_of(slot)[:_CHOICES]
    if some:
        return {"enum": [unframed(one, _CHOICE) if isinstance(one, str) else one for one in some]}
    shape: JsonObject = {"type": slot_kind(slot) or "object"}
    return {**shape, "format": slot.format} if slot.format in FORMATS else shape


def _params(info: MetaActionInfo, room: int) -> str:
    """The parameters that the room holds, what a call must carry first."""
    told: list[str] = []
    for slot in sorted(slots_of(info), key=lambda slot: not slot.required):
        shown = [
            quoted(choice, _CHOICE) if isinstance(choice, str) else written(choice)
            for choice in choices_of(slot)
        ]
        some = "/".join((*shown[:_CHOICES], "…") if len(shown) > _CHOICES else shown)
        kind = f"{'list of ' if slot.is_list else ''}one of {some}" if shown else _kind(slot)
        words = f"{quoted(slot.name, _PARAM)}: {kind}{', required' if slot.required else ''}"
        room -= len(words.encode()) + 2
        if room < 0:
            told.append("…")
            break
        told.append(words)
    return "; ".join(told)


def _kind(slot: Slot) -> str:
    """What a parameter takes, in a word or three."""
    kind = slot.format if slot.format in FORMATS else slot_kind(slot.item) or "object"
    return f"list of {kind}" if slot.is_list else kind


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


#: Characters of arguments and results in all, so that they fit a context of two thousand tokens.
_DETAILS, _LEAST, _MOST = 2_400, 40, 160
_MOST_STEPS, _TITLE = 24, 60


def turn_of(action: ActionRecord) -> TurnRef | None:
    """Whose dialog and costs a question between two steps belongs to: the chain's conversation."""
    return TurnRef(action.conversation_id, action.id) if action.conversation_id else None


def chain_lines(action: ActionRecord, records: Sequence[ActionRecord], named: NamedAbilities) -> str:
    """One line a stage and one a step; `records` are what ran of it."""
    chain = action.chain or Plan(())
    ran = {record.id: record for record in records}
    room = max(_LEAST, min(_MOST, _DETAILS // (2 * max(1, len(chain.steps)))))
    lines: list[str] = []
    left = _MOST_STEPS
    for number, stage in enumerate(chain.stages, 1):
        state = "done" if number <= chain.at else "now" if number == chain.at + 1 else "later"
        lines.append(f"Stage {number} ({state}):")
        lines += [_line(step, ran.get(step.id), named, room) for step in stage.steps[:left]]
        left -= len(stage.steps)
        if left < 0:
            lines.append(f"… and {len(chain.stages) - number} more stages")
            break
    return "\n".join(lines) or "-"


def _line(step: Step, record: ActionRecord | None, named: NamedAbilities, room: int) -> str:
    name = named.name_of(step.key)
    called = f"{quoted(step.title, _TITLE)} ({name})" if name else quoted(step.title, _TITLE)
    words = f"- {called}, {step.status.value}: {quoted(written(step.params), room)}"
    brought = step.error or step.result
    if record is not None:
        data = "" if record.data is None else written(record.data)
        brought = (record.error or record.stdout or data or brought).strip()
    if not brought:
        return words
    verb = "failed with" if step.status is StepStatus.FAILED else "brought"
    return f"{words}, {verb} {quoted(brought, room)}"
