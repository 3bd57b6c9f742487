"""The file dialogs that a person knows from their system."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

#: Platforms on which nobody could see the system's own dialog.
_WITHOUT_SCREEN = frozenset(("offscreen", "minimal"))


def own_where_none(dialog: QFileDialog) -> QFileDialog:
    """The system's dialog, or Qt's where there is no screen; Qt takes its own where the system has none."""
    unseen = QGuiApplication.platformName() in _WITHOUT_SCREEN
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog, unseen)
    return dialog


def ask_for_path(
    parent: QWidget,
    title: str,
    chosen: Callable[[str], object],
    *,
    mode: QFileDialog.FileMode = QFileDialog.FileMode.ExistingFile,
    start: Path | None = None,
    name: str = "",
    filters: Sequence[str] = (),
) -> QFileDialog:
    """Ask for a file or a folder; the dialog opens and calls `chosen`, nothing waits for it."""
    dialog = own_where_none(QFileDialog(parent, title))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setFileMode(mode)
    if filters:
        dialog.setNameFilters([*filters])
    if start is not None:
        dialog.setDirectory(str(start))
    dialog.selectFile(name)
    dialog.fileSelected.connect(lambda path: chosen(path) if path else None)
    dialog.open()
    return dialog


def ask_for_folder(parent: QWidget, title: str, chosen: Callable[[str], None]) -> None:
    dialog = ask_for_path(parent, title, chosen, mode=QFileDialog.FileMode.Directory, start=Path.home())
    dialog.setOption(QFileDialog.Option.ShowDirsOnly, True)


def ask_where(
    parent: QWidget, title: str, chosen: Callable[[Path], object], *, endings: Mapping[str, str], name: str
) -> QFileDialog:
    """Ask for a file to write; its ending is that of the kind that was chosen, at first of the first."""
    first = next(iter(endings.values()))
    dialog = own_where_none(QFileDialog(parent, title))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters([*endings])
    dialog.setDefaultSuffix(first)
    dialog.selectFile(f"{name}.{first}")

    def change_ending(kind: str) -> None:
        ending = endings.get(kind, first)
        dialog.setDefaultSuffix(ending)
        selected = dialog.selectedFiles()
        if selected:
            dialog.selectFile(Path(selected[0]).with_suffix(f".{ending}").name)

    dialog.filterSelected.connect(change_ending)
    dialog.fileSelected.connect(lambda path: chosen(Path(path)))
    dialog.open()
    return dialog
