"""The cells of a table as rich text: a head, and a line under each row."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import (
    QFont,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFrameFormat,
    QTextTableCellFormat,
    QTextTableFormat,
)

from partner_desktop.desktop.chat.typeset import style_runs, write_runs
from partner_desktop.desktop.markup.parts import Align, Runs, Table
from partner_desktop.desktop.parts.text_view import TextView
from partner_desktop.desktop.theme.theme import Theme

#: No column is made narrower than this; before that, the whole begins to scroll.
_NARROWEST_PX = 84
_WIDEST_PX = 4_000
_PAD_X, _PAD_Y = 12.0, 6.0
_ALIGN = {
    "": Qt.AlignmentFlag.AlignLeft,
    "left": Qt.AlignmentFlag.AlignLeft,
    "center": Qt.AlignmentFlag.AlignHCenter,
    "right": Qt.AlignmentFlag.AlignRight,
}


class TableText(TextView):
    """Shows the first rows of a table; rows can be added."""

    def __init__(self, table: Table, theme: Theme) -> None:
        super().__init__(lambda: self.tr("Table"))
        self.shown_rows = 0
        self._aligns = table.aligns
        self._rows: list[tuple[Runs, ...]] = []
        self._theme = theme
        self._natural = 0
        self.setLineWrapMode(TextView.LineWrapMode.FixedPixelWidth)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._table = QTextCursor(self.document()).insertTable(1, len(table.aligns), _table_format())
        self._fill(table.header)
        theme.changed.connect(self._restyle)

    def add_rows(self, rows: tuple[tuple[Runs, ...], ...]) -> None:
        """More rows at the end."""
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        for row in rows:
            self._table.appendRows(1)
            self._fill(row)
        cursor.endEditBlock()
        self.shown_rows += len(rows)

    def heightForWidth(self, width: int) -> int:
        inner = self._inner_width(width)
        bar = self.horizontalScrollBar().sizeHint().height() if inner > width else 0
        return super().heightForWidth(inner) + bar

    def sizeHint(self) -> QSize:
        width = self._natural_width()
        return QSize(width, self.heightForWidth(width))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.setLineWrapColumnOrWidth(self._inner_width(event.size().width()))
        super().resizeEvent(event)

    def _inner_width(self, width: int) -> int:
        return max(width, min(len(self._aligns) * _NARROWEST_PX, self._natural_width()))

    def _natural_width(self) -> int:
        """What the table wants when nothing has to wrap."""
        if not self._natural:
            self._natural = self.natural_width(_WIDEST_PX) + 1
        return self._natural

    def _text_changed(self) -> None:
        self._natural = 0
        super()._text_changed()

    def _fill(self, row: tuple[Runs, ...]) -> None:
        """Write the last row of the table."""
        number = self._table.rows() - 1
        self._rows.append(row)
        for column, runs in enumerate(row):
            cursor = self._table.cellAt(number, column).firstCursorPosition()
            cursor.setBlockFormat(_aligned(self._aligns[column]))
            write_runs(cursor, runs, self._base_format(head=number == 0), self._theme)
            # Behind the text: writing into a new cell takes its format away.
            self._table.cellAt(number, column).setFormat(self._cell_format(last=True))
        for column in range(len(row) if number > 0 else 0):
            self._table.cellAt(number - 1, column).setFormat(self._cell_format(last=False))

    def _style(self, number: int) -> None:
        is_last = number == self._table.rows() - 1
        for column, runs in enumerate(self._rows[number]):
            cell = self._table.cellAt(number, column)
            cell.setFormat(self._cell_format(last=is_last))
            style_runs(cell.firstCursorPosition(), runs, self._base_format(head=number == 0), self._theme)

    def _cell_format(self, *, last: bool) -> QTextTableCellFormat:
        cell_format = QTextTableCellFormat()
        cell_format.setLeftPadding(_PAD_X)
        cell_format.setRightPadding(_PAD_X)
        cell_format.setTopPadding(_PAD_Y)
        cell_format.setBottomPadding(_PAD_Y)
        if not last:
            cell_format.setBottomBorder(1)
            cell_format.setBottomBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
            cell_format.setBottomBorderBrush(self._theme.color("line"))
        return cell_format

    def _base_format(self, *, head: bool) -> QTextCharFormat:
        base = QTextCharFormat()
        base.setFontPointSize(self._theme.sizes.body * 0.96)
        base.setForeground(self._theme.color("ink"))
        if head:
            base.setFontWeight(QFont.Weight.DemiBold)
        return base

    def _restyle(self) -> None:
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        for number in range(self._table.rows()):
            self._style(number)
        cursor.endEditBlock()


def _aligned(align: Align) -> QTextBlockFormat:
    block_format = QTextBlockFormat()
    block_format.setAlignment(_ALIGN[align])
    return block_format


def _table_format() -> QTextTableFormat:
    table_format = QTextTableFormat()
    table_format.setBorder(0)
    table_format.setCellPadding(0)
    table_format.setCellSpacing(0)
    table_format.setMargin(0)
    table_format.setBorderCollapse(True)
    table_format.setHeaderRowCount(1)
    return table_format
