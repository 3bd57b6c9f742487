"""How wide the columns of a table are: as wide as their words while there is room, else by fair shares.

Qt can find that out by itself, but lays every cell out twice for it, with every change; and a column could
become narrower again while a table is written. Here a width is measured once for each cell, and as long as
the room stays the same a column only ever grows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil

from PySide6.QtGui import QFont, QFontMetricsF, QTextCharFormat

from partner_desktop.desktop.chat.typeset import run_format, shown_text
from partner_desktop.desktop.markup.parts import Runs
from partner_desktop.desktop.theme.theme import Theme

#: No column is made narrower than this; before that, the whole begins to scroll.
NARROWEST_PX = 84
#: Wider than this no column wants to be.
_WIDEST_PX = 4_000


class TableColumns:
    """Measures cells and shares out the room. `padding` stands left and right of the words of a cell."""

    def __init__(self, count: int, *, padding: float, default_font: QFont) -> None:
        self._padding = padding
        self._font = default_font
        self._metrics: dict[str, QFontMetricsF] = {}
        self._wanted = [ceil(padding)] * count
        self._given: dict[int, list[int]] = {}

    @property
    def wanted(self) -> int:
        """The width at which nothing has to wrap."""
        return sum(self._wanted)

    def measure(self, row: Sequence[Runs], base: QTextCharFormat, theme: Theme) -> None:
        """A row is there, or reads differently."""
        for column, runs in enumerate(row):
            width = min(_WIDEST_PX, ceil(self._width(runs, base, theme) + self._padding) + 1)
            self._wanted[column] = max(self._wanted[column], width)

    def forget(self) -> None:
        """Fonts are others: everything will be measured again."""
        self._metrics.clear()
        self._given.clear()
        self._wanted = [ceil(self._padding)] * len(self._wanted)

    def inner_width(self, room: int) -> int:
        """How wide the table is in `room`; wider than the room, it scrolls."""
        return sum(self.widths(room))

    def widths(self, room: int) -> list[int]:
        """The width of each column."""
        count = len(self._wanted)
        wanted = shares(self._wanted, max(room, min(count * NARROWEST_PX, self.wanted)))
        before = self._given.get(room, [0] * count)
        self._given[room] = given = [max(pair) for pair in zip(before, wanted, strict=True)]
        return given

    def _width(self, runs: Runs, base: QTextCharFormat, theme: Theme) -> float:
        widest = line = 0.0
        for run in runs:
            metrics = self._metrics_of(run_format(run, base, theme))
            for number, piece in enumerate(shown_text(run).split("\u2028")):
                line = metrics.horizontalAdvance(piece) + (line if number == 0 else 0.0)
                widest = max(widest, line)
        return widest

    def _metrics_of(self, char_format: QTextCharFormat) -> QFontMetricsF:
        font = char_format.font().resolve(self._font)
        key = font.key()
        if key not in self._metrics:
            self._metrics[key] = QFontMetricsF(font)
        return self._metrics[key]


def shares(wanted: Iterable[int], room: int) -> list[int]:
    """What each gets of `room`: the modest what they want, the others the same share of what is left."""
    asked = list(wanted)
    given = [0] * len(asked)
    left, open_ = room, sorted(range(len(asked)), key=lambda column: asked[column])
    while open_:
        share = left // len(open_)
        column = open_.pop(0)
        given[column] = min(asked[column], share)
        left -= given[column]
    return given
