"""When something is to be done, on its card: in words, the next times, and what if Partner is closed then.

Shown before a yes, so that what the words were taken for can be checked; and afterwards, with the way to it.
"""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from partner_desktop.base.text import shown
from partner_desktop.desktop import autostart
from partner_desktop.desktop.panel.schedules.schedule_facts import (
    closed_words,
    next_words,
    timing_words,
)
from partner_desktop.desktop.parts.boxes import aligned, drop_widget, grow, hbox, vbox
from partner_desktop.desktop.parts.controls import push_button, text_label
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.schedule import Terms
from partner_desktop.domain.schedule_text import next_times_of, when_in_words


class TermsView(QWidget):
    """`autostart_wanted()`; `schedule_wanted(schedule_id)` once it is armed."""

    autostart_wanted = Signal()
    schedule_wanted = Signal(str)

    def __init__(self, record: ActionRecord, terms: Terms, now: datetime) -> None:
        super().__init__()
        self._record = record
        self.autostart_button: QPushButton | None = None
        self.schedule_button: QPushButton | None = None
        self._column = vbox(into=self, gap=6, margins=(16, 12, 16, 14))
        if terms.is_reminder and terms.message != record.title:
            self._add(shown(terms.message, lines=True))
        self._add(timing_words(terms), "strong")
        if record.status is ActionStatus.WAITING:
            self._say_before(record, terms, now)
        elif record.status is ActionStatus.SUCCEEDED and record.schedule_id:
            self._add_way(record.schedule_id)

    def _add(self, words: str, look: str = "") -> None:
        self._column.addWidget(text_label(words, look, wrap=True, selectable=True))

    def _say_before(self, record: ActionRecord, terms: Terms, now: datetime) -> None:
        """All that a yes is about."""
        times = next_words(next_times_of(terms, now), now)
        if times and times != when_in_words(terms):
            self._column.addLayout(_times(times, alone=terms.once is not None))
        self._add(closed_words(terms), "muted")
        if autostart.is_on():
            self._add(tr("Partner opens by itself when you log in."), "muted")
        elif autostart.can_be():
            words = tr("Open Partner when I log in")
            self.autostart_button = push_button(
                words, "link", name=f"{words}: {record.title}", pressed=self.autostart_wanted
            )
            self._column.addWidget(self.autostart_button, 0, Qt.AlignmentFlag.AlignLeft)
        if not record.grantable and not terms.is_reminder:
            self._add(tr("You are asked each time before it runs: it can do too much to go by one yes."))

    def _add_way(self, schedule_id: str) -> None:
        words = tr("Show what is planned")
        self.schedule_button = push_button(words, "link", name=f"{words}: {self._record.title}")
        self.schedule_button.clicked.connect(lambda: self.schedule_wanted.emit(schedule_id))
        self._column.addWidget(self.schedule_button, 0, Qt.AlignmentFlag.AlignLeft)

    def show_autostart(self) -> None:
        """It has been turned on, here or elsewhere."""
        if self.autostart_button is not None:
            self._column.replaceWidget(
                self.autostart_button,
                text_label(tr("Partner opens by itself when you log in."), "muted", wrap=True),
            )
            drop_widget(self.autostart_button)
            self.autostart_button = None


def _times(words: str, *, alone: bool) -> QHBoxLayout:
    """The times below each other, with a word before them where there are several."""
    times = text_label(words, wrap=True, selectable=True)
    if alone:
        return hbox(grow(times))
    head = text_label(tr("Next"), "muted")
    return hbox(aligned(head, Qt.AlignmentFlag.AlignTop), grow(times), gap=12)
