"""A window without a Partner, in one chat: it shows what it hears, and its cards say what they would send."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.card.plan.body import PlanBody
from partner_desktop.desktop.window import MainWindow
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import (
    ActionEvent,
    ConversationEvent,
    Event,
    MessageEvent,
    ProposalEvent,
    ReplyEvent,
    ResultEvent,
    RunEvent,
)
from partner_desktop.domain.message import Conversation, Message, Role

from .samples import NOON
from .stage import Stage

_DECISIONS = ("reject", "cancel", "again")


class Chat:
    """The conversation `c1` in a window, made of records and events alone."""

    def __init__(self, stage: Stage) -> None:
        self.sent: list[tuple[object, ...]] = []
        """What cards would have Partner do, in order."""
        self._stage = stage
        self._records: dict[str, ActionRecord] = {}
        self._position = 0

    def open(self, *, size: tuple[int, int] = (1280, 800)) -> MainWindow:
        """The window, in view; its one message is there."""
        window = self._stage.open(size=size)
        window.page.feed.card_added.connect(self._adopt)
        known = Conversation("c1", "Tidy up my downloads", NOON, NOON)
        self._stage.do(lambda: self._stage.session.open("c1"))
        self._stage.do(lambda: self.deliver(ConversationEvent(conversation_id="c1", conversation=known)))
        self._stage.do(lambda: self.add_message(Role.USER, "tidy up my downloads"))
        return window

    def _adopt(self, action_id: str, card: ActionCard) -> None:
        say = self.sent.append
        card.approve_pressed.connect(lambda *given: say(("approve", *given)))
        card.action_asked.connect(lambda verb, one: say((verb, one)) if verb in _DECISIONS else None)
        card.plan_shown.connect(partial(self._adopt_plan, action_id))

    def _adopt_plan(self, action_id: str, plan: PlanBody) -> None:
        plan.asked.connect(lambda verb: self.sent.append((verb, action_id)))
        plan.action_asked.connect(
            lambda verb, step_id: self.sent.append((verb, action_id, step_id)) if verb == "skip" else None
        )
        plan.edit_saved.connect(lambda edit: self.sent.append(("edit", action_id, edit)))

    # What happens, on the running loop.

    def deliver(self, *events: Event) -> None:
        """The window hears of it."""
        for event in events:
            self._stage.session.store.take(event)

    def add_message(self, role: Role, text: str, *, action_id: str = "") -> None:
        """Something is said, or a card gets its place."""
        self._position += 1
        message = Message(
            f"m{self._position}", "c1", role, text, NOON, position=self._position, action_id=action_id
        )
        self.deliver(MessageEvent(conversation_id="c1", message=message))

    def propose(self, record: ActionRecord) -> None:
        """A card appears: its place first, then the proposal."""
        self._records[record.id] = record
        self.add_message(Role.ACTION, "", action_id=record.id)
        self.deliver(ProposalEvent(conversation_id="c1", action=record))

    def change(self, action_id: str, status: ActionStatus, **facts: Any) -> None:
        """An action moves on."""
        self._records[action_id] = record = replace(self._records[action_id], status=status, **facts)
        kind = RunEvent if status is ActionStatus.RUNNING else ResultEvent
        self.deliver(kind(conversation_id="c1", action=record))

    def show(self, record: ActionRecord) -> None:
        """An action is so now."""
        self._records[record.id] = record
        self.deliver(ActionEvent(conversation_id="c1", action=record))

    def stream(
        self, conversation_id: str, reply_id: str, pieces: Sequence[str], *, done: bool = True
    ) -> None:
        """A reply comes in pieces."""
        self.deliver(*reply_events(conversation_id, reply_id, pieces, done=done))


def reply_events(
    conversation_id: str, reply_id: str, pieces: Sequence[str], *, done: bool
) -> Iterator[ReplyEvent]:
    """What is told of a reply that comes in these pieces, to its end if it is `done`."""
    for seq, piece in enumerate(pieces):
        yield ReplyEvent(conversation_id=conversation_id, reply_id=reply_id, seq=seq, content=piece)
    if done:
        yield ReplyEvent(
            conversation_id=conversation_id,
            reply_id=reply_id,
            seq=len(pieces),
            content="",
            done=True,
            text="".join(pieces),
        )
