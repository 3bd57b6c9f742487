"""Whoever goes by Tab sees at every step where the keyboard is, and Enter presses what Space presses."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QPlainTextEdit, QWidget

from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.panel.actions.action_item import ActionItem
from partner_desktop.desktop.panel.panel import CONTEXT_TAB
from partner_desktop.desktop.parts.controls import CopyButton, IconButton, PushButton
from partner_desktop.desktop.parts.text_view import TextView
from partner_desktop.desktop.window import MainWindow, tab_stops
from partner_desktop.domain.action import ActionStatus

from .days import LONG_REPLY
from .in_context import add_turn
from .moments import Moments
from .samples import BROKEN_SCRIPT, COUNT_SCRIPT
from .stage import Stage

#: Real windows, processes and folders: for the whole gate.
pytestmark = pytest.mark.integration

#: The ring of the message stands around its whole field.
_AROUND_PX = 16
_MOST_STOPS = 150


def filled(stage: Stage, moments: Moments) -> tuple[MainWindow, ActionCard]:
    """A window with a reply of every kind of part, two cards, and the details of one folded out."""
    moments.add_ability("zoo", "List the animals")
    moments.add_script("weather.py", BROKEN_SCRIPT)
    moments.add_script("count_types.py", COUNT_SCRIPT)
    window = stage.open(moments, size=(1280, 2400))
    stage.do(lambda: moments.stream("c1", "r1", [LONG_REPLY]))
    stage.until(lambda: not window.page.feed.drawing)
    stage.propose(moments, "a0")
    stage.do(lambda: moments.change("a0", ActionStatus.SUCCEEDED, stdout="line\n" * 60, exit_code=0))
    card = stage.propose(moments)
    stage.do(card.toggle_details)
    return window, card


def picture(window: MainWindow, part: QWidget) -> QImage:
    """The part as it is painted, with what stands around it."""
    place = QRect(part.mapTo(window, QPoint(0, 0)), part.size())
    place = place.adjusted(-_AROUND_PX, -_AROUND_PX, _AROUND_PX, _AROUND_PX)
    return window.grab(place.intersected(window.rect())).toImage()


def stops(stage: Stage, window: MainWindow) -> Iterator[QWidget]:
    """Once around by Tab."""
    window.sidebar.search.setFocus()
    met: list[QWidget] = []
    for _ in range(_MOST_STOPS):
        before = window.focusWidget()
        assert before is not None
        stage.do(partial(QTest.keyClick, before, Qt.Key.Key_Tab))
        focused = window.focusWidget()
        assert focused is not None
        if focused in met and focused is not before:
            return
        if focused is not before:  # else it went from link to link
            met.append(focused)
            yield focused


def can_be_seen(stage: Stage, window: MainWindow, focused: QWidget) -> bool:
    """Whether it looks otherwise without the keyboard, which it then has again."""
    here = picture(window, focused)
    window.setFocus()
    stage.settle()
    there = picture(window, focused)
    focused.setFocus(Qt.FocusReason.TabFocusReason)
    stage.settle()
    return here != there


def test_every_tab_stop_can_be_seen(stage: Stage, moments: Moments) -> None:
    add_turn(moments)
    window, _ = filled(stage, moments)
    looked_at: set[QWidget] = set()
    unseen: list[str] = []
    for tab in range(3):
        stage.do(partial(window.show_tab, tab))
        if tab == CONTEXT_TAB:
            rows = window.panel.context_tab.view.list
            stage.do(lambda: rows.act(rows.rows.index(1)))  # noqa: B023 - used at once
        for edit in window.findChildren(QPlainTextEdit):
            edit.setCursorWidth(0)  # a cursor that blinks is no sign
        count = 0
        for focused in stops(stage, window):
            count += 1
            if focused not in looked_at and not can_be_seen(stage, window, focused):
                unseen.append(f"{type(focused).__name__} {focused.accessibleName()!r} {focused.objectName()}")
            looked_at.add(focused)
        assert count > 20
    assert unseen == []


def test_only_a_text_with_links_is_a_stop(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    stage.do(lambda: moments.stream("c1", "r1", ["No link here."]))
    stage.do(lambda: moments.stream("c1", "r2", ["Read [this](https://example.org/)."]))
    stage.until(lambda: not window.page.feed.drawing)
    texts = [each for each in tab_stops([window.page]) if isinstance(each, TextView)]
    assert [each.toPlainText() for each in texts] == ["Read this."]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_enter_presses_every_button_as_space_does(stage: Stage, moments: Moments, key: Qt.Key) -> None:
    window, _ = filled(stage, moments)
    buttons = [each for each in tab_stops([window]) if isinstance(each, QAbstractButton)]
    kinds = {type(each) for each in buttons}
    assert {PushButton, IconButton, CopyButton, ActionItem} <= kinds
    for button in buttons:
        if isinstance(button, QCheckBox):
            continue
        button.clicked.disconnect()
        pressed: list[bool] = []
        button.clicked.connect(lambda *_, pressed=pressed: pressed.append(True))
        stage.do(partial(QTest.keyClick, button, key))
        assert pressed, button.accessibleName()


def test_enter_on_new_chat_opens_one(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    stage.do(lambda: QTest.keyClick(window.sidebar.new_button, Qt.Key.Key_Return))
    assert window.page.shown is window.page.welcome
