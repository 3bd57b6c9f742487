"""Fields that few schemas need, brought in when one does.

A moment (a date, a time, or both) is typed, or chosen from a calendar; empty means that it is not given. A
list of paths has a row each, to type in, choose for, and take away.
"""

from __future__ import annotations

from datetime import date, datetime, time

from PySide6.QtCore import QDate, QLocale, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QPalette, QTextCharFormat
from PySide6.QtWidgets import QCalendarWidget, QMenu, QToolButton, QWidget, QWidgetAction

from partner_desktop.desktop.forms.fields import MISSING, Field, FieldProblemError, MissingValue, TextField
from partner_desktop.desktop.forms.path_field import PathField
from partner_desktop.desktop.parts.boxes import at_left, drop_widget, grow, hbox, vbox
from partner_desktop.desktop.parts.controls import push_button
from partner_desktop.desktop.theme.signs import SignName, sign_icon
from partner_desktop.desktop.theme.theme import zoomed
from partner_desktop.desktop.wording import LazyText, tr
from partner_desktop.domain.json_value import Json, JsonObject

_EXAMPLES = {"date": "2030-05-14", "date-time": "2030-05-14 18:00", "time": "18:00"}
_WIDTH, _LEAST_WIDTH = 200, 120


class MomentField(TextField):
    """`kind`: the schema's format. What was given stays as it is, unless another is typed."""

    def __init__(self, name: str, title: LazyText, value: Json, *, kind: str) -> None:
        self._kind = kind
        self._given = self._shown = ""
        box = QWidget()
        super().__init__(name, title, value, widget=box)
        self.line.setPlaceholderText(_EXAMPLES[kind])
        self.line.setMinimumWidth(zoomed(_LEAST_WIDTH))
        self.line.setMaximumWidth(zoomed(_WIDTH))
        row = hbox(self.line, into=box, gap=6)
        if kind != "time":
            self.choose_button = push_button(
                lambda: tr("Calendar…"),
                name=lambda: tr("Calendar: {title}").format(title=self.title),
                pressed=self._open_calendar,
            )
            row.addWidget(self.choose_button)
        row.addStretch()

    def show(self, value: Json) -> None:
        self._given = "" if value is None else str(value)
        self._shown = _shown(self._given, self._kind)
        self.put(self._shown)

    def read(self) -> Json | MissingValue:
        text = self.text().strip()
        if text == self._shown:
            return self._given or MISSING
        if not text:
            return MISSING
        words = {
            "date": tr("Type a date, such as {example}."),
            "date-time": tr("Type a date and a time, such as {example}."),
            "time": tr("Type a time, such as {example}."),
        }
        try:
            return _sent(text, self._kind)
        except ValueError:
            problem = words[self._kind].format(example=_EXAMPLES[self._kind])
            raise FieldProblemError(problem) from None

    def _open_calendar(self) -> None:

        known = QDate.fromString(self.line.text().strip()[:10], Qt.DateFormat.ISODate)
        menu = DayMenu(self.title, known, self.widget)
        menu.chosen.connect(self._choose)
        menu.popup(self.line.mapToGlobal(QPoint(0, self.line.height() + 2)))
        menu.take_keys()

    def _choose(self, day: QDate) -> None:
        clock = self.line.text().strip()[10:].lstrip(" T") or "12:00"
        text = day.toString(Qt.DateFormat.ISODate)
        self.put(f"{text} {clock}" if self._kind == "date-time" else text)
        self.edited.emit()
        self.settled.emit()
        self.line.setFocus(Qt.FocusReason.PopupFocusReason)


def _shown(given: str, kind: str) -> str:
    """As people write it, by the clock on the wall; what is no moment is shown as it is."""
    try:
        if kind == "date-time":
            moment = datetime.fromisoformat(given)
            local = moment.astimezone() if moment.tzinfo is not None else moment
            return f"{local:%Y-%m-%d} {_clock(local)}" if not moment.microsecond else given
        if kind == "time":
            clock = time.fromisoformat(given)
            return given if clock.microsecond or clock.tzinfo is not None else _clock(clock)
    except ValueError:
        pass
    return given


