"""PrefixKeeper: the beginning that all prompts of a conversation share. Implements PrefixCapability.

Contract: made once a turn, for all its questions. From turn to turn a prefix only grows at its end, by
what was said; persona and digest stay to the letter. It begins anew where the dialog's window moves, where
another model reads it, and where the person changes who speaks; only then is the digest made anew, too.
What is kept is in memory and bounded: after a restart no model remembers anything, so a new beginning
costs nothing more.

The digest is a line an ability, the person's own first. What changes after it was frozen there is told
beside the person's words until it is made anew.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from partner_desktop.base.prompts import LANGUAGES, messages, prompt_text
from partner_desktop.base.text import cut
from partner_desktop.capabilities import ActionCapability, CognitionCapability, PromptPrefix
from partner_desktop.communication.prompt_budget import (
    MOST_MESSAGES,
    Budgets,
    DialogWindow,
    PromptBudgets,
    WindowLimits,
    cost_of,
    dialog_before,
    is_carried,
)
from partner_desktop.context.tokens import TokenCounter
from partner_desktop.domain.message import Message, TurnRef
from partner_desktop.domain.meta_action import MetaActionInfo, Route
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
_CONVERSATIONS, _TURNS = 256, 64


@dataclass
class _Held:
    """What a conversation's prompts begin with, as long as nothing moves."""

    key: tuple[object, ...]
    digest: Digest
    characters: int
    """What it carries of a long message."""
    begin: str = ""
    """The message that the dialog begins with; empty: there is none yet."""
    left_out: int = 0
    """Messages before it."""


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
    """The oldest ones, which it does not hold."""

    @property
    def tokens(self) -> int:
        return cost_of(self.parts)

    @property
    def dialog_fullness(self) -> float:
        """How much of what the model leaves to the dialog is taken; 0 where the model is no limit."""
        if not 0 < self.limits.tokens < self.budgets.dialog_tokens:
            return 0.0
        return cost_of(part for part in self.parts if part.name == "dialog") / self.limits.tokens


class PrefixKeeper:
    """Used on the loop only."""

    def __init__(
        self, cognition: CognitionCapability, action: ActionCapability, budgets: PromptBudgets
    ) -> None:
        self._cognition = cognition
        self._action = action
        self._budgets = budgets
        self._window = DialogWindow()
        self._held: OrderedDict[str, _Held] = OrderedDict()
        self._made: OrderedDict[str, KeptPrefix] = OrderedDict()
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
            return made if made is not None else self._keep(turn, await self._make(turn))

    async def shorter(self, turn: TurnRef, *, dialog_tokens: int) -> KeptPrefix:
        """The prefix of this one turn with less dialog, for what else must be in its prompt.

        The conversation keeps its beginning: the next turn has it again.
        """
        made = await self.kept(turn)
        limits = replace(made.limits, tokens=max(0, dialog_tokens))
        messages = await self._said_before(turn)
        parts = self._window.parts(messages, begin="", limits=limits, counter=made.budgets.counter)
        fixed = tuple(part for part in made.parts if part.name != "dialog")
        left_out = await self._count_left_out(turn, messages, parts)
        return replace(made, parts=(*fixed, *parts), left_out_messages=left_out)

    def end(self, turn_id: str) -> None:
        """The turn is over."""
        self._made.pop(turn_id, None)

    def _keep(self, turn: TurnRef, made: KeptPrefix) -> KeptPrefix:
        self._made[turn.turn_id] = made
        if len(self._made) > _TURNS:
            self._made.popitem(last=False)
        return made

    async def _make(self, turn: TurnRef) -> KeptPrefix:
        language = self._budgets.language
        persona = self._budgets.persona or prompt_text("persona", language)
        budgets = self._budgets.budgets(turn.conversation_id, persona=persona)
        counter = budgets.counter
        held = self._held.get(turn.conversation_id)
        key = (*budgets.key, persona)
        if held is not None and held.key != key:
            held = None
        messages = await self._said_before(turn)
        if held is None:
            held = _Held(key, self._digest(language, budgets), budgets.characters)
        limits = budgets.window(counter.count(held.digest.text), held.characters)
        dialog = self._window.parts(messages, begin=held.begin, limits=limits, counter=counter)
        begin = dialog[0].message_id if dialog else ""
        if held.begin and held.begin != begin:
            held = _Held(key, self._digest(language, budgets), held.characters)
        if begin != held.begin or not begin:
            held.begin, held.left_out = begin, await self._count_left_out(turn, messages, dialog)
        self._hold(turn.conversation_id, held)
        parts = (
            PromptPart("system", "persona", persona, counter.count(persona)),
            PromptPart("system", "capabilities", held.digest.text, counter.count(held.digest.text)),
            *dialog,
        )
        return KeptPrefix(parts, held.digest, budgets, limits, held.left_out)

    def _digest(self, language: str, budgets: Budgets) -> Digest:
        return make_digest(
            self._action.usable(),
            language=language,
            most_tokens=budgets.digest_tokens,
            counter=budgets.counter,
        )

    def _hold(self, conversation_id: str, held: _Held) -> None:
        self._held[conversation_id] = held
        self._held.move_to_end(conversation_id)
        if len(self._held) > _CONVERSATIONS:
            self._held.popitem(last=False)

    async def _said_before(self, turn: TurnRef) -> list[Message]:
        messages = await self._cognition.recent(turn.conversation_id, limit=_ROWS)
        return dialog_before(messages, turn.said)

    async def _count_left_out(
        self, turn: TurnRef, messages: Sequence[Message], dialog: Sequence[PromptPart]
    ) -> int:
        """How many messages with words stand before the dialog that is carried."""
        sayable = [one.id for one in messages if is_carried(one)]
        if not sayable:
            return 0
        if not dialog:
            return 1 + await self._cognition.count_said(turn.conversation_id, before=sayable[-1])
        return await self._cognition.count_said(turn.conversation_id, before=dialog[0].message_id)
