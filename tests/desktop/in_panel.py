"""Hands and eyes for the list of abilities: rows, controls, menus."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from partner_desktop.desktop.rows.row_list import RowList
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.mcp_server import ServerStatus

from .stage import Stage


def view(stage: Stage) -> RowList[Ability | ServerStatus | None]:
    return stage.window.panel.abilities_tab.list


def titles(stage: Stage) -> list[str]:
    return [row.title for row in view(stage).rows.rows]


def index_of(stage: Stage, title: str) -> QModelIndex:
    """The first row of this title that is no head."""
    rows = view(stage).rows
    at = next(at for at, row in enumerate(rows.rows) if row.title == title and row.kind != "head")
    return rows.index(at)


def show_abilities(stage: Stage, *, count: int) -> None:
    """The panel's second tab, with so many rows in view."""
    stage.do(lambda: stage.window.show_tab(1))
    stage.until(lambda: len(titles(stage)) == count)
    stage.settle()


def go_to(stage: Stage, title: str) -> None:
    """The keyboard on a row."""

    def act() -> None:
        view(stage).setFocus(Qt.FocusReason.TabFocusReason)
        view(stage).setCurrentIndex(index_of(stage, title))

    stage.do(act)


def click(stage: Stage, place: QPoint, button: Qt.MouseButton = Qt.MouseButton.LeftButton) -> None:
    stage.do(lambda: QTest.mouseClick(view(stage).viewport(), button, Qt.KeyboardModifier.NoModifier, place))


def key(stage: Stage, name: Qt.Key) -> None:
    """A key for whatever has the keyboard."""
    focused = stage.window.focusWidget()
    assert focused is not None
    stage.do(lambda: QTest.keyClick(focused, name))


def first_line(stage: Stage, title: str) -> tuple[QPoint, QPoint]:
    """Where the switch and the dots of a row are."""
    parts = view(stage).parts_of(view(stage).rows.rows[index_of(stage, title).row()].key)
    return parts.switch.center(), parts.dots.center()


def open_menu(stage: Stage) -> QMenu:
    """The menu in view."""
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def menu_words(stage: Stage) -> list[str]:
    return [action.text().partition("\t")[0] for action in open_menu(stage).actions() if action.text()]


def choose(stage: Stage, words: str) -> None:
    """A choice of the menu in view, by the mouse."""
    menu = open_menu(stage)
    action = next(action for action in menu.actions() if action.text().partition("\t")[0] == words)
    stage.do(
        lambda: QTest.mouseClick(
            menu,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
            menu.actionGeometry(action).center(),
        )
    )
