"""Buttons of the house: reached by Tab, never the default, never stealing focus from the composer."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QPushButton, QToolButton, QWidget

from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.desktop.theme.signs import SignName, sign_icon
from partner_desktop.desktop.theme.style import set_look, zoomed
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import Words, say, told

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def pressed_by_enter(button: QAbstractButton, event: QKeyEvent) -> bool:
    """Enter does what Space does, on every button of the house; held down it does nothing more."""
    if event.key() not in _ENTER:
        return False
    event.accept()
    if not event.isAutoRepeat():
        button.click()
    return True


class PushButton(QPushButton):
    """Listens to Enter as to Space."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not pressed_by_enter(self, event):
            super().keyPressEvent(event)


def push_button(
    text: Words, look: str = "plain", *, name: Words = "", parent: QWidget | None = None
) -> QPushButton:
    """A button in one of the stylesheet's looks; `name` is said by screen readers instead of the text."""
    button = PushButton(parent)
    say(button, button.setText, text)
    prepare_button(button, look, name=name or text)
    return button


def prepare_button(button: QPushButton, look: str, *, name: Words) -> None:
    """Give any push button the house's manners.

    Focus comes by Tab only: a click leaves it in the composer, and the ring shows for keyboards alone.
    """
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setAutoDefault(False)
    button.setDefault(False)
    say(button, button.setAccessibleName, name)
    set_look(button, look)


class IconButton(QToolButton):
    """A small button with a drawn sign and no text."""

    def __init__(self, theme: Theme, sign: SignName, name: Words, *, shortcut: str = "") -> None:
        super().__init__()
        self._theme = theme
        self._sign: SignName = sign
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        say(self, self.setAccessibleName, name)
        tip = (lambda: f"{told(name)} ({shortcut})") if shortcut else name
        set_tip(self, tip)
        theme.changed.connect(self._redraw)
        self._redraw()

    def show_sign(self, sign: SignName) -> None:
        """Change the sign."""
        self._sign = sign
        self._redraw()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not pressed_by_enter(self, event):
            super().keyPressEvent(event)

    def _redraw(self) -> None:
        size = zoomed(16)
        self.setIconSize(QSize(size, size))
        icon = sign_icon(self._sign, self._theme.color("muted"), size_px=size)
        faint = sign_icon(self._sign, self._theme.color("line"), size_px=size)
        icon.addPixmap(faint.pixmap(self.iconSize()), QIcon.Mode.Disabled)
        self.setIcon(icon)
