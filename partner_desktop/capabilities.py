"""The Protocols through which modules reach each other; one implementation of each.

Memory: what was said earlier. Action: what can be done here. Cognition: the dialog as it stands, and starting
a turn of one's own. Models: who answers which question, within which limits (by `model/model_registry.py`).
The prefix: the beginning that all prompts of a conversation share (`communication/prompt_prefix.py` keeps
it).
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping, Sequence
from datetime import date, datetime
from typing import Protocol, TypeAlias

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.entity import Entity, EntityFact
from partner_desktop.domain.evidence import Evidence, FirstMeeting, KnownFacts, Learnt
from partner_desktop.domain.familiar_request import FamiliarRequest
from partner_desktop.domain.forgetting import ForgetPreview, Forgotten, HeldWords
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.message import Conversation, Message, MessageState, Role, TurnRef
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.remembered import (
    MemoryUnit,
    OpenedSlice,
    Recall,
    RecallQuery,
    RememberedTurn,
    RollReason,
    UnitSummaries,
    UnrolledDialog,
)
from partner_desktop.domain.snapshot import PromptPart
from partner_desktop.model.chat import ChatEvent, ChatMessage, ContextWindow, ToolChoice
from partner_desktop.storage.database import Database


class ActionRecords(Protocol):
    """What became of what was asked for, as rows."""

    async def get(self, action_id: str) -> ActionRecord:
        """One action.

        Raises:
            UsageError: It does not exist.
        """
        ...

    async def in_status(self, status: ActionStatus, *, conversation_id: str = "") -> list[ActionRecord]:
        """All actions in a status, oldest first; of one conversation where it is given."""
        ...

    async def newest(self, *, limit: int) -> list[ActionRecord]:
        """The newest actions, newest first; a step of a chain only while it waits for the person."""
        ...


class MemoryCapability(Protocol):
    """What memory offers to other modules."""

    async def recall(self, query: RecallQuery) -> Recall:
        """What was said that answers a question.

        Raises:
            StorageError: What is kept cannot be read.
        """
        ...

    async def pinned(self) -> Sequence[OpenedSlice]:
        """What the person wants to stay in sight, the newest first; a few at most.

        Raises:
            StorageError: What is kept cannot be read.
        """
        ...


class Forgettable(Protocol):
    """Whoever keeps something that was made of what was said, and can erase it.

    `database` is the home's, or a copy in a backup that has the newest tables. Both work in small steps.
    """

    async def held(self, database: Database, gone: Forgotten) -> Sequence[HeldWords]:
        """Where words of what is to be forgotten stand.

        Raises:
            StorageError: It cannot be read.
        """
        ...

    async def erase(self, database: Database, gone: Forgotten) -> None:
        """Erase them; a second call has nothing left to do, and a crash in between costs nothing.

        It is called before the messages go and after: what was made of them meanwhile goes too.

        Raises:
            StorageError: It could not be done; it is called again.
        """
        ...


class ForgetCapability(Protocol):
    """What memory offers to whoever is asked in words to forget something."""

    async def ordered(self, conversation_id: str, *, words: str, day: date | None) -> ForgetPreview:
        """What would go, asked for by the newest message of a conversation; with neither: what came before.

        Raises:
            UsageError: There is nothing of the kind.
        """
        ...

    async def forget(self, preview_id: str) -> ForgetPreview | int:
        """Erase what was shown; how many messages, or what it is now where that is something else.

        Raises:
            UsageError: It was not shown, or too long ago.
            StorageError: Nothing was erased.
        """
        ...


class EntityEvidence(Protocol):
    """What is known of somebody or something, as far as forgetting needs it."""

    async def told_in(self, entity_id: str) -> tuple[Sequence[str], Sequence[str]]:
        """Its names, and the ids of the messages that it is known from.

        Raises:
            UsageError: There is none of this id.
        """
        ...

    async def called(self, name: str) -> Sequence[str]:
        """The ids of those who have or had some name; the person is none of them."""
        ...

    async def named_only_in(self, message_ids: Collection[str]) -> Sequence[str]:
        """The names of those who are known from nothing but some messages."""
        ...


#: Sums up a unit, given the turns of each of its slices; nothing is written before it has answered.
SumUp: TypeAlias = Callable[[Sequence[Sequence[RememberedTurn]]], Awaitable[UnitSummaries]]


class UnitCapability(Protocol):
    """What memory offers to rolling, and to whoever begins a prompt at the last roll."""

    async def units(self, conversation_id: str) -> list[MemoryUnit]:
        """The units of a conversation, in order; their messages are not counted: that reads all of them.

        Raises:
            StorageError: What is kept cannot be read.
        """
        ...

    async def unrolled(self, conversation_id: str, *, most: int = 2**62) -> UnrolledDialog:
        """What was said since the last unit; of many turns the first `most`.

        Raises:
            StorageError: What is kept cannot be read.
        """
        ...

    async def resting(self, since: datetime, until: datetime) -> list[str]:
        """The conversations, the newest first, that nothing came into after `until`, and something after
        `since`, and that are not in units up to their end.

        Raises:
            StorageError: What is kept cannot be read.
        """
        ...

    async def keep(
        self,
        conversation_id: str,
        first: int,
        past: int,
        *,
        origin: str = "",
        reason: RollReason = "",
        sum_up: SumUp | None = None,
    ) -> MemoryUnit | None:
        """Make a unit of a stretch that is over, with its slices, at once; `None`: it holds no turn.

        Raises:
            UsageError: A part of it is in a unit already, or it keeps changing.
            StorageError: It cannot be saved; nothing of it is there.
        """
        ...

    async def sum_anew(self, unit: MemoryUnit, sum_up: SumUp) -> MemoryUnit | None:
        """Give a unit the summaries that it has none of; `None`: it is gone, or holds no turn.

        Raises:
            UsageError: It keeps changing.
            StorageError: It cannot be saved; nothing of it is there.
        """
        ...


class EntityCapability(Protocol):
    """What is known of people and things, for whoever reads words or calls abilities."""

    async def answer(
        self, text: str, *, conversation_id: str, message_ids: Sequence[str]
    ) -> KnownFacts | Learnt | None:
        """The answer to a question about what is known, or what became of a correction of what was shown.

        `None`: the words want something else.

        Raises:
            StorageError: What is kept cannot be read.
        """
        ...

    async def taught(
        self, text: str, *, conversation_id: str, message_ids: Sequence[str], wholly: bool
    ) -> Learnt | None:
        """What these messages told; `wholly`: only where the words do nothing else.

        Raises:
            StorageError: What is kept cannot be read.
        """
        ...

    async def supplied(
        self, text: str, info: MetaActionInfo, values: JsonObject
    ) -> Mapping[str, tuple[Entity, EntityFact]]:
        """Parameter → what is known that it wants: `send it to Ann` wants her address.

        Raises:
            StorageError: What is kept cannot be read.
        """
        ...

    async def first_meeting(self, conversation_id: str) -> FirstMeeting | None:
        """What to say at the first meeting; `None` where it was said, or is none.

        Raises:
            StorageError: What is kept cannot be read.
        """
        ...


class FamiliarCapability(Protocol):
    """What is remembered of which ability words have meant, for a mind that would ask a model."""

    async def meant(self, text: str, abilities: Sequence[MetaActionInfo]) -> FamiliarRequest | None:
        """What words like these were confirmed to mean, often enough; `None`: it is to be asked."""
        ...

    async def saved(self, request: FamiliarRequest, question: str) -> None:
        """A call of a model with this question was skipped because of it."""
        ...


class ActionCapability(Protocol):
    """What the action modules offer to others."""

    def usable(self) -> Sequence[MetaActionInfo]:
        """Every ability that can be called now."""
        ...


class CognitionCapability(Protocol):
    """What the runtime offers to modules."""

    async def recent(self, conversation_id: str, *, limit: int) -> list[Message]:
        """The newest messages, oldest of them first."""
        ...

    async def append(
        self,
        conversation_id: str,
        role: Role,
        text: str,
        *,
        state: MessageState = MessageState.DONE,
        action_id: str = "",
        source: str = "",
        exchange_id: str = "",
    ) -> Message:
        """Add a message; it is on disk when this returns."""
        ...

    async def revise(
        self,
        message_id: str,
        *,
        text: str,
        state: MessageState,
        reasoning: str | None = None,
        about: Sequence[str] = (),
    ) -> None:
        """Replace a message's text and state (a streaming reply's checkpoint); `None` keeps its thoughts.

        `about`: the ids of the actions that it speaks of, once it is whole.
        """
        ...

    async def withdraw(self, message_id: str) -> None:
        """Take a reply back that is answered anew: its row goes."""
        ...

    async def count(self, conversation_id: str) -> int:
        """How many messages the conversation has."""
        ...

    async def count_said(self, conversation_id: str, *, before: str, since: int = 0) -> int:
        """How many messages with words stand before the message of this id, from a position on."""
        ...

    async def conversation(self, conversation_id: str) -> Conversation:
        """One conversation.

        Raises:
            UsageError: It does not exist.
        """
        ...

    def initiate_turn(
        self, evidence: Sequence[Evidence], *, conversation_id: str, exchange_id: str, skip: frozenset[str]
    ) -> None:
        """Queue a turn that Partner starts itself, addressed to `conversation_id`."""
        ...


__all__ = ["ContextWindow", "ModelCapability"]


class ModelCapability(Protocol):
    """What the models offer to minds and modules."""

    def serves(self, question: str, conversation_id: str = "") -> str:
        """The name of the model that answers this question; empty: none, the starter mind does.

        A conversation may have a model of its own. Where none is named, it is that which the task works for.
        """
        ...

    def persona(self, question: str) -> str:
        """Who speaks, where the settings say it otherwise than the shipped text; empty mostly."""
        ...

    def language(self) -> str:
        """`en` or `zh`: which of the shipped prompts are used."""
        ...

    def context_window(self, question: str, conversation_id: str = "") -> ContextWindow | None:
        """How long this question's prompt may be; `None` while nobody knows."""
        ...

    def call(
        self,
        question: str,
        messages: Sequence[ChatMessage],
        *,
        trunk: int,
        turn: TurnRef | None,
        schema: JsonObject | None = None,
        max_tokens: int | None = None,
        tools: ToolChoice | None = None,
    ) -> AsyncGenerator[ChatEvent, None]:
        """Ask the model of this question, as `ChatModel.chat` does; the call is booked however it ends.

        The model is that of the turn's conversation, as `serves` has it. `max_tokens` lowers the settings'
        limit, never raises it. `tools` puts the same question in the words of a model's chat template.

        Raises:
            ModelError: No model serves the question, or see `ChatModel.chat`.
        """
        ...


@dataclass(frozen=True)
class PromptPrefix:
    """Parts in order: persona, capabilities, retained dialog. The same for every question of a turn."""

    parts: tuple[PromptPart, ...]
    fresh: str = ""
    """Abilities that came, changed or went since the digest was made, as text for the tail; empty: none."""


class PrefixCapability(Protocol):
    """What communication offers to the mind."""

    async def prefix(self, turn: TurnRef) -> PromptPrefix:
        """The prefix of a turn's prompts; made once a turn, and the same to the letter until it rolls.

        Raises:
            StorageError: The dialog cannot be read.
        """
        ...


class DialogRoomCapability(Protocol):
    """What communication offers to rolling."""

    def dialog_share(self, conversation_id: str, said: Sequence[tuple[str, str]]) -> float:
        """Which part of the room that the dialog has in a prompt some messages (id and words) would take."""
        ...
