"""The self-test of a model, on its card: how far it is, then what the model is good for, area by area.

The starter mind's own score stands beside it. Where that one is better, it can keep the question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QCheckBox, QLabel, QWidget

from partner_desktop.desktop.panel.context.rows import question_words
from partner_desktop.desktop.parts.boxes import aligned, at_middle, clear_layout, grid, grow, hbox, vbox
from partner_desktop.desktop.parts.controls import push_button, show_words, text_label
from partner_desktop.desktop.parts.fold import Fold
from partner_desktop.desktop.parts.progress import ProgressLine
from partner_desktop.desktop.theme.theme import Space, Theme, set_look, zoomed
from partner_desktop.desktop.wording import LazyText, announce, in_every_language, tr
from partner_desktop.domain.model_check import CheckArea, CheckResult, ModelCheck, QuestionScore

AREAS: tuple[CheckArea, ...] = ("choose", "arguments", "abstain", "form", "language", "resist")


def area_words(area: CheckArea) -> str:
    """What is tried, as the beginning of a line."""
    words: dict[CheckArea, str] = {
        "choose": tr("Chooses the ability"),
        "arguments": tr("Fills in what it needs"),
        "abstain": tr("Holds back where nothing fits"),
        "form": tr("Keeps to a given form"),
        "language": tr("Answers in your language"),
        "resist": tr("Does not obey text that it finds"),
    }
    return words[area]


def starter_score(check: ModelCheck, area: CheckArea) -> tuple[int, int]:
    """The same of the starter mind: how many it does, of those that are tasks for it."""
    done = [
        one.starter_passed for one in check.results if one.area == area and one.starter_passed is not None
    ]
    return sum(done), len(done)


class CheckView(QWidget):
    """`stop_wanted()`, `starter_preferred(question, on)`: whether the starter mind keeps it."""

    stop_wanted = Signal()
    starter_preferred = Signal(str, bool)

    def __init__(self, theme: Theme, check: ModelCheck) -> None:
        super().__init__()
        self._check = check
        self._compared: Sequence[QuestionScore] = ()
        self.summary = text_label("", "strong", wrap=True)
        self.progress = ProgressLine(theme)
        self.stop_button = push_button(
            lambda: self.tr("Stop"), "quiet", name=lambda: self.tr("Stop the test"), pressed=self.stop_wanted
        )
        self.trouble = text_label("", "fault-small", wrap=True, selectable=True)
        self._scores = _Scores()
        self.switches: dict[str, _Switch] = {}
        """By the name of their question."""
        self._switches = vbox(gap=2)
        self.failed = Fold(self._failed_words, self._make_failed, look="bare")
        self._tasks: _FailedTasks | None = None
        vbox(
            hbox(grow(self.summary), at_middle(self.stop_button), gap=Space.S),
            self.progress,
            self.trouble,
            self._scores,
            self._switches,
            self.failed,
            into=self,
            gap=6,
            margins=(0, Space.S, 0, 0),
        )
        in_every_language(self, self._say, now=True)

    @property
    def running(self) -> bool:
        return self._check.at is None and not self._check.trouble

    @property
    def scores(self) -> list[str]:
        """The lines of the table as they read."""
        return self._scores.lines

    def show_check(self, check: ModelCheck, scores: Sequence[QuestionScore] = ()) -> None:
        """As it is now; `scores`: how it stands beside the starter mind, once it is over."""
        was, self._check, self._compared = self.running, check, scores
        self._say()
        if was and not self.running:
            announce(self, f"{self.summary.text()} {check.trouble}".strip())

    def _say(self) -> None:
        check = self._check
        done, running = len(check.results), self.running
        words = (
            self.tr("Self-test: task {done} of {total}…")
            if running
            else self.tr("Self-test: {passed} of {total}")
        )
        self.summary.setText(
            words.format(
                done=min(done + 1, check.total),
                passed=check.passed,
                total=done if not running else check.total,
            )
        )
        self.progress.setVisible(running)
        self.progress.set_share(done / check.total if check.total else None)
        self.stop_button.setVisible(running)
        show_words(self.trouble, check.trouble)
        self._scores.setVisible(bool(check.results))
        self._scores.show_check(check)
        self._say_switches()
        failed = [one for one in check.results if not one.passed]
        self.failed.setVisible(bool(failed) and not running)
        self.failed.retitle(self._failed_words)
        if self._tasks is not None:
            self._tasks.show_tasks(failed)

    def _say_switches(self) -> None:
        """Only where the starter mind did better, or keeps the question already."""
        wanted = {
            score.question: score
            for score in self._compared
            if not self.running and (score.kept or score.better == "starter")
        }
        for question, score in wanted.items():
            if question not in self.switches:
                switch = self.switches[question] = _Switch(question)
                switch.chosen.connect(self.starter_preferred)
                self._switches.addWidget(switch)
            self.switches[question].show_score(score)
        for question, switch in self.switches.items():
            switch.setVisible(question in wanted)

    def _failed_words(self) -> str:
        count = sum(not one.passed for one in self._check.results)
        words = self.tr("What failed (1)") if count == 1 else self.tr("What failed ({count})")
        return words.format(count=count)

    def _make_failed(self) -> QWidget:
        self._tasks = _FailedTasks()
        self._tasks.show_tasks([one for one in self._check.results if not one.passed])
        return self._tasks


class _Switch(QWidget):
    """Whether the starter mind keeps a question, with both scores. `chosen(question, on)`."""

    chosen = Signal(str, bool)

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question
        self._score = QuestionScore(question, 0, 0, 0)
        self.box = QCheckBox()
        self.box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.box.clicked.connect(lambda on: self.chosen.emit(self._question, on))
        self.words = text_label("", "small", wrap=True)
        hbox(aligned(self.box, Qt.AlignmentFlag.AlignTop), grow(self.words), into=self, gap=Space.S)
        in_every_language(self, self._say, now=True)

    def show_score(self, score: QuestionScore) -> None:
        self._score = score
        self.box.setChecked(score.kept)
        self._say()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Its words are pressed as the box is."""
        event.accept()
        self.box.click()

    def _say(self) -> None:
        words = self.tr(
            "Leave “{question}” to the starter mind: {starter} of {total}, this model {passed}"
        ).format(
            question=question_words(self._question),
            starter=self._score.starter_passed,
            total=self._score.total,
            passed=self._score.passed,
        )
        self.words.setText(words)
        self.box.setAccessibleName(words)


