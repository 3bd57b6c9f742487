"""Hands and eyes for a card: press, type, read."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit, QPushButton, QWidget

from partner_desktop.desktop.card.card import ActionCard

from .stage import Stage

T = TypeVar("T", bound=QWidget)


def press(stage: Stage, button: QPushButton) -> None:
    """Click a button with the mouse."""
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
