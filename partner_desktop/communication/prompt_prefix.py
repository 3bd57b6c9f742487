"""PrefixKeeper: the beginning that all prompts of a conversation share. Implements PrefixCapability.

Contract: made once a turn, for all its questions. From turn to turn a prefix only grows at its end, by
what was said; persona and digest stay to the letter. It begins anew where the dialog's window moves, where
another model reads it, and where the person changes who speaks; only then is the digest made anew, too.
What is kept is in memory and bounded: after a restart no model remembers anything, so a new beginning
costs nothing more.

The digest is a line an ability, the person's own first. What changes after it was frozen there is told
beside the person's words until it is made anew.

The dialog before it stands there as the summaries of what was rolled: the newest are whole as long as there
is room, and what is not told is counted. That changes with a roll, and with nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.prompts import LANGUAGES, messages, prompt_text
from partner_desktop.base.recent import Recent
from partner_desktop.base.text import cut
from partner_desktop.base.text_compression import sentences
from partner_desktop.capabilities import (
    ActionCapability,
    CognitionCapability,
    PromptPrefix,
    UnitCapability,
)
from partner_desktop.communication.prompt_budget import (
    FRAME_TOKENS,
    MOST_MESSAGES,
    Budgets,
    DialogWindow,
    PromptBudgets,
    WindowLimits,
    carried,
    cost_of,
    dialog_before,
    is_carried,
)
from partner_desktop.context import block
from partner_desktop.context.tokens import TokenCounter
from partner_desktop.domain.message import Message, TurnRef
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.domain.remembered import MemoryUnit
from partner_desktop.domain.snapshot import PromptPart

#: Abilities that a digest names at most.
_MOST_NAMED = 60
#: Differences that are told one by one.
_MOST_TOLD = 20
#: Characters of a description, by how much room there is.
_LENGTHS = (100, 60, 30, 0)


@dataclass(frozen=True)
class Digest:
    """The text, and what it was made from."""

    text: str
    named: Mapping[str, str]
    """Key → description, of those that the text names."""
    unnamed: frozenset[str]
    """Keys for which there was no room."""
    language: str

    def differences(self, abilities: Sequence[MetaActionInfo]) -> str:
        """What came, changed or went since, as lines; empty: nothing."""
        words: Mapping[str, str] = messages("digest", self.language)
        lines = []
        for info in sorted(abilities, key=lambda one: one.key):
            told = _first_line(info.description, _LENGTHS[0])
            if info.key not in self.named and info.key not in self.unnamed:
                lines.append(f"- {words['new']}: {info.key}: {told}")
            elif info.key in self.named and self.named[info.key] != told:
                lines.append(f"- {words['changed']}: {info.key}: {told}")
        there = {info.key for info in abilities}
        gone = [f"- {words['gone']}: {key}" for key in self.named if key not in there]
        # What is gone comes first: to claim it would be worse than to miss something new.
        return "\n".join([words["since"], *_short([*gone, *lines], words)]) if gone or lines else ""


def make_digest(
    abilities: Iterable[MetaActionInfo], *, language: str, most_tokens: int, counter: TokenCounter
) -> Digest:
    """A digest that holds `most_tokens` at most: descriptions grow shorter first, then fewer are named."""
    spoken = language if language in LANGUAGES else LANGUAGES[0]
    ordered = sorted(abilities, key=_place)
    named = ordered[:_MOST_NAMED]
    text = _text(ordered, len(named), _LENGTHS[0], spoken)
    for characters in _LENGTHS[1:]:
        if counter.count(text) <= most_tokens:
            break
        text = _text(ordered, len(named), characters, spoken)
    while named and counter.count(text) > most_tokens:
        named = named[: len(named) * 3 // 4]
        text = _text(ordered, len(named), _LENGTHS[-1], spoken)
    return Digest(
        text,
        {info.key: _first_line(info.description, _LENGTHS[0]) for info in named},
        frozenset(info.key for info in ordered[len(named) :]),
        spoken,
    )


def _place(info: MetaActionInfo) -> tuple[bool, str]:
    """By key; where room is short, what is built in gives way to what the person put there."""
    return info.route is Route.BUILTIN, info.key


def _text(ordered: Sequence[MetaActionInfo], named: int, characters: int, language: str) -> str:
    words: Mapping[str, str] = messages("digest", language)
    if not ordered:
        return words["none"]
    lines = [_line(info, characters) for info in ordered[:named]]
    if len(ordered) > named:
        lines.append(words["more"].format(number=len(ordered) - named))
    return "\n".join([words["head"], *lines])


def _line(info: MetaActionInfo, characters: int) -> str:
    told = _first_line(info.description, characters)
    return f"- {info.key}: {told}" if told else f"- {info.key}"


def _first_line(text: str, characters: int) -> str:
    line = next(iter(text.strip().splitlines()), "")
    return cut(line, characters) if characters else ""


def _short(lines: list[str], words: Mapping[str, str]) -> list[str]:
    if len(lines) <= _MOST_TOLD:
        return lines
    return [*lines[:_MOST_TOLD], words["more"].format(number=len(lines) - _MOST_TOLD)]


#: Rows that are read for a window: cards stand between the messages, and a turn's own rows after them.
_ROWS = 2 * MOST_MESSAGES
#: Conversations and turns that are kept.
_CONVERSATIONS, _TURNS = 32, 64


#: Of the dialog's room: what the summaries of what was rolled may take.
_HISTORY_PART = 0.2


@dataclass(frozen=True)
class RolledPart:
    """What of a conversation was rolled and has a summary."""

    units: tuple[MemoryUnit, ...] = ()

    @property
    def past(self) -> int:
        """The position from which on messages are carried themselves."""
        return max((unit.past for unit in self.units), default=0)

    @property
    def at(self) -> datetime | None:
        """When something was rolled last."""
        return max((unit.rolled_at for unit in self.units if unit.rolled_at is not None), default=None)


@dataclass
class _Held:
    """What a conversation's prompts begin with, as long as nothing moves."""

    key: tuple[object, ...]
    digest: Digest
    characters: int
    """What it carries of a long message."""
    history: tuple[PromptPart, ...] | None = None
    """What stands for the dialog before it, one part or none; `None`: not made yet."""
    begin: str = ""
    """The message that the dialog begins with; empty: there is none yet."""
    left_out: int = 0
    """Messages before it that are in no summary either."""
    room_tokens: int = 0
    """Of the messages of its dialog."""


