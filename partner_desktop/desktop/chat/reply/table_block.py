"""A table in a reply; a long one shows its first rows, and more on demand.

Its cells are rich text: a head, and a line under each row. Laying out is what a table costs, all of its
cells with every change: so it happens once for a change, at the width that is there, and `TableColumns` says
beforehand how wide that is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import ceil

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFrameFormat,
    QTextLength,
    QTextTableCellFormat,
    QTextTableFormat,
)
from PySide6.QtWidgets import QFrame, QPushButton

from partner_desktop.desktop.chat.reply.code_block import Indented
from partner_desktop.desktop.chat.reply.typeset import insert_runs, run_format, shown_text, style_runs
from partner_desktop.desktop.markup.parts import Align, Part, Runs, Table, plain_text
from partner_desktop.desktop.parts.boxes import vbox
from partner_desktop.desktop.parts.controls import push_button
from partner_desktop.desktop.parts.text_view import TextView
from partner_desktop.desktop.slices import Slices
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import in_every_language

#: Rows shown at first, and with each press on "more".
ROWS_AT_ONCE = 40
#: Up to so many rows a table shows every word of its last row as it comes. A longer one shows whole rows, and
#: several at a time: with each change Qt lays all of its cells out.
_LIVELY_ROWS = 8
#: Rows put into the table in one step.
_STEP = 4


class TableBlock(Indented):
    """`link_clicked(address)`."""

    link_clicked = Signal(str)

    def __init__(self, part: Table, theme: Theme, slices: Slices) -> None:
        frame = QFrame()
        frame.setObjectName("table_block")
        super().__init__(part, frame, filling=False)
        self._part = part
        self._slices = slices
        self.handled = False
        """Whether the person unfolded something."""
        self._wanted = ROWS_AT_ONCE
        self.text = TableText(part, theme)
        self.text.link_clicked.connect(self.link_clicked)
        self._more: QPushButton | None = None
        self._column = vbox(self.text, into=frame, margins=1)
        in_every_language(self, self._show, now=True)

    @property
    def filled(self) -> bool:
        """Whether every row that should be in view is there."""
        return self.text.shown_rows >= min(len(self._part.rows), self._wanted)

    def plain(self) -> str:
        """The cells in view, by row and tab."""
        return plain_text(replace(self._part, rows=self._part.rows[: self.text.shown_rows]))

    def grow(self, part: Part) -> bool:
        """Go on as `part`; false when it is something else. The last row may still be written."""
        old = self._part
        whole = max(0, len(old.rows) - 1)
        if not isinstance(part, Table) or part.header != old.header or part.aligns != old.aligns:
            return False
        if len(part.rows) < len(old.rows) or part.rows[:whole] != old.rows[:whole]:
            return False
        self._part = part
        if whole < self.text.shown_rows and part.rows[whole] != old.rows[whole]:
            self.text.set_last_row(part.rows[whole])
        self._show()
        return True

    def _show(self) -> None:
        self._slices.start(self, self._filling())

    def _filling(self) -> Iterator[None]:
        """Bring the table up to its rows, a few at a time."""
        rows = self._part.rows
        ready = min(len(rows), self._wanted)
        if not self._part.closed and len(rows) <= self._wanted and ready > _LIVELY_ROWS:
            ready -= 1
            if ready - self.text.shown_rows < self.text.shown_rows // 16 + 1:
                ready = self.text.shown_rows
        while self.text.shown_rows < ready:
            at = self.text.shown_rows
            self.text.add_rows(rows[at : min(ready, at + _STEP)])
            yield
        self._show_rest(len(rows) - max(self._wanted, self.text.shown_rows))

    def _show_rest(self, left: int) -> None:
        """The button comes with the first need: few tables are that long."""
        if left > 0:
            self._more = self._more or self._more_button()
            words = self.tr("Show more rows ({count} left) ▾").format(count=left)
            self._more.setText(words)
            self._more.setAccessibleName(words.removesuffix(" ▾"))
        if self._more is not None:
            self._more.setVisible(left > 0)

    def _more_button(self) -> QPushButton:
        button = push_button("", "quiet", name=lambda: self.tr("Show more rows"), pressed=self._show_more)
        self._column.addWidget(button)
        return button

    def _show_more(self) -> None:
        self._wanted += ROWS_AT_ONCE
        self.handled = True
        self._show()


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
        self._columns = TableColumns(
            len(table.aligns), padding=2 * _PAD_X, default_font=self.document().defaultFont()
        )
        self._set: list[int] = []
        self._sharing_out = False
        self.setLineWrapMode(TextView.LineWrapMode.FixedPixelWidth)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        self._table = cursor.insertTable(1, len(table.aligns), _table_format())
        self._fill([table.header])
        cursor.endEditBlock()

    def add_rows(self, rows: tuple[tuple[Runs, ...], ...]) -> None:
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        above = self._table.rows() - 1
        self._table.appendRows(len(rows))
        self._fill(rows)
        for column in range(len(self._aligns)):
            self._table.cellAt(above, column).setFormat(self._cell_format(last=False))
        self._set_columns(self.width())
        cursor.endEditBlock()
        self.shown_rows += len(rows)

    def set_last_row(self, row: tuple[Runs, ...]) -> None:
        """The last row reads on: what changed of it is set again in its cells, the others stay untouched."""
        number = self._table.rows() - 1
        before = self._rows[number]
        self._rows[number] = row
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        for column, runs in enumerate(row):
            if runs != before[column]:
                cell = self._table.cellAt(number, column)
                writing = cell.firstCursorPosition()
                writing.setPosition(cell.lastPosition(), QTextCursor.MoveMode.KeepAnchor)
                writing.removeSelectedText()
                insert_runs(writing, runs, self._base_format(head=False), self._theme)
                self._table.cellAt(number, column).setFormat(self._cell_format(last=True))
        self._columns.measure(row, self._base_format(head=False), self._theme)
        self._set_columns(self.width())
        cursor.endEditBlock()

    def _measure(self, width: int) -> int:
        self._set_columns(width)
        inner = self._columns.inner_width(width)
        bar = self.horizontalScrollBar().sizeHint().height() if inner > width else 0
        return super()._measure(inner) + bar

    def sizeHint(self) -> QSize:
        # Its height is never used: it has one for every width.
        return QSize(self._columns.wanted, self.fontMetrics().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit(event.size().width())
        super().resizeEvent(event)

    def _lay_out(self) -> None:
        self._fit(self.viewport().width())
        super()._lay_out()

    def _text_changed(self) -> None:
        # Other columns are no other text: told of, layouts that ask for two widths would do so for ever.
        if not self._sharing_out:
            super()._text_changed()

    def _laid_out_width(self) -> int:
        return self._columns.inner_width(self.viewport().width())

    def _fit(self, width: int) -> None:
        self._set_columns(width)
        inner = self._columns.inner_width(width)
        if self.lineWrapColumnOrWidth() != inner:
            self.setLineWrapColumnOrWidth(inner)

    def _set_columns(self, width: int) -> None:
        """Give Qt the widths, when they are others than before."""
        widths = self._columns.widths(width)
        if widths == self._set:
            return
        self._set = widths
        table_format = self._table.format().toTableFormat()
        fixed = QTextLength.Type.FixedLength
        table_format.setColumnWidthConstraints([QTextLength(fixed, one) for one in widths])
        self._sharing_out = True
        self._table.setFormat(table_format)
        self._sharing_out = False

    def _fill(self, rows: Sequence[tuple[Runs, ...]]) -> None:
        """Write the last rows of the table, which are empty."""
        for number, row in enumerate(rows, self._table.rows() - len(rows)):
            self._rows.append(row)
            base = self._base_format(head=number == 0)
            cell_format = self._cell_format(last=number == self._table.rows() - 1)
            self._columns.measure(row, base, self._theme)
            for column, runs in enumerate(row):
                cursor = self._table.cellAt(number, column).firstCursorPosition()
                if _ALIGN[self._aligns[column]] != Qt.AlignmentFlag.AlignLeft:
                    cursor.setBlockFormat(_aligned(self._aligns[column]))
                insert_runs(cursor, runs, base, self._theme)
                # Behind the text: writing into a new cell takes its format away.
                self._table.cellAt(number, column).setFormat(cell_format)

    def _style(self, number: int) -> None:
        is_last = number == self._table.rows() - 1
        for column, runs in enumerate(self._rows[number]):
            cell = self._table.cellAt(number, column)
            style_runs(cell.firstCursorPosition(), runs, self._base_format(head=number == 0), self._theme)
            cell.setFormat(self._cell_format(last=is_last))  # behind the text, as when it was filled

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

    def restyle(self) -> None:
        """Set the text again, in the theme as it is now."""
        cursor = QTextCursor(self.document())
        self._columns.forget()
        cursor.beginEditBlock()
        for number in range(self._table.rows()):
            self._style(number)
            self._columns.measure(self._rows[number], self._base_format(head=number == 0), self._theme)
        self._set_columns(self.width())
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


#: No column is made narrower than this; before that, the whole begins to scroll.
NARROWEST_PX = 84
#: Wider than this no column wants to be.
_WIDEST_PX = 4_000


class TableColumns:
    """Columns as wide as their words while there is room, else by fair shares; `padding` is beside the words.

    Qt can find that out by itself, but lays every cell out twice for it, with every change; and a column
    could become narrower again while a table is written. Here a width is measured once for each cell, and as
    long as the room stays the same a column only ever grows.
    """

    def __init__(self, count: int, *, padding: float, default_font: QFont) -> None:
        self._padding = padding
        self._font = default_font
        self._metrics: dict[str, QFontMetricsF] = {}
        self._wanted = [ceil(padding)] * count
        self._given: dict[int, list[int]] = {}

    @property
    def wanted(self) -> int:
        """The width at which nothing has to wrap."""
        return sum(self._wanted)

    def measure(self, row: Sequence[Runs], base: QTextCharFormat, theme: Theme) -> None:
        """A row is there, or reads differently."""
        for column, runs in enumerate(row):
            width = min(_WIDEST_PX, ceil(self._width(runs, base, theme) + self._padding) + 1)
            self._wanted[column] = max(self._wanted[column], width)

    def forget(self) -> None:
        """Fonts are others: everything will be measured again."""
        self._metrics.clear()
        self._given.clear()
        self._wanted = [ceil(self._padding)] * len(self._wanted)

    def inner_width(self, room: int) -> int:
        """How wide the table is in `room`; wider than the room, it scrolls."""
        return sum(self.widths(room))

    def widths(self, room: int) -> list[int]:
        """The width of each column."""
        count = len(self._wanted)
        wanted = shares(self._wanted, max(room, min(count * NARROWEST_PX, self.wanted)))
        before = self._given.get(room, [0] * count)
        self._given[room] = given = [max(pair) for pair in zip(before, wanted, strict=True)]
        return given

    def _width(self, runs: Runs, base: QTextCharFormat, theme: Theme) -> float:
        widest = line = 0.0
        for run in runs:
            metrics = self._metrics_of(run_format(run, base, theme))
            for number, piece in enumerate(shown_text(run).split("\u2028")):
                line = metrics.horizontalAdvance(piece) + (line if number == 0 else 0.0)
                widest = max(widest, line)
        return widest

    def _metrics_of(self, char_format: QTextCharFormat) -> QFontMetricsF:
        font = char_format.font().resolve(self._font)
        key = font.key()
        if key not in self._metrics:
            self._metrics[key] = QFontMetricsF(font)
        return self._metrics[key]


def shares(wanted: Iterable[int], room: int) -> list[int]:
    """What each gets of `room`: the modest what they want, the others the same share of what is left."""
    asked = list(wanted)
    given = [0] * len(asked)
    left, open_ = room, sorted(range(len(asked)), key=lambda column: asked[column])
    while open_:
        share = left // len(open_)
        column = open_.pop(0)
        given[column] = min(asked[column], share)
        left -= given[column]
    return given
