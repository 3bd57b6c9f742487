"""Scrolling whatever holds a widget, so that it is seen."""

from __future__ import annotations

from PySide6.QtWidgets import QScrollArea, QWidget

_MARGIN_PX = 24


def bring_into_view(target: QWidget) -> None:
    """Every scroll area around it moves as little as it must."""
    parent = target.parentWidget()
    while parent is not None:
        if isinstance(parent, QScrollArea):
            parent.ensureWidgetVisible(target, 0, _MARGIN_PX)
        parent = parent.parentWidget()
