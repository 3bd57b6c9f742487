"""Arguments, one below the other: the name, then the value, which can be copied whole."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from partner_desktop.desktop.card.words import tr
from partner_desktop.desktop.panel.record.words import Argument
from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.desktop.parts.copy_button import CopyButton
from partner_desktop.desktop.parts.labels import text_label

#: What is longer stands in a view of its own that scrolls.
_MOST_LETTERS = 240
_MOST_LINES = 8
_ABOVE_PX = 4
#: What is shorter, and whole, is as easily selected as copied.
_SELECTED_LETTERS = 30


class Inputs(QWidget):
    """As many rows as there are arguments."""

    def __init__(self, arguments: Sequence[Argument], *, of: str) -> None:
        """`of`: the title of what they are for; two that stand on one page have different names."""
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(1)
        self._grid.setColumnStretch(0, 1)
        for one in arguments:
            self._add(one, of)

    def _add(self, one: Argument, of: str) -> None:
        row = self._grid.rowCount()
        title = text_label(one.title, "muted")
        title.setContentsMargins(0, _ABOVE_PX, 0, 0)
        self._grid.addWidget(title, row, 0)
        name = tr("Copy: {name}").format(name=f"{one.title}, {of}")
        if one.shown != one.whole or len(one.whole) > _SELECTED_LETTERS:
            copy = CopyButton(lambda: one.whole, name)
            self._grid.addWidget(copy, row, 1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom)
        self._grid.addWidget(self._value(one), row + 1, 0, 1, 2)

    def _value(self, one: Argument) -> QWidget:
        if len(one.shown) <= _MOST_LETTERS and "\n" not in one.shown.strip():
            label = text_label(one.shown, wrap=True, selectable=True)
            label.setSizePolicy(QSizePolicy.Policy.Ignored, label.sizePolicy().verticalPolicy())
            return label
        view = CodeView(one.title, most_lines=_MOST_LINES, wraps=True)
        view.show_text(one.whole)
        return view
