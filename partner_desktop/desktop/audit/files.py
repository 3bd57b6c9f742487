"""Where the log is to be written: the system's own dialog, which nothing waits for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from partner_desktop.desktop.parts.file_dialogs import ask_where
from partner_desktop.desktop.wording import tr

_NAME = "partner-audit"


def ask_for_audit_file(window: QWidget, chosen: Callable[[Path], None]) -> QFileDialog:
    """Ask for a file to write; its ending is that of the form that was chosen."""
    endings = {
        tr("JSON lines (*.jsonl)"): "jsonl",
        tr("Table for a spreadsheet (*.csv)"): "csv",
        tr("JSON (*.json)"): "json",
    }
    return ask_where(window, tr("Export the audit log"), chosen, endings=endings, name=_NAME)
