"""Hands and eyes for the list of the Actions tab."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from partner_desktop.desktop.panel.actions.action_rows import ListedRow, RunSheet
from partner_desktop.desktop.panel.actions.actions_tab import ActionsTab
from partner_desktop.desktop.parts.live_text import LiveText
from partner_desktop.desktop.window import MainWindow
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.command_session import CommandSession
from partner_desktop.domain.schedule import Schedule

from .stage import Stage


class Entry:
    """One row, whatever it says by now."""

    def __init__(self, tab: ActionsTab, key: str) -> None:
        self._tab = tab
        self.key = key

    @property
    def row(self) -> ListedRow:
        at = self._tab.list.rows.place(self.key)
        assert at is not None, f"{self.key} is listed no more"
        return self._tab.list.rows.rows[at]

    @property
    def words(self) -> str:
        """As it is read out."""
        return self.row.words

    @property
    def record(self) -> ActionRecord:
        assert isinstance(self.row.about, ActionRecord)
        return self.row.about

    @property
    def session(self) -> CommandSession:
        assert isinstance(self.row.about, CommandSession)
        return self.row.about

    @property
    def schedule(self) -> Schedule:
        assert isinstance(self.row.about, Schedule)
        return self.row.about

    @property
    def sheet(self) -> RunSheet:
        """What stands below a run."""
        found = self._tab.list.sheet_of(self.row)
        assert isinstance(found, RunSheet)
        return found

    @property
    def live(self) -> LiveText | None:
        """What it prints."""
        return self.sheet.run.text

    def click(self) -> None:
        self._click(self._tab.list.parts_of(self.key).title.center())

    def press_cancel(self) -> None:
        """The word on it."""
        assert self.row.link is not None
        self._click(self._tab.list.parts_of(self.key).link.center())

    def press_dots(self) -> QMenu:
        """Its menu."""
        self._click(self._tab.list.parts_of(self.key).dots.center())
        return self._tab.list.menu

    def _click(self, place: QPoint) -> None:
        view = self._tab.list
        view.scrollTo(view.rows.index_of(self.key))
        button, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        QTest.mouseClick(view.viewport(), button, none, place)


def entries(where: Stage | MainWindow, part: str) -> list[Entry]:
    """The rows below a head: `waiting`, `running`, `background`, `scheduled`, `done`, `failed`."""
    window = where.window if isinstance(where, Stage) else where
    tab = window.panel.actions_tab
    head, found = "", []
    for row in tab.list.rows.rows:
        if row.kind == "head":
            head = row.key
        elif head == f"head/{part}" and row.kind != "note":
            found.append(Entry(tab, row.key))
    return found


def listed_action(where: Stage | MainWindow, action_id: str) -> Entry:
    """The row of an action."""
    window = where.window if isinstance(where, Stage) else where
    return Entry(window.panel.actions_tab, f"action/{action_id}")
