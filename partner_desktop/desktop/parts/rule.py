"""One-pixel lines."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame

from partner_desktop.desktop.theme.style import set_look


def horizontal_rule() -> QFrame:
    """A line across."""
    line = QFrame()
    line.setFixedHeight(1)
    set_look(line, "rule")
    return line


def vertical_rule() -> QFrame:
    """A line down."""
    line = QFrame()
    line.setFixedWidth(1)
    set_look(line, "rule")
    return line
