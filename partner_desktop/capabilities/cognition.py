"""Cognition: the dialog as it stands, and starting a turn of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from partner_desktop.domain.evidence import Evidence
from partner_desktop.domain.message import Conversation, Message, MessageState, Role


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

    async def count_said(self, conversation_id: str, *, before: str) -> int:
        """How many messages with words stand before the message of this id."""
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
