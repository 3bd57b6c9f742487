"""A table in a reply; a long one shows its first rows, and more on demand."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout

from partner_desktop.desktop.chat.indented import Indented
from partner_desktop.desktop.chat.table_text import TableText
from partner_desktop.desktop.markup.parts import Part, Table, plain_text
from partner_desktop.desktop.parts.buttons import push_button
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import in_every_language

#: Rows shown at first, and with each press on "more".
ROWS_AT_ONCE = 40


class TableBlock(Indented):
    """`link_clicked(address)`."""

    link_clicked = Signal(str)

    def __init__(self, part: Table, theme: Theme) -> None:
        frame = QFrame()
        frame.setObjectName("table_block")
        super().__init__(part, frame, filling=False)
        self._part = part
        self._wanted = ROWS_AT_ONCE
        self.text = TableText(part, theme)
        self.text.link_clicked.connect(self.link_clicked)
        self._more = push_button("", "quiet", name=lambda: self.tr("Show more rows"))
        self._more.clicked.connect(self._show_more)
        layout = QVBoxLayout(frame)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(0)
        layout.addWidget(self.text)
        layout.addWidget(self._more)
        in_every_language(self, self._show)
        self._show()

    def plain(self) -> str:
        """The cells in view, by row and tab."""
        return plain_text(replace(self._part, rows=self._part.rows[: self.text.shown_rows]))

    def grow(self, part: Part) -> bool:
        """Go on as `part`; false when it is something else."""
        old = self._part
        if not isinstance(part, Table) or part.header != old.header or part.rows[: len(old.rows)] != old.rows:
            return False
        self._part = part
        self._show()
        return True

    def _show(self) -> None:
        rows = self._part.rows
        missing = rows[self.text.shown_rows : self._wanted]
        if missing:
            self.text.add_rows(missing)
        left = len(rows) - self.text.shown_rows
        self._more.setVisible(left > 0)
        if left > 0:
            words = self.tr("Show more rows ({count} left) ▾").format(count=left)
            self._more.setText(words)
            self._more.setAccessibleName(words.removesuffix(" ▾"))

    def _show_more(self) -> None:
        self._wanted += ROWS_AT_ONCE
        self._show()
