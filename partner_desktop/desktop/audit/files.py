"""Where the log is to be written: the system's own dialog, which nothing waits for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from partner_desktop.desktop.parts.file_dialogs import own_where_none
from partner_desktop.desktop.wording import tr

_NAME = "partner-audit"


def ask_for_audit_file(window: QWidget, chosen: Callable[[Path], None]) -> QFileDialog:
    """Ask for a file to write; its ending is that of the form that was chosen."""
    endings = {
        tr("JSON lines (*.jsonl)"): "jsonl",
        tr("Table for a spreadsheet (*.csv)"): "csv",
        tr("JSON (*.json)"): "json",
    }
    dialog = own_where_none(QFileDialog(window, tr("Export the audit log")))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters([*endings])
    dialog.setDefaultSuffix("jsonl")
    dialog.selectFile(f"{_NAME}.jsonl")

    def change_ending(name: str) -> None:
        ending = endings.get(name, "jsonl")
        dialog.setDefaultSuffix(ending)
        selected = dialog.selectedFiles()
        if selected:
            dialog.selectFile(Path(selected[0]).with_suffix(f".{ending}").name)

    dialog.filterSelected.connect(change_ending)
    dialog.fileSelected.connect(lambda file: chosen(Path(file)))
    dialog.open()
    return dialog
