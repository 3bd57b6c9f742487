"""The file dialogs that a person knows from their system."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

#: Platforms on which nobody could see the system's own dialog.
_WITHOUT_SCREEN = frozenset(("offscreen", "minimal"))


def own_where_none(dialog: QFileDialog) -> QFileDialog:
    """The system's dialog, or Qt's where there is no screen; Qt takes its own where the system has none."""
    unseen = QGuiApplication.platformName() in _WITHOUT_SCREEN
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog, unseen)
    return dialog
