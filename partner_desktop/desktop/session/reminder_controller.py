"""Reminders: a notice in the chat that stays until it is answered, and one outside while nobody looks.

More of them at once than can be read are one notice that counts them, with the latest of them: after a sleep
of the machine hundreds may be due. All of them are messages in their conversations.

What a schedule does and asks the person for is called for outside, too: whoever is asked may not be there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from datetime import datetime, time, timedelta
from functools import partial
from typing import Any

from PySide6.QtCore import QCoreApplication, QTimer

from partner_desktop.base.text import cut_lines
from partner_desktop.desktop.desktop_bus import NoDesktopServiceError
from partner_desktop.desktop.notices import Notice, NoticeAction
from partner_desktop.desktop.operations.schedule_verbs import finish_reminder, snooze_reminder
from partner_desktop.desktop.session.desktop_notification import OPENED
from partner_desktop.desktop.window_context import Controller, WindowContext
from partner_desktop.desktop.wording import LazyText, resolve_text, tr
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import (
    ActionEvent,
    Event,
    ProposalEvent,
    ReminderEvent,
    ResultEvent,
    RunEvent,
    SchedulesEvent,
)
from partner_desktop.domain.schedule import Schedule

_SOON = timedelta(minutes=10)
_LATER = timedelta(hours=1)
#: When a day begins for what is put off until it.
_MORNING = time(9)


#: So many are told one by one; more that come shortly after each other are counted, that often at most.
_MOST_AT_ONCE = 4
_SHORTLY_S = 10.0
_COUNTED_MS = 500
_CROWD = "reminders"
#: What is shown of a reminder; of one among many.
_MOST_CHARS, _MOST_LINES, _LINE = 300, 6, 80


class ReminderController(Controller):
    """One window's."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context)
        self._clock = context.clock
        self._outside: dict[str, asyncio.Task[None]] = {}
        self._crowd: dict[str, ReminderEvent] = {}
        """Schedule → what was told of it, of those that came shortly after each other, until an answer."""
        self._came_at_s = -_SHORTLY_S
        self._counting = QTimer(self._window, singleShot=True, interval=_COUNTED_MS)
        self._counting.timeout.connect(self._tell_crowd)

    def deliver(self, event: Event) -> None:
        match event:
            case ReminderEvent():
                self._remind(event)
            case ProposalEvent() if _is_asked_by_a_schedule(event.action):
                self._call_for(event.action)
            case ActionEvent() | RunEvent() | ResultEvent():
                self._settle_outside(event.action.id)
            case SchedulesEvent():
                for gone in (*event.removed, *(one.id for one in event.changed if _is_put_off(one))):
                    self._settle(gone)
            case _:
                pass

    def _remind(self, event: ReminderEvent) -> None:
        schedule = event.schedule
        self._settle(schedule.id)
        now_s = self._clock.monotonic_s()
        if now_s - self._came_at_s > _SHORTLY_S:
            self._crowd.clear()
        self._came_at_s = now_s
        self._crowd[schedule.id] = event
        if len(self._crowd) <= _MOST_AT_ONCE:
            self._tell(event)
        elif not self._counting.isActive():
            self._counting.start()

    def _tell(self, event: ReminderEvent) -> None:
        schedule = event.schedule
        message = _briefly(schedule)
        self._context.notices.tell(
            lambda: tr("Reminder"),
            message,
            about=_about(schedule.id),
            stays=True,
            choices=tuple(
                NoticeAction(words, partial(self._answer, schedule, key), undoes=False)
                for key, words in _choices().items()
            ),
        )
        if not event.quiet:
            self._begin_outside(schedule.id, self._remind_outside(schedule))

    def _tell_crowd(self) -> None:
        """One notice in the place of those that were told one by one, and of the count before."""
        crowd = tuple(self._crowd.values())
        if len(crowd) <= _MOST_AT_ONCE:  # some were answered meanwhile
            for event in crowd:
                self._settle_outside(event.schedule.id)
                self._tell(event)
            return
        for event in crowd[:_MOST_AT_ONCE]:
            self._context.notices.settle(_about(event.schedule.id))
            self._settle_outside(event.schedule.id)
        title = partial(_count_words, len(crowd))
        latest = crowd[-1].schedule
        lines = [event.schedule.terms.message for event in crowd[-_MOST_AT_ONCE:]]
        text = "\n".join(cut_lines(line, _LINE, lines=1) for line in lines)
        show = NoticeAction(
            lambda: tr("Show the latest"),
            lambda: self._context.navigation.show_end(latest.conversation_id),
            undoes=False,
        )
        self._context.notices.tell(title, text, about=_CROWD, stays=True, choices=(show,))
        if not all(event.quiet for event in crowd):
            self._settle_outside(_CROWD)
            self._begin_outside(_CROWD, self._tell_crowd_outside(title, text, latest))

    async def _tell_crowd_outside(self, title: LazyText, text: str, latest: Schedule) -> None:
        chosen = await self._answer_outside(title, text, {})
        self._outside.pop(_CROWD, None)
        if chosen == OPENED:
            self._come_to(latest.conversation_id)

    def _call_for(self, record: ActionRecord) -> None:
        """One of its times waits for a yes."""
        if not self._store.is_quiet:
            self._begin_outside(record.id, self._call_outside(record))

    def _begin_outside(self, about: str, work: Coroutine[Any, Any, None]) -> None:
        """Nothing is told outside to one who looks at the window."""
        if self._window.isActiveWindow():
            work.close()
            return
        asking = self._context.work.begin(f"tell outside {about}", work)
        if asking is not None:
            self._outside[about] = asking

    async def _remind_outside(self, schedule: Schedule) -> None:
        chosen = await self._answer_outside(lambda: tr("Reminder"), _briefly(schedule), _choices())
        self._outside.pop(schedule.id, None)
        if chosen == OPENED:
            self._come_to(schedule.conversation_id)
        elif chosen:
            self._answer(schedule, chosen)

    async def _call_outside(self, record: ActionRecord) -> None:
        chosen = await self._answer_outside(lambda: tr("Waiting for you"), record.title, {})
        self._outside.pop(record.id, None)
        if chosen == OPENED:
            self._come_to(record.conversation_id)

    def _come_to(self, conversation_id: str) -> None:
        self._window.raise_to_front()
        self._context.navigation.show_end(conversation_id)

    async def _answer_outside(self, title: LazyText, text: str, choices: Mapping[str, LazyText]) -> str:
        from partner_desktop.desktop.session.desktop_notification import ask_outside  # noqa: PLC0415 - with the first

        said = {key: resolve_text(words) for key, words in choices.items()}
        try:
            return await ask_outside(resolve_text(title), text, said, opens=tr("Open Partner"))
        except NoDesktopServiceError:
            self._window.tray.show(Notice(title, text))
            return ""

    def _answer(self, schedule: Schedule, chosen: str) -> None:
        """What the person said to it, wherever it was asked."""
        self._settle(schedule.id)
        if chosen == "done":
            finish_reminder(self._context, schedule.id)
        else:
            snooze_reminder(self._context, schedule, put_off_until(chosen, self._clock.now()))

    def _settle(self, schedule_id: str) -> None:
        """It was answered, put off, or is told anew: neither notice is of use any more."""
        self._context.notices.settle(_about(schedule_id))
        self._settle_outside(schedule_id)
        if self._crowd.pop(schedule_id, None) is not None and not self._crowd:
            self._context.notices.settle(_CROWD)
            self._settle_outside(_CROWD)

    def _settle_outside(self, about: str) -> None:
        asking = self._outside.pop(about, None)
        if asking is not None:
            asking.cancel()