@dataclass(frozen=True)
class KeptPrefix:
    """A turn's prefix, and what a prompt on it must know."""

    parts: tuple[PromptPart, ...]
    digest: Digest
    """What is different since it was made belongs into the tail."""
    budgets: Budgets
    limits: WindowLimits
    """Of its dialog."""
    left_out_messages: int
    """The oldest ones, which it does not hold, and no summary either."""
    rolled: RolledPart

    @property
    def tokens(self) -> int:
        return cost_of(self.parts)

    @property
    def dialog_fullness(self) -> float:
        """How much of what the model leaves to the dialog is taken; 0 where the model is no limit."""
        history = cost_of(part for part in self.parts if part.name == "dialog_history")
        if not 0 < self.limits.tokens < self.budgets.dialog_tokens - history:
            return 0.0
        return cost_of(part for part in self.parts if part.name == "dialog") / self.limits.tokens


class PrefixKeeper:
    """Used on the loop only. Implements DialogRoomCapability, too. Without `units` nothing is ever rolled."""

    def __init__(
        self,
        cognition: CognitionCapability,
        action: ActionCapability,
        budgets: PromptBudgets,
        units: UnitCapability | None = None,
    ) -> None:
        self._cognition = cognition
        self._action = action
        self._budgets = budgets
        self._units = units
        self._window = DialogWindow()
        self._held: Recent[str, _Held] = Recent(_CONVERSATIONS)
        self._made: Recent[str, KeptPrefix] = Recent(_TURNS)
        self._making = asyncio.Lock()

    async def prefix(self, turn: TurnRef) -> PromptPrefix:
        made = await self.kept(turn)
        return PromptPrefix(made.parts, made.digest.differences(self._action.usable()))

    async def kept(self, turn: TurnRef) -> KeptPrefix:
        """The turn's prefix, made when it is first asked for.

        Raises:
            StorageError: The dialog cannot be read.
        """
        made = self._made.get(turn.turn_id)
        if made is not None:
            return made
        async with self._making:  # questions of one turn may come together
            made = self._made.get(turn.turn_id)
            if made is None:
                made = self._made[turn.turn_id] = await self._make(turn)
            return made

    async def shorter(self, turn: TurnRef, *, dialog_tokens: int) -> KeptPrefix:
        """The prefix of this one turn with less dialog, for what else must be in its prompt.

        The conversation keeps its beginning: the next turn has it again.
        """
        made = await self.kept(turn)
        limits = replace(made.limits, tokens=max(0, dialog_tokens))
        messages = await self._said_before(turn, made.rolled)
        parts = self._window.parts(messages, begin="", limits=limits, counter=made.budgets.counter)
        fixed = tuple(part for part in made.parts if part.name != "dialog")
        left_out = await self._count_left_out(turn, messages, parts, made.rolled)
        return replace(made, parts=(*fixed, *parts), left_out_messages=left_out)

    def dialog_share(self, conversation_id: str, said: Sequence[tuple[str, str]]) -> float:
        """See `DialogRoomCapability`; by the room that the conversation's last prompt had."""
        held = self._held.get(conversation_id)
        if held is None or held.room_tokens <= 0:
            return 0.0
        counter = self._budgets.budgets(conversation_id, persona="").counter
        forms = [(message_id, carried(text, held.characters)) for message_id, text in said]
        cost = sum(
            self._window.tokens(message_id, text, counter) + FRAME_TOKENS for message_id, text in forms
        )
        return cost / held.room_tokens

    def end(self, turn_id: str) -> None:
        """The turn is over."""
        self._made.pop(turn_id, None)

    async def _make(self, turn: TurnRef) -> KeptPrefix:
        language = self._budgets.language
        persona = self._budgets.persona or prompt_text("persona", language)
        budgets = self._budgets.budgets(turn.conversation_id, persona=persona)
        counter = budgets.counter
        held = self._held.get(turn.conversation_id)
        rolled = await self._rolled(turn.conversation_id)
        key = (*budgets.key, persona, rolled.units)
        if held is not None and held.key != key:
            held = None
        messages = await self._said_before(turn, rolled)
        if held is None:
            held = _Held(key, self._digest(language, budgets), budgets.characters)
        limits = budgets.window(counter.count(held.digest.text), held.characters)
        if held.history is None:
            most = round(_HISTORY_PART * limits.tokens)
            made = dialog_history(rolled.units, language=language, most_tokens=most, counter=counter)
            held.history = (made,) if made is not None else ()
        told = held.history
        limits = replace(limits, tokens=max(0, limits.tokens - cost_of(told)), rolled_at=rolled.at)
        dialog = self._window.parts(messages, begin=held.begin, limits=limits, counter=counter)
        begin = dialog[0].message_id if dialog else ""
        if held.begin and held.begin != begin:
            held = _Held(key, self._digest(language, budgets), held.characters, held.history)
        if begin != held.begin or not begin:
            held.begin = begin
            held.left_out = await self._count_left_out(turn, messages, dialog, rolled)
        held.room_tokens = limits.tokens
        self._held[turn.conversation_id] = held
        parts = (
            PromptPart("system", "persona", persona, counter.count(persona)),
            PromptPart("system", "capabilities", held.digest.text, counter.count(held.digest.text)),
            *told,
            *dialog,
        )
        return KeptPrefix(parts, held.digest, budgets, limits, held.left_out, rolled)

    async def _rolled(self, conversation_id: str) -> RolledPart:
        if self._units is None:
            return RolledPart()
        units = await self._units.units(conversation_id)
        return RolledPart(tuple(unit for unit in units if unit.summary))

    def _digest(self, language: str, budgets: Budgets) -> Digest:
        return make_digest(
            self._action.usable(),
            language=language,
            most_tokens=budgets.digest_tokens,
            counter=budgets.counter,
        )

    async def _said_before(self, turn: TurnRef, rolled: RolledPart) -> list[Message]:
        messages = await self._cognition.recent(turn.conversation_id, limit=_ROWS)
        return dialog_before([one for one in messages if one.position >= rolled.past], turn.said)

    async def _count_left_out(
        self,
        turn: TurnRef,
        messages: Sequence[Message],
        dialog: Sequence[PromptPart],
        rolled: RolledPart,
    ) -> int:
        """How many messages with words stand between what was rolled and the dialog that is carried."""
        sayable = [one.id for one in messages if is_carried(one)]
        if not sayable:
            return 0
        place, since = turn.conversation_id, rolled.past
        if not dialog:
            return 1 + await self._cognition.count_said(place, before=sayable[-1], since=since)
        return await self._cognition.count_said(place, before=dialog[0].message_id, since=since)


