"""The column of entries: what one entry costs the others when it comes or changes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QMoveEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from partner_desktop.desktop.chat.column import Column

from .stage import Stage

pytestmark = pytest.mark.integration

COUNT = 40


class Entry(QWidget):
    """As high as it is told; knows what it was asked, and how often it was moved."""

    def __init__(self, high: int = 60) -> None:
        super().__init__()
        self.high = high
        self.widths: list[int] = []
        self.moves = 0
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        self.widths.append(width)
        return self.high

    def sizeHint(self) -> QSize:
        return QSize(200, self.high)

    def moveEvent(self, event: QMoveEvent) -> None:
        self.moves += 1
        super().moveEvent(event)


@pytest.fixture
def column(stage: Stage) -> Column:
    """Empty, in a window."""
    window = stage.open()
    one = Column()
    one.setParent(window)
    one.resize(600, 400)
    stage.do(one.show)
    return one


def filled(stage: Stage, column: Column) -> list[Entry]:
    entries = [Entry() for _ in range(COUNT)]
    for entry in entries:
        column.insert(-1, entry)
    stage.settle()
    assert column.verticalScrollBar().maximum() > 0
    return entries


def test_an_entry_that_changes_has_no_other_one_measured(stage: Stage, column: Column) -> None:
    entries = filled(stage, column)
    widths = {width for entry in entries for width in entry.widths}
    assert widths == {entries[0].width()}, "with and without a bar, an entry is as wide"
    for entry in entries:
        entry.widths.clear()
    entries[0].high = 90
    stage.do(entries[0].updateGeometry)
    assert entries[0].height() == 90
    assert entries[1].y() == entries[0].geometry().bottom() + 19
    assert entries[0].widths
    assert not any(entry.widths for entry in entries[1:])


def test_what_is_gathered_moves_the_others_once(stage: Stage, column: Column) -> None:
    entries = filled(stage, column)
    below = entries[-1]
    below.moves = 0
    column.gather()
    for _ in range(5):
        column.insert(0, Entry())
        stage.settle()
    assert below.moves == 0
    stage.do(column.show_gathered)
    assert below.moves == 1
    stage.do(lambda: column.insert(0, Entry()))
    assert below.moves == 2


def test_what_is_gathered_and_taken_away_again_is_not_shown(stage: Stage, column: Column) -> None:
    gone = Entry()
    column.gather()
    column.insert(0, gone)
    column.remove(gone)
    column.show_gathered()
    assert gone.isHidden()