def put_off_until(chosen: str, now: datetime) -> datetime:
    """`soon`, `later` or `tomorrow`, by the wall of this machine."""
    if chosen == "soon":
        return now + _SOON
    if chosen == "later":
        return now + _LATER
    tomorrow = now.astimezone().date() + timedelta(days=1)
    return datetime.combine(tomorrow, _MORNING).astimezone()


def _choices() -> dict[str, LazyText]:
    return {
        "done": lambda: QCoreApplication.translate("Reminder", "Done"),  # not as of what ran
        "soon": lambda: tr("Snooze 10 min"),
        "later": lambda: tr("Snooze 1 h"),
        "tomorrow": lambda: tr("Tomorrow"),
    }


def _is_asked_by_a_schedule(record: ActionRecord) -> bool:
    waits = record.status is ActionStatus.WAITING
    return waits and bool(record.schedule_id) and record.terms is None


def _briefly(schedule: Schedule) -> str:
    """The whole of it is in the chat."""
    return cut_lines(schedule.terms.message, _MOST_CHARS, lines=_MOST_LINES)


def _count_words(count: int) -> str:
    return tr("{count} reminders").format(count=count)


def _about(schedule_id: str) -> str:
    return f"reminder:{schedule_id}"


def _is_put_off(schedule: Schedule) -> bool:
    """A reminder for one time that is to come: if it was told, it was put off since."""
    return schedule.terms.once is not None and schedule.state == "armed"
