"""Paints search results: the title, and below it the excerpt, with the hits in bold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from partner_desktop.desktop.parts.paint import paint_ground
from partner_desktop.desktop.parts.rows import ROW_ROLE
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from partner_desktop.domain.message import ConversationHit

_PAD = 12
_AIR = 7
_GAP = 3
_LINES = 2
#: The ellipsis is never wider than this many characters.
_MOST_CUT = 4


class ResultDelegate(QStyledItemDelegate):
    """As high as its lines."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        hit: ConversationHit = index.data(ROW_ROLE)
        sizes = self._theme.sizes
        height = QFontMetrics(self._theme.font(sizes.body)).height()
        if hit.excerpt is not None:
            # Not the option's width: a list that is laid out anew does not say it.
            font, width = self._theme.font(sizes.small), self._view.viewport().width() - 2 * _PAD
            layout, _ = self._laid_out(hit.excerpt.text, hit.excerpt.marks, font, width, _LINES)
            height += 2 + round(layout.boundingRect().height())
        return QSize(0, height + 2 * _AIR + _GAP)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        hit: ConversationHit = index.data(ROW_ROLE)
        rect, state = option.rect.adjusted(0, 0, 0, -_GAP), option.state
        painter.save()
        self._paint_ground(painter, rect, state)
        room = rect.adjusted(_PAD, _AIR, -_PAD, -_AIR)
        sizes = self._theme.sizes
        title, marks = (hit.title.text, hit.title.marks) if hit.title.text else (tr("New chat"), ())
        height = self._lines(painter, room, title, marks, self._theme.font(sizes.body), "ink", most=1)
        if hit.excerpt is not None:
            below = room.adjusted(0, height + 2, 0, 0)
            font = self._theme.font(sizes.small)
            self._lines(painter, below, hit.excerpt.text, hit.excerpt.marks, font, "muted", most=_LINES)
        painter.restore()

    def _paint_ground(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag) -> None:
        theme = self._theme
        if state & QStyle.StateFlag.State_Selected:
            ring = theme.color("accent") if state & QStyle.StateFlag.State_HasFocus else None
            paint_ground(painter, rect, theme.color("accent_soft"), line=ring)
        elif state & QStyle.StateFlag.State_MouseOver:
            paint_ground(painter, rect, theme.color("hover"))

    def _lines(
        self,
        painter: QPainter,
        rect: QRect,
        text: str,
        marks: Sequence[tuple[int, int]],
        font: QFont,
        color: str,
        *,
        most: int,
    ) -> int:
        """Write at most so many lines, the last with an ellipsis where more would follow; their height."""
        layout, fitting = self._laid_out(text, marks, font, rect.width(), most)
        if fitting != text:
            layout = self._cut(fitting, marks, font, rect.width(), most)
        painter.setPen(self._theme.color(color))
        layout.draw(painter, QPointF(rect.topLeft()))
        return round(layout.boundingRect().height())

    def _cut(
        self, text: str, marks: Sequence[tuple[int, int]], font: QFont, width: int, most: int
    ) -> QTextLayout:
        """The text with an ellipsis, so much shorter that it fits too."""
        for less in range(_MOST_CUT + 1):
            shorter = text[: max(0, len(text) - less)].rstrip() + "…"
            layout, fitting = self._laid_out(shorter, marks, font, width, most)
            if fitting == shorter:
                break
        return layout

    def _laid_out(
        self, text: str, marks: Sequence[tuple[int, int]], font: QFont, width: int, most: int
    ) -> tuple[QTextLayout, str]:
        """The text in lines of a width, and as much of it as they hold."""
        layout = QTextLayout(text, font)
        modes = QTextOption.WrapMode
        # One line is cut where it is full; in more, words stay whole.
        layout.setTextOption(
            _wrapping(modes.WrapAnywhere if most == 1 else modes.WrapAtWordBoundaryOrAnywhere)
        )
        layout.setFormats([self._bold(text, start, end) for start, end in marks if start < len(text)])
        layout.beginLayout()
        reached, y = 0, 0.0
        for _ in range(most):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(width)
            line.setPosition(QPointF(0, y))
            y += line.height()
            reached = line.textStart() + line.textLength()
        layout.endLayout()
        return layout, text.encode("utf-16-le")[: 2 * reached].decode("utf-16-le", "ignore")

    def _bold(self, text: str, start: int, end: int) -> QTextLayout.FormatRange:
        mark = QTextLayout.FormatRange()
        mark.start, mark.length = _units(text[:start]), _units(text[start:end])
        look = QTextCharFormat()
        look.setFontWeight(QFont.Weight.Bold)
        look.setForeground(self._theme.color("ink"))
        mark.format = look
        return mark


def _wrapping(mode: QTextOption.WrapMode) -> QTextOption:
    option = QTextOption()
    option.setWrapMode(mode)
    return option


def _units(text: str) -> int:
    """How long Qt takes a text for: an emoji counts twice."""
    return len(text.encode("utf-16-le")) // 2
