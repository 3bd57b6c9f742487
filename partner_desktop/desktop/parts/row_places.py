"""Where rows of unlike heights stand, one below the other; ten thousand of them are found by halving."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate


class RowPlaces:
    """Pixels from the top of the first row, whatever is scrolled."""

    def __init__(self) -> None:
        self._ends: list[int] = []

    def __len__(self) -> int:
        return len(self._ends)

    @property
    def height(self) -> int:
        """Of all rows together."""
        return self._ends[-1] if self._ends else 0

    def measure(self, heights: Iterable[int]) -> None:
        """Other rows, or other heights."""
        self._ends = list(accumulate(heights))

    def span(self, at: int) -> tuple[int, int]:
        """Top and height of a row."""
        top = self._ends[at - 1] if at else 0
        return top, self._ends[at] - top

    def at(self, y: int) -> int:
        """The row at a height; -1: none."""
        at = bisect_right(self._ends, y)
        return at if at < len(self._ends) else -1
