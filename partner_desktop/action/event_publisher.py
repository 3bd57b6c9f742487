"""Says what happens to actions, one method for each event; and gives a card its place in the conversation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict

from partner_desktop.action.plans.card_version import card_version
from partner_desktop.capabilities import CognitionCapability
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.command_session import Stream
from partner_desktop.domain.events import (
    ActionEvent,
    DecisionEvent,
    OutputEvent,
    ProgressEvent,
    ProposalEvent,
    ResultEvent,
    RunEvent,
)
from partner_desktop.domain.message import Message, MessageState, Role
from partner_desktop.permission.request import Decision, Outcome
from partner_desktop.runtime.channel import ChannelRegistry


class _Address(TypedDict):
    conversation_id: str
    exchange_id: str


def _address(record: ActionRecord) -> _Address:
    return {"conversation_id": record.conversation_id, "exchange_id": record.exchange_id}


class EventPublisher:
    """Publishes the events of actions, addressed to their conversation and exchange."""

    def __init__(self, channels: ChannelRegistry) -> None:
        self._channels = channels
        self._followers: list[Callable[[ActionRecord], None]] = []

    def follow(self, hear: Callable[[ActionRecord], None]) -> Callable[[], None]:
        """Be told of every action as it stands after each of its transitions, at once; returns the undo."""
        self._followers.append(hear)
        return lambda: self._followers.remove(hear) if hear in self._followers else None

    def _tell_followers(self, record: ActionRecord) -> None:
        for hear in tuple(self._followers):
            hear(record)

    def changed(self, record: ActionRecord) -> None:
        """A question was asked, or a parameter filled."""
        self._channels.publish(ActionEvent(**_address(record), action=record))
        self._tell_followers(record)

    def proposed(self, record: ActionRecord) -> None:
        """A card appeared, or shows new facts."""
        self._channels.publish(ProposalEvent(**_address(record), action=record, version=card_version(record)))
        self._tell_followers(record)

    def started(self, record: ActionRecord) -> None:
        """A run began."""
        self._channels.publish(RunEvent(**_address(record), action=record))
        self._tell_followers(record)

    def progressed(self, record: ActionRecord, done: float, total: float | None, message: str) -> None:
        """A run told how far it is."""
        self._channels.publish(
            ProgressEvent(
                **_address(record),
                action_id=record.id,
                progress=done,
                total=total,
                message=message,
            )
        )

    def printed(self, record: ActionRecord, stream: Stream, text: str) -> None:
        """A run printed something."""
        self._channels.publish(OutputEvent(**_address(record), action_id=record.id, stream=stream, text=text))

    def ended(self, record: ActionRecord) -> None:
        """An action reached its end."""
        self._channels.publish(ResultEvent(**_address(record), action=record))
        self._tell_followers(record)

    def decided(self, decision: Decision, record: ActionRecord) -> None:
        """A proposal was decided on."""
        self._channels.publish(
            DecisionEvent(
                **_address(record),
                action_id=record.id,
                outcome="allow" if decision.outcome is Outcome.ALLOW else "deny",
                scope=decision.scope,
                by=decision.by,
                reason=decision.reason,
            )
        )


class CardPlaces:
    """Gives a card its message, and says that it is there."""

    def __init__(self, cognition: CognitionCapability, publisher: EventPublisher) -> None:
        self._cognition = cognition
        self._publisher = publisher

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
        self._publisher.proposed(proposal)
        return place
