"""CardPlaces: where a card stands in its conversation."""

from __future__ import annotations

from partner_desktop.action.announcer import Announcer
from partner_desktop.capabilities import CognitionCapability
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.message import Message, MessageState, Role


class CardPlaces:
    """Gives a card its message, and says that it is there."""

    def __init__(self, cognition: CognitionCapability, announcer: Announcer) -> None:
        self._cognition = cognition
        self._announcer = announcer

    async def show(self, proposal: ActionRecord, *, led: bool) -> Message | None:
        """Give the card its place in the conversation; with `led`, keep the place above it free."""
        place = None
        if led:
            place = await self._cognition.append(
                proposal.conversation_id,
                Role.PARTNER,
                "",
                state=MessageState.STREAMING,
                exchange_id=proposal.exchange_id,
            )
        await self._cognition.append(
            proposal.conversation_id, Role.ACTION, "", action_id=proposal.id, exchange_id=proposal.exchange_id
        )
        self._announcer.proposed(proposal)
        return place
