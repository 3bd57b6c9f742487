"""Reminders: a notice in the chat that stays until it is answered, and one outside while nobody looks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, time, timedelta
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from partner_desktop.base.clock import Clock
from partner_desktop.desktop.notices import Notice, NoticeAction
from partner_desktop.desktop.window import MainWindow
from partner_desktop.desktop.wording import LazyText, announce, resolve_text, tr
from partner_desktop.desktop.work import Controller, Work
from partner_desktop.domain.events import Event, ReminderEvent, SchedulesEvent
from partner_desktop.domain.schedule import Schedule
from partner_desktop.domain.schedule_text import time_in_words

if TYPE_CHECKING:
    from partner_desktop.app import Partner

_SOON = timedelta(minutes=10)
_LATER = timedelta(hours=1)
#: When a day begins for what is put off until it.
_MORNING = time(9)


class ReminderController(Controller):
    """`show_end` leads to the end of a conversation."""

    def __init__(
        self, window: MainWindow, work: Work, clock: Clock, *, show_end: Callable[[str], None]
    ) -> None:
        super().__init__(window, work)
        self._clock = clock
        self._show_end = show_end
        self._outside: dict[str, asyncio.Task[None]] = {}

    def deliver(self, event: Event) -> None:
        match event:
            case ReminderEvent():
                self._remind(event)
            case SchedulesEvent():
                for gone in (*event.removed, *(one.id for one in event.changed if _is_put_off(one))):
                    self._settle(gone)
            case _:
                pass

    def _remind(self, event: ReminderEvent) -> None:
        schedule = event.schedule
        self._settle(schedule.id)
        message = schedule.terms.message
        self._window.notices.tell(
            lambda: tr("Reminder"),
            message,
            about=_about(schedule.id),
            stays=True,
            choices=tuple(
                NoticeAction(words, partial(self._answer, schedule, key), undoes=False)
                for key, words in _choices().items()
            ),
        )
        announce(self._window, f"{tr('Reminder')}: {message}", urgent=True)
        if not event.quiet and not self._window.isActiveWindow():
            work = self._ask_outside(schedule)
            asking = self._work.begin(f"remind {schedule.id}", work)
            if asking is not None:
                self._outside[schedule.id] = asking

    async def _ask_outside(self, schedule: Schedule) -> None:
        from partner_desktop.desktop.session.desktop_notification import (  # noqa: PLC0415 - with the first
            OPENED,
            NoNotificationsError,
            ask_outside,
        )

        choices = {key: resolve_text(words) for key, words in _choices().items()}
        try:
            chosen = await ask_outside(
                tr("Reminder"), schedule.terms.message, choices, opens=tr("Open Partner")
            )
        except NoNotificationsError:
            self._window.tray.show(Notice(lambda: tr("Reminder"), schedule.terms.message))
            return
        self._outside.pop(schedule.id, None)
        if chosen == OPENED:
            self._window.raise_to_front()
            self._show_end(schedule.conversation_id)
        elif chosen:
            self._answer(schedule, chosen)

    def _answer(self, schedule: Schedule, chosen: str) -> None:
        """What the person said to it, wherever it was asked."""
        self._settle(schedule.id)
        if chosen == "done":
            self._request(f"done {schedule.id}", lambda partner: partner.schedules.done(schedule.id))
            return
        until = put_off_until(chosen, self._clock.now())
        self._request(f"snooze {schedule.id}", lambda partner: self._snooze(partner, schedule, until))

    async def _snooze(self, partner: Partner, schedule: Schedule, until: datetime) -> None:
        await partner.schedules.snooze(schedule.id, until)
        now = self._clock.now()
        words = lambda: tr("You are reminded again {time}.").format(  # noqa: E731 - words of a language
            time=time_in_words(until.astimezone(), now.astimezone())
        )
        self._window.notices.tell("", words)

    def _settle(self, schedule_id: str) -> None:
        """It was answered, put off, or is told anew: neither notice is of use any more."""
        self._window.notices.settle(_about(schedule_id))
        asking = self._outside.pop(schedule_id, None)
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


def _about(schedule_id: str) -> str:
    return f"reminder:{schedule_id}"


def _is_put_off(schedule: Schedule) -> bool:
    """A reminder for one time that is to come: if it was told, it was put off since."""
    return schedule.terms.once is not None and schedule.state == "armed"
