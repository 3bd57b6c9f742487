"""The list of abilities in view: what is chosen in it, its switches and its menus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QHideEvent, QKeyEvent, QMouseEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QListView

from partner_desktop.desktop.panel.abilities.ability_delegate import AbilityDelegate, Control
from partner_desktop.desktop.panel.abilities.ability_rows import (
    AbilityMenu,
    AbilityRow,
    AbilityRows,
    ServerMenu,
)
from partner_desktop.desktop.panel.server.server_words import phase_words
from partner_desktop.desktop.parts.controls import SearchField
from partner_desktop.desktop.parts.lists.list_rows import ROW_ROLE, RowsList, RowsModel
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import bind_text
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.mcp_server import ServerPhase, ServerStatus

_BATCH = 60
_LEFT = Qt.MouseButton.LeftButton
_COUNT_MS = 1000


class AbilityList(RowsList):
    """`ability_chosen(ability)`; `asked(verb, ability)`, see ability_menu; `server_asked(verb, server)`, see
    server_menu; `typed(text)`: what to look for.

    Enter chooses, Space switches off or on, the menu key shows the menu, Delete asks for removal; Left and
    Right fold a server's tools away and out.
    """

    ability_chosen = Signal(object)
    asked = Signal(str, object)
    server_asked = Signal(str, object)
    typed = Signal(str)

    def __init__(self, theme: Theme, now: Callable[[], datetime]) -> None:
        self.rows = AbilityModel(now)
        super().__init__(self.rows, lambda: self.tr("Abilities"))
        bind_text(
            self,
            self.setAccessibleDescription,
            lambda: self.tr("Space switches an ability off or on; the menu key shows what else can be done."),
        )
        self._delegate = AbilityDelegate(theme, self, now)
        self.setItemDelegate(self._delegate)
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(_BATCH)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self._pressed: tuple[Control, QModelIndex] | None = None
        self._count = QTimer(self, interval=_COUNT_MS)
        self._count.timeout.connect(self._count_down)
        # A row whose text changed may be of another height; the view asks only when told to.
        self.rows.dataChanged.connect(lambda *_: self.scheduleDelayedItemsLayout())
        theme.changed.connect(self.doItemsLayout)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrower list, be it only by its scroll bar, breaks long reasons anew."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._count.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._count.stop()

    def _count_down(self) -> None:
        """Only what is counted down is painted again."""
        for server in self.rows.servers.values():
            if server.phase is ServerPhase.BACKING_OFF:
                self.update(self.rows.server_index(server.id))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        control, index = self._control_at(event.position().toPoint())
        self._pressed = (control, index) if control and event.button() is _LEFT else None
        if self._pressed is None:
            super().mousePressEvent(event)
        else:
            self.setCurrentIndex(index)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        if pressed is None:
            super().mouseReleaseEvent(event)
            return
        place = event.position().toPoint()
        if self._control_at(place) == pressed:
            self._act(*pressed, place)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A quick second click on a switch is a second click."""
        self.mousePressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """By the mouse for the row under it; by the keyboard for the current row."""
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            index = self.currentIndex()
            self._open_menu(index, self.visualRect(index).center())
        else:
            self._open_menu(self.indexAt(event.pos()), event.pos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row: AbilityRow | None = self.currentIndex().data(ROW_ROLE)
        text = event.text()
        if event.key() == Qt.Key.Key_Space:
            if row is not None and not event.isAutoRepeat():
                self._switch(row)
        elif event.key() == Qt.Key.Key_Delete:
            if row is not None and row.ability is not None and row.ability.path is not None:
                self.asked.emit("remove", row.ability)
        elif event.key() in _FOLDS and row is not None:
            self._fold(row, folded=_FOLDS[Qt.Key(event.key())])
        elif text.isprintable() and text.strip() and not event.modifiers() & _COMMANDS:
            self.typed.emit(text)
        else:
            super().keyPressEvent(event)

    def _switch(self, row: AbilityRow) -> None:
        if row.server is not None:
            if row.switchable:
                self.server_asked.emit("switch", row.server)
        elif row.ability is not None and row.ability.info is not None:
            self.asked.emit("switch", row.ability)

    def _fold(self, row: AbilityRow, *, folded: bool) -> None:
        """Left on a tool goes to its server, which the next Left folds."""
        if row.server is not None:
            self.rows.toggle(row, folded=folded)
        elif row.inner and folded and row.ability is not None:
            home = self.rows.server_index(row.ability.key.partition("::")[0])
            if home.isValid():
                self.setCurrentIndex(home)

    def _choose(self, index: QModelIndex) -> None:
        row: AbilityRow | None = index.data(ROW_ROLE)
        if row is None:
            return
        if row.server is not None:
            self.server_asked.emit("details", row.server)
        elif row.ability is not None and row.kind == "ability" and row.ability.usable:
            if row.inner:
                self.asked.emit("run", row.ability)  # a server's tool is best asked for by its form
            else:
                self.ability_chosen.emit(row.ability)

    def _control_at(self, place: QPoint) -> tuple[Control, QModelIndex]:
        index = self.indexAt(place)
        row: AbilityRow | None = index.data(ROW_ROLE)
        if row is None or row.kind == "head":
            return "", index
        return self._delegate.control_at(self.visualRect(index), row, place), index

    def _act(self, control: Control, index: QModelIndex, place: QPoint) -> None:
        row: AbilityRow = index.data(ROW_ROLE)
        if control == "menu":
            self._open_menu(index, place)
        elif control == "switch":
            self._switch(row)
        elif control == "fold":
            self.rows.toggle(row)

    def _open_menu(self, index: QModelIndex, place: QPoint) -> None:
        row: AbilityRow | None = index.data(ROW_ROLE)
        if row is None or row.kind == "head":
            return
        if row.server is not None:
            server_menu = ServerMenu(row, row.server, self)
            server_menu.chosen.connect(self.server_asked)
            server_menu.fold_chosen.connect(lambda: self.rows.toggle(row))
            server_menu.popup(self.viewport().mapToGlobal(place))
        elif row.ability is not None:
            menu = AbilityMenu(row.ability, self)
            menu.chosen.connect(self.asked)
            menu.popup(self.viewport().mapToGlobal(place))


_FOLDS = {Qt.Key.Key_Left: True, Qt.Key.Key_Right: False}
_COMMANDS = (
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
)


class AbilityModel(RowsModel[AbilityRow]):
    """Heads can be neither chosen nor reached. `now` says what time it is, for what is counted down."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        super().__init__()
        self.now = now
        self.ability_rows = AbilityRows()
        self._wanted = ""

    @property
    def abilities(self) -> dict[str, Ability]:
        """Everything known, by key."""
        return self.ability_rows.abilities

    @property
    def servers(self) -> dict[str, ServerStatus]:
        """All external servers, by id."""
        return self.ability_rows.servers

    def change(
        self,
        changed: Iterable[Ability],
        removed: Iterable[str],
        servers: Mapping[str, ServerStatus | None] | None = None,
    ) -> None:
        """What is new or different, and what is gone; a server that is gone is `None`."""
        self.ability_rows.change(changed, removed)
        self.ability_rows.change_servers(servers or {})
        self._arrange()

    def say_again(self) -> None:
        """The language is another."""
        self.ability_rows.say_again()
        self._arrange()

    def filter(self, wanted: str) -> None:
        """Show only what has all these words."""
        self._wanted = wanted
        self._arrange()

    def toggle(self, row: AbilityRow, *, folded: bool | None = None) -> None:
        """Fold the tools of a server away or out."""
        if row.server is not None and row.tools and not self._wanted:
            self.ability_rows.folds[row.server.id] = (not row.folded) if folded is None else folded
            self._arrange()

    def _arrange(self) -> None:
        """What only changed changes in its place, so that the keyboard stays where it is."""
        rows = self.ability_rows.rows(self._wanted)
        fresh = {row.key: row for row in rows}
        for number, row in enumerate(self.rows):
            now = fresh.get(row.key)
            if now is not None and now != row:
                self.replace(number, [now])
        self.set_rows(rows)

    def index_of(self, key: str) -> QModelIndex:
        """Where an ability stands that works; invalid when it is not there."""
        for number, row in enumerate(self.rows):
            if row.kind == "ability" and row.ability is not None and row.ability.key == key:
                return self.index(number)
        return QModelIndex()

    def server_index(self, server_id: str) -> QModelIndex:
        """Where a server stands; invalid when it is not there."""
        for number, row in enumerate(self.rows):
            if row.server is not None and row.server.id == server_id:
                return self.index(number)
        return QModelIndex()

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        if index.isValid() and self.rows[index.row()].kind != "head":
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return Qt.ItemFlag.NoItemFlags

    def describe(self, row: AbilityRow, role: int) -> Any:  # noqa: ANN401 - whatever the role asks for
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            state = phase_words(row.server, self.now()) if row.server is not None else row.tag
            return ", ".join(part for part in (row.title, state, row.text) if part)
        if role == Qt.ItemDataRole.ToolTipRole:
            return _tip(row)
        return None


def _tip(row: AbilityRow) -> str | None:
    if row.server is not None:
        parts = (row.server.name, row.server.shown, row.text, *row.server.hints)
    elif row.ability is not None:
        parts = (row.ability.key, row.text, *row.ability.hints)
    else:
        return None
    return "\n".join(part for part in parts if part)


class AbilityFilter(SearchField):
    """Down and Enter go to the list; Esc empties it first, and only then is the window's."""

    def __init__(self, view: AbilityList) -> None:
        super().__init__(lambda: self.tr("Filter abilities"))
        self._list = view
        view.typed.connect(self._take)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._go_to_list()
        else:
            super().keyPressEvent(event)

    def _take(self, text: str) -> None:
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.insert(text)

    def _go_to_list(self) -> None:
        first = next((at for at, row in enumerate(self._list.rows.rows) if row.kind != "head"), None)
        if first is not None:
            self._list.setFocus(Qt.FocusReason.TabFocusReason)
            self._list.setCurrentIndex(self._list.rows.index(first))
