"""Quiet lines in the chat: a day begins; what stands above is summed up, which the line can open."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QWidget

from partner_desktop.desktop.panel.memory.memory_words import day_head
from partner_desktop.desktop.parts.boxes import aligned, before_unfolding, vbox
from partner_desktop.desktop.parts.controls import push_button, text_label
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import in_every_language
from partner_desktop.domain.remembered import MemoryUnit

_RULE_GAP = 10


class MarkLine(QWidget):
    """A line on both sides of words."""

    def __init__(self, theme: Theme, words: QWidget) -> None:
        super().__init__()
        self._theme = theme
        self._words = words

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        words = self._words.geometry()
        painter = QPainter(self)
        painter.setPen(self._theme.color("line"))
        middle = words.center().y()
        painter.drawLine(0, middle, words.left() - _RULE_GAP, middle)
        painter.drawLine(words.right() + _RULE_GAP, middle, self.width(), middle)
        painter.end()


class DayMark(MarkLine):
    """Which day begins below it."""

    def __init__(self, theme: Theme, day: date) -> None:
        self._label = text_label("", "muted")
        super().__init__(theme, self._label)
        self._day = day
        vbox(aligned(self._label, Qt.AlignmentFlag.AlignHCenter), into=self)
        in_every_language(self, self.say, now=True)

    def say(self) -> None:
        """As it is called now: today becomes yesterday."""
        self._label.setText(day_head(self._day))


class RolledMark(MarkLine):
    """A line that can be unfolded: what the summary says."""

    def __init__(self, theme: Theme, unit: MemoryUnit) -> None:
        self.button = push_button("", "quiet")
        super().__init__(theme, self.button)
        self._unit = unit
        self.button.clicked.connect(self.toggle)
        self._frame = QFrame()
        self._frame.setObjectName("rolled")
        self.summary = text_label("", "", wrap=True, selectable=True)
        note = text_label(
            lambda: self.tr("Partner goes by this now; the messages above stay as they were said."),
            "muted",
            wrap=True,
        )
        vbox(self.summary, note, into=self._frame, gap=6, margins=(14, 10, 14, 12))
        self._frame.hide()
        vbox(aligned(self.button, Qt.AlignmentFlag.AlignHCenter), self._frame, into=self, gap=6)
        in_every_language(self, self._say, now=True)

    @property
    def is_open(self) -> bool:
        return not self._frame.isHidden()

    def show_unit(self, unit: MemoryUnit) -> None:
        self._unit = unit
        self._say()

    def toggle(self) -> None:
        before_unfolding(self)
        self._frame.setVisible(not self.is_open)
        self._say()

    def _say(self) -> None:
        unit = self._unit
        count = unit.messages
        words = self.tr("1 message is summed up") if count == 1 else self.tr("{count} messages are summed up")
        line = f"{words.format(count=f'{count:,}')} · {day_head(unit.at.astimezone().date())}"
        self.button.setText(f"{line}  {'▾' if self.is_open else '▸'}")
        act = self.tr("fold") if self.is_open else self.tr("show")
        self.button.setAccessibleName(f"{line}: {act}")
        self.summary.setText(unit.summary or self.tr("The summary is being made."))
