"""The page of keys: everything that can be pressed, as caps."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QWidget

from partner_desktop.desktop.chat.column import Centered
from partner_desktop.desktop.keys import Group, Shortcut
from partner_desktop.desktop.parts.boxes import at_middle, grow, hbox, vbox
from partner_desktop.desktop.parts.controls import push_button, text_label
from partner_desktop.desktop.theme.theme import Space, zoomed
from partner_desktop.desktop.wording import bind_text

_WIDEST = 760
_TWO_COLUMNS_PX = 620
_ON_KEYS = {"Return": "Enter"} | ({"Ctrl": "⌘", "Alt": "⌥"} if sys.platform == "darwin" else {})


class KeysPage(Centered):
    """Two columns where there is room. `closed()` by its button; Esc is the window's."""

    closed = Signal()

    def __init__(self, groups: Sequence[Group]) -> None:
        super().__init__(widest=_WIDEST)
        self.close_button = push_button(lambda: self.tr("Close"), name=lambda: self.tr("Close the keys"))
        self.close_button.clicked.connect(self.closed)
        head = hbox(
            grow(text_label(lambda: self.tr("Keyboard shortcuts"), "welcome")),
            at_middle(self.close_button),
            gap=None,
        )
        self.column.addLayout(head)
        self.column.addSpacing(Space.S)
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._columns.setSpacing(Space.XXL)
        for some in (groups[:-2], groups[-2:]):
            column = vbox(gap=Space.XL)
            for group in some:
                column.addWidget(_GroupView(group))
            column.addStretch()
            self._columns.addLayout(column, 1)
        self.column.addLayout(self._columns)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        direction = QBoxLayout.Direction
        wide = self.width() >= zoomed(_TWO_COLUMNS_PX)
        self._columns.setDirection(direction.LeftToRight if wide else direction.TopToBottom)


class _GroupView(QWidget):
    """A head, and a line for each thing that can be done."""

    def __init__(self, group: Group) -> None:
        super().__init__()
        lines = vbox(text_label(lambda: group.words().upper(), "head"), into=self, gap=Space.S)
        for shortcut in group.shortcuts:
            lines.addLayout(
                hbox(grow(text_label(shortcut.words, wrap=True)), at_middle(KeysView(shortcut)), gap=Space.M)
            )


class KeysView(QWidget):
    """One way to press it, or several with "or" between them."""

    def __init__(self, shortcut: Shortcut) -> None:
        super().__init__()
        self.shortcut = shortcut
        row = hbox(into=self, gap=Space.XS)
        for number, sequence in enumerate(shortcut.sequences):
            if number:
                row.addWidget(text_label(lambda: self.tr("or"), "muted"))
            for cap in caps(sequence):
                row.addWidget(_cap(cap))
        says = ", ".join(sequence.toString() for sequence in shortcut.sequences)
        bind_text(self, self.setAccessibleName, lambda: f"{shortcut.words()}: {says}")


def caps(sequence: QKeySequence) -> Iterator[str]:
    """The keys of a sequence as they stand on the keyboard, in every language; `Ctrl++` is two."""
    # Qt's native text is in the language that held when Qt first said it.
    *held, last = sequence.toString(QKeySequence.SequenceFormat.PortableText).replace("++", "+\0").split("+")
    yield from (_ON_KEYS.get(key, key) for key in held)
    yield "+" if last == "\0" else _ON_KEYS.get(last, last)


def _cap(text: str) -> QLabel:
    cap = text_label(text, "key")
    cap.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return cap
