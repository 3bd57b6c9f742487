"""The form by which a schedule is changed: when, what becomes of missed times, and what a reminder says.

Its fields are those of every form. What they come to is said in words below them while they are filled in,
with the next times, so that a mistake shows before it is saved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from functools import partial

from PySide6.QtCore import QLocale, Signal

from partner_desktop.desktop.forms.choice_fields import ChoiceField, FieldChoice, SeveralField
from partner_desktop.desktop.forms.fields import Field, FieldProblemError, LongTextField
from partner_desktop.desktop.forms.form import EntryForm
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
from partner_desktop.desktop.parts.boxes import scrolled
from partner_desktop.desktop.parts.controls import show_words, text_label
from partner_desktop.desktop.theme.theme import Space
from partner_desktop.desktop.wording import LazyText, in_every_language, tr
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
_HINTS: dict[str, LazyText] = {
    "times": lambda: tr("one or more, with commas between them"),
    "until": lambda: tr("empty: without end"),
    "cron": lambda: tr("minute, hour, day, month, weekday"),
}
_NEEDED = ("date", "time", "times", "amount", "month_days", "cron")


class ScheduleForm(PanelPage):
    """`saved(terms)` with what stands in the form."""

    saved = Signal(object)

    def __init__(self, schedule: Schedule, now: Callable[[], datetime]) -> None:
        super().__init__(" ".join(schedule.title.split()), of="schedule")
        self.schedule = schedule
        self._now = now
        self._said = text_label("", "strong", wrap=True)
        self._next = text_label("", "muted", wrap=True)
        self.entry = EntryForm(
            self.title.text(),
            lambda: tr("Save"),
            title_look="",
            beside=True,
            margins=(0, 0, Space.XS, Space.S),
            below=(Space.XS, self._said, self._next),
        )
        self.form = self.entry.form
        self.form.edited.connect(lambda _row: self._show_kind())
        self.entry.given.connect(self._give)
        self.entry.cancelled.connect(self.closed)
        self.entry.column.addStretch()
        self.column.addWidget(scrolled(self.entry), 1)
        for field in self._make_fields():
            self.form.add(field, required=field.name in _NEEDED, hint=_HINTS.get(field.name, ""))
        in_every_language(self, self._show_kind, now=True)

    @property
    def kind(self) -> str:
        chosen = self.form.rows["kind"].field.read() if "kind" in self.form.rows else ""
        return chosen if isinstance(chosen, str) else ""

    def begin(self) -> None:
        self.entry.begin()

    def show_problem(self, sentence: str) -> None:
        """It could not be saved: say why, and let it be tried again."""
        self.entry.show_problem(sentence)

    # Its fields.

    def _make_fields(self) -> Iterator[Field]:
        terms = self.schedule.terms
        if terms.is_reminder:
            yield LongTextField("message", lambda: tr("What to say"), terms.message)
        if terms.timing is not None:
            yield from self._timing_fields(terms)
            yield self._missed_field(terms)
        if terms.lands is not None:
            folder: JsonObject = {"type": "string", "format": "path", "access": "read"}
            yield make_field("folder", lambda: tr("Folder"), folder, terms.lands.folder, required=True)
            yield make_field(
                "pattern", lambda: tr("Names"), {"type": "string"}, terms.lands.pattern, required=True
            )

    def _timing_fields(self, terms: Terms) -> Iterator[Field]:
        kinds: dict[str, LazyText] = {
            "once": lambda: tr("once"),
            "days": lambda: tr("on certain days"),
            "month": lambda: tr("on days of the month"),
            "every": lambda: tr("every so often"),
            "cron": lambda: tr("by a cron line (advanced)"),
        }
        if timing_kind(terms) == "rule":
            kinds["rule"] = lambda: tr("on the days as they are")
        values = values_of(terms, self._wall_now())
        yield _choice("kind", lambda: tr("When"), timing_kind(terms), kinds)
        yield make_field("date", lambda: tr("Day"), _DAY, values["date"], required=True)
        yield make_field("time", lambda: tr("Time"), _CLOCK, values["time"], required=True)
        yield _weekdays(values["weekdays"])
        yield self._text("month_days", lambda: tr("Days of the month"), values)
        yield self._text("times", lambda: tr("Times"), values)
        amount: JsonObject = {"type": "integer", "minimum": 1}
        yield make_field("amount", lambda: tr("Every"), amount, values["amount"], required=True)
        units: dict[str, LazyText] = {
            "seconds": lambda: tr("seconds"),
            "minutes": lambda: tr("minutes"),
            "hours": lambda: tr("hours"),
            "days": lambda: tr("days"),
        }
        yield _choice("unit", lambda: tr("Unit"), str(values["unit"]), units)
        yield make_field("begin", lambda: tr("From"), _CLOCK, values["begin"] or None, required=False)
        yield make_field("end", lambda: tr("Until"), _CLOCK, values["end"] or None, required=False)
        yield self._text("cron", lambda: tr("Cron line"), values)
        yield make_field("until", lambda: tr("Last day"), _DAY, values["until"] or None, required=False)

    def _text(self, name: str, title: LazyText, values: JsonObject) -> Field:
        return make_field(name, title, {"type": "string"}, values[name], required=True)

    def _missed_field(self, terms: Terms) -> Field:
        reminds = terms.is_reminder
        policies: dict[str, LazyText] = {
            "usual": lambda: missed_words("usual", reminds=reminds),
            "once": lambda: missed_words("once", reminds=reminds),
            "all": lambda: missed_words("all", reminds=reminds),
            "skip": lambda: missed_words("skip", reminds=reminds),
        }
        return _choice("missed", lambda: tr("What was missed"), terms.missed, policies)

    # What stands in them.

    def _show_kind(self) -> None:
        wanted = _FIELDS[self.kind]
        every = {name for names in _FIELDS.values() for name in names}
        for name, row in self.form.rows.items():
            row.setVisible(name in wanted or name not in every)
        self._preview()

    def _preview(self) -> None:
        """What it comes to; nothing while something does not do, which is said when it is saved."""
        try:
            terms = self._terms(self.form.read())
            times = next_times_of(terms, self._now())
        except (FieldProblemError, TimingProblemError) as problem:
            self.form.forget_problems()
            self._said.setText("")
            show_words(self._next, str(problem))
            return
        self._said.setText(timing_words(terms))
        show_words(self._next, next_words(times, self._now()) if terms.once is None else "")

    def _wall_now(self) -> datetime:
        now = self._now()
        return now.astimezone(terms_zone(self.schedule.terms, now)).replace(tzinfo=None)

    def _terms(self, values: JsonObject) -> Terms:
        """The terms as they stand.

        Raises:
            TimingProblemError: They do not.
        """
        terms = replace(self.schedule.terms, message=str(values.get("message", self.schedule.terms.message)))
        if terms.lands is not None:
            terms = replace(terms, lands=FileLands(str(values["folder"]), str(values["pattern"])))
        if terms.timing is None:
            return terms
        return terms_from(with_missed(terms, values.get("missed")), self.kind, values, self._wall_now())

    def _give(self, values: JsonObject) -> None:
        try:
            self.saved.emit(self._terms(values))
        except TimingProblemError as problem:
            self.show_problem(str(problem))


def _choice(name: str, title: LazyText, value: str, titles: dict[str, LazyText]) -> Field:
    choices = [FieldChoice(each, words) for each, words in titles.items()]
    return ChoiceField(name, title, value, choices, required=True)


def _weekdays(chosen: Json) -> Field:
    choices = [FieldChoice(day, partial(_day_name, number)) for number, day in enumerate(WEEKDAYS, 1)]
    return SeveralField("weekdays", lambda: tr("Days"), chosen, choices, {}, beside=True)


def _day_name(number: int) -> str:
    return QLocale().standaloneDayName(number, QLocale.FormatType.ShortFormat)
