"""The model of the list of abilities: rows of an AbilityShelf, changed by their difference."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt

from partner_desktop.desktop.panel.ability_rows import AbilityRow, AbilityShelf
from partner_desktop.desktop.panel.server_words import phase_words
from partner_desktop.desktop.parts.rows import RowsModel
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.mcp_server import ServerStatus


class AbilityModel(RowsModel[AbilityRow]):
    """Heads can be neither chosen nor reached. `now` says what time it is, for what is counted down."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        super().__init__()
        self.now = now
        self.shelf = AbilityShelf()
        self._wanted = ""

    @property
    def abilities(self) -> dict[str, Ability]:
        """Everything known, by key."""
        return self.shelf.abilities

    @property
    def servers(self) -> dict[str, ServerStatus]:
        """All external servers, by id."""
        return self.shelf.servers

    def change(
        self,
        changed: Iterable[Ability],
        removed: Iterable[str],
        servers: Mapping[str, ServerStatus | None] | None = None,
    ) -> None:
        """What is new or different, and what is gone; a server that is gone is `None`."""
        self.shelf.change(changed, removed)
        self.shelf.change_servers(servers or {})
        self._arrange()

    def say_again(self) -> None:
        """The language is another."""
        self.shelf.say_again()
        self._arrange()

    def filter(self, wanted: str) -> None:
        """Show only what has all these words."""
        self._wanted = wanted
        self._arrange()

    def toggle(self, row: AbilityRow, *, folded: bool | None = None) -> None:
        """Fold the tools of a server away or out."""
        if row.server is not None and row.tools and not self._wanted:
            self.shelf.folds[row.server.id] = (not row.folded) if folded is None else folded
            self._arrange()

    def _arrange(self) -> None:
        """What only changed changes in its place, so that the keyboard stays where it is."""
        rows = self.shelf.rows(self._wanted)
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
