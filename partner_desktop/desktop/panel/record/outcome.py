"""What came of one run: why it failed, what it said, what came beside it, its log, the way to it.

Each step of a chain has what it was given and what came of it behind a fold.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from partner_desktop.base.paths import display_path, display_text
from partner_desktop.desktop.card.aftermath import Aftermath
from partner_desktop.desktop.card.guard import ClickGuard
from partner_desktop.desktop.card.plan.row_parts import StepSign
from partner_desktop.desktop.card.plan.step_words import origin_words, purpose_words
from partner_desktop.desktop.card.words import held_words
from partner_desktop.desktop.opener import open_folder
from partner_desktop.desktop.panel.record.words import (
    Argument,
    Run,
    output_text,
    step_arguments,
    step_line,
)
from partner_desktop.desktop.parts.boxes import aligned, flow, grid, hbox, stretch, vbox
from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.desktop.parts.controls import CopyButton, push_button, text_label
from partner_desktop.desktop.parts.fold import Fold
from partner_desktop.desktop.parts.result_parts import ResultPartsView
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import set_tip, tr
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.plan import Plan, Step
from partner_desktop.files.no_symlinks import open_file

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


#: What is longer stands in a view of its own that scrolls.
_INPUT_LETTERS = 240
_INPUT_LINES = 8
_ABOVE_PX = 4
#: What is shorter, and whole, is as easily selected as copied.
_SELECTED_LETTERS = 30


class Inputs(QWidget):
    """As many rows as there are arguments."""

    def __init__(self, arguments: Sequence[Argument], *, of: str) -> None:
        """`of`: the title of what they are for; two that stand on one page have different names."""
        super().__init__()
        self._grid = grid(across=8, down=1, wide=0, into=self)
        for one in arguments:
            self._add(one, of)

    def _add(self, one: Argument, of: str) -> None:
        row = self._grid.rowCount()
        title = text_label(one.title, "muted")
        title.setContentsMargins(0, _ABOVE_PX, 0, 0)
        self._grid.addWidget(title, row, 0)
        name = tr("Copy: {name}").format(name=f"{one.title}, {of}")
        if one.shown != one.whole or len(one.whole) > _SELECTED_LETTERS:
            copy = CopyButton(lambda: one.whole, name)
            self._grid.addWidget(copy, row, 1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom)
        self._grid.addWidget(self._value(one), row + 1, 0, 1, 2)

    def _value(self, one: Argument) -> QWidget:
        if len(one.shown) <= _INPUT_LETTERS and "\n" not in one.shown.strip():
            label = text_label(one.shown, wrap=True, selectable=True)
            label.setSizePolicy(QSizePolicy.Policy.Ignored, label.sizePolicy().verticalPolicy())
            return label
        view = CodeView(one.title, most_lines=_INPUT_LINES, wraps=True)
        view.show_text(one.whole)
        return view


_SIGN_TOP = 4
#: Under the title, which begins behind its arrow.
_INDENT = 13


class RecordStepRow(QWidget):
    """`toggled(id, open)`; `outcome_shown(RecordOutcome)`; `action_asked(verb, id)`: see Aftermath."""

    toggled = Signal(str, bool)
    outcome_shown = Signal(object)
    action_asked = Signal(str, str)

    def __init__(self, step: Step, run: Run, chain: Plan, theme: Theme, guard: ClickGuard) -> None:
        super().__init__()
        self.step = step
        self.aftermath: Aftermath | None = None
        self._run = run
        self._chain = chain
        self._theme = theme
        self._guard = guard
        self.fold = Fold(step.title, self._inside, note=step_line(step))
        self.fold.toggled.connect(lambda is_open: self.toggled.emit(step.id, is_open))
        sign = StepSign(theme)
        sign.show_step(chain.number_of(step.id), step.status)
        place = vbox(sign, stretch(), gap=None, margins=(0, _SIGN_TOP, 0, 0))
        hbox(place, aligned(self.fold, Qt.AlignmentFlag.AlignTop, 1), into=self, gap=8)

    def _inside(self) -> QWidget:
        step, record = self.step, self._run.of_step(self.step)
        inside = QWidget()
        column = vbox(into=inside, gap=6, margins=(_INDENT, 2, 0, 8))
        for words in (
            origin_words(self._run.record, step),
            purpose_words(self._run.record, step),
            _asked(step),
        ):
            if words:
                column.addWidget(text_label(words, "muted", wrap=True, selectable=True))
        arguments = step_arguments(step, record, self._chain)
        if arguments:
            column.addWidget(Inputs(arguments, of=step.title))
        if record is not None:
            self._add_record(column, record)
        else:
            column.addWidget(text_label(held_words(step.isolation), "muted", wrap=True))
        return inside

    def _add_record(self, column: QVBoxLayout, record: ActionRecord) -> None:
        if record.status.ended:
            outcome = RecordOutcome(record, self._theme, error=record.error != self.step.error)
            column.addWidget(outcome)
            self.outcome_shown.emit(outcome)
        if record.files or record.undo is not None:
            self.aftermath = Aftermath(record, self._guard)
            self.aftermath.action_asked.connect(self.action_asked)
            column.addWidget(self.aftermath)


def _asked(step: Step) -> str:
    """The words that ask for it, where they are not its title."""
    text = " ".join(step.text.split())
    return tr("“{text}”").format(text=text) if text and text.casefold() != step.title.casefold() else ""
