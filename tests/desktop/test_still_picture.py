"""Only what changed is painted: the picture on the screen is the one that painting everything would give."""

from __future__ import annotations

import re
from functools import partial

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRect
from PySide6.QtGui import QImage, QPaintEvent
from PySide6.QtWidgets import QWidget

from .days import LONG_REPLY
from .moments import Moments
from .stage import Stage

pytestmark = pytest.mark.integration


def on_screen(stage: Stage) -> QImage:
    """The chat as the window system has it, not as its widgets would paint it if asked."""
    window, column = stage.window, stage.window.page.feed.column
    picture = window.screen().grabWindow(window.winId()).toImage()
    return picture.copy(QRect(column.mapTo(window, QPoint(0, 0)), column.size()))


class Painted(QObject):
    """Adds up the height of what is painted of a widget, event by event."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.heights: list[int] = []
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.heights.append(event.region().boundingRect().height())
        return False


def test_a_line_that_is_added_at_the_end_moves_the_picture_and_paints_only_itself(
    stage: Stage, moments: Moments
) -> None:
    feed = stage.open(moments).page.feed
    stage.do(lambda: moments.stream("c1", "r1", [LONG_REPLY, "\n\nNow:\n\n"], done=False))
    stage.until(lambda: feed.has("r1"))
    view = feed.reply("r1")
    stage.until(lambda: not view.waiting and not view.reader.busy and not feed.drawing)
    stage.settle()
    inner = feed.column.widget()
    assert inner is not None
    painted, bar = Painted(inner), feed.column.verticalScrollBar()
    for number in range(8):
        stood = bar.value()
        stage.do(partial(moments.stream, "c1", "r1", [f"Line {number} at the end.\n\n"], done=False))
        stage.until(lambda: not view.waiting and not view.reader.busy and not feed.drawing)
        stage.settle()
        assert bar.value() == bar.maximum() > stood
    assert painted.heights
    assert max(painted.heights) < feed.column.viewport().height() / 3


def test_a_reply_that_scrolled_as_it_grew_looks_as_if_painted_at_once(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    feed = window.page.feed
    for piece in re.findall(r"[\s\S]{1,60}", LONG_REPLY):
        stage.do(partial(moments.stream, "c1", "r1", [piece], done=False))
        stage.until(lambda: not feed.reply("r1").waiting and not feed.drawing)
    stage.settle()
    assert feed.column.verticalScrollBar().value() > 0
    grown = on_screen(stage)
    assert not grown.isNull()
    inner = feed.column.widget()
    assert inner is not None
    stage.do(inner.update)
    assert on_screen(stage) == grown
