"""Where to export to, what to import: the system's own dialogs, which nothing waits for."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from partner_desktop.desktop.parts.file_dialogs import own_where_none
from partner_desktop.desktop.wording import tr

_UNFIT_FOR_NAMES = re.compile(r'[\\/:*?"<>|\x00-\x1f]+')
_LONGEST_NAME = 80


def kind_of(path: Path) -> Literal["markdown", "json"]:
    """What a file's name says it should hold."""
    return "json" if path.suffix.lower() == ".json" else "markdown"


def file_name(title: str) -> str:
    """A title as the name of a file, without an ending."""
    fit = " ".join(_UNFIT_FOR_NAMES.sub(" ", title).split())
    return fit[:_LONGEST_NAME].strip(" .") or "conversation"


def ask_for_export(window: QWidget, title: str, chosen: Callable[[Path], None]) -> QFileDialog:
    """Ask for a file to write; its ending is that of the kind that was chosen."""
    endings = {tr("Markdown, to read (*.md)"): "md", tr("JSON, to import again (*.json)"): "json"}
    dialog = own_where_none(QFileDialog(window, tr("Export this conversation")))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters([*endings])
    dialog.setDefaultSuffix("md")
    dialog.selectFile(file_name(title) + ".md")

    def change_ending(name: str) -> None:
        ending = endings.get(name, "md")
        dialog.setDefaultSuffix(ending)
        selected = dialog.selectedFiles()
        if selected:
            dialog.selectFile(Path(selected[0]).with_suffix(f".{ending}").name)

    dialog.filterSelected.connect(change_ending)
    dialog.fileSelected.connect(lambda file: chosen(Path(file)))
    dialog.open()
    return dialog


def ask_for_import(window: QWidget, chosen: Callable[[Path], None]) -> QFileDialog:
    """Ask for an exported file."""
    dialog = own_where_none(QFileDialog(window, tr("Import a conversation")))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.setNameFilters([tr("Exported conversations (*.json)"), tr("All files (*)")])
    dialog.fileSelected.connect(lambda file: chosen(Path(file)))
    dialog.open()
    return dialog