#: Numbers stand near to what they are about.
_TABLE_PX = 380


class _Scores(QWidget):
    """A line each area: what is tried, how often this model does it, and the starter mind."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = grid(across=Space.L, down=3, wide=0, into=self)
        self._cells: dict[CheckArea, tuple[QLabel, QLabel, QLabel]] = {}
        heads = (lambda: "", lambda: self.tr("This model"), lambda: self.tr("Starter mind"))
        for column, head in enumerate(heads):
            self._grid.addWidget(text_label(head, "head"), 0, column, _side(column))
        for row, area in enumerate(AREAS, start=1):
            cells = (text_label("", "small", wrap=True), text_label("", "small"), text_label("", "muted"))
            for column, cell in enumerate(cells):
                self._grid.addWidget(cell, row, column, _side(column))
            self._cells[area] = cells
        self.setMaximumWidth(zoomed(_TABLE_PX))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.setMaximumWidth(zoomed(_TABLE_PX))

    @property
    def lines(self) -> list[str]:
        return [
            " | ".join(cell.text() for cell in cells) for cells in self._cells.values() if cells[1].text()
        ]

    def show_check(self, check: ModelCheck) -> None:
        for area, (name, own, starter) in self._cells.items():
            (passed, done), theirs = check.score(area), starter_score(check, area)
            name.setText(area_words(area))
            own.setText(_score_words(passed, done))
            set_look(own, "small-good" if done and passed == done else "small")
            starter.setText(_score_words(*theirs) if done else "")
            for cell in (name, own, starter):
                cell.setVisible(bool(done))


def _side(column: int) -> Qt.AlignmentFlag:
    return Qt.AlignmentFlag(0) if column == 0 else Qt.AlignmentFlag.AlignRight


def _score_words(passed: int, done: int) -> str:
    if not done:
        return "–"
    sign = "✓ " if passed == done else ""
    return sign + tr("{passed} of {done}").format(passed=passed, done=done)


class _FailedTasks(QWidget):
    """What was wanted of each, and what came."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: list[CheckResult] = []
        self._column = vbox(into=self, gap=Space.S, margins=(13, Space.XS, 0, 0))

    def show_tasks(self, tasks: list[CheckResult]) -> None:
        told = [replace(one, duration_ms=0.0) for one in tasks]
        if told == self._shown:
            return
        self._shown = told
        clear_layout(self._column)
        for task in tasks:
            wanted, came = _lines_of(task)
            holder = QWidget()
            vbox(
                text_label(wanted, "small", wrap=True, selectable=True),
                text_label(came, "muted", wrap=True, selectable=True),
                into=holder,
                gap=2,
            )
            self._column.addWidget(holder)


def _lines_of(task: CheckResult) -> tuple[LazyText, LazyText]:
    def came() -> str:
        return (
            tr("It answered: {answer}").format(answer=task.answer)
            if task.answer.strip()
            else tr("It answered nothing.")
        )

    return (lambda: f"{area_words(task.area)}: {task.wanted}"), came
