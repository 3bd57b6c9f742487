"""The form by which a schedule is changed: when, what becomes of missed times, and what a reminder says.

Its fields are those of every form. What they come to is said in words below them while they are filled in,
with the next times, so that a mistake shows before it is saved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.forms.choice_fields import ChoiceField, FieldChoice, SeveralField
from partner_desktop.desktop.forms.fields import Field, LongTextField
from partner_desktop.desktop.forms.form import BESIDE_FROM, FormRow
from partner_desktop.desktop.forms.schema_fields import make_field
from partner_desktop.desktop.panel.page import PanelPage
from partner_desktop.desktop.panel.schedules.schedule_facts import (
    missed_words,
    next_words,
    timing_words,
)
from partner_desktop.desktop.panel.schedules.timing_draft import (
    WEEKDAYS,
    TimingProblemError,
    terms_from,
    timing_kind,
    values_of,
    with_missed,
)
from partner_desktop.desktop.parts.boxes import drop_widget, flow, scrolled, stretch, vbox
from partner_desktop.desktop.parts.controls import push_button, show_words, text_label
from partner_desktop.desktop.theme.theme import Space, zoomed
from partner_desktop.desktop.wording import in_every_language, tr
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.schedule import FileLands, Schedule, Terms
from partner_desktop.domain.schedule_text import next_times_of, terms_zone

#: Which fields a kind of timing has, in their order.
_FIELDS: dict[str, tuple[str, ...]] = {
    "once": ("date", "time"),
    "days": ("weekdays", "times", "until"),
    "month": ("month_days", "times", "until"),
    "every": ("amount", "unit", "begin", "end", "until"),
    "cron": ("cron", "until"),
    "rule": ("times", "until"),
    "": (),
}
_DAY: JsonObject = {"type": "string", "format": "date"}
_CLOCK: JsonObject = {"type": "string", "format": "time"}
_NEEDED = ("date", "time", "times", "amount", "month_days", "cron")


class ScheduleForm(PanelPage):
    """`saved(terms)` with what stands in the form."""

    saved = Signal(object)

    def __init__(self, schedule: Schedule, now: Callable[[], datetime]) -> None:
        super().__init__(
            " ".join(schedule.title.split()),
            back=lambda: tr("‹ Back"),
            back_name=lambda: tr("Back to what is planned"),
        )
        self.schedule = schedule
        self._now = now
        self.rows: dict[str, FormRow] = {}
        self._places: dict[str, QWidget] = {}
        self._fields = vbox(gap=Space.M)
        self._said = text_label("", "strong", wrap=True)
        self._next = text_label("", "muted", wrap=True)
        self._problem = text_label("", "fault-small", wrap=True, selectable=True, hidden=True)
        self.save_button = push_button(lambda: tr("Save"), "primary", pressed=self._save)
        self.cancel_button = push_button(lambda: tr("Cancel"), pressed=self.closed)
        inner = QWidget()
        vbox(
            self._fields,
            Space.XS,
            self._said,
            self._next,
            self._problem,
            flow(self.save_button, self.cancel_button),
            stretch(),
            into=inner,
            gap=Space.S,
            margins=(0, 0, Space.XS, Space.S),
        )
        self.column.addWidget(scrolled(inner), 1)
        in_every_language(self, self._build_again)
        self._build()

    @property
    def kind(self) -> str:
        """Which kind of timing is chosen."""
        chosen = self.rows["kind"].field.read() if "kind" in self.rows else ""
        return chosen if isinstance(chosen, str) else ""

    def begin(self) -> None:
        first = next((row for name, row in self.rows.items() if not self._places[name].isHidden()), None)
        if first is not None:
            first.go_to()

    def show_problem(self, sentence: str) -> None:
        """It could not be saved: say why, and let it be tried again."""
        show_words(self._problem, sentence)
        self.save_button.setEnabled(True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_titles()

    # Its fields.

    def _build(self) -> None:
        for field in self._make_fields():
            row = FormRow(field, required=field.name in _NEEDED)
            field.edited.connect(lambda row=row: self._changed(row))
            place = QWidget()
            row.box.setContentsMargins(0, 0, 0, 0)
            place.setLayout(row.box)
            self.rows[field.name], self._places[field.name] = row, place
            self._fields.addWidget(place)
        if "times" in self.rows:
            self.rows["times"].hint(tr("one or more, with commas between them"))
        if "until" in self.rows:
            self.rows["until"].hint(tr("empty: without end"))
        if "cron" in self.rows:
            self.rows["cron"].hint(tr("minute, hour, day, month, weekday"))
        self._place_titles()
        self._show_kind()

    def _build_again(self) -> None:
        """In another language, with what was typed."""
        before, self.rows, self._places = self.rows, {}, {}
        for row in before.values():
            row.field.widget.hide()
        self._build()
        for name, row in self.rows.items():
            row.take_over(before[name])
        self._drop_first(len(before))
        self._show_kind()

    def _drop_first(self, count: int) -> None:
        for _ in range(count):
            item = self._fields.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                drop_widget(widget)

    def _make_fields(self) -> Iterator[Field]:
        terms = self.schedule.terms
        if terms.is_reminder:
            yield LongTextField("message", tr("What to say"), terms.message)
        if terms.timing is not None:
            yield from self._timing_fields(terms)
            yield self._missed_field(terms)
        if terms.lands is not None:
            folder: JsonObject = {"type": "string", "format": "path", "access": "read"}
            yield make_field("folder", tr("Folder"), folder, terms.lands.folder, required=True)
            yield make_field("pattern", tr("Names"), {"type": "string"}, terms.lands.pattern, required=True)

    def _timing_fields(self, terms: Terms) -> Iterator[Field]:
        kinds = {
            "once": tr("once"),
            "days": tr("on certain days"),
            "month": tr("on days of the month"),
            "every": tr("every so often"),
            "cron": tr("by a cron line (advanced)"),
        }
        if timing_kind(terms) == "rule":
            kinds["rule"] = tr("on the days as they are")
        values = values_of(terms, self._wall_now())
        yield _choice("kind", tr("When"), timing_kind(terms), kinds)
        yield make_field("date", tr("Day"), _DAY, values["date"], required=True)
        yield make_field("time", tr("Time"), _CLOCK, values["time"], required=True)
        yield _weekdays(values["weekdays"])
        yield self._text("month_days", tr("Days of the month"), values)
        yield self._text("times", tr("Times"), values)
        amount: JsonObject = {"type": "integer", "minimum": 1}
        yield make_field("amount", tr("Every"), amount, values["amount"], required=True)
        units = {"seconds": tr("seconds"), "minutes": tr("minutes"), "hours": tr("hours"), "days": tr("days")}
        yield _choice("unit", tr("Unit"), str(values["unit"]), units)
        yield make_field("begin", tr("From"), _CLOCK, values["begin"] or None, required=False)
        yield make_field("end", tr("Until"), _CLOCK, values["end"] or None, required=False)
        yield self._text("cron", tr("Cron line"), values)
        yield make_field("until", tr("Last day"), _DAY, values["until"] or None, required=False)

    def _text(self, name: str, title: str, values: JsonObject) -> Field:
        return make_field(name, title, {"type": "string"}, values[name], required=True)

    def _missed_field(self, terms: Terms) -> Field:
        reminds = terms.is_reminder
        policies = {
            "usual": missed_words("usual", reminds=reminds),
            "once": missed_words("once", reminds=reminds),
            "all": missed_words("all", reminds=reminds),
            "skip": missed_words("skip", reminds=reminds),
        }
        return _choice("missed", tr("What was missed"), terms.missed, policies)

    def _place_titles(self) -> None:
        beside = self.width() >= zoomed(BESIDE_FROM)
        for row in self.rows.values():
            row.place_title(beside=beside)

    # What stands in them.

    def _changed(self, row: FormRow) -> None:
        row.complain("")
        self._problem.hide()
        self._show_kind()

    def _show_kind(self) -> None:
        wanted = _FIELDS[self.kind]
        every = {name for names in _FIELDS.values() for name in names}
        for name, place in self._places.items():
            place.setVisible(name in wanted or name not in every)
        self._preview()

    def _preview(self) -> None:
        """What it comes to; nothing while something does not do, which is said when it is saved."""
        try:
            terms = self._read(complain=False)
            times = next_times_of(terms, self._now())
        except TimingProblemError as problem:
            self._said.setText("")
            show_words(self._next, str(problem))
            return
        self._said.setText(timing_words(terms))
        show_words(self._next, next_words(times, self._now()) if terms.once is None else "")

    def _wall_now(self) -> datetime:
        now = self._now()
        return now.astimezone(terms_zone(self.schedule.terms, now)).replace(tzinfo=None)

    def _read(self, *, complain: bool) -> Terms:
        """The terms as they stand.

        Raises:
            TimingProblemError: They do not; with `complain`, it is said at the field too.
        """
        values: JsonObject = {}
        for name, row in self.rows.items():
            if self._places[name].isHidden():
                continue
            problem = row.read_into(values)
            if not complain:
                row.complain("")
            if problem:
                raise TimingProblemError(problem)
        terms = replace(self.schedule.terms, message=str(values.get("message", self.schedule.terms.message)))
        if terms.lands is not None:
            terms = replace(terms, lands=FileLands(str(values["folder"]), str(values["pattern"])))
        if terms.timing is None:
            return terms
        return terms_from(with_missed(terms, values.get("missed")), self.kind, values, self._wall_now())

    def _save(self) -> None:
        if not self.save_button.isEnabled():
            return
        try:
            terms = self._read(complain=True)
        except TimingProblemError as problem:
            wrong = next((row for row in self.rows.values() if row.problem), None)
            if wrong is not None:
                wrong.go_to()
            else:
                self.show_problem(str(problem))
            return
        if self.save_button.hasFocus():
            self.back_button.setFocus(Qt.FocusReason.OtherFocusReason)  # the button is about to go grey
        self.save_button.setEnabled(False)
        self.saved.emit(terms)


def _choice(name: str, title: str, value: str, titles: dict[str, str]) -> Field:
    choices = [FieldChoice(each, words) for each, words in titles.items()]
    return ChoiceField(name, title, value, choices, required=True)


def _weekdays(chosen: Json) -> Field:
    names = [QLocale().standaloneDayName(day + 1, QLocale.FormatType.ShortFormat) for day in range(7)]
    choices = [FieldChoice(day, name) for day, name in zip(WEEKDAYS, names, strict=True)]
    return SeveralField("weekdays", tr("Days"), chosen, choices, {}, beside=True)
