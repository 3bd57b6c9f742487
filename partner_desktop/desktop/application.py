"""The QApplication: its names, its font, its icon."""

from __future__ import annotations

import sys

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from partner_desktop.base import paths
from partner_desktop.desktop.theme.fonts import load_fonts


def build_application() -> QApplication:
    """The one QApplication of this process. It does not end with its last window: closing takes a moment."""
    app = QApplication(sys.argv[:1])
    app.setApplicationName("partner-desktop")
    app.setApplicationDisplayName("Partner")
    app.setDesktopFileName("partner-desktop")
    app.setQuitOnLastWindowClosed(False)
    prepare(app)
    return app


def prepare(app: QApplication) -> None:
    """Style, font and icon, the same in the app and in its tests."""
    app.setStyle("Fusion")
    load_fonts(app)
    icons = paths.shipped("resources") / "icons"
    icon = QIcon()
    for size in (64, 256):
        icon.addFile(str(icons / f"partner-{size}.png"))
    app.setWindowIcon(icon)
