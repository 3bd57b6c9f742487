"""The three columns of the window, and which of them fold away.

The panel folds below `PANEL_FOLDS_BELOW`, the conversations below `SIDEBAR_FOLDS_BELOW`. A column that was
toggled by hand stays as it was put until the window crosses that width again. Where the chat would become
too narrow beside an open column, the column lies over it. All widths grow with the text.
"""

from __future__ import annotations

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.parts.boxes import vertical_rule
from partner_desktop.desktop.theme.theme import (
    PANEL_FOLDS_BELOW,
    PANEL_WIDTH,
    SIDEBAR_FOLDS_BELOW,
    SIDEBAR_WIDTH,
    zoomed,
)

_CHAT_NEEDS_PX = 360


class _Side:
    """One side column and what is wanted of it."""

    def __init__(self, widget: QWidget, width: int, folds_below: int) -> None:
        self.widget = widget
        self.line = vertical_rule()
        self._width = width
        self._folds_below = folds_below
        self.by_hand: bool | None = None
        self._was_wide: bool | None = None

    @property
    def width(self) -> int:
        return zoomed(self._width)

    def resized(self, window_width: int) -> None:
        """Crossing the fold's width forgets what was set by hand."""
        wide = window_width >= zoomed(self._folds_below)
        if wide != self._was_wide:
            self._was_wide = wide
            self.by_hand = None

    @property
    def wanted(self) -> bool:
        return self.by_hand if self.by_hand is not None else bool(self._was_wide)


class _Beside(QWidget):
    """Lies over the chat beside a column that covers it, and takes the click that means away with it.

    Without it, the click would go to a chat of which one sees a part. `pressed()`.
    """

    pressed = Signal()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self.pressed.emit()


class Columns(QWidget):
    """Places left, middle and right itself, because a column may lie over another.

    `covered_changed(covered)` when a column begins or ends to lie over the chat.
    """

    covered_changed = Signal(bool)

    def __init__(self, left: QWidget, middle: QWidget, right: QWidget) -> None:
        super().__init__()
        self._left = _Side(left, SIDEBAR_WIDTH, SIDEBAR_FOLDS_BELOW)
        self._right = _Side(right, PANEL_WIDTH, PANEL_FOLDS_BELOW)
        self._middle = middle
        self._latest = self._left
        self._over = False
        self._beside = _Beside()
        self._beside.hide()
        self._beside.pressed.connect(self.uncover)
        for widget in (middle, self._beside, left, right, self._left.line, self._right.line):
            widget.setParent(self)

    @property
    def sidebar_shown(self) -> bool:
        """Whether the conversations are in view."""
        return self._shown(self._left)

    @property
    def panel_shown(self) -> bool:
        """Whether the panel is in view."""
        return self._shown(self._right)

    @property
    def covered(self) -> bool:
        """Whether a column lies over the chat."""
        return self._over

    def toggle_sidebar(self) -> None:
        """Fold the conversations away, or bring them back."""
        self._toggle(self._left)

    def toggle_panel(self) -> None:
        """Fold the panel away, or bring it back."""
        self._toggle(self._right)

    def show_sidebar(self) -> None:
        if not self.sidebar_shown:
            self.toggle_sidebar()

    def show_panel(self) -> None:
        if not self.panel_shown:
            self.toggle_panel()

    def uncover(self) -> None:
        """Take away what lies over the chat."""
        if self._over:
            self._left.by_hand = self._right.by_hand = False
            self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """The window or the text has another size."""
        for side in (self._left, self._right):
            side.resized(self.width())
        self._place()

    def _toggle(self, side: _Side) -> None:
        side.by_hand = not self._shown(side)
        self._latest = side
        self._place()

    def _shown(self, side: _Side) -> bool:
        """Where there is no room for both beside the chat, the one that was asked for last is shown."""
        both = self._left.wanted and self._right.wanted
        if both and self.width() - self._left.width - self._right.width < zoomed(_CHAT_NEEDS_PX):
            return side is self._latest
        return side.wanted

    def _place(self) -> None:
        was_over = self._over
        left = self._left.width + 1 if self.sidebar_shown else 0
        right = self._right.width + 1 if self.panel_shown else 0
        self._over = bool(left or right) and self.width() - left - right < zoomed(_CHAT_NEEDS_PX)
        height = self.height()
        for side in (self._left, self._right):
            side.widget.setVisible(self._shown(side))
            side.line.setVisible(self._shown(side))
        self._left.widget.setGeometry(0, 0, self._left.width, height)
        self._left.line.setGeometry(self._left.width, 0, 1, height)
        start = self.width() - self._right.width
        self._right.widget.setGeometry(start, 0, self._right.width, height)
        self._right.line.setGeometry(start - 1, 0, 1, height)
        if self._over:
            left = right = 0
        self._beside.setGeometry(0, 0, self.width(), height)
        self._beside.setVisible(self._over)
        self._middle.setGeometry(QRect(left, 0, self.width() - left - right, height))
        self._beside.raise_()
        for side in (self._left, self._right):
            side.widget.raise_()
            side.line.raise_()
        if self._over != was_over:
            self.covered_changed.emit(self._over)
