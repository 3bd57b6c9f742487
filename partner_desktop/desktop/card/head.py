"""The card's first line: what it is, how risky, how it is held, where it stands."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtWidgets import QWidget

from partner_desktop.base.text import shown
from partner_desktop.desktop.card.words import (
    duration_words,
    has_steps,
    isolation_words,
    risk_words,
    standing_words,
)
from partner_desktop.desktop.parts.boxes import FlowLayout, at_middle, grow, hbox, vbox
from partner_desktop.desktop.parts.controls import ElidedLabel, Pill, text_label
from partner_desktop.desktop.wording import joined_words, tr
from partner_desktop.domain.action import ActionRecord, ActionStatus


class CardHead(QWidget):
    """Title, pills and the time it took."""

    def __init__(self) -> None:
        super().__init__()
        self._title = ElidedLabel("", "title")
        self.risk = Pill()
        self.isolation = Pill()
        self.status = Pill()
        self._time = text_label("", "muted")
        self._words = FlowLayout()
        self._below = FlowLayout()
        for widget in (self._title, self.risk, self.isolation):
            self._words.addWidget(widget)
        self._place = ElidedLabel("", "muted")
        self._place.hide()
        line = hbox(
            grow(vbox(self._place, self._words, gap=2)), at_middle(self._time), at_middle(self.status), gap=12
        )
        self._column = vbox(line, into=self, gap=6, margins=(16, 12, 16, 12))

    def show_record(self, record: ActionRecord) -> None:
        if has_steps(record):
            self._put_pills_below()
            # Where it stands comes as a pill later: the line is as high from the start.
            self._title.setMinimumHeight(self.status.sizeHint().height())
        self._title.set_text(shown(record.title))
        self.status.say(*standing_words(record))
        ran = record.status.ended and record.started_at is not None and record.duration_ms > 0
        self._say_facts(record, duration_words(record.duration_ms) if ran else "")

    def say_place(self, words: str) -> None:
        """Which plan it is a step of, above its title."""
        self._place.set_text(words)
        self._place.setVisible(bool(words))

    def _put_pills_below(self) -> None:
        """Where a plan has come to takes more room than how many steps it has: no pill gives way to it."""
        if self._below.count():
            return
        for pill in (self.risk, self.isolation):
            self._words.removeWidget(pill)
            self._below.addWidget(pill)
        self._column.addLayout(self._below)

    def _say_facts(self, record: ActionRecord, time: str) -> None:
        if record.terms is not None and record.terms.is_reminder:
            self.risk.say("")  # it does nothing but to tell
            self.isolation.say("")
        elif not has_steps(record):
            self.risk.say(*risk_words(record))
            self.isolation.say(*isolation_words(record))
        if not has_steps(record):
            self._time.setText(time)
            return
        from partner_desktop.desktop.card.plan import step_words  # noqa: PLC0415 - few actions have steps

        self.risk.say(*step_words.chain_risk_words(record))
        self.isolation.say(*step_words.chain_isolation_words(record))
        self._time.setText(joined_words(step_words.progress_words(record), time))

    def show_elapsed(self, record: ActionRecord, now: datetime) -> None:
        """How long a run has been going."""
        if record.status is ActionStatus.RUNNING and record.started_at is not None:
            seconds = max(0, int((now - record.started_at).total_seconds()))
            time = tr("{seconds} s").format(seconds=seconds)
            self._say_facts(record, time)
