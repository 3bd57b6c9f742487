"""A path: a line to type in and a button to choose with."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit, QWidget

from partner_desktop.base.paths import display_path, expanded_path
from partner_desktop.base.text import escaped, meant, shown
from partner_desktop.desktop.forms.fields import MISSING, Field, MissingValue, WholeEdit, fits_line
from partner_desktop.desktop.parts.boxes import grow, hbox
from partner_desktop.desktop.parts.controls import push_button
from partner_desktop.desktop.parts.file_dialogs import ask_for_path
from partner_desktop.desktop.wording import LazyText, tr
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import path_kind
from partner_desktop.domain.run_facts import PathKind

_FOLDER_WORDS = ("folder", "directory", "文件夹", "目录")
_FILE_WORDS = ("file", "document", "picture", "photo", "archive", "文件", "图片")


class PathField(Field):
    """Shows `~` for the user's folder; sends what stands there, the app resolves it."""

    typed = True

    def __init__(self, name: str, title: LazyText, value: Json, *, schema: JsonObject, cwd: str = "") -> None:
        row = QWidget()
        self._given, self._shown = _given_and_shown(value)
        self._write = schema.get("access") == "write"
        self._kind = path_field_kind(name, schema)
        self._cwd = cwd
        self._edit: QLineEdit | WholeEdit
        if fits_line(self._shown):
            self._edit = QLineEdit(self._shown)
            typed = self._edit.textEdited
        else:
            self._edit = WholeEdit(title, escaped(self._shown), one_line=True)
            typed = self._edit.textChanged
        super().__init__(name, title, row, edit=self._edit)
        typed.connect(lambda *_text: self.edited.emit())
        choose = push_button(lambda: tr("Choose…"), name=self._choose_words, pressed=self._choose)
        hbox(grow(self._edit), choose, into=row, gap=6)

    def show(self, value: Json) -> None:
        self._given, self._shown = _given_and_shown(value)
        self.put(self._shown)

    def words_of(self, value: Json) -> str:
        return _given_and_shown(value)[1]

    def read(self) -> Json | MissingValue:
        text = self.text().strip()
        if text == self._shown:
            return self._given or MISSING
        return meant(text) or MISSING

    def take_keys(self) -> None:
        self._edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def take_over(self, before: Field) -> bool:
        if not isinstance(before, PathField):
            return False
        self.show(before.given)
        self.put(before.text())
        return True

    @property
    def given(self) -> str:
        return self._given

    def text(self) -> str:
        edit = self._edit
        return edit.text() if isinstance(edit, QLineEdit) else edit.toPlainText()

    def put(self, text: str) -> None:
        edit = self._edit
        if isinstance(edit, QLineEdit):
            edit.setText(text)
        else:
            edit.setPlainText(text)

    def _choose(self) -> None:
        """Ask for a file or a folder; the dialog opens and signals, nothing waits for it."""
        start = expanded_path(meant(self.text().strip()) or self._cwd or "~")
        if not start.is_absolute():
            start = expanded_path(self._cwd or "~") / start
        name = ""
        mode = QFileDialog.FileMode.AnyFile if self._write else QFileDialog.FileMode.ExistingFile
        if self._wants_folder(start):
            mode = QFileDialog.FileMode.Directory
        elif start.suffix:
            start, name = start.parent, start.name
        ask_for_path(
            self._edit.window(), self._choose_words(), self._chosen, mode=mode, start=start, name=name
        )

    def _wants_folder(self, start: Path) -> bool:
        """By what the schema says of it, else by a value without an ending."""
        if self._kind:
            return self._kind == "folder"
        return bool(self.text().strip()) and not start.suffix

    def _choose_words(self) -> str:
        return tr("Choose: {title}").format(title=self.title)

    def _chosen(self, name: str) -> None:
        if name:
            self.put(shown(escaped(display_path(Path(name)))))
            self.edited.emit()
            self.settled.emit()


def _given_and_shown(value: Json) -> tuple[str, str]:
    given = "" if value is None else str(value)
    return given, display_path(Path(given)) if given else ""


def path_field_kind(name: str, schema: JsonObject) -> PathKind:
    """What is wanted: a schema says `path` for both, so its hint counts, then its names, then its words."""
    if said := path_kind(schema):
        return said
    title, described = schema.get("title"), schema.get("description")
    for words in (name, title, described):
        text = words.lower() if isinstance(words, str) else ""
        folder = any(word in text for word in _FOLDER_WORDS) or (words is name and "dir" in text)
        file = any(word in text.replace("文件夹", "") for word in _FILE_WORDS)
        if folder or file:
            return "" if folder and file else "folder" if folder else "file"
    return ""