NAME = "dialog_history"


def dialog_history(
    units: Sequence[MemoryUnit], *, language: str, most_tokens: int, counter: TokenCounter
) -> PromptPart | None:
    """The part for units with summaries, in order, as much of it as fits; `None`: nothing was rolled."""
    if not units:
        return None
    told: list[str] = []
    room = most_tokens - counter.count(_history_text([], len(units), language))
    for unit in reversed(units):
        entry = _entry(unit, unit.summary)
        room -= counter.count(entry) + 1
        if told and room < 0:
            break
        told.insert(0, entry)
    text = _history_text(told, len(units) - len(told), language)
    newest = sentences(units[-1].summary)
    while counter.count(text) > most_tokens and len(newest) > 1:
        newest.pop()
        shorter = _entry(units[-1], f"{''.join(newest).rstrip()} […]")
        text = _history_text([shorter], len(units) - 1, language)
    return PromptPart("user", NAME, text, counter.count(text))


def _entry(unit: MemoryUnit, summary: str) -> str:
    begun = block.attribute("from", unit.at.isoformat(timespec="minutes"))
    return block.leaf("part", summary, attributes=begun, depth=1)


def _history_text(told: Sequence[str], left_out: int, language: str) -> str:
    words: Mapping[str, str] = messages(NAME, language)
    lines = [words["head"]]
    if left_out:
        lines.append(words["more_one" if left_out == 1 else "more"].format(number=left_out))
    return block.branch(NAME, [*(f"{block.INDENT}{line}" for line in lines), *told])