def _clock(of: datetime | time) -> str:
    """With its seconds where it has some."""
    return f"{of:%H:%M:%S}" if of.second else f"{of:%H:%M}"


def _sent(text: str, kind: str) -> str:
    """In the form of the format; a moment with the zone of this machine, unless one is typed."""
    if kind == "date":
        return date.fromisoformat(text).isoformat()
    if kind == "time":
        return time.fromisoformat(text if ":" in text else "").isoformat()
    moment = datetime.fromisoformat(text)
    return (moment if moment.tzinfo is not None else moment.astimezone()).isoformat()


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


class PathListField(Field):
    """Empty rows count for nothing."""

    def __init__(
        self, name: str, title: LazyText, value: Json, schema: JsonObject, item: JsonObject, *, cwd: str = ""
    ) -> None:
        box = QWidget()
        super().__init__(name, title, box)
        self._item = item
        self._cwd = cwd
        self._least, self._most = schema.get("minItems"), schema.get("maxItems")
        self.rows: list[PathField] = []
        self._lines: dict[PathField, QWidget] = {}
        self.add_button = push_button(
            lambda: tr("Add a path"),
            "small",
            name=lambda: tr("Add a path: {title}").format(title=self.title),
            pressed=self._add_empty,
        )
        self._column = vbox(at_left(self.add_button), into=box, gap=6)
        self.show(value)

    def show(self, value: Json) -> None:
        for row in tuple(self.rows):
            self._remove(row)
        for path in value if isinstance(value, list) and value else [None]:
            self._add(path)

    def read(self) -> Json | MissingValue:
        found = [value for row in self.rows if not isinstance(value := row.read(), MissingValue)]
        if not found:
            return MISSING
        if isinstance(self._least, int) and len(found) < self._least:
            raise FieldProblemError(tr("At least {limit} paths.").format(limit=self._least))
        if isinstance(self._most, int) and len(found) > self._most:
            raise FieldProblemError(tr("At most {limit} paths.").format(limit=self._most))
        return found

    def mark(self, *, problem: bool) -> None:
        for row in self.rows:
            row.mark(problem=problem)

    def take_over(self, before: Field) -> bool:
        if not isinstance(before, PathListField):
            return False
        for row in tuple(self.rows):
            self._remove(row)
        for old in before.rows:
            self._add(None).take_over(old)
        return True

    def _add_empty(self) -> None:
        self._add(None).take_keys()
        self.edited.emit()

    def _add(self, path: Json) -> PathField:
        number = len(self.rows) + 1
        title = lambda: f"{self.title} {number}"  # noqa: E731 - words of a language
        row = PathField(self.name, title, path, schema=self._item, cwd=self._cwd)
        row.edited.connect(self.edited)
        line = QWidget()
        remove = push_button(
            lambda: tr("Remove"),
            "small",
            name=lambda: tr("Remove: {title}").format(title=row.title),
            pressed=lambda: self._remove_one(row),
        )
        hbox(grow(row.widget), remove, into=line, gap=6)
        self.rows.append(row)
        self._lines[row] = line
        self._column.insertWidget(len(self.rows) - 1, line)
        return row

    def _remove_one(self, row: PathField) -> None:
        at = self.rows.index(row)
        self._remove(row)
        near = self.rows[min(at, len(self.rows) - 1)] if self.rows else None
        if near is not None:
            near.take_keys()
        else:
            self.add_button.setFocus(Qt.FocusReason.OtherFocusReason)
        self.edited.emit()

    def _remove(self, row: PathField) -> None:
        self.rows.remove(row)
        line = self._lines.pop(row)
        self._column.removeWidget(line)
        drop_widget(line)
