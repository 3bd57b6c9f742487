"""The small switch between light, dark and what the system says."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from partner_desktop.desktop.parts.buttons import IconButton
from partner_desktop.desktop.theme.signs import SignName
from partner_desktop.desktop.theme.theme import Theme, ThemeChoice


class ThemeButton(IconButton):
    """Opens a menu of three; its sign is the present choice."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "system", self.tr("Appearance"))
        self._choices = theme
        self._menu = QMenu(self)
        self._actions: dict[ThemeChoice, QAction] = {}
        group = QActionGroup(self)
        for choice, text in (
            (ThemeChoice.SYSTEM, self.tr("Like the system")),
            (ThemeChoice.LIGHT, self.tr("Light")),
            (ThemeChoice.DARK, self.tr("Dark")),
        ):
            action = self._menu.addAction(text)
            action.setCheckable(True)
            action.triggered.connect(lambda _checked=False, chosen=choice: self._choose(chosen))
            group.addAction(action)
            self._actions[choice] = action
        self.clicked.connect(self._open)
        theme.changed.connect(self._show_choice)
        self._show_choice()

    def _open(self) -> None:
        """Beside the button, without waiting for it."""
        size = self._menu.sizeHint()
        corner = self.mapToGlobal(self.rect().topRight())
        self._menu.popup(corner - QPoint(size.width(), size.height()))

    def _choose(self, choice: ThemeChoice) -> None:
        self._choices.choose(choice)
        self._show_choice()

    def _show_choice(self) -> None:
        choice = self._choices.choice
        self._actions[choice].setChecked(True)
        signs: dict[ThemeChoice, SignName] = {
            ThemeChoice.SYSTEM: "system",
            ThemeChoice.LIGHT: "sun",
            ThemeChoice.DARK: "moon",
        }
        self.show_sign(signs[choice])
