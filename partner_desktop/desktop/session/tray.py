"""The sign in the tray: messages while the window is not in front, the way back to a hidden one, and
what is asked once when the window closes into it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMenu, QSystemTrayIcon, QWidget

from partner_desktop.desktop.notices import Notice
from partner_desktop.desktop.parts.boxes import hbox, stretch, vbox
from partner_desktop.desktop.parts.controls import push_button, text_label
from partner_desktop.desktop.parts.veil import WindowSheet
from partner_desktop.desktop.theme.theme import Space, zoomed
from partner_desktop.desktop.wording import in_every_language, resolve_text, set_tip, tr

_SHOWN_MS = 8000
#: A panel that crashed takes the tray with it, and tells nobody.
_LOOK_MS = 5000


class Tray(QObject):
    """Comes into being with the first notice that needs it, or to stay.

    `opened()`, `quit_chosen()`; `quick_wanted()`: the small window; `pause_chosen(on)`: nothing that is
    planned is to be done, or all of it again; `lost()`: the tray is gone with whatever hides in it.
    """

    opened = Signal()
    quit_chosen = Signal()
    quick_wanted = Signal()
    pause_chosen = Signal(bool)
    lost = Signal()

    def __init__(self, window: QWidget, icon: QIcon) -> None:
        super().__init__(window)
        self._window = window
        self._icon = icon
        self._tray: QSystemTrayIcon | None = None
        self._menu = QMenu(window)
        self._paused = False
        self._quick = self._menu.addAction("")
        self._open = self._menu.addAction("")
        self._pause = self._menu.addAction("")
        self._quit = self._menu.addAction("")
        self._watch = QTimer(self, interval=_LOOK_MS)
        self._watch.timeout.connect(self.look)
        self._quick.triggered.connect(self.quick_wanted)
        self._pause.triggered.connect(lambda: self.pause_chosen.emit(not self._paused))
        self._open.triggered.connect(self.opened)
        self._quit.triggered.connect(self.quit_chosen)
        in_every_language(self, self._say, now=True)

    @staticmethod
    def is_there() -> bool:
        """Whether the system has a tray at present."""
        return QSystemTrayIcon.isSystemTrayAvailable()

    @property
    def menu(self) -> QMenu:
        return self._menu

    def show(self, notice: Notice) -> bool:
        """Show it outside the window when that is not active; returns whether it was shown."""
        if self._window.isActiveWindow() or not self.is_there():
            return False
        self._sign().showMessage(resolve_text(notice.title), resolve_text(notice.text), self._icon, _SHOWN_MS)
        return True

    def stay(self) -> None:
        """Have the sign there from now on, where there is a tray."""
        if self.is_there():
            self._sign()
            self._watch.start()

    def show_paused(self, *, paused: bool) -> None:
        """Whether nothing that is planned is done at present."""
        self._paused = paused
        self._say()

    def look(self) -> None:
        """Whether the tray is there still: a window that is hidden in it must not be lost."""
        if not self.is_there():
            self._watch.stop()
            self.lost.emit()

    def close(self) -> None:
        self._watch.stop()
        if self._tray is not None:
            self._tray.hide()

    def _sign(self) -> QSystemTrayIcon:
        if self._tray is None:
            self._tray = QSystemTrayIcon(self._icon, self._window)
            self._tray.setContextMenu(self._menu)
            self._tray.messageClicked.connect(self.opened)
            self._tray.activated.connect(self._activated)
            self._say()
        self._tray.show()
        return self._tray

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason is not QSystemTrayIcon.ActivationReason.Context:
            self.opened.emit()

    def _say(self) -> None:
        self._quick.setText(tr("Ask…"))
        self._open.setText(tr("Open Partner"))
        self._pause.setText(
            tr("Go on with everything planned") if self._paused else tr("Pause everything planned")
        )
        self._quit.setText(tr("Quit"))
        if self._tray is not None:
            set_tip(self._tray, tr("Partner"))


_WIDTH = 420


class CloseSheet(WindowSheet):
    """`chosen(keeps_running)`. A click beside it, or Esc, and the window stays as it is."""

    chosen = Signal(bool)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, lambda: self.tr("Keep Partner running?"))
        self.keep_button = push_button(
            lambda: self.tr("Keep running in the tray"), "primary", pressed=lambda: self._choose(keeps=True)
        )
        self.quit_button = push_button(lambda: self.tr("Quit"), pressed=lambda: self._choose(keeps=False))
        vbox(
            text_label(lambda: self.tr("Keep Partner running?"), "strong"),
            text_label(
                lambda: self.tr(
                    "While it runs, what is planned is done in time, and reminders come. You are asked this "
                    "once; the settings hold the choice."
                ),
                wrap=True,
            ),
            Space.S,
            hbox(stretch(), self.quit_button, self.keep_button, gap=Space.S),
            into=self,
            gap=Space.S,
            margins=Space.L,
        )

    def open(self) -> None:
        """Show it over the window."""
        self.setFixedWidth(min(zoomed(_WIDTH), self.below.width() - 2 * Space.L))
        self.lay_over(part=4)
        self.keep_button.setFocus(Qt.FocusReason.PopupFocusReason)

    def _choose(self, *, keeps: bool) -> None:
        self.close()
        self.chosen.emit(keeps)
