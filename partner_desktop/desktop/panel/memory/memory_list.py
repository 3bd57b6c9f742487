"""The list of the Memory tab: it opens what was said, leads into topics, and asks for more near its end."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QMenu

from partner_desktop.desktop.panel.memory.memory_paint import MemoryHands, MemoryPaint
from partner_desktop.desktop.panel.memory.memory_rows import MemoryModel, MemoryRow
from partner_desktop.desktop.parts.long_list import LongList
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.entity import SELF

#: So much below the view is asked for before it is needed.
_AHEAD_PX = 1_200


class MemoryList(LongList[MemoryRow]):
    """`older_wanted()` near the end; `topic_chosen(path)`; `entity_chosen(row)` while `choosing`;
    `forget_wanted(row)` by the Delete key."""

    older_wanted = Signal()
    topic_chosen = Signal(str)
    entity_chosen = Signal(object)
    forget_wanted = Signal(object)

    def __init__(self, theme: Theme) -> None:
        self.hands = MemoryHands()
        self.choosing = False
        """Whether a press on whom or what is known chooses it, in place of opening it."""
        super().__init__(MemoryModel(), MemoryPaint(theme, self.hands), theme)
        self.menu = QMenu(self)
        """Filled anew each time it opens."""
        self.verticalScrollBar().valueChanged.connect(self.look_for_end)

    def add_rows(self, rows: list[MemoryRow]) -> None:
        """More of the same, below the others."""
        self.rows.add_rows(rows)
        self.look_for_end()

    def look_for_end(self) -> None:
        """Ask for more where little is left to scroll."""
        bar = self.verticalScrollBar()
        if self.isVisible() and bar.maximum() - bar.value() < _AHEAD_PX:
            self.older_wanted.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.look_for_end()

    def toggle(self, index: QModelIndex | QPersistentModelIndex, *, open_it: bool | None = None) -> None:
        """A topic leads elsewhere, and one of several is chosen where that was asked for."""
        row = self.rows.rows[index.row()] if index.isValid() else None
        if row is not None and row.kind == "topic":
            if open_it is not False:
                self.topic_chosen.emit(row.topic)
        elif row is not None and row.kind == "entity" and self.choosing:
            self.entity_chosen.emit(row)
        else:
            super().toggle(index, open_it=open_it)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """By the mouse for the row under it; by the keyboard for the current row."""
        index, place = self.indexAt(event.pos()), event.globalPos()
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            index = self.currentIndex()
            place = self.viewport().mapToGlobal(self.visualRect(index).center())
        self.menu.clear()
        if index.isValid():
            row = self.rows.rows[index.row()]
            for verb, words in row_choices(row):
                self.menu.addAction(words).triggered.connect(lambda _=False, verb=verb: self._ask(verb, row))
        if not self.menu.isEmpty():
            self.menu.popup(place)

    def _ask(self, verb: str, row: MemoryRow) -> None:
        if verb == "forget":
            self.forget_wanted.emit(row)
        else:
            self.hands.asked.emit(verb, row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if event.key() == Qt.Key.Key_Delete and index.isValid():
            self.forget_wanted.emit(self.rows.rows[index.row()])
        else:
            super().keyPressEvent(event)


def row_choices(row: MemoryRow) -> Iterator[tuple[str, str]]:
    """What can be done with a row, with its words."""
    if row.kind in ("slice", "turn"):
        yield "show", tr("Show in the chat")
    if row.slice is not None:
        yield "pin", tr("Unpin") if row.slice.pinned else tr("Pin")
    if row.kind == "head" and row.day is not None:
        yield "forget", tr("Forget this day…")
    elif row.opens and (row.entity is None or row.entity.id != SELF):
        yield "forget", tr("Forget…")
