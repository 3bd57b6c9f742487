"""TrunkKeeper: the beginning that all prompts of a conversation share. Implements TrunkCapability.

Contract: made once a turn, for all its questions. From turn to turn a trunk only grows at its end, by what
was said; persona and digest stay to the letter. It begins anew where the dialog's window moves, where another
model reads it, and where the person changes who speaks; only then is the digest made anew, too. What is kept
is in memory and bounded: after a restart no model remembers anything, so a new beginning costs nothing more.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from partner_desktop.base.prompts import prompt_text
from partner_desktop.capabilities.action import ActionCapability
from partner_desktop.capabilities.cognition import CognitionCapability
from partner_desktop.capabilities.trunk import Trunk
from partner_desktop.communication.digest import Digest, make_digest
from partner_desktop.communication.prompt_budget import (
    MOST_MESSAGES,
    Budgets,
    DialogWindow,
    PromptBudgets,
    WindowLimits,
    cost_of,
    is_carried,
    said_before,
)
from partner_desktop.domain.message import Message
from partner_desktop.domain.snapshot import PromptPart
from partner_desktop.domain.turn_ref import TurnRef

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
class KeptTrunk:
    """A turn's trunk, and what a prompt on it must know."""

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


class TrunkKeeper:
    """Used on the loop only."""

    def __init__(
        self, cognition: CognitionCapability, action: ActionCapability, budgets: PromptBudgets
    ) -> None:
        self._cognition = cognition
        self._action = action
        self._budgets = budgets
        self._window = DialogWindow()
        self._held: OrderedDict[str, _Held] = OrderedDict()
        self._made: OrderedDict[str, KeptTrunk] = OrderedDict()
        self._making = asyncio.Lock()

    async def trunk(self, turn: TurnRef) -> Trunk:
        made = await self.kept(turn)
        return Trunk(made.parts, made.digest.differences(self._action.usable()))

    async def kept(self, turn: TurnRef) -> KeptTrunk:
        """The turn's trunk, made when it is first asked for.

        Raises:
            StorageError: The dialog cannot be read.
        """
        made = self._made.get(turn.turn_id)
        if made is not None:
            return made
        async with self._making:  # questions of one turn may come together
            made = self._made.get(turn.turn_id)
            return made if made is not None else self._keep(turn, await self._make(turn))

    async def shorter(self, turn: TurnRef, *, dialog_tokens: int) -> KeptTrunk:
        """The trunk of this one turn with less dialog, for what else must be in its prompt.

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

    def _keep(self, turn: TurnRef, made: KeptTrunk) -> KeptTrunk:
        self._made[turn.turn_id] = made
        if len(self._made) > _TURNS:
            self._made.popitem(last=False)
        return made

    async def _make(self, turn: TurnRef) -> KeptTrunk:
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
        return KeptTrunk(parts, held.digest, budgets, limits, held.left_out)

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
        return said_before(messages, turn.said)

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
