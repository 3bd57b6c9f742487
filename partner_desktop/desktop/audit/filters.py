"""What narrows the log: a part of the action's key, a kind, an outcome, a span of time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from partner_desktop.desktop.audit.words import kinds_words, outcome_words
from partner_desktop.desktop.parts.boxes import vbox
from partner_desktop.desktop.parts.flow import FlowLayout
from partner_desktop.desktop.settings.filter_field import FilterField
from partner_desktop.desktop.settings.segments import Segments
from partner_desktop.desktop.theme.tokens import Space
from partner_desktop.desktop.wording import Words, in_every_language, say, told
from partner_desktop.domain.audit import AuditQuery, AuditWords

_DAYS = {"today": 0, "week": 6}


class AuditFilters(QWidget):
    """`changed()` when another part of the log is looked for."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.search = FilterField(lambda: self.tr("Search by the key of an action"))
        self.search.looked_for.connect(lambda _text: self.changed.emit())
        self.kind = _Choice(lambda: self.tr("Kind"), lambda: self.tr("Every kind"), kinds_words)
        self.outcome = _Choice(lambda: self.tr("Outcome"), lambda: self.tr("Every outcome"), outcome_words)
        self._span = "all"
        self.spans = Segments(
            lambda: self.tr("Time"),
            (
                ("today", lambda: self.tr("Today")),
                ("week", lambda: self.tr("7 days")),
                ("all", lambda: self.tr("All")),
            ),
        )
        self.spans.show_choice(self._span)
        self.spans.chosen.connect(self._choose_span)
        self.show_words(AuditWords())
        for choice in (self.kind, self.outcome):
            choice.activated.connect(lambda _index: self.changed.emit())
        below = QWidget()
        line = FlowLayout(gap=Space.S)
        below.setLayout(line)
        for part in (self.spans, self.kind, self.outcome):
            line.addWidget(part)
        vbox(self.search, below, into=self, gap=Space.S)

    @property
    def narrowed(self) -> bool:
        """Whether anything is left out."""
        return self.query() != AuditQuery()

    def query(self) -> AuditQuery:
        """What is looked for now."""
        return AuditQuery(self.search.text().strip(), self.kind.value, self.outcome.value, self._since())

    def show_words(self, words: AuditWords) -> None:
        """What can be chosen."""
        self.kind.show_values(words.kinds)
        self.outcome.show_values(words.outcomes)

    def take(self, text: str) -> None:
        """Typed elsewhere, meant for the search."""
        self.search.setFocus(Qt.FocusReason.OtherFocusReason)
        self.search.insert(text)

    def _choose_span(self, value: str) -> None:
        self._span = value
        self.changed.emit()

    def _since(self) -> datetime | None:
        """Whole days of the person's own zone."""
        if self._span not in _DAYS:
            return None
        first = datetime.now().astimezone().date() - timedelta(days=_DAYS[self._span])
        return datetime(first.year, first.month, first.day).astimezone()


class _Choice(QComboBox):
    """One of several, or all of them. Leaves the wheel to the page."""

    def __init__(self, name: Words, every: Words, words: Callable[[str], str]) -> None:
        super().__init__()
        self._every = every
        self._words = words
        self._values: list[str] = []
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        say(self, self.setAccessibleName, name)
        in_every_language(self, self._say)

    @property
    def value(self) -> str:
        """What is chosen; empty: everything."""
        return self._values[self.currentIndex()] if self.currentIndex() > 0 else ""

    def show_values(self, values: Sequence[str]) -> None:
        """What there is; what is chosen stays."""
        wanted = ["", *values]
        if wanted == self._values:
            return
        chosen, self._values = self.value, wanted
        self.clear()
        self.addItems([self._told(value) for value in wanted])
        self.setCurrentIndex(wanted.index(chosen) if chosen in wanted else 0)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def _say(self) -> None:
        for place, value in enumerate(self._values):
            self.setItemText(place, self._told(value))

    def _told(self, value: str) -> str:
        return self._words(value) if value else told(self._every)
