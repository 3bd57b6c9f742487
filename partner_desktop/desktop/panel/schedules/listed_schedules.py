"""Which schedules the panel lists: the soonest first, and not more than anybody reads.

No more are held here than are listed: of the others it is known how many there are, and Partner is asked for
what is looked for among them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from partner_desktop.desktop.wording import tr
from partner_desktop.domain.schedule import Schedule

if TYPE_CHECKING:
    from partner_desktop.desktop.rows.row_spec import RowSpec

#: The rest is counted, and found by looking for it.
LISTED_SCHEDULES = 40


class ListedSchedules(QObject):
    """`chosen(schedule)`, `asked(verb, schedule)`; `pause_pressed(paused)`: all of them, or none any more;
    `wanted(words)`: not all are known here, and those that hold the words are to be shown; `changed()`.
    """

    wanted = Signal(list)
    chosen = Signal(object)
    asked = Signal(str, object)
    pause_pressed = Signal(bool)
    changed = Signal()

    def __init__(self, panel: QObject, now: Callable[[], datetime]) -> None:
        """`panel`: where they are listed; they do not outlive it."""
        super().__init__(panel)
        self._now = now
        self._known: dict[str, Schedule] = {}
        self._words: Sequence[str] = ()
        self._filtered = False
        """Only what holds the words is known."""
        self._unknown = 0
        """So many more there are."""
        self._all = 0
        """Of the time before anything was looked for."""
        self._all_paused = False

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

    def change(self, changed: Sequence[Schedule], removed: Iterable[str]) -> None:
        """What is new or otherwise, and what is gone."""
        asks = self.has_more
        for schedule in changed:
            if schedule.state == "over":
                self._known.pop(schedule.id, None)
            else:
                self._known[schedule.id] = schedule
        for gone in removed:
            self._known.pop(gone, None)
        self._trim()
        self.changed.emit()
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
        self.changed.emit()

    def look_for(self, words: Sequence[str]) -> None:
        """List only what holds all of the words, by titles alone where not all are known."""
        asks = self.has_more and list(words) != list(self._words)
        self._words = words
        if asks:
            self.wanted.emit([*words])

    def show_paused(self, *, all_paused: bool) -> None:
        if all_paused != self._all_paused:
            self._all_paused = all_paused
            self.changed.emit()

    def rows(self) -> list[RowSpec[Schedule]]:
        """The soonest first."""
        if not self._known:
            return []
        from partner_desktop.desktop.panel.schedules.schedule_facts import (  # noqa: PLC0415 - with the first
            comes_at,
            is_looked_for,
            schedule_row,
        )

        words, now = () if self._filtered else self._words, self._now()
        found = [one for one in self._known.values() if is_looked_for(one, words)]
        return [schedule_row(one, now, all_paused=self._all_paused) for one in sorted(found, key=comes_at)]

    @property
    def more_words(self) -> str:
        """How many are not listed; empty where all are."""
        tells = self._unknown > 0 and self._filtered == bool(self._words)
        return tr("and {count} more later").format(count=self._unknown) if tells else ""

    def _trim(self) -> None:
        """Hold the soonest."""
        if len(self._known) > LISTED_SCHEDULES:
            from partner_desktop.desktop.panel.schedules.schedule_facts import comes_at  # noqa: PLC0415 - with the first

            soonest = sorted(self._known.values(), key=comes_at)
            self._unknown += len(soonest) - LISTED_SCHEDULES
            self._known = {one.id: one for one in soonest[:LISTED_SCHEDULES]}
