"""Model files: how they are chosen, and what is asked when one is dropped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from partner_desktop.desktop.chat.page import ChatPage
from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.parts.file_dialogs import own_where_none
from partner_desktop.desktop.wording import tr

_ENDING = ".gguf"


def is_model_file(path: Path) -> bool:
    """By its name; what is in it shows when it is opened."""
    return path.suffix.lower() == _ENDING


def ask_for_model_file(window: QWidget, chosen: Callable[[Path], None]) -> QFileDialog:
    """Ask for a model file; nothing waits for the dialog."""
    dialog = own_where_none(QFileDialog(window, tr("Add a model file")))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.setNameFilters([tr("Models (*.gguf *.GGUF)"), tr("All files (*)")])
    dialog.setDirectory(str(Path.home()))
    dialog.fileSelected.connect(lambda file: chosen(Path(file)))
    dialog.open()
    return dialog


def ask_about_model_files(
    page: ChatPage, files: Sequence[Path], add: Callable[[Sequence[Path]], None]
) -> Banner:
    """Ask whether dropped model files should join the list."""
    names = ", ".join(file.name for file in files)
    banner = Banner(
        lambda: tr("Add {names} to the models?").format(names=names),
        lambda: tr("The file stays where it is."),
    )
    banner.add_choice(lambda: tr("Add"), lambda: add(files), look="primary")
    banner.add_choice(lambda: tr("Cancel"), None)
    page.add_banner(banner)
    return banner
