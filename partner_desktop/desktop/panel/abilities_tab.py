"""The live list of abilities, or what to do while there are none."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QPushButton, QStackedWidget, QVBoxLayout, QWidget

from partner_desktop.base.paths import display_path
from partner_desktop.desktop.panel.empty import EmptyNote
from partner_desktop.desktop.parts.buttons import push_button
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import in_every_language

if TYPE_CHECKING:
    from partner_desktop.desktop.panel.ability_list import AbilityList
    from partner_desktop.domain.ability import Ability

#: A burst of changes becomes one.
_SETTLE_MS = 40


class AbilitiesTab(QWidget):
    """`ability_chosen(ability)`, `folder_pressed()`, `file_pressed(path)`; `changed()` after each update."""

    ability_chosen = Signal(object)
    folder_pressed = Signal()
    file_pressed = Signal(object)
    changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("panel_page")
        self._theme = theme
        self._changed: dict[str, Ability] = {}
        self._removed: set[str] = set()
        self._folder: Path | None = None
        self._settle = QTimer(self, interval=_SETTLE_MS, singleShot=True)
        self._settle.timeout.connect(self._apply)
        self._list: AbilityList | None = None
        self._empty = EmptyNote(lambda: self.tr("No abilities yet"), "", self._folder_button())
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._where = text_label("", "muted", wrap=True)
        self._foot = QWidget()
        self._foot.setObjectName("clear")
        self._foot.hide()
        foot = QVBoxLayout(self._foot)
        foot.setContentsMargins(4, 0, 4, 0)
        foot.setSpacing(6)
        foot.addWidget(self._where)
        foot.addWidget(self._folder_button())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 0, 12, 12)
        layout.setSpacing(8)
        layout.addWidget(self._pages, 1)
        layout.addWidget(self._foot)
        in_every_language(self, self._say_again)

    @property
    def abilities(self) -> tuple[Ability, ...]:
        """Everything known, broken ones too."""
        return tuple(self.list.rows.abilities.values())

    @property
    def list(self) -> AbilityList:
        """The list; made when it is first asked for, an empty panel has no use for it."""
        if self._list is None:
            from partner_desktop.desktop.panel.ability_list import AbilityList  # noqa: PLC0415

            self._list = AbilityList(self._theme)
            self._list.ability_chosen.connect(self.ability_chosen)
            self._list.file_pressed.connect(self.file_pressed)
            self._pages.addWidget(self._list)
        return self._list

    def show_folder(self, folder: Path) -> None:
        """Where a script becomes an ability."""
        self._folder = folder
        where = display_path(folder / "dynamic")
        words = self.tr("Drop a script on the window, or save it into {folder}.").format(folder=where)
        self._where.setText(words)
        self._empty.say(words)

    def _say_again(self) -> None:
        if self._folder is not None:
            self.show_folder(self._folder)
        if self._list is not None:
            self._list.rows.change((), ())

    def change(self, changed: Iterable[Ability], removed: Iterable[str]) -> None:
        """Take a change; it shows a moment later, with whatever else comes until then."""
        for key in removed:
            self._changed.pop(key, None)
            self._removed.add(key)
        for ability in changed:
            self._removed.discard(ability.key)
            self._changed[ability.key] = ability
        if not self._settle.isActive():
            self._settle.start()

    def _apply(self) -> None:
        changed, self._changed = self._changed, {}
        removed, self._removed = self._removed, set()
        self.list.rows.change(changed.values(), removed)
        filled = bool(self.list.rows.rows)
        self._pages.setCurrentWidget(self.list if filled else self._empty)
        self._foot.setVisible(filled)
        self.changed.emit()

    def _folder_button(self) -> QPushButton:
        button = push_button(
            lambda: self.tr("Open folder"), name=lambda: self.tr("Open the folder of abilities")
        )
        button.clicked.connect(self.folder_pressed)
        return button
