"""The list of abilities in view: what is chosen in it, and its menu."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QListView, QMenu

from partner_desktop.desktop.panel.ability_delegate import AbilityDelegate
from partner_desktop.desktop.panel.ability_model import AbilityModel, AbilityRow, fault_words
from partner_desktop.desktop.parts.rows import ROW_ROLE
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import say
from partner_desktop.domain.ability import Ability

_BATCH = 60


class AbilityList(QListView):
    """`ability_chosen(ability)`, `file_pressed(path)`."""

    ability_chosen = Signal(object)
    file_pressed = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.rows = AbilityModel()
        say(self, self.setAccessibleName, lambda: self.tr("Abilities"))
        self.setModel(self.rows)
        self.setItemDelegate(AbilityDelegate(theme, self))
        self.setMouseTracking(True)
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(_BATCH)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._open_menu)
        self.clicked.connect(self._choose)
        self.activated.connect(self._choose)
        # A row whose text changed may be of another height; the view asks only when told to.
        self.rows.dataChanged.connect(lambda *_: self.scheduleDelayedItemsLayout())
        theme.changed.connect(self.doItemsLayout)

    def _choose(self, index: QModelIndex) -> None:
        row: AbilityRow | None = index.data(ROW_ROLE)
        if row is not None and row.kind == "ability":
            self.ability_chosen.emit(row.ability)

    def _open_menu(self, place: QPoint) -> None:
        row: AbilityRow | None = self.indexAt(place).data(ROW_ROLE)
        if row is not None and row.ability is not None:
            self._menu(row.ability).popup(self.viewport().mapToGlobal(place))

    def _menu(self, ability: Ability) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if ability.usable:
            menu.addAction(
                self.tr("Put an example in the composer"), lambda: self.ability_chosen.emit(ability)
            )
        if ability.fault is not None:
            words = fault_words(ability)
            menu.addAction(self.tr("Copy the reason"), lambda: QGuiApplication.clipboard().setText(words))
        source = ability.info.source if ability.info is not None else None
        path = ability.fault.path if ability.fault is not None else source
        if path is not None:
            menu.addAction(self.tr("Open its folder"), lambda: self.file_pressed.emit(path))
        return menu
