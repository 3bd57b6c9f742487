"""The list of abilities in view: what is chosen in it, its switches and its menus."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QListView

from partner_desktop.desktop.panel.ability_controls import Control, control_at
from partner_desktop.desktop.panel.ability_delegate import AbilityDelegate
from partner_desktop.desktop.panel.ability_menu import AbilityMenu
from partner_desktop.desktop.panel.ability_model import AbilityModel, AbilityRow
from partner_desktop.desktop.parts.rows import ROW_ROLE
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import say
from partner_desktop.domain.ability import Ability

_BATCH = 60
_LEFT = Qt.MouseButton.LeftButton


class AbilityList(QListView):
    """`ability_chosen(ability)`; `asked(verb, ability)`, see ability_menu; `typed(text)`: what to look for.

    Enter chooses, Space switches off or on, the menu key shows the menu, Delete asks for removal.
    """

    ability_chosen = Signal(object)
    asked = Signal(str, object)
    typed = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.rows = AbilityModel()
        say(self, self.setAccessibleName, lambda: self.tr("Abilities"))
        say(
            self,
            self.setAccessibleDescription,
            lambda: self.tr("Space switches an ability off or on; the menu key shows what else can be done."),
        )
        self.setModel(self.rows)
        self._delegate = AbilityDelegate(theme, self)
        self.setItemDelegate(self._delegate)
        self.setMouseTracking(True)
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(_BATCH)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._pressed: tuple[Control, QModelIndex] | None = None
        self.clicked.connect(self._choose)
        self.activated.connect(self._choose)
        # A row whose text changed may be of another height; the view asks only when told to.
        self.rows.dataChanged.connect(lambda *_: self.scheduleDelayedItemsLayout())
        theme.changed.connect(self.doItemsLayout)

    def ability_at(self, index: QModelIndex) -> Ability | None:
        """The ability of a row; heads have none."""
        row: AbilityRow | None = index.data(ROW_ROLE)
        return row.ability if row is not None else None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrower list, be it only by its scroll bar, breaks long reasons anew."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()

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
        ability = self.ability_at(self.currentIndex())
        text = event.text()
        if event.key() == Qt.Key.Key_Space:
            if ability is not None and ability.info is not None and not event.isAutoRepeat():
                self.asked.emit("switch", ability)
        elif event.key() == Qt.Key.Key_Delete:
            if ability is not None and ability.path is not None:
                self.asked.emit("remove", ability)
        elif text.isprintable() and text.strip() and not event.modifiers() & _COMMANDS:
            self.typed.emit(text)
        else:
            super().keyPressEvent(event)

    def _choose(self, index: QModelIndex) -> None:
        row: AbilityRow | None = index.data(ROW_ROLE)
        if row is not None and row.ability is not None and row.kind == "ability" and row.ability.usable:
            self.ability_chosen.emit(row.ability)

    def _control_at(self, place: QPoint) -> tuple[Control, QModelIndex]:
        index = self.indexAt(place)
        row: AbilityRow | None = index.data(ROW_ROLE)
        if row is None or row.ability is None:
            return "", index
        return control_at(self._delegate.first_line(self.visualRect(index)), row, place), index

    def _act(self, control: Control, index: QModelIndex, place: QPoint) -> None:
        ability = self.ability_at(index)
        if control == "menu":
            self._open_menu(index, place)
        elif control == "switch" and ability is not None:
            self.asked.emit("switch", ability)

    def _open_menu(self, index: QModelIndex, place: QPoint) -> None:
        ability = self.ability_at(index)
        if ability is not None:
            menu = AbilityMenu(ability, self)
            menu.chosen.connect(self.asked)
            menu.popup(self.viewport().mapToGlobal(place))


_COMMANDS = (
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
)
