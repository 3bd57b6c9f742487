"""Recent: what is kept of the last so many, so that nothing that a process keeps grows for ever."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(dict[K, V]):
    """A dictionary of at most `most` entries; whatever is put in again is the newest.

    `gone(key, value)` is told of each that made room.
    """

    def __init__(self, most: int, gone: Callable[[K, V], None] | None = None) -> None:
        super().__init__()
        self._most, self._gone = most, gone

    def __setitem__(self, key: K, value: V) -> None:
        self.pop(key, None)
        super().__setitem__(key, value)
        if len(self) > self._most:
            oldest = next(iter(self))
            left = self.pop(oldest)
            if self._gone is not None:
                self._gone(oldest, left)
