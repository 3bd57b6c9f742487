"""A calendar that opens below a field and closes with a choice, or with Esc."""

from __future__ import annotations

from PySide6.QtCore import QDate, QLocale, QSize, Qt, Signal
from PySide6.QtGui import QPalette, QTextCharFormat
from PySide6.QtWidgets import QCalendarWidget, QMenu, QToolButton, QWidget, QWidgetAction

from partner_desktop.desktop.card.field import tr
from partner_desktop.desktop.theme.signs import SignName, sign_icon
from partner_desktop.desktop.theme.theme import zoomed

_ARROWS: dict[str, SignName] = {
    "qt_calendar_prevmonth": "chevron_left",
    "qt_calendar_nextmonth": "chevron_right",
}


class DayMenu(QMenu):
    """`chosen(QDate)`. It deletes itself when it closes."""

    chosen = Signal(QDate)

    def __init__(self, title: str, day: QDate, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(title)
        self.calendar = QCalendarWidget(self)
        self.calendar.setAccessibleName(title)
        self.calendar.setLocale(QLocale())
        self.calendar.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        if day.isValid():
            self.calendar.setSelectedDate(day)
        self._dress()
        self.calendar.clicked.connect(self._choose)
        self.calendar.activated.connect(self._choose)
        action = QWidgetAction(self)
        action.setDefaultWidget(self.calendar)
        self.addAction(action)

    def take_keys(self) -> None:
        """The arrows go from day to day."""
        self.calendar.setFocus(Qt.FocusReason.PopupFocusReason)

    def _dress(self) -> None:
        """In the colours of the window: Qt's own arrows are black and its weekends red in every theme."""
        ink = self.palette().color(QPalette.ColorRole.Text)
        plain = QTextCharFormat()
        plain.setForeground(ink)
        for day in Qt.DayOfWeek:
            self.calendar.setWeekdayTextFormat(day, plain)
        size = zoomed(16)
        names = {"qt_calendar_prevmonth": tr("Month before"), "qt_calendar_nextmonth": tr("Month after")}
        for name, sign in _ARROWS.items():
            arrow = self.calendar.findChild(QToolButton, name)
            if isinstance(arrow, QToolButton):
                arrow.setIcon(sign_icon(sign, ink, size_px=size))
                arrow.setIconSize(QSize(size, size))
                arrow.setAccessibleName(names[name])

    def _choose(self, day: QDate) -> None:
        self.chosen.emit(day)
        self.close()
