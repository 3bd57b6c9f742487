"""The file dialogs that a person knows from their system."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

#: Platforms on which nobody could see the system's own dialog.
_WITHOUT_SCREEN = frozenset(("offscreen", "minimal"))


def own_where_none(dialog: QFileDialog) -> QFileDialog:
    """The system's dialog, or Qt's where there is no screen; Qt takes its own where the system has none."""
    unseen = QGuiApplication.platformName() in _WITHOUT_SCREEN
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog, unseen)
    return dialog


def ask_for_folder(parent: QWidget, title: str, chosen: Callable[[str], None]) -> None:
    """Ask for a folder; the dialog opens and calls `chosen`, nothing waits for it."""
    dialog = own_where_none(QFileDialog(parent, title))
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly, True)
    dialog.setDirectory(str(Path.home()))
    dialog.fileSelected.connect(lambda name: chosen(name) if name else None)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
