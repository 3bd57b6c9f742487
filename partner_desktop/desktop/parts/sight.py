"""What somebody can have read: the parts of a card, or of a text in it, that were in view."""

from __future__ import annotations

from PySide6.QtCore import QSize


class Sight:
    """Which parts of something high have been in view, from above to below: pixels of it, or lines."""

    def __init__(self) -> None:
        self._size = QSize()
        self._parts: list[tuple[int, int]] = []

    def forget(self) -> None:
        """It asks for something else now."""
        self._parts = []

    def note(self, size: QSize, top: int, end: int) -> None:
        """So much of it is in view. In another width all of it lies elsewhere; what grew, grew in view."""
        if size.width() != self._size.width():
            self._parts = []
        self._size = size
        joined = [(top, end)]
        for first, last in self._parts:
            if last < joined[0][0] or first > joined[0][1]:
                joined.append((first, last))
            else:
                joined[0] = (min(first, joined[0][0]), max(last, joined[0][1]))
        self._parts = joined

    @property
    def left(self) -> int:
        """How much of it was not in view so far."""
        height = self._size.height()
        return height - sum(max(0, min(end, height) - max(0, top)) for top, end in self._parts)

    @property
    def whole(self) -> bool:
        """Whether all of it was in view."""
        return any(top <= 0 and end >= self._size.height() for top, end in self._parts)
