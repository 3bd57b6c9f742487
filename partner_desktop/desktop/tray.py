"""Notices for a person who looks elsewhere: through the tray, where there is one."""

from __future__ import annotations

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QSystemTrayIcon, QWidget

from partner_desktop.desktop.notices import Notice
from partner_desktop.desktop.wording import told

_SHOWN_MS = 8000


class Tray:
    """Comes into being with the first notice that needs it; a click brings the window back."""

    def __init__(self, window: QWidget, icon: QIcon) -> None:
        self._window = window
        self._icon = icon
        self._tray: QSystemTrayIcon | None = None

    def show(self, notice: Notice) -> bool:
        """Show it outside the window when that is not active; returns whether it was shown."""
        if self._window.isActiveWindow() or not QSystemTrayIcon.isSystemTrayAvailable():
            return False
        if self._tray is None:
            self._tray = QSystemTrayIcon(self._icon, self._window)
            self._tray.messageClicked.connect(self._window.activateWindow)
            self._tray.activated.connect(lambda _reason: self._window.activateWindow())
            self._tray.show()
        self._tray.showMessage(told(notice.title), told(notice.text), self._icon, _SHOWN_MS)
        return True

    def close(self) -> None:
        """Leave the tray."""
        if self._tray is not None:
            self._tray.hide()
