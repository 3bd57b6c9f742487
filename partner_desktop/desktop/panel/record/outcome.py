"""What came of one run: why it failed, what it said, what came beside it, its log, and the way to it all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from partner_desktop.base.paths import display_path, display_text
from partner_desktop.desktop.card.words import tr
from partner_desktop.desktop.opener import open_folder
from partner_desktop.desktop.panel.record.words import output_text
from partner_desktop.desktop.parts.boxes import aligned, hbox, stretch, vbox
from partner_desktop.desktop.parts.buttons import push_button
from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.desktop.parts.copy_button import CopyButton
from partner_desktop.desktop.parts.flow import flow
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.parts.result_parts import ResultPartsView
from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.files.exact import open_file

#: The most of an excerpt that is laid out; the file has the rest.
_MOST_LETTERS = 400_000
_MOST_LINES = 14
#: More than this is not wrapped: every line of it would be laid out at once.
_WRAPPED_LETTERS = 20_000


class Said(QWidget):
    """One stream of text, as high as its lines up to a few; all of it is copied."""

    def __init__(self, title: str, text: str, of: str) -> None:
        super().__init__()
        shown = text.rstrip("\n")
        self.view = CodeView(f"{title}: {of}", most_lines=_MOST_LINES, wraps=len(shown) < _WRAPPED_LETTERS)
        self.view.show_text(shown[:_MOST_LETTERS])
        name = tr("Copy: {name}").format(name=f"{title}, {of}")
        head = hbox(
            text_label(title, "muted"),
            stretch(),
            aligned(CopyButton(lambda: text, name), Qt.AlignmentFlag.AlignBottom),
            gap=None,
        )
        vbox(head, self.view, into=self, gap=2)


class RecordOutcome(QWidget):
    """`parts_shown(view)` once, where there are any: its pictures have still to be fetched."""

    parts_shown = Signal(object)

    def __init__(self, record: ActionRecord, theme: Theme, *, error: bool = True) -> None:
        """`error`: whether why it failed is said here."""
        super().__init__()
        self.parts: ResultPartsView | None = None
        self._column = vbox(into=self, gap=6)
        if record.error and error:
            self._column.addWidget(
                text_label(display_text(record.error), "fault-small", wrap=True, selectable=True)
            )
        said = output_text(record)
        if said.strip():
            self._column.addWidget(Said(tr("Output"), said, record.title))
        elif record.status is ActionStatus.SUCCEEDED and not record.parts:
            words = tr("It finished without saying anything.")
            self._column.addWidget(text_label(words, "muted", wrap=True))
        self._add_whole(record.stdout_path, tr("Whole output"), record)
        if record.parts:
            self.parts = ResultPartsView(record.parts, theme)
            self._column.addWidget(self.parts)
        if record.stderr.strip():
            self._column.addWidget(Said(tr("What it wrote to its log"), record.stderr, record.title))
        self._add_whole(record.stderr_path, tr("Whole log"), record)

    def _add_whole(self, path: str, text: str, record: ActionRecord) -> None:
        """Its text here is shortened: the way to all of it."""
        if not path or not record.truncated:
            return
        shown = display_path(Path(path))
        button = push_button(text, "link", name=f"{text}: {record.title}")
        set_tip(button, shown)
        place = push_button(
            tr("Show in folder"), "link", name=tr("Show in folder: {name}").format(name=shown)
        )
        place.clicked.connect(lambda: open_folder(Path(path).parent))
        row = flow(button, place)
        self._column.addWidget(text_label(tr("This is an excerpt."), "muted"))
        self._column.addLayout(row)
        at = self._column.count()

        def show() -> None:
            """Here, by ourselves: what opens a file elsewhere may run it."""
            button.setEnabled(False)
            self._column.insertWidget(at, Said(text, _beginning(Path(path)), record.title))

        button.clicked.connect(show)


def _beginning(path: Path) -> str:
    """As much of a text as is laid out."""
    try:
        with os.fdopen(open_file(str(path.parent.resolve() / path.name), os.O_RDONLY), "rb") as file:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return file.read(_MOST_LETTERS).decode("utf-8", "replace")
    except OSError:
        pass
    return tr("It cannot be read any more.")
