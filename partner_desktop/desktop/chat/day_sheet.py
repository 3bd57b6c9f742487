"""A calendar over the chat: the days on which something was said, each of which can be gone to."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from PySide6.QtCore import QDate, Qt, Signal
from PySide6.QtGui import QTextCharFormat
from PySide6.QtWidgets import QCalendarWidget, QWidget

from partner_desktop.desktop.parts.boxes import vbox
from partner_desktop.desktop.parts.controls import text_label
from partner_desktop.desktop.parts.veil import WindowSheet
from partner_desktop.desktop.theme.theme import Space, Theme
from partner_desktop.desktop.wording import in_every_language
from partner_desktop.domain.message import DialogDay


class DaySheet(WindowSheet):
    """`chosen(position)`: of what was said first on the day, or first after it."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, lambda: self.tr("Go to a day"))
        self._theme = theme
        self._days: Sequence[DialogDay] = ()
        self.calendar = QCalendarWidget()
        self.calendar.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        self.calendar.setHorizontalHeaderFormat(QCalendarWidget.HorizontalHeaderFormat.ShortDayNames)
        self.calendar.activated.connect(self._take)
        self.calendar.clicked.connect(self._take)
        vbox(
            text_label(lambda: self.tr("Go to a day"), "strong"),
            self.calendar,
            into=self,
            gap=Space.S,
            margins=Space.M,
        )
        theme.changed.connect(self._mark)
        in_every_language(self, lambda: self.calendar.setLocale(self.locale()))

    def open_with(self, days: Sequence[DialogDay], shown: date | None) -> None:
        """Show it; `shown` is the day that is looked at now."""
        if not days:
            return
        self._days = days
        self.calendar.setDateRange(_in_calendar(days[0].day), _in_calendar(days[-1].day))
        self.calendar.setSelectedDate(_in_calendar(shown or days[-1].day))
        self._mark()
        self.lay_over(part=9)
        self.calendar.setFocus(Qt.FocusReason.PopupFocusReason)

    def _mark(self) -> None:
        """The days on which something was said are strong, and all others quiet."""
        usual = QTextCharFormat()
        usual.setForeground(self._theme.color("muted"))
        for weekday in Qt.DayOfWeek:
            self.calendar.setWeekdayTextFormat(weekday, usual)
        self.calendar.setDateTextFormat(QDate(), QTextCharFormat())
        talked = QTextCharFormat()
        talked.setFontWeight(700)
        talked.setForeground(self._theme.color("accent"))
        for one in self._days:
            self.calendar.setDateTextFormat(_in_calendar(one.day), talked)

    def _take(self, chosen: QDate) -> None:
        day = date(chosen.year(), chosen.month(), chosen.day())
        found = next((one for one in self._days if one.day >= day), None)
        self.close()
        if found is not None:
            self.chosen.emit(found.first_position)


def _in_calendar(day: date) -> QDate:
    return QDate(day.year, day.month, day.day)
