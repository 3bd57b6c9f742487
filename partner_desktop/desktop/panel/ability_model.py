"""The abilities as rows: what needs attention first, then everything that works, by where it comes from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
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

    @property
    def switchable(self) -> bool:
        """Whether it can be switched off or on."""
        return self.kind == "ability"

    @property
    def off(self) -> bool:
        return self.ability is not None and self.ability.off


def origin_words(info: MetaActionInfo) -> str:
    """The section that an ability stands in: where it comes from."""
    if info.route is Route.BUILTIN:
        return tr("Built in")
    if info.route is Route.ORIGIN:
        return tr("Temporary")
    return tr("Yours") if info.location == "local" else info.location


def fault_words(ability: Ability) -> str:
    """File and line, then the reason."""
    fault = ability.fault
    if fault is None:
        return ""
    where = display_path(fault.path)
    return f"{where}:{fault.line}\n{fault.message}" if fault.line is not None else f"{where}\n{fault.message}"


def ability_rows(abilities: Iterable[Ability], wanted: str = "") -> list[AbilityRow]:
    """All rows, in order; a broken edit with its last good version appears in both sections.

    `wanted` leaves only what has all of its words somewhere.
    """
    words = wanted.casefold().split()
    known = sorted((each for each in abilities if _has(each, words)), key=_order)
    broken = [_broken_row(ability) for ability in known if ability.fault is not None]
    rows = [AbilityRow("head", tr("Needs attention")), *broken] if broken else []
    section = ""
    for ability in known:
        if ability.info is None:
            continue
        if origin_words(ability.info) != section:
            section = origin_words(ability.info)
            rows.append(AbilityRow("head", section))
        rows.append(_usable_row(ability, ability.info))
    return rows


def _has(ability: Ability, words: list[str]) -> bool:
    if not words:
        return True
    parts = [ability.key, fault_words(ability), tr("off") if ability.off else ""]
    if ability.info is not None:
        info = ability.info
        parts += [info.title, info.description, origin_words(info), *info.aliases]
    text = " ".join(parts).casefold()
    return all(word in text for word in words)


_SECTIONS = {Route.MCP: 0, Route.ORIGIN: 1, Route.BUILTIN: 3}


def _order(ability: Ability) -> tuple[int, str, str, str]:
    info = ability.info
    if info is None:
        return (-1, "", ability.key.casefold(), ability.key)
    own = info.route is not Route.MCP or info.location == "local"
    section = _SECTIONS[info.route] if own else 2
    return (section, "" if own else info.location, info.title.casefold(), ability.key)


def _broken_row(ability: Ability) -> AbilityRow:
    name = ability.info.title if ability.info is not None else ability.key.rpartition("::")[2]
    if ability.info is None and ability.path is not None:
        name = display_path(Path(ability.path.name))
    tag = tr("last good version works") if ability.usable else tr("broken")
    return AbilityRow("broken", name, fault_words(ability), tag, ability)


def _usable_row(ability: Ability, info: MetaActionInfo) -> AbilityRow:
    tag = tr("off") if ability.off else ""
    return AbilityRow("ability", info.title, " ".join(info.description.split()), tag, ability)


class AbilityModel(RowsModel[AbilityRow]):
    """Heads can be neither chosen nor reached."""

    def __init__(self) -> None:
        super().__init__()
        self._abilities: dict[str, Ability] = {}
        self._wanted = ""

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
        self._arrange()

    def filter(self, wanted: str) -> None:
        """Show only what has all these words."""
        self._wanted = wanted
        self._arrange()

    def _arrange(self) -> None:
        self.set_rows(ability_rows(self._abilities.values(), self._wanted))

    def index_of(self, key: str) -> QModelIndex:
        """Where an ability stands that works; invalid when it is not there."""
        for number, row in enumerate(self.rows):
            if row.kind == "ability" and row.ability is not None and row.ability.key == key:
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
            return ", ".join(part for part in (row.title, row.tag, row.text) if part)
        if role == Qt.ItemDataRole.ToolTipRole and row.ability is not None:
            hints = "\n".join(row.ability.hints)
            return "\n".join(part for part in (row.ability.key, row.text, hints) if part)
        return None
