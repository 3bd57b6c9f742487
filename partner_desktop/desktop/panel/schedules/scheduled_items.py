"""Which schedules the panel lists: the soonest first, and not more than anybody reads.

No more are held here than are listed: of the others it is known how many there are, and Partner is asked for
what is looked for among them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from partner_desktop.desktop.panel.actions.action_items import Section
from partner_desktop.desktop.parts.boxes import drop_widget
from partner_desktop.desktop.parts.controls import push_button, text_label
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import in_every_language, tr
from partner_desktop.domain.schedule import Schedule

if TYPE_CHECKING:
    from partner_desktop.desktop.panel.schedules.schedule_item import ScheduleItem

#: Each is a widget; the rest is counted, and found by looking for it.
LISTED_SCHEDULES = 40
#: How long it is until the next time is said in minutes.
_LOOK_MS = 20_000


class ScheduledItems(QObject):
    """`chosen(schedule)`, `asked(verb, schedule)`; `pause_pressed(paused)`: all of them, or none any more;
    `wanted(words)`: not all are known here, and those that hold the words are to be shown.
    """

    wanted = Signal(list)
    chosen = Signal(object)
    asked = Signal(str, object)
    pause_pressed = Signal(bool)

    def __init__(self, panel: QObject, theme: Theme, now: Callable[[], datetime]) -> None:
        """`panel`: where they are listed; they do not outlive it."""
        super().__init__(panel)
        self._theme = theme
        self._now = now
        self._known: dict[str, Schedule] = {}
        self._items: dict[str, ScheduleItem] = {}
        self._words: Sequence[str] = ()
        self._filtered = False
        """Only what holds the words is known."""
        self._unknown = 0
        """So many more there are."""
        self._all = 0
        """Of the time before anything was looked for."""
        self._all_paused = False
        self.pause_button = push_button("", "link", pressed=self._press)
        self.section: Section[ScheduleItem] = Section(
            lambda: tr("Scheduled"), aside=self.pause_button, soonest_first=True
        )
        self._more = text_label("", "muted", wrap=True, hidden=True)
        self._more.setContentsMargins(4, 0, 0, 0)
        self.section.put_below(self._more)
        self._minutes = QTimer(self, interval=_LOOK_MS)
        self._minutes.timeout.connect(self._say_time)
        self._say()
        in_every_language(self.pause_button, self._say_again)

    def __len__(self) -> int:
        return self._all if self._filtered else len(self._known) + self._unknown

    @property
    def has_more(self) -> bool:
        """Whether there are others than those that are known here."""
        return self._filtered or self._unknown > 0

    @property
    def all_paused(self) -> bool:
        """Whether nothing is begun at present."""
        return self._all_paused

    def schedule(self, schedule_id: str) -> Schedule | None:
        """One that is planned still, as far as it is known here."""
        return self._known.get(schedule_id)

    def item(self, schedule_id: str) -> ScheduleItem | None:
        """Its item, where it is listed."""
        return self._items.get(schedule_id)

    def change(self, changed: Sequence[Schedule], removed: Iterable[str]) -> None:
        """What is new or otherwise, and what is gone."""
        renewed = {schedule.id for schedule in changed}
        asks = self.has_more
        for schedule in changed:
            if schedule.state == "over":
                self._known.pop(schedule.id, None)
            else:
                self._known[schedule.id] = schedule
        for gone in removed:
            self._known.pop(gone, None)
        self._trim()
        self._list(renewed)
        if asks:
            self.wanted.emit([*self._words])

    def show(self, found: Sequence[Schedule], count: int, words: Sequence[str]) -> None:
        """The soonest of those that hold the words, and how many do; what was asked for before is left."""
        if list(words) != list(self._words):
            return
        self._all = len(self)
        self._known = {schedule.id: schedule for schedule in found}
        self._filtered = bool(words)
        self._unknown = count - len(found)
        self._list(set(self._known))

    def look_for(self, words: Sequence[str]) -> int:
        """List only what holds all of the words, by titles alone where not all are known; how many are."""
        asks = self.has_more and list(words) != list(self._words)
        self._words = words
        self._list(set())
        if asks:
            self.wanted.emit([*words])
        return len(self._items)

    def show_paused(self, *, all_paused: bool) -> None:
        """Whether nothing is begun at present."""
        if all_paused != self._all_paused:
            self._all_paused = all_paused
            for item in self._items.values():
                item.show_schedule(item.schedule, all_paused=all_paused)
            self._say()

    def _list(self, renewed: set[str]) -> None:
        if not self._known and not self._items:
            return
        from partner_desktop.desktop.panel.schedules.schedule_item import (  # noqa: PLC0415 - with the first
            ScheduleItem,
            is_looked_for,
        )

        words = () if self._filtered else self._words
        wanted = {one.id: one for one in self._known.values() if is_looked_for(one, words)}
        for schedule_id in [each for each in self._items if each not in wanted or each in renewed]:
            self.section.take(self._items[schedule_id])
            if schedule_id not in wanted:
                drop_widget(self._items.pop(schedule_id))
        placed = []
        for schedule_id, schedule in wanted.items():
            item = self._items.get(schedule_id)
            if item is not None and schedule_id not in renewed:
                continue
            if item is None:
                item = self._items[schedule_id] = self._make(ScheduleItem(schedule, self._theme, self._now))
            item.show_schedule(schedule, all_paused=self._all_paused)
            placed.append(item)
        self.section.put_all(placed)
        self._more.setVisible(self._unknown > 0 and self._filtered == bool(self._words))
        self._more.setText(tr("and {count} more later").format(count=self._unknown))
        self._watch_time()

    def _trim(self) -> None:
        """Hold the soonest."""
        if len(self._known) > LISTED_SCHEDULES:
            from partner_desktop.desktop.panel.schedules.schedule_item import comes_at  # noqa: PLC0415 - with the first

            soonest = sorted(self._known.values(), key=comes_at)
            self._unknown += len(soonest) - LISTED_SCHEDULES
            self._known = {one.id: one for one in soonest[:LISTED_SCHEDULES]}

    def _make(self, item: ScheduleItem) -> ScheduleItem:
        item.clicked.connect(lambda: self.chosen.emit(item.schedule))
        item.asked.connect(self.asked)
        return item

    def _say_again(self) -> None:
        self._say()
        self._list(set())

    def _press(self) -> None:
        self.pause_pressed.emit(not self._all_paused)

    def _say(self) -> None:
        self.pause_button.setText(tr("Resume all") if self._all_paused else tr("Pause all"))
        name = tr("Let schedules go on again") if self._all_paused else tr("Pause all schedules")
        self.pause_button.setAccessibleName(name)

    def _watch_time(self) -> None:
        if not self._items:
            self._minutes.stop()
        elif not self._minutes.isActive():
            self._minutes.start()

    def _say_time(self) -> None:
        if self.section.isVisible():
            for item in self._items.values():
                item.say_time()
