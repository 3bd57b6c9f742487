"""The page of one schedule: when, when next, what becomes of missed times, and all that came of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from partner_desktop.desktop.panel.page import PanelPage
from partner_desktop.desktop.panel.schedules.schedule_facts import (
    closed_words,
    firing_row,
    next_words,
    schedule_pill,
    schedule_verbs,
    timing_words,
)
from partner_desktop.desktop.parts.boxes import clear_layout, flow, grow, hbox
from partner_desktop.desktop.parts.controls import Pill, push_button, show_words, text_label
from partner_desktop.desktop.rows.row_list import RowList
from partner_desktop.desktop.rows.row_spec import RowSpec
from partner_desktop.desktop.theme.theme import Space, Theme
from partner_desktop.desktop.wording import in_every_language, tr
from partner_desktop.domain.schedule import Firing, Schedule
from partner_desktop.domain.schedule_text import terms_zone, time_in_words


class SchedulePage(PanelPage):
    """`asked(verb)`: one of its verbs, or `chat` for the conversation in which it tells;
    `firing_chosen(action_id)`.
    """

    asked = Signal(str)
    firing_chosen = Signal(str)

    def __init__(self, schedule: Schedule, theme: Theme, now: Callable[[], datetime]) -> None:
        super().__init__(" ".join(schedule.title.split()), of="actions")
        self.schedule = schedule
        self.firings: tuple[Firing, ...] = ()
        self._theme = theme
        self._now = now
        self._all_paused = False
        self.buttons: dict[str, QPushButton] = {}
        self._pill = Pill()
        self._when = text_label("", "strong", wrap=True, selectable=True)
        self._why = text_label("", "", wrap=True, selectable=True)
        self._next_head = text_label(lambda: tr("Next"), "label")
        self._next = text_label("", "muted", wrap=True, selectable=True)
        self._closed = text_label("", "muted", wrap=True)
        self._asks = text_label("", "muted", wrap=True)
        self._verbs = QWidget()
        self._verbs.setObjectName("clear")
        self._verbs_row = flow()
        self._verbs.setLayout(self._verbs_row)
        self.past: RowList[Firing] = RowList(theme, lambda: tr("What came of it"), grows=True)
        self.past.chosen.connect(self._choose)
        self._not_yet = text_label("", "muted", wrap=True)
        self._lay_out()
        in_every_language(self, self._say)
        self._say()

    def _lay_out(self) -> None:
        self.fill(
            hbox(grow(self._when), self._pill, gap=Space.S),
            self._why,
            self.problem_label,
            self._verbs,
            Space.XS,
            self._next_head,
            self._next,
            self._closed,
            self._asks,
            Space.XS,
            text_label(lambda: tr("What came of it"), "label"),
            self.past,
            self._not_yet,
        )

    def show_schedule(self, schedule: Schedule, *, all_paused: bool) -> None:
        self.schedule = schedule
        self._all_paused = all_paused
        self.problem_label.hide()
        self._say()

    def show_firings(self, firings: Sequence[Firing]) -> None:
        """All that came of it, the latest first."""
        if tuple(firings) != self.firings:
            self.firings = tuple(firings)
            self._say_past()

    def show_problem(self, sentence: str) -> None:
        """What was asked for could not be done."""
        super().show_problem(sentence)
        self._let_press(pressed=True)

    def shows(self, action_id: str) -> bool:
        return any(firing.action_id == action_id for firing in self.firings)

    def _say(self) -> None:
        schedule, now = self.schedule, self._now()
        self._when.setText(timing_words(schedule.terms))
        self._pill.say(*schedule_pill(schedule, all_paused=self._all_paused))
        show_words(self._why, schedule.why if schedule.state == "stopped" else "")
        zone = terms_zone(schedule.terms, now)
        times = [at.astimezone(zone) for at in schedule.next_times]
        show_words(self._next, next_words(times, now))
        self._next_head.setVisible(bool(times))
        show_words(self._closed, closed_words(schedule.terms) if schedule.state != "over" else "")
        show_words(self._asks, tr("You are asked each time before it runs.") if schedule.asks else "")
        self._say_verbs()
        self._say_past()

    def _say_verbs(self) -> None:
        """A button each; the one that had the keyboard keeps it where it is still there."""
        held = next((verb for verb, button in self.buttons.items() if button.hasFocus()), "")
        clear_layout(self._verbs_row)
        self.buttons = {}
        wanted = [*schedule_verbs(self.schedule), ("chat", tr("Show in chat"))]
        for verb, words in wanted:
            look = "small-stop" if verb == "cancel" else "small"
            button = push_button(words, look, name=f"{words}: {self.schedule.title}")
            button.clicked.connect(lambda _checked=False, verb=verb: self._ask(verb))
            self.buttons[verb] = button
            self._verbs_row.addWidget(button)
        if held:
            self.buttons.get(held, self.back_button).setFocus()
        self._verbs.updateGeometry()

    def _ask(self, verb: str) -> None:
        self._let_press(pressed=verb in ("edit", "chat"))
        self.asked.emit(verb)

    def _let_press(self, *, pressed: bool) -> None:
        if not pressed and any(button.hasFocus() for button in self.buttons.values()):
            self.back_button.setFocus()  # the button is about to go grey
        for button in self.buttons.values():
            button.setEnabled(pressed)

    def _say_past(self) -> None:
        now = self._now()
        zone = terms_zone(self.schedule.terms, now)
        rows = [firing_row(one, time_in_words(one.due_at.astimezone(zone), now)) for one in self.firings]
        self.past.show_rows(rows)
        self.past.setVisible(bool(rows))
        show_words(self._not_yet, "" if rows else tr("It has not been due yet."))

    def _choose(self, row: RowSpec[Firing]) -> None:
        if row.about.action_id:
            self.firing_chosen.emit(row.about.action_id)
