"""How far a run is, and what it left behind.

Of an outcome its first lines show at once, the rest behind a fold, everything copyable.
"""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from partner_desktop.base.paths import display_path
from partner_desktop.desktop.parts.boxes import before_unfolding, grow, hbox, vbox
from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.desktop.parts.controls import CopyButton, ElidedLabel, push_button, text_label
from partner_desktop.desktop.parts.progress import ProgressLine
from partner_desktop.desktop.parts.result_parts import ResultPartsView
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import ProgressEvent

FIRST_LINES = 6
_ALL_LINES = 28
#: Longer lines may not fit beside each other; the unfolded view can be scrolled.
_WIDE_LINE = 70


class OutputView(QWidget):
    """One stream of text: a few lines as a plain label, all of it in a view that is made when unfolded."""

    def __init__(self, name: str, text: str, *, folded: bool = False) -> None:
        """`folded`: nothing of it is shown until it is asked for, because the reply tells it in words."""
        super().__init__()
        self._name = name
        self._folded = folded
        self._whole = text
        lines = text.rstrip("\n").splitlines()
        self._count = len(lines)
        self._first = text_label("\n".join(lines[:FIRST_LINES]), "code", selectable=True)
        self._first.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._view: CodeView | None = None
        copy_name = self.tr("Copy: {name}").format(name=name)
        self._copy = CopyButton(lambda: self._whole, copy_name, look="fold")
        buttons = hbox(gap=None)
        self._fold: QPushButton | None = None
        long = self._count > FIRST_LINES or any(len(line) > _WIDE_LINE for line in lines[:FIRST_LINES])
        if folded or long:
            self._fold = push_button("", "fold", pressed=self._toggle)
            buttons.addWidget(self._fold)
        buttons.addStretch()
        buttons.addWidget(self._copy)
        self._layout = vbox(self._first, buttons, into=self, gap=2)
        self._first.setHidden(folded)
        self._say_fold()

    @property
    def _open(self) -> bool:
        return self._view is not None and not self._view.isHidden()

    def _toggle(self) -> None:
        before_unfolding(self)
        if self._view is None:
            self._view = CodeView(self._name, most_lines=_ALL_LINES)
            self._view.show_text(self._whole.rstrip("\n"))
            self._view.hide()
            self._layout.insertWidget(1, self._view)
        opening = not self._open
        self._view.setVisible(opening)
        self._first.setVisible(not opening and not self._folded)
        self._say_fold()

    def _say_fold(self) -> None:
        if self._fold is None:
            return
        words = self.tr("Show less") if self._open else self._more_words()
        self._fold.setText(f"{words} {'▴' if self._open else '▾'}")
        self._fold.setAccessibleName(words)

    def _more_words(self) -> str:
        if self._folded:
            return self.tr("Show the record")
        if self._count <= FIRST_LINES:
            return self.tr("Show whole lines")
        return self.tr("Show all {count} lines").format(count=self._count)


def output_words(record: ActionRecord) -> str:
    """What a run said. Data is set out for reading; text stays as it came."""
    if isinstance(record.data, (dict, list)):
        summary = (
            record.data.get("summary") if isinstance(record.data, dict) and len(record.data) == 1 else None
        )
        return summary if isinstance(summary, str) else json.dumps(record.data, ensure_ascii=False, indent=2)
    if record.stdout.strip() or record.data is None:
        return record.stdout
    return str(record.data)


class OutcomeView(QWidget):
    """The outcome of one ended action."""

    def __init__(self, record: ActionRecord, theme: Theme) -> None:
        super().__init__()
        self.parts: ResultPartsView | None = None
        self._layout = vbox(into=self, gap=6)
        if record.error and record.status is not ActionStatus.SUCCEEDED:
            self._layout.addWidget(text_label(record.error, "fault", wrap=True, selectable=True))
        self._add_output(record)
        if record.parts:
            self.parts = ResultPartsView(record.parts, theme)
            self._layout.addWidget(self.parts)
        if record.stderr.strip() and record.status is not ActionStatus.SUCCEEDED:
            self._layout.addWidget(text_label(self.tr("What it wrote to its log"), "muted"))
            self._layout.addWidget(OutputView(self.tr("Log"), record.stderr))

    def _add_output(self, record: ActionRecord) -> None:
        said = output_words(record)
        if said.strip():
            told = isinstance(record.data, (dict, list))
            self._layout.addWidget(OutputView(self.tr("Output"), said, folded=told))
        elif record.status is ActionStatus.SUCCEEDED and not record.parts:
            self._layout.addWidget(text_label(self.tr("It finished without saying anything."), "muted"))
        if record.truncated and record.stdout_path:
            where = display_path(Path(record.stdout_path))
            words = self.tr("This is an excerpt. The whole output lies at {path}").format(path=where)
            self._layout.addWidget(text_label(words, "muted", wrap=True, selectable=True))


#: No line on a card is wider; what comes beyond would only cost.
_MOST_LETTERS = 400


def share_of(progress: ProgressEvent) -> float | None:
    """0 to 1, or `None` where it is not known how much there is."""
    if not progress.total or progress.total < 0:
        return None
    return min(max(progress.progress / progress.total, 0.0), 1.0)


def progress_words(progress: ProgressEvent) -> str:
    """`212 of 340`, or the bare count."""
    if progress.total:
        done, total = (f"{number:,.10g}" for number in (progress.progress, progress.total))
        return tr("{done} of {total}").format(done=done, total=total)
    return f"{progress.progress:,.10g}"


class RunProgress(QWidget):
    """A wandering piece until the first word comes."""

    def __init__(self, theme: Theme, progress: ProgressEvent | None = None) -> None:
        super().__init__()
        self.line = ProgressLine(theme)
        self.message = ElidedLabel("", "muted")
        self.count = text_label("", "muted")
        vbox(hbox(grow(self.message), self.count, gap=12), self.line, into=self, gap=6)
        self.show_progress(progress)

    def show_progress(self, progress: ProgressEvent | None) -> None:
        message = progress.message[:_MOST_LETTERS] if progress is not None else ""
        self.message.set_text(message)
        self.message.setVisible(bool(message))
        share = share_of(progress) if progress is not None else None
        self.count.setText(progress_words(progress) if progress is not None else "")
        self.count.setVisible(progress is not None)
        self.line.set_share(share)
        spoken = [self.count.text(), message] if progress is not None else []
        self.line.setAccessibleDescription(", ".join(each for each in spoken if each))
