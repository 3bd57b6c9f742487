"""A person at a real Partner: says things, answers questions, decides on cards, judges what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from partner_desktop.app import Partner
from partner_desktop.base.ids import new_id
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import DoneEvent, ErrorEvent, Event, ReplyEvent, ResultEvent, RunEvent
from partner_desktop.domain.message import Role
from tests.support import Watcher

#: Of one story: a mind with nothing to say may take long, and a machine may be busy.
PATIENCE_S = 60.0
#: Rounds of questions and cards after one message; who needs more goes round in circles.
_MOST_ROUNDS = 8
_OPEN = (ActionStatus.WAITING, ActionStatus.ASKING, ActionStatus.RUNNING)


@dataclass
class Person:
    """`folder` is the home folder; `sensible`: the mind understands, so that the outcome is known."""

    partner: Partner
    watcher: Watcher
    folder: Path
    sensible: bool
    conversation_id: str = ""
    said: int = 0
    approved: set[str] = field(default_factory=set)
    answers: dict[str, str] = field(default_factory=dict)
    """Parameter → what is answered when it is asked for."""

    # What the person does.

    async def say(self, text: str) -> None:
        """Say something and hear what is answered at once."""
        exchange, self.said = new_id(), self.said + 1
        message = await self.partner.messages.send(
            text, conversation_id=self.conversation_id or None, exchange_id=exchange
        )
        self.conversation_id = message.conversation_id
        await self.watcher.until(_over(exchange), wait_s=PATIENCE_S)

    async def begin(self, text: str) -> None:
        """Say something that is not over when the person goes on."""
        self.said += 1
        message = await self.partner.messages.send(text, conversation_id=self.conversation_id or None)
        self.conversation_id = message.conversation_id

    async def settle(self, *, yes: bool = True) -> None:
        """Answer every question and decide on every card until nothing is open."""
        for _ in range(_MOST_ROUNDS):
            await self.quiet()
            open_ones = [one for one in await self.records() if one.status in _OPEN]
            if not open_ones:
                return
            await self._settle_one(open_ones[0], yes=yes)
        raise AssertionError(f"still open: {[(one.title, one.status) for one in open_ones]}")

    async def _settle_one(self, record: ActionRecord, *, yes: bool) -> None:
        if record.status is ActionStatus.ASKING:
            known = self.answers.get(record.asked_param, "") if not record.options else "the first"
            await self.say(known or "never mind")
            if not known and (await self.partner.actions.get(record.id)).status is ActionStatus.ASKING:
                await self.partner.actions.reject(record.id)
        elif not yes:
            await self.partner.actions.reject(record.id)
        else:
            self.approved.add(record.id)
            await self.partner.actions.approve(record.id, scope="once")

    async def quiet(self) -> None:
        """Wait until nothing runs and all that was begun is told."""
        while len(self.partner._parts.core.exchanges):
            seen = len(self.watcher.events)
            await self.watcher.until(_later(self.watcher, seen), wait_s=PATIENCE_S)

    # What the person sees.

    async def records(self) -> Sequence[ActionRecord]:
        """What was done, the newest first."""
        return await self.partner.actions.list(limit=1_000)

    async def last(self) -> ActionRecord:
        return (await self.records())[0]

    async def answers_seen(self) -> list[str]:
        """Every answer in the conversation, oldest first."""
        shown = await self.partner.messages.list(self.conversation_id, limit=200)
        return [one.text for one in shown if one.role is Role.PARTNER]

    async def judge(self) -> None:
        """What must be so whoever thinks: all is over, nothing ran unasked, and everything was answered."""
        open_ones = [one for one in await self.records() if one.status in _OPEN]
        assert not open_ones, f"still open: {[(one.title, one.status) for one in open_ones]}"
        faults = [event.message for event in self.watcher.events if isinstance(event, ErrorEvent)]
        assert not faults, faults
        await self._judge_log()
        self._judge_pace()
        answers = await self.answers_seen()
        assert answers, "nothing was answered"
        assert all(text.strip() for text in answers), "an answer was empty"

    async def _judge_log(self) -> None:
        """Every run was decided on; what policy does not let run was said yes to by the person."""
        allowed: dict[str, str] = {}
        parents = {
            event.action.id: event.action.parent_id
            for event in self.watcher.events
            if isinstance(event, RunEvent | ResultEvent)
        }
        for entry in await self.partner.audit.newest(limit=10_000):
            if entry.kind == "decision" and entry.outcome == "allow":
                allowed[entry.action_id] = entry.by_whom
            if entry.kind != "run" or entry.action_key.startswith("chain::"):
                continue
            by = allowed.get(entry.action_id)
            assert by is not None, f"{entry.action_key} ran without a decision"
            mine = {entry.action_id, parents.get(entry.action_id, "")} & self.approved
            assert by == "policy" or mine, f"{entry.action_key} ran by {by}, and the person was not asked"

    def _judge_pace(self) -> None:
        """No loop: no action runs or is told twice, and answers come in proportion to what happened."""
        runs = Counter(event.action.id for event in self.watcher.events if isinstance(event, RunEvent))
        assert not [one for one, times in runs.items() if times > 1], "something ran twice"
        replies = [event for event in self.watcher.events if isinstance(event, ReplyEvent) and event.done]
        assert len(replies) <= 3 * (self.said + len(self.approved)) + 3, "answers without end"


def _over(exchange: str) -> Callable[[Event], bool]:
    return lambda event: isinstance(event, DoneEvent) and event.exchange_id == exchange


def _later(watcher: Watcher, seen: int) -> Callable[[Event], bool]:
    return lambda event: isinstance(event, DoneEvent) and any(one is event for one in watcher.events[seen:])
