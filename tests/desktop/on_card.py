"""Hands and eyes for a card: press, type, read."""

from __future__ import annotations

from datetime import timedelta
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.card.foot import ScopeMenu

from .stage import Stage

T = TypeVar("T", bound=QWidget)


def press(stage: Stage, button: QAbstractButton, *, at_once: bool = False) -> None:
    """Click a button with the mouse, once it has stood still for a moment; or `at_once`."""
    if not at_once:
        stage.do(lambda: stage.clock.move(timedelta(seconds=1)))
    stage.do(lambda: QTest.mouseClick(button, Qt.MouseButton.LeftButton))


def button(card: ActionCard, verb: str) -> QPushButton:
    """The button of a verb."""
    assert card.foot is not None
    return card.foot.buttons[verb]


def field(card: ActionCard, kind: type[T], name: str) -> T:
    """The field of a parameter, by its name."""
    return next(widget for widget in card.findChildren(kind) if widget.accessibleName() == name)


def line(card: ActionCard, name: str) -> QLineEdit:
    """The one-line field of a parameter."""
    return field(card, QLineEdit, name)


def words(card: ActionCard) -> str:
    """Everything that can be read on the card."""
    labels = [label.text() for label in card.findChildren(QLabel) if label.isVisibleTo(card)]
    texts = [view.toPlainText() for view in card.findChildren(QPlainTextEdit) if view.isVisibleTo(card)]
    return "\n".join(labels + texts)


def look_through(stage: Stage, card: ActionCard) -> None:
    """Scroll through each text on the card, and through the card itself, as one who reads it."""
    column = stage.window.page.feed.column
    for view in card.findChildren(QPlainTextEdit):
        inner = view.verticalScrollBar()
        pages = (*range(0, inner.maximum(), max(1, inner.pageStep() - 1)), inner.maximum())
        stage.do(lambda inner=inner, pages=pages: [inner.setValue(page) for page in pages])  # type: ignore[misc] # bound early
    bar, step = column.verticalScrollBar(), column.viewport().height() // 2
    for place in (*range(bar.minimum(), bar.maximum(), step), bar.maximum()):
        stage.do(lambda place=place: bar.setValue(place))  # type: ignore[misc] # bound early
        stage.do(lambda: column.viewport().repaint())


def scope_menu() -> ScopeMenu:
    """The menu in view."""
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, ScopeMenu)
    return menu


def choose_scope(stage: Stage, card: ActionCard, scope: str) -> None:
    """Open the menu beside Approve and choose from it, by the mouse."""
    press(stage, button(card, "allow"))
    menu = scope_menu()
    action = next(each for each in menu.actions() if each.data() == scope)
    place = menu.actionGeometry(action).center()
    nothing = Qt.KeyboardModifier.NoModifier
    stage.do(lambda: QTest.mouseClick(menu, Qt.MouseButton.LeftButton, nothing, place))
