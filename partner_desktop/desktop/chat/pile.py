"""Stretches of a reply below each other.

Of hundreds, one changes: the others are not asked how high they are, and are moved only when they move.

What stands here are no items to Qt, which would go through all of them with each line that one of them gains.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QLayout

from partner_desktop.desktop.chat.stretch import LEAST_PX, WANTED_PX, Stretch
from partner_desktop.desktop.parts.boxes import discard
from partner_desktop.desktop.parts.stack import StackLayout
from partner_desktop.desktop.theme.theme import Theme

#: Heights are known in so many widths; Qt asks with and without a scroll bar.
_MOST_WIDTHS = 4


@dataclass
class _Heights:
    """In one width. `outdated` are the numbers to ask again; from `moved` on, what was placed is no more."""

    heights: list[int] = field(default_factory=list)
    total: int = 0
    outdated: set[int] = field(default_factory=set)
    moved: int = 0

    def add(self) -> None:
        """One more, of a height still to be asked for."""
        self.outdated.add(len(self.heights))
        self.heights.append(0)

    def discard_last(self) -> None:
        self.total -= self.heights.pop()
        self.outdated.discard(len(self.heights))

    def put(self, number: int, height: int) -> None:
        """It is so high now."""
        if height != self.heights[number]:
            self.total += height - self.heights[number]
            self.heights[number] = height
            self.moved = min(self.moved, number)


class Pile(StackLayout):
    """As high as all of its stretches."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._stretches: list[Stretch] = []
        self._known: dict[tuple[int, float], _Heights] = {}
        self._placed: list[QRect] = []
        self._where = (0, 0, 0)

    def add(self, stretch: Stretch) -> None:
        """One more at the end."""
        stretch.watch(partial(self._outdate, len(self._stretches)))
        self._stretches.append(stretch)
        for known in self._known.values():
            known.add()
        self.addChildWidget(stretch)

    def discard_last(self) -> None:
        """The last one goes for good."""
        stretch = self._stretches.pop()
        stretch.watch(None)
        for known in self._known.values():
            known.discard_last()
        del self._placed[len(self._stretches) :]
        discard(stretch)
        self.invalidate()

    def isEmpty(self) -> bool:
        return not self._stretches

    def heightForWidth(self, width: int) -> int:
        return self._at(width).total

    def setGeometry(self, rect: QRect) -> None:
        QLayout.setGeometry(self, rect)
        known = self._at(rect.width())
        where = (rect.x(), rect.y(), rect.width())
        at = min(known.moved, len(self._placed)) if where == self._where else 0
        top = self._placed[at - 1].y() + self._placed[at - 1].height() if at else rect.y()
        self._where = where
        for number in range(at, len(self._stretches)):
            place = QRect(rect.x(), top, rect.width(), known.heights[number])
            self._place(number, place)
            top += place.height()
        known.moved = len(self._stretches)

    def _place(self, number: int, place: QRect) -> None:
        if number == len(self._placed):
            self._placed.append(QRect())
        if self._placed[number] != place:
            self._placed[number] = place
            self._stretches[number].setGeometry(place)

    def _at(self, width: int) -> _Heights:
        key = (width, self._theme.zoom)
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _MOST_WIDTHS:
                del self._known[next(iter(self._known))]
            count = len(self._stretches)
            known = self._known[key] = _Heights([0] * count, outdated=set(range(count)))
        while known.outdated:
            number = known.outdated.pop()
            known.put(number, self._stretches[number].height_at(width))
        return known

    def _outdate(self, number: int) -> None:
        for known in self._known.values():
            known.outdated.add(number)

    def _measured_widths(self) -> tuple[int, int]:
        # In another width than its own, everything would be laid out anew for nothing.
        wanted = self.geometry().width()
        return LEAST_PX, wanted if wanted > 1 else WANTED_PX
