"""The card's parts keep their places: its columns at every width, its folds under the pointer."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import (
    QCheckBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QStyle,
    QStyleOptionButton,
    QWidget,
)

from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.message import Role

from .chat import Chat
from .on_card import field, press
from .stage import Stage

#: Real windows, processes and folders: for the whole gate.
pytestmark = pytest.mark.integration

_ONE_CHOICE: JsonObject = {
    "type": "object",
    "properties": {"order": {"type": "string", "enum": ["name", "count"]}, "hidden": {"type": "boolean"}},
}


def place(widget: QWidget, card: QWidget) -> QPoint:
    return widget.mapTo(card, QPoint(0, 0))


def title(card: ActionCard, words: str) -> QLabel:
    return next(label for label in card.findChildren(QLabel) if label.text() == words)


@pytest.mark.parametrize("schema", [None, _ONE_CHOICE])
def test_the_fields_stand_in_one_column_that_no_width_moves(
    stage: Stage, chat: Chat, schema: JsonObject | None
) -> None:
    window = chat.open()
    facts: dict[str, Any] = {} if schema is None else {"schema": schema, "params": {}, "paths": ()}
    card = stage.propose(chat, **facts)
    assert card.body is not None
    assert card.body.form is not None
    for size in ((1800, 900), (1280, 800), (900, 600)):
        stage.do(lambda size=size: window.resize(*size))  # type: ignore[misc] # bound now
        for row in card.body.form.rows.values():
            assert place(row.field.widget, card.body.form).x() == 140, size


def test_in_a_narrow_card_the_labels_stand_above_the_fields(stage: Stage, chat: Chat) -> None:
    window = chat.open(size=(1280, 800))
    card = stage.propose(chat)
    folder = field(card, QLineEdit, "Folder")
    assert place(folder, card).x() > place(title(card, "Folder"), card).x() + 128
    stage.do(lambda: window.resize(900, 800))
    stage.do(lambda: stage.theme.set_zoom(2.0))
    assert place(folder, card).x() == place(title(card, "Folder"), card).x()
    assert place(folder, card).y() > place(title(card, "Folder"), card).y() + 12
    stage.do(lambda: stage.theme.set_zoom(1.0))
    assert place(folder, card).x() > place(title(card, "Folder"), card).x() + 128


def test_what_a_fold_opens_comes_into_view_with_its_button_above_it(stage: Stage, chat: Chat) -> None:
    window = chat.open(size=(1100, 640))
    for number in range(20):
        stage.do(lambda number=number: chat.add_message(Role.USER, f"Message number {number}"))  # type: ignore[misc] # bound now
    card = stage.propose(chat)
    feed = window.page.feed
    bar = feed.column.verticalScrollBar()
    stage.do(feed.follow.follow)
    assert bar.value() == bar.maximum() > 0
    assert card.foot is not None
    fold = card.foot.details_button
    before = place(fold, window).y()
    press(stage, fold)
    stage.do(lambda: card.show_source("print()\n" * 2))
    stage.until(lambda: bar.value() == bar.maximum())
    assert not feed.jump_button.isVisible(), "all of it is in view"
    press(stage, fold)
    press(stage, fold)
    stage.do(lambda: card.show_source("print()\n" * 16))
    stage.until(lambda: 0 <= place(fold, feed).y() < 60)
    assert bar.maximum() > bar.value(), "it is higher than the view: its beginning is what is shown"
    assert feed.jump_button.isVisible()
    stage.do(lambda: bar.setValue(bar.value() - 30))
    stood = bar.value()
    stage.do(lambda: card.show_source("print()\n" * 30))
    assert bar.value() == stood, "whoever reads elsewhere is left there"
    press(stage, fold)
    stage.do(feed.follow.follow)
    assert place(fold, window).y() == before
    assert bar.value() == bar.maximum()
    assert not feed.jump_button.isVisible()
    stage.do(lambda: chat.stream("c1", "r1", ["a line\n\n"] * 20))
    stage.until(lambda: feed.follow.following and bar.value() == bar.maximum())


def test_the_button_to_the_latest_never_lies_over_a_button_of_a_card(stage: Stage, chat: Chat) -> None:
    window = chat.open(size=(760, 640))
    card = stage.propose(chat)
    stage.do(lambda: chat.stream("c1", "r1", ["a line\n\n"] * 40))
    feed = window.page.feed
    bar = feed.column.verticalScrollBar()
    lowest = set()
    for value in range(0, min(bar.maximum() - 30, 400), 6):
        stage.do(lambda value=value: bar.setValue(value))  # type: ignore[misc] # bound now
        jump = feed.jump_button
        assert jump.isVisible()
        lowest.add(jump.y())
        for each in card.findChildren(QPushButton):
            over = QRect(place(each, feed), each.size()).intersects(jump.geometry())
            assert not (each.isVisible() and over), (each.text(), value)
    assert len(lowest) > 1, "a button of the card was in its way"


def test_check_boxes_and_folds_stand_on_the_edge_of_the_text(stage: Stage, chat: Chat) -> None:
    window = chat.open()
    card = stage.propose(chat)
    box = field(card, QCheckBox, "Hidden")
    option = QStyleOptionButton()
    box.initStyleOption(option)
    mark = box.style().subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, box)
    assert place(box, card).x() + mark.x() == place(field(card, QLineEdit, "Title"), card).x()
    assert card.foot is not None
    assert place(card.foot.details_button, card).x() + card.foot.details_button.width() <= card.width() - 17
    stage.do(lambda: chat.change("a1", ActionStatus.SUCCEEDED, data={"a": 1, "b": 2}))
    fold = next(each for each in card.findChildren(QPushButton) if each.text().startswith("Show the record"))
    fold.initStyleOption(option)
    words = fold.style().subElementRect(QStyle.SubElement.SE_PushButtonContents, option, fold)
    assert place(fold, card).x() + words.x() <= 18
    assert words.width() - fold.fontMetrics().horizontalAdvance(fold.text()) <= 4
    assert window.isVisible()


def test_no_square_stands_where_two_scroll_bars_meet(stage: Stage) -> None:
    window = stage.open()
    view = CodeView("Source", most_lines=4)
    view.setParent(window)
    view.show_text("\n".join("a line that is longer than the view is wide" for _ in range(20)))
    view.resize(160, view.sizeHint().height())
    view.show()
    stage.settle()
    image = view.grab().toImage()
    start = view.viewport().geometry().bottomRight() + QPoint(1, 1)
    assert view.horizontalScrollBar().isVisible()
    assert view.verticalScrollBar().isVisible()
    corner = {image.pixelColor(start + QPoint(x, y)).name() for x in range(11) for y in range(11)}
    assert corner == {QColor(stage.theme.color("code")).name()}


def test_the_button_to_the_latest_has_round_corners(stage: Stage, chat: Chat) -> None:
    feed = chat.open(size=(1100, 640)).page.feed
    for number in range(30):
        stage.do(lambda number=number: chat.add_message(Role.USER, f"Message number {number}"))  # type: ignore[misc] # bound now
    stage.do(lambda: feed.column.verticalScrollBar().setValue(0))
    assert feed.jump_button.isVisible()
    alone = QImage(feed.jump_button.size(), QImage.Format.Format_ARGB32)
    alone.fill(QColor(0, 0, 0, 0))
    feed.jump_button.render(alone, QPoint(0, 0), renderFlags=QWidget.RenderFlag(0))
    assert alone.pixelColor(0, 0).alpha() == 0
    assert alone.pixelColor(alone.width() // 2, 0).alpha() == 255
