"""A block of words in the middle of the chat, scrolled where the window is too low for it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QScrollArea, QWidget

from partner_desktop.desktop.parts.boxes import grow, hbox, stretch, vbox
from partner_desktop.desktop.theme.style import zoomed


class Centered(QScrollArea):
    """`column` takes the words; it is at most `widest` pixels wide and a little above the middle."""

    def __init__(self, *, widest: int) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inner = QWidget()
        inner.setMaximumWidth(zoomed(widest))
        self._inner, self._widest = inner, widest
        self.column = vbox(into=inner, gap=12, margins=24)
        page = QWidget()
        page.setObjectName("clear")
        vbox(
            stretch(2),
            hbox(stretch(1), grow(inner, 1000), stretch(1), gap=None),
            stretch(3),
            into=page,
            gap=None,
            margins=None,
        )
        self.setWidget(page)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._inner.setMaximumWidth(zoomed(self._widest))
