"""A date, a time, or both: typed, or chosen from a calendar. Empty means that it is not given."""

from __future__ import annotations

from datetime import date, datetime, time

from PySide6.QtCore import QDate, QPoint, Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from partner_desktop.desktop.card.field import MISSING, Field, FieldProblemError, MissingValue, tr
from partner_desktop.desktop.parts.boxes import hbox
from partner_desktop.desktop.parts.controls import push_button
from partner_desktop.desktop.theme.theme import zoomed
from partner_desktop.domain.json_value import Json

_EXAMPLES = {"date": "2030-05-14", "date-time": "2030-05-14 18:00", "time": "18:00"}
_WIDTH = 200


class MomentField(Field):
    """`kind`: the schema's format. What was given stays as it is, unless another is typed."""

    def __init__(self, name: str, title: str, value: Json, *, kind: str) -> None:
        self._kind = kind
        self._given = "" if value is None else str(value)
        self._shown = _shown(self._given, kind)
        self._edit = QLineEdit(self._shown)
        self._edit.setPlaceholderText(_EXAMPLES[kind])
        self._edit.setFixedWidth(zoomed(_WIDTH))
        box = QWidget()
        super().__init__(name, title, box, edit=self._edit)
        self._edit.setAccessibleName(title)
        self._edit.textEdited.connect(lambda _text: self.edited.emit())
        row = hbox(self._edit, into=box, gap=6)
        if kind != "time":
            self.choose_button = push_button(
                tr("Calendar…"), name=tr("Calendar: {title}").format(title=title), pressed=self._open_calendar
            )
            row.addWidget(self.choose_button)
        row.addStretch()

    def read(self) -> Json | MissingValue:
        text = self._edit.text().strip()
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
        from partner_desktop.desktop.card.day_menu import DayMenu  # noqa: PLC0415 - when it is asked for

        known = QDate.fromString(self._edit.text().strip()[:10], Qt.DateFormat.ISODate)
        menu = DayMenu(self.title, known, self.widget)
        menu.chosen.connect(self._choose)
        menu.popup(self._edit.mapToGlobal(QPoint(0, self._edit.height() + 2)))
        menu.take_keys()

    def _choose(self, day: QDate) -> None:
        clock = self._edit.text().strip()[10:].lstrip(" T") or "12:00"
        text = day.toString(Qt.DateFormat.ISODate)
        self._edit.setText(f"{text} {clock}" if self._kind == "date-time" else text)
        self.edited.emit()
        self._edit.setFocus(Qt.FocusReason.PopupFocusReason)


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
