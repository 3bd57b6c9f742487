"""The past turns of a conversation, newest first; older ones come as one scrolls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.desktop.panel.context.words import moment_words, share_of, turn_words, used_words
from partner_desktop.desktop.parts.controls import on_escape
from partner_desktop.desktop.parts.paint import paint_ground, paint_line
from partner_desktop.desktop.parts.rows import ROW_ROLE, RowsList, RowsModel
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import in_every_language, tr
from partner_desktop.domain.snapshot import TurnSummary

_PAD_X = 10
_PAD_Y = 7
_NEAR_END_PX = 200
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)


@dataclass(frozen=True)
class TurnRow:
    """One turn in words."""

    turn: TurnSummary
    words: str
    moment: str
    facts: str
    own: bool
    """Whether Partner began it."""


def turn_rows(turns: Sequence[TurnSummary]) -> list[TurnRow]:
    """Newest first."""
    return [_row(turn) for turn in reversed(turns)]


def _row(turn: TurnSummary) -> TurnRow:
    share = round(100 * share_of(turn.used_tokens, turn.budget_tokens))
    facts = tr("{percent} %").format(percent=share)
    if turn.dropped:
        facts = tr("{percent} % · {count} left out").format(percent=share, count=f"{turn.dropped:,}")
    return TurnRow(turn, turn_words(turn), moment_words(turn.at), facts, own=not turn.text.strip())


class TurnModel(RowsModel[TurnRow]):
    """Rows that can all be chosen."""

    def describe(self, row: TurnRow, role: int) -> Any:  # noqa: ANN401 - whatever the role asks for
        if role == Qt.ItemDataRole.DisplayRole:
            return row.words
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.moment}, {row.words}, {row.facts}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{row.words}\n{used_words(row.turn.used_tokens, row.turn.budget_tokens)}"
        return None


class TurnDelegate(QStyledItemDelegate):
    """What was said, and below it when and how full it was. All rows are of one height."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme = theme
        self.shown_id = ""
        """The turn that is looked at."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, 2 * _PAD_Y + self._line(strong=True) + self._line(strong=False) + 2)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row: TurnRow = index.data(ROW_ROLE)
        theme = self._theme
        painter.save()
        shown = row.turn.turn_id == self.shown_id
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
        if shown or hovered or focused:
            fill = theme.color("accent_soft" if shown else "hover" if hovered else "raised")
            paint_ground(
                painter,
                option.rect.adjusted(0, 0, 0, -2),
                fill,
                line=theme.color("accent") if focused else None,
            )
        inner = option.rect.adjusted(_PAD_X, _PAD_Y, -_PAD_X, -_PAD_Y - 2)
        first = QRect(inner.x(), inner.y(), inner.width(), self._line(strong=True))
        second = QRect(inner.x(), first.bottom() + 1, inner.width(), self._line(strong=False))
        color = "muted" if row.own else "ink"
        paint_line(painter, first, row.words, theme, points=theme.sizes.body, color=color, strong=shown)
        paint_line(painter, second, row.moment, theme, points=theme.sizes.small, color="muted")
        painter.drawText(second, _RIGHT, row.facts)
        painter.restore()

    def _line(self, *, strong: bool) -> int:
        sizes = self._theme.sizes
        return QFontMetrics(self._theme.font(sizes.body if strong else sizes.small)).height() + 1


class TurnList(RowsList):
    """`chosen(turn_id)`; `older_wanted()` near the end; `left()` by Esc."""

    chosen = Signal(str)
    older_wanted = Signal()
    left = Signal()

    def __init__(self, theme: Theme) -> None:
        self.rows = TurnModel()
        super().__init__(self.rows, lambda: self.tr("Past turns"))
        self._turns: Sequence[TurnSummary] = ()
        self._delegate = TurnDelegate(theme, self)
        self.setItemDelegate(self._delegate)
        self.setUniformItemSizes(True)
        on_escape(self, self.left.emit)
        self.verticalScrollBar().valueChanged.connect(self._look_for_end)
        theme.changed.connect(self.doItemsLayout)
        in_every_language(self, lambda: self.show_turns(self._turns, self._delegate.shown_id))

    def show_turns(self, turns: Sequence[TurnSummary], shown_id: str) -> None:
        """`turns` oldest first, as they come."""
        self._turns = turns
        self._delegate.shown_id = shown_id
        self.rows.set_rows(turn_rows(turns))
        self.viewport().update()

    def begin(self) -> None:
        """Take the keyboard, with the turn in view marked."""
        rows = self.rows.rows
        at = next((at for at, row in enumerate(rows) if row.turn.turn_id == self._delegate.shown_id), 0)
        self.setCurrentIndex(self.rows.index(at))
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self._look_for_end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            self._choose(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _choose(self, index: QModelIndex) -> None:
        row: TurnRow | None = index.data(ROW_ROLE)
        if row is not None:
            self.chosen.emit(row.turn.turn_id)

    def _look_for_end(self) -> None:
        bar = self.verticalScrollBar()
        if self.isVisible() and bar.maximum() - bar.value() < _NEAR_END_PX:
            self.older_wanted.emit()
