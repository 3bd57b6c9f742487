"""The ring of a text that has the keyboard: where Tab has led, not where the mouse has clicked."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPalette, QPen
from PySide6.QtWidgets import QAbstractScrollArea

_NOT_BY_HAND = (Qt.FocusReason.MouseFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
_RADIUS = 4


def is_ringed(reason: Qt.FocusReason, *, before: bool) -> bool:
    """Whether focus that came so shows a ring; coming back to the window changes nothing."""
    return before if reason is Qt.FocusReason.ActiveWindowFocusReason else reason not in _NOT_BY_HAND


def paint_ring(view: QAbstractScrollArea) -> None:
    """A line around what is in view of the text."""
    painter = QPainter(view.viewport())
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(view.palette().color(QPalette.ColorRole.Highlight), 1))
    rect = QRectF(view.viewport().rect()).adjusted(0.5, 0.5, -0.5, -0.5)
    painter.drawRoundedRect(rect, _RADIUS, _RADIUS)
    painter.end()
