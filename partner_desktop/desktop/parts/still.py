"""Widgets that grow at their lower end and look the same above it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def stay_painted(*widgets: QWidget) -> None:
    """When these grow, only what is new is painted: else a reply that gains a line is painted as a whole."""
    for widget in widgets:
        widget.setAttribute(Qt.WidgetAttribute.WA_StaticContents)
