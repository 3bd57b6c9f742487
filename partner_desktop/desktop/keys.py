"""Keys of the window as data: what is installed is what the page of keys shows."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QKeySequence

from partner_desktop.base.late_dataclass import dataclass

#: What opens the palette.
PALETTE_KEYS = ("Ctrl+K",)


@dataclass(frozen=True)
class Shortcut:
    """One thing that keys do. Without an `act` the composer or the list itself listens to them."""

    keys: tuple[str, ...]
    """As Qt writes them; on a Mac it reads Ctrl as Command."""
    words: Callable[[], str]
    act: Callable[[], object] | None = None

    @property
    def sequences(self) -> tuple[QKeySequence, ...]:
        return tuple(QKeySequence(key) for key in self.keys)


@dataclass(frozen=True)
class Group:
    """Keys that belong together on the page."""

    words: Callable[[], str]
    shortcuts: tuple[Shortcut, ...]
