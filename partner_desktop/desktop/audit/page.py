"""The page of the audit log: newest first, a page of it at a time, with what narrows it. Knows no Partner."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QSizePolicy, QStackedWidget, QWidget

from partner_desktop.desktop.audit.words import (
    AUDIT_LOOK,
    AuditRow,
    AuditSheet,
    audit_rows,
    entry_day,
    kinds_words,
    outcome_words,
)
from partner_desktop.desktop.chat.column import AsidePage, column_margin
from partner_desktop.desktop.forms.choice_fields import Segments
from partner_desktop.desktop.panel.page import EmptyNote
from partner_desktop.desktop.parts.boxes import FlowLayout, grow, vbox
from partner_desktop.desktop.parts.controls import FilterField, push_button, show_words, text_label
from partner_desktop.desktop.rows.row_list import RowList
from partner_desktop.desktop.theme.theme import Space, Theme, zoomed
from partner_desktop.desktop.wording import LazyText, bind_text, in_every_language, resolve_text
from partner_desktop.domain.audit import AuditEntry, AuditQuery, AuditWords

#: More are not held here; whoever wants older ones narrows, or exports.
MOST = 10_000
#: Screens ahead of the end at which the next page is asked for.
_AHEAD = 2
#: Where there is less room, the head keeps to what belongs to the page itself.
_ROOMY_PX = 480
_HIGH_PX = 300


class AuditPage(AsidePage):
    """`closed()`, `permissions_wanted()`, `export_wanted()`; `asked()`: another part of it is looked for;
    `more_wanted()`: the end of what is there is near."""

    permissions_wanted = Signal()
    export_wanted = Signal()
    asked = Signal()
    more_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.entries: list[AuditEntry] = []
        self._rows: list[AuditRow] = []
        self._titles: Mapping[str, str] = {}
        self._more = False
        self._full = False
        self._waiting = True
        self._foot = text_label("", "muted", wrap=True)
        self.filters = AuditFilters()
        self.filters.changed.connect(self.asked)
        self.list: RowList[AuditEntry] = RowList(
            theme,
            lambda: self.tr("Audit log"),
            look=AUDIT_LOOK,
            about=lambda: self.tr("Enter shows everything that an entry says."),
            sheet=AuditSheet,
        )
        self.list.seeks = True
        self.list.typed.connect(self.filters.take)
        for tells in (self.list.verticalScrollBar().valueChanged, self.list.verticalScrollBar().rangeChanged):
            tells.connect(self._look_ahead)
        self._nothing = EmptyNote(lambda: self.tr("Nothing here"), "")
        self._views = QStackedWidget()
        self._views.addWidget(self.list)
        self._views.addWidget(self._nothing)
        self.head = self._fill_head()
        self.body = self._make_body()
        vbox(self.head, grow(self.body), into=self)
        self.list.verticalScrollBar().rangeChanged.connect(self._set_margins)
        in_every_language(self, self._retell)
        self._say()

    def _fill_head(self) -> QWidget:
        self.export_button = push_button(
            lambda: self.tr("Export…"), name=lambda: self.tr("Export what is found…")
        )
        self.export_button.clicked.connect(self.export_wanted)
        self.permissions_button = push_button(lambda: self.tr("Permissions…"), "quiet")
        self.permissions_button.clicked.connect(self.permissions_wanted)
        head = QWidget()
        title = (lambda: self.tr("Audit log"), lambda: self.tr("Close the audit log"))
        self._head = self._make_head(*title, self.permissions_button, self.export_button)
        head.setLayout(self._head)
        return head

    def _make_body(self) -> QWidget:
        body = QWidget()
        words = lambda: self.tr(  # noqa: E731 - words of a language
            "Every decision and run, as it happened. Entries cannot be changed, and hold nothing that you "
            "wrote."
        )
        self._about = text_label(words, "muted", wrap=True)
        self._above = vbox(self._about, self.filters, self._fault, gap=Space.S)
        self._column = vbox(self._above, grow(self._views), self._foot, into=body, gap=Space.S, margins=None)
        return body

    # What it shows.

    @property
    def regions(self) -> tuple[QWidget, ...]:
        """Its parts as Tab goes through them."""
        return (self.head, self.body)

    @property
    def nothing(self) -> str:
        """Why there are no rows; empty where there are some."""
        return self._told_nothing if not self._rows else ""

    @property
    def foot(self) -> str:
        return self._foot.text()

    def show_titles(self, titles: Mapping[str, str]) -> None:
        """What actions are called, by their keys."""
        self._titles = titles

    def show_entries(self, entries: Sequence[AuditEntry], *, more: bool) -> None:
        """The newest that fit, in place of what was there; `more`: there are older ones."""
        self.entries, self._rows = [], []
        self._waiting = False
        self._fault.hide()
        self.list.verticalScrollBar().setValue(0)
        self.add_older(entries, more=more)

    def add_older(self, entries: Sequence[AuditEntry], *, more: bool) -> None:
        after = entry_day(self.entries[-1]) if self.entries else None
        self.entries += entries
        self._rows += audit_rows(entries, self._titles, today=_today(), after=after)
        self._more = more and len(self.entries) < MOST
        self._full = more and not self._more
        self._show()

    def add_newer(self, entries: Sequence[AuditEntry]) -> None:
        """What happened meanwhile, newest first; what is looked at stays in view."""
        if not entries:
            return
        newer = list(audit_rows(entries, self._titles, today=_today()))
        if self.entries and entry_day(entries[-1]) == entry_day(self.entries[0]):
            del self._rows[0]
        bar = self.list.verticalScrollBar()
        scrolled, before = bar.value(), bar.maximum()
        self.entries[:0] = entries
        self._rows[:0] = newer
        self._show()
        if scrolled:
            bar.setValue(scrolled + bar.maximum() - before)

    def show_fault(self, sentence: str) -> None:
        """The log could not be read or written."""
        show_words(self._fault, sentence)

    def _show(self) -> None:
        self.list.show_rows(self._rows)
        self._say()
        self._look_ahead()

    def _look_ahead(self) -> None:
        bar = self.list.verticalScrollBar()
        if self._more and bar.maximum() - bar.value() < _AHEAD * self.list.viewport().height():
            self._more = False  # until the page is here
            self.more_wanted.emit()

    def _retell(self) -> None:
        self._rows = list(audit_rows(self.entries, self._titles, today=_today()))
        self.list.show_rows(self._rows)
        self._say()

    def _say(self) -> None:
        self._views.setCurrentIndex(0 if self._rows else 1)
        self.export_button.setEnabled(bool(self._rows))
        self._told_nothing = self._nothing_words()
        self._nothing.say(self._told_nothing)
        show_words(self._foot, self._foot_words())

    def _nothing_words(self) -> str:
        if self._waiting:
            return self.tr("Partner has not started yet; its log shows here when it has.")
        if self.filters.narrowed:
            return self.tr("No entry fits. Choose another time, kind or outcome, or fewer letters.")
        return self.tr("Nothing was decided or run yet. The first card that you answer is the first entry.")

    def _foot_words(self) -> str:
        if self.entries and self._full:
            words = self.tr(
                "The newest {count} are here. Narrow them down to see older ones, or export them all."
            )
            return words.format(count=f"{len(self.entries):,}")
        return ""

    # Its place.

    def _set_margins(self) -> None:
        side = column_margin(self.width())
        scrolls = self.list.verticalScrollBar()
        # The bar stands in the margin, so that the rows end where everything else does.
        bar = min(side, scrolls.sizeHint().width()) if scrolls.maximum() else 0
        self._head.setContentsMargins(side, Space.L, side, Space.S)
        self._column.setContentsMargins(side, Space.XS, side - bar, Space.M)
        self._above.setContentsMargins(0, 0, bar, 0)
        self.permissions_button.setVisible(self.width() >= zoomed(_ROOMY_PX))
        self._about.setVisible(self.height() >= zoomed(_HIGH_PX))


def _today() -> date:
    return datetime.now().astimezone().date()


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
        self.kind.show_values(words.kinds)
        self.outcome.show_values(words.outcomes)

    def take(self, text: str) -> None:
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

    def __init__(self, name: LazyText, every: LazyText, words: Callable[[str], str]) -> None:
        super().__init__()
        self._every = every
        self._words = words
        self._values: list[str] = []
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        bind_text(self, self.setAccessibleName, name)
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
        return self._words(value) if value else resolve_text(self._every)
