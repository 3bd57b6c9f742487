"""One schedule in the Actions panel: what, when, when next, and what came of the last time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal, TypeAlias

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QMenu, QWidget

from partner_desktop.desktop.panel.actions.action_item import PanelItem
from partner_desktop.desktop.panel.schedules.schedule_facts import (
    brief_timing,
    next_line,
    outcome_line,
    schedule_pill,
    timing_words,
)
from partner_desktop.desktop.parts.controls import IconButton, PillKind
from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import in_every_language, tr
from partner_desktop.domain.schedule import Schedule

ScheduleVerb: TypeAlias = Literal["run", "edit", "pause", "resume", "skip", "cancel"]


def schedule_verbs(schedule: Schedule) -> Iterator[tuple[ScheduleVerb, str]]:
    """The verbs that fit, with their words; what does not fit is absent."""
    if schedule.state == "over":
        return
    yield "run", tr("Remind me now") if schedule.terms.is_reminder else tr("Run now")
    if schedule.state == "armed":
        if schedule.next_at is not None and schedule.terms.once is None:
            yield "skip", tr("Skip the next time")
        yield "pause", tr("Pause")
    else:
        yield "resume", tr("Resume")
    yield "edit", tr("Edit…")
    yield "cancel", tr("Cancel it")


def is_looked_for(schedule: Schedule, words: Sequence[str]) -> bool:
    """Whether it holds all of the words, in its title or in what says when."""
    if not words:
        return True
    text = f"{schedule.title} {schedule.terms.message} {timing_words(schedule.terms)}".casefold()
    return all(word in text for word in words)


def comes_at(schedule: Schedule) -> datetime:
    """When it is next; behind all that is what does not go on, and then what waits for something."""
    last = datetime.max.replace(tzinfo=UTC)
    return schedule.next_at or (last if schedule.state == "armed" else last - timedelta(days=1))


class ScheduleMenu(QMenu):
    """`chosen(verb)`. It deletes itself when it closes."""

    chosen = Signal(str)

    def __init__(self, schedule: Schedule, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(schedule.title)
        for verb, words in schedule_verbs(schedule):
            if verb == "cancel":
                self.addSeparator()
            action = self.addAction(words)
            action.setData(verb)
            action.triggered.connect(lambda _checked=False, verb=verb: self.chosen.emit(verb))


class ScheduleItem(PanelItem):
    """One schedule. A click asks for its page; `asked(verb, schedule)` by its menu."""

    asked = Signal(str, object)

    def __init__(self, schedule: Schedule, theme: Theme, now: Callable[[], datetime]) -> None:
        super().__init__(theme)
        self._now = now
        self._all_paused = False
        self.schedule = schedule
        self._lines = ("", "")
        self.more_button = IconButton(
            theme, "more", lambda: tr("What can be done with {title}").format(title=self.schedule.title)
        )
        self.more_button.setParent(self)
        self.more_button.clicked.connect(self._open_menu)
        self._aside = self.more_button
        in_every_language(self, lambda: self.show_schedule(self.schedule))
        self.show_schedule(schedule)

    @property
    def moment(self) -> datetime:
        """What the list is ordered by."""
        return comes_at(self.schedule)

    def holds(self, words: Sequence[str]) -> bool:
        """Only what somebody looks for is listed."""
        del words
        return True

    def show_schedule(self, schedule: Schedule, *, all_paused: bool | None = None) -> None:
        """As it is now; `all_paused`: whether nothing is begun at present."""
        self.schedule = schedule
        self._all_paused = self._all_paused if all_paused is None else all_paused
        self.say_time()

    def say_time(self) -> None:
        """What it says depends on the time too."""
        schedule, now = self.schedule, self._now()
        as_high = bool(self._lines[1])
        self._lines = (brief_timing(schedule.terms, now), self._next_line(now))
        if as_high != bool(self._lines[1]):
            self.updateGeometry()
            self._place_parts()
        facts = [line for line in (*self._lines, outcome_line(schedule, now)) if line]
        set_tip(self, "\n".join(facts))
        pill, _ = self._pill(self.width())
        self.setAccessibleName(", ".join(part for part in (schedule.title, pill, *facts) if part))
        self.update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self._show_menu(event.globalPos())

    def _open_menu(self) -> None:
        self._show_menu(self.more_button.mapToGlobal(QPoint(0, self.more_button.height())))

    def _show_menu(self, place: QPoint) -> None:
        menu = ScheduleMenu(self.schedule, self)
        menu.chosen.connect(lambda verb: self.asked.emit(verb, self.schedule))
        menu.popup(place)

    def _title(self) -> str:
        return self.schedule.title

    def _second_line(self) -> str:
        return self._lines[0]

    def _third_line(self) -> str:
        return self._lines[1]

    def _next_line(self, now: datetime) -> str:
        """When it is next, or why it is not; a single time has been said."""
        if self.schedule.terms.once is not None and self.schedule.state == "armed":
            return ""
        return next_line(self.schedule, now)

    def _pill(self, room: int) -> tuple[str, PillKind]:
        del room
        return schedule_pill(self.schedule, all_paused=self._all_paused)
