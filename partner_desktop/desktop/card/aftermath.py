"""What a run left: files that can be kept, and changes that can be taken back."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from partner_desktop.base.paths import display_path
from partner_desktop.desktop.card.guard import ClickGuard, GuardedButton
from partner_desktop.desktop.opener import open_folder
from partner_desktop.desktop.parts.boxes import FlowLayout, before_unfolding, clear_layout, flow, grid, vbox
from partner_desktop.desktop.parts.controls import ElidedLabel, push_button, show_words, text_label
from partner_desktop.desktop.wording import set_tip, size_words, tr
from partner_desktop.domain.action import ActionRecord, RunFile, Undo, UndoState

#: Shown at once; the rest behind a button.
_FIRST_FILES = 5


class Aftermath(QWidget):
    """`action_asked(verb, id)`: `undo`, `keep_files`."""

    action_asked = Signal(str, str)

    def __init__(self, record: ActionRecord, guard: ClickGuard) -> None:
        super().__init__()
        self._record = record
        self._guard = guard
        self.undo_button: QPushButton | None = None
        self.keep_button: QPushButton | None = None
        self._all_files = False
        self._problem = text_label("", "fault", wrap=True, selectable=True, hidden=True)
        self._kept = _Said()
        self._undone = _Said()
        self._column = vbox(into=self, gap=6, margins=(0, 2, 0, 0))
        if record.files:
            self._add_files(record.files)
        if record.undo is not None:
            self._add_undo(record.undo)
        self._column.addWidget(self._problem)

    def set_busy(self, *, busy: bool) -> None:
        """What is on its way is not asked for twice."""
        for button in (self.undo_button, self.keep_button):
            if button is not None:
                button.setEnabled(not busy)

    def show_problem(self, sentence: str) -> None:
        """It did not work; it may be asked for again."""
        show_words(self._problem, sentence)
        self.set_busy(busy=False)

    def show_undone(self, sentence: str) -> None:
        self._problem.hide()
        self._undone.say(sentence)
        if self.undo_button is not None:
            self.undo_button.hide()
        self.set_busy(busy=False)

    def show_kept(self, sentence: str, folder: Path) -> None:
        """The files are elsewhere too now."""
        self._problem.hide()
        self._kept.say(sentence, folder)
        self.set_busy(busy=False)

    def _add_files(self, files: tuple[RunFile, ...]) -> None:
        words = tr("It left 1 file") if len(files) == 1 else tr("It left {count} files")
        self._column.addWidget(text_label(words.format(count=len(files)), "label"))
        self._files = grid(across=16, down=2)
        self._column.addLayout(self._files)
        self._row = row = FlowLayout(gap=8)
        self.keep_button = push_button(
            tr("Keep files…"), "small", name=tr("Keep the files of {title}…").format(title=self._record.title)
        )
        set_tip(self.keep_button, tr("They are copied into a folder that you choose."))
        self.keep_button.clicked.connect(lambda: self.action_asked.emit("keep_files", self._record.id))
        row.addWidget(self.keep_button)
        if len(files) > _FIRST_FILES:
            self._fold = push_button("", "fold", pressed=self._toggle)
            row.addWidget(self._fold)
        self._column.addLayout(row)
        self._column.addWidget(self._kept)
        self._list_files()

    def _list_files(self) -> None:
        clear_layout(self._files)
        files = self._record.files if self._all_files else self._record.files[:_FIRST_FILES]
        for line, file in enumerate(files):
            self._files.addWidget(ElidedLabel(file.name, "mono"), line, 0)
            self._files.addWidget(text_label(size_words(file.size_bytes), "muted"), line, 1)
        if len(self._record.files) > _FIRST_FILES:
            words = (
                tr("Show less")
                if self._all_files
                else tr("Show all {count} files").format(count=len(self._record.files))
            )
            self._fold.setText(f"{words} {'▴' if self._all_files else '▾'}")
            self._fold.setAccessibleName(f"{words}: {self._record.title}")

    def _toggle(self) -> None:
        before_unfolding(self)
        self._all_files = not self._all_files
        self._list_files()

    def _add_undo(self, undo: Undo) -> None:
        changed, note = _undo_words(undo)
        if self._record.files:
            self._column.addSpacing(6)
        if changed:
            self._column.addWidget(text_label(changed, "label", wrap=True))
        if note:
            self._column.addWidget(text_label(note, "muted", wrap=True, selectable=True))
        if undo.state is UndoState.POSSIBLE:
            text = tr("Undo (1 file)") if undo.count == 1 else tr("Undo ({count} files)")
            text = text.format(count=undo.count)
            self.undo_button = GuardedButton(self._guard, text, "small", name=f"{text}: {self._record.title}")
            self.undo_button.clicked.connect(self._undo)
            row = flow(self.undo_button)
            self._column.addLayout(row)
        self._column.addWidget(self._undone)

    def _undo(self) -> None:
        if self._guard.open:
            self.action_asked.emit("undo", self._record.id)


class _Said(QWidget):
    """A sentence about what was done, with a way to look at it; hidden until then."""

    def __init__(self) -> None:
        super().__init__()
        self._folder: Path | None = None
        self._label = text_label("", wrap=True, selectable=True)
        self._button = push_button(tr("Open folder"), "link", pressed=self._open)
        row = flow(self._button)
        vbox(self._label, row, into=self, gap=2)
        self._button.hide()
        self.hide()

    def say(self, sentence: str, folder: Path | None = None) -> None:
        self._label.setText(sentence)
        if folder is not None:
            self._button.setAccessibleName(tr("Open folder: {path}").format(path=display_path(folder)))
            self._folder = folder
            self._button.show()
        self.show()

    def _open(self) -> None:
        if self._folder is not None:
            open_folder(self._folder)


def _undo_words(undo: Undo) -> tuple[str, str]:
    """What became of the person's files, and what of it cannot be taken back."""
    one = undo.count == 1
    if undo.state is UndoState.DONE:
        words = tr("1 file is as it was before") if one else tr("{count} files are as they were before")
        return words.format(count=undo.count), undo.note
    words = tr("It changed 1 file of yours") if one else tr("It changed {count} files of yours")
    changed = words.format(count=undo.count) if undo.count else ""
    gone = undo.state is UndoState.GONE
    return changed, undo.note or (tr("That can no longer be taken back.") if gone else "")
