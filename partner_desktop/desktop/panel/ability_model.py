"""The abilities as rows: what needs attention first, then everything that works."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt

from partner_desktop.base.paths import display_path
from partner_desktop.desktop.parts.rows import RowsModel
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.meta_action import MetaActionInfo, Route


@dataclass(frozen=True)
class AbilityRow:
    """A head, a broken ability or a working one."""

    kind: Literal["head", "broken", "ability"]
    title: str
    text: str = ""
    tag: str = ""
    ability: Ability | None = None


def origin_words(info: MetaActionInfo) -> str:
    """Where an ability comes from."""
    if info.route is Route.BUILTIN:
        return tr("built in")
    if info.route is Route.ORIGIN:
        return tr("temporary")
    return tr("dynamic") if info.location == "local" else info.location


def fault_words(ability: Ability) -> str:
    """File and line, then the reason."""
    fault = ability.fault
    if fault is None:
        return ""
    where = display_path(fault.path)
    return f"{where}:{fault.line}\n{fault.message}" if fault.line is not None else f"{where}\n{fault.message}"


def ability_rows(abilities: Iterable[Ability]) -> list[AbilityRow]:
    """All rows, in order; a broken edit with its last good version appears in both sections."""
    known = sorted(abilities, key=_order)
    broken = [_broken_row(ability) for ability in known if ability.fault is not None]
    usable = [_usable_row(ability, ability.info) for ability in known if ability.info is not None]
    rows = [AbilityRow("head", tr("Needs attention")), *broken] if broken else []
    return [*rows, AbilityRow("head", tr("Abilities")), *usable] if usable else rows


def _order(ability: Ability) -> tuple[str, str]:
    return (
        ability.info.title.casefold() if ability.info is not None else ability.key.casefold(),
        ability.key,
    )


def _broken_row(ability: Ability) -> AbilityRow:
    name = ability.info.title if ability.info is not None else ability.key.rpartition("::")[2]
    tag = tr("last good version works") if ability.usable else tr("broken")
    return AbilityRow("broken", name, fault_words(ability), tag, ability)


def _usable_row(ability: Ability, info: MetaActionInfo) -> AbilityRow:
    return AbilityRow("ability", info.title, " ".join(info.description.split()), origin_words(info), ability)


class AbilityModel(RowsModel[AbilityRow]):
    """Heads can be neither chosen nor reached."""

    def __init__(self) -> None:
        super().__init__()
        self._abilities: dict[str, Ability] = {}

    @property
    def abilities(self) -> dict[str, Ability]:
        """Everything known, by key."""
        return self._abilities

    def change(self, changed: Iterable[Ability], removed: Iterable[str]) -> None:
        """What is new or different, and what is gone."""
        for key in removed:
            self._abilities.pop(key, None)
        for ability in changed:
            self._abilities[ability.key] = ability
        self.set_rows(ability_rows(self._abilities.values()))

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        if index.isValid() and self.rows[index.row()].kind != "head":
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return Qt.ItemFlag.NoItemFlags

    def describe(self, row: AbilityRow, role: int) -> Any:  # noqa: ANN401 - whatever the role asks for
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(part for part in (row.title, row.tag, row.text) if part)
        if role == Qt.ItemDataRole.ToolTipRole and row.ability is not None:
            hints = "\n".join(row.ability.hints)
            return "\n".join(part for part in (row.ability.key, row.text, hints) if part)
        return None
