"""The keys of the window, in one list."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence, QShortcut

if TYPE_CHECKING:
    from partner_desktop.desktop.window import MainWindow


def install(window: MainWindow) -> None:
    """Make the keys work in `window`."""
    standard = QKeySequence.StandardKey
    keys: tuple[tuple[QKeySequence.StandardKey | str, Callable[[], None]], ...] = (
        (standard.New, window.sidebar.new_pressed.emit),
        (standard.Quit, lambda: _close(window)),
        (standard.Undo, window.page.toasts.undo_newest),
        ("Ctrl+F", window.focus_search),
        ("Ctrl+K", window.focus_search),
        ("Ctrl+L", window.page.composer.edit.setFocus),
        ("Esc", window.escape),
        ("Ctrl+1", lambda: window.show_tab(0)),
        ("Ctrl+2", lambda: window.show_tab(1)),
        ("Ctrl+B", window.columns.toggle_sidebar),
        ("F9", window.columns.toggle_panel),
        ("Ctrl+=", lambda: window.theme.zoom_by(1)),
        ("Ctrl++", lambda: window.theme.zoom_by(1)),
        ("Ctrl+-", lambda: window.theme.zoom_by(-1)),
        ("Ctrl+0", lambda: window.theme.zoom_by(0)),
    )
    for key, act in keys:
        QShortcut(QKeySequence(key), window, act)


def _close(window: MainWindow) -> None:
    window.close()
