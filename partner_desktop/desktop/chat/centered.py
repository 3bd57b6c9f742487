"""A block of words in the middle of the chat, scrolled where the window is too low for it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from partner_desktop.desktop.theme.style import zoomed


class Centered(QScrollArea):
    """`column` takes the words; it is at most `widest` pixels wide and a little above the middle."""

    def __init__(self, *, widest: int) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inner = QWidget()
        inner.setObjectName("clear")
        inner.setMaximumWidth(zoomed(widest))
        self._inner, self._widest = inner, widest
        self.column = QVBoxLayout(inner)
        self.column.setContentsMargins(24, 24, 24, 24)
        self.column.setSpacing(12)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(inner, 1000)
        row.addStretch(1)
        page = QWidget()
        page.setObjectName("clear")
        layout = QVBoxLayout(page)
        layout.addStretch(2)
        layout.addLayout(row)
        layout.addStretch(3)
        self.setWidget(page)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._inner.setMaximumWidth(zoomed(self._widest))
