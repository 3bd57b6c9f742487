"""A table in a reply; a long one shows its first rows, and more on demand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton

from partner_desktop.desktop.chat.code_block import Indented
from partner_desktop.desktop.chat.table_text import TableText
from partner_desktop.desktop.markup.parts import Part, Table, plain_text
from partner_desktop.desktop.parts.boxes import vbox
from partner_desktop.desktop.parts.controls import push_button
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
