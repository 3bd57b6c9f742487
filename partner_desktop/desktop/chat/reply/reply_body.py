"""The parts of a reply on the screen: what stays the same stays untouched, object and all.

They stand in stretches (see `chunk_view.py`). Of a long reply those near the eye are awake, and the last,
where it grows; the others are heights. What comes in a rush, from history or while nobody could read along,
is not even made before it is seen.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import field, replace
from functools import partial
from itertools import chain
from math import ceil

from PySide6.QtCore import QRect, QTimer, Signal
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QLayout, QWidget

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.desktop.chat.reply.chunk_view import LEAST_PX, WANTED_PX, ChunkView, Segment
from partner_desktop.desktop.chat.reply.code_block import FOLDED_LINES, FOLDED_OVER
from partner_desktop.desktop.chat.reply.table_block import ROWS_AT_ONCE
from partner_desktop.desktop.chat.reply.typeset import INDENT_PX, QUOTE_PX
from partner_desktop.desktop.markup.parts import Code, Line, OpenCode, Part, Table, plain_text
from partner_desktop.desktop.parts.boxes import StackLayout, drop_widget, stay_painted
from partner_desktop.desktop.slices import Slices
from partner_desktop.desktop.theme.theme import Theme

#: So many stretches may be awake before those out of sight fall asleep, and so many parts sleep together.
MOST_AWAKE = 16
_MOST_ASLEEP = 24
#: Stretches next to those in view that are kept awake too.
_NEAR = 2
#: How long something must be in view while more comes in a rush; and the pace of falling asleep.
_GLANCE_MS, _TIDY_MS = 250, 400
_SLEEP_AT_ONCE = 2


class ReplyBody(QWidget):
    """`link_clicked(address)`; `changed_above(by)`: what stands above the view became so much higher.

    `drawn` counts the parts that were drawn or drawn anew: what tests watch.
    """

    link_clicked = Signal(str)
    changed_above = Signal(int)

    def __init__(self, theme: Theme, slices: Slices) -> None:
        super().__init__()
        self._theme = theme
        self._slices = slices
        self._parts: list[Part] = []
        self._stretches: list[ChunkView] = []
        self.drawn = 0
        self._hurried = False
        self._grows = True
        """Whether more may come."""
        self._above_view = False
        self._seen_before: set[int] = set()
        self._layout = ChunkLayout(theme)
        self.setLayout(self._layout)
        stay_painted(self)
        self._glance = QTimer(self, singleShot=True)
        self._glance.timeout.connect(self._wake_seen)
        self._tidy = QTimer(self, interval=_TIDY_MS, singleShot=True)
        self._tidy.timeout.connect(self._put_to_sleep)

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The widgets that are there, from the top down."""
        return tuple(chain.from_iterable(stretch.segments for stretch in self._stretches))

    def settle(self) -> None:
        """All of it is there."""
        self._grows = False

    def hurry(self, *, hurried: bool) -> None:
        """While it is hurried, new parts are not drawn before they are seen."""
        if self._hurried and not hurried and self._stretches:
            self._stretches[-1].updateGeometry()
        self._hurried = hurried

    @property
    def stretches(self) -> tuple[ChunkView, ...]:
        """From the top down."""
        return tuple(self._stretches)

    def plain(self, most: int) -> str:
        """The words of the parts, up to about `most` characters."""
        words: list[str] = []
        for part in self._parts:
            if most <= 0:
                break
            words.append(plain_text(_beginning(part)))
            most -= len(words[-1])
        return "\n".join(words)

    def put(self, index: int, part: Part) -> None:
        """Show `part` at a place; nothing happens when it stands there already.

        Another part at that place grows into it where it can; else it goes, with all that follows.
        """
        if index < len(self._parts):
            if self._parts[index] == part:
                return
            if self._grow(index, part):
                return
            self.cut(index)
        self._add(part)

    def cut(self, count: int) -> None:
        """Keep the first parts only."""
        del self._parts[count:]
        while self._stretches and self._stretches[-1].first >= count:
            stretch = self._stretches.pop()
            stretch.keep(0)
            self._slices.stop(stretch)
            self._layout.discard_last()
        if self._stretches:
            self._stretches[-1].keep(count)

    def revise(self, index: int, part: Part) -> None:
        """A line reads differently now."""
        if index < len(self._parts) and self._parts[index] != part:
            self._grow(index, part)

    def _grow(self, index: int, part: Part) -> bool:
        """Lines are set again in their place; code and tables take what is new."""
        stretch = self._stretches[bisect_right(self._stretches, index, key=lambda one: one.first) - 1]
        if not stretch.grow(index, part):
            return False
        self._parts[index] = part
        self.drawn += 1
        return True

    def _add(self, part: Part) -> None:
        last = self._stretches[-1] if self._stretches else None
        if self._hurried:
            if last is None or not last.asleep or last.count >= _MOST_ASLEEP or last.segments:
                last = self._begin()
            last.add_asleep(guess_height(part, self.width(), self._theme), self.width())
        else:
            if last is None or last.asleep or last.full:
                last = self._begin()
            last.add(part)
            self.drawn += 1
        self._parts.append(part)

    def _begin(self) -> ChunkView:
        if self._hurried and self._stretches:
            self._stretches[-1].updateGeometry()
        after_text = bool(self._parts) and isinstance(self._parts[-1], Line)
        stretch = ChunkView(len(self._parts), self._theme, self._slices, after_text=after_text)
        stretch.link_clicked.connect(self.link_clicked)
        stretch.came_to_view.connect(self._look)
        stretch.changed_height.connect(lambda by: self._tell_change(stretch, by))
        self._stretches.append(stretch)
        self._layout.add(stretch)
        if len(self._stretches) > MOST_AWAKE:
            self._tidy.start()
        return stretch

    def _look(self) -> None:
        """Something asleep came to view. Not at once: it is being painted just now."""
        if not self._glance.isActive():
            self._glance.start(_GLANCE_MS if self._hurried else 0)

    def _wake_seen(self) -> None:
        """Wake what is in view, and then its neighbours; in a rush, only what stays in view."""
        seen = self._in_view()
        for number, stretch in enumerate(self._stretches):
            if number not in seen:
                stretch.overlook()
        near = {number + step for number in seen for step in (-1, 1)} - seen
        if self._hurried:
            self._seen_before, seen, near = seen, seen & self._seen_before, set()
            self._glance.start(_GLANCE_MS)
        # What begins last is made first.
        for number in (*sorted(near), *sorted(seen)):
            if 0 <= number < len(self._stretches):
                self._stretches[number].wake(self._parts)
        self._tidy.start()

    def tend(self, view: QRect) -> bool:
        """Wake what is next to the view, and let what is far from it sleep, a little of it; whether more is.

        `view`: what the window shows, in this one's coordinates, wherever this stands.
        """
        self._above_view = view.top() >= self.height()
        if self._hurried:
            return False
        high = view.height()
        near, far = view.adjusted(0, -high, 0, high), view.adjusted(0, -2 * high, 0, 2 * high)
        left = _SLEEP_AT_ONCE
        for stretch, place in zip(self._stretches, self._layout.places, strict=False):
            if place.intersects(near):
                stretch.wake(self._parts)
            elif left and not (stretch.asleep or place.intersects(far) or self._grows or stretch.in_use):
                stretch.sleep()
                left -= 1
        return not left

    def _put_to_sleep(self) -> None:
        """What is far from the eye sleeps, a little at a time."""
        awake = [number for number, stretch in enumerate(self._stretches) if not stretch.asleep]
        seen = self._in_view()
        if len(awake) <= MOST_AWAKE or not seen:
            return
        middle = sorted(seen)[len(seen) // 2]
        far = sorted(awake, key=lambda number: -abs(number - middle))
        end = len(self._stretches) - _NEAR
        tired = [
            number
            for number in far[: len(awake) - MOST_AWAKE + _SLEEP_AT_ONCE]
            if number < end
            and all(abs(number - one) > _NEAR for one in seen)
            and not self._stretches[number].in_use
        ]
        for number in tired[:_SLEEP_AT_ONCE]:
            self._stretches[number].sleep()
        if tired:
            self._tidy.start()

    def _in_view(self) -> set[int]:
        """The numbers of the stretches that are in view."""
        if not self.isVisible():
            return set()
        view = self.visibleRegion().boundingRect()
        if view.isEmpty():
            return set()
        return {
            number for number, stretch in enumerate(self._stretches) if stretch.geometry().intersects(view)
        }

    def _tell_change(self, stretch: ChunkView, by: int) -> None:
        """What is in view stays where it is, whatever stands above it."""
        view = self.visibleRegion().boundingRect()
        if self._above_view if view.isEmpty() else stretch.y() < view.top():
            self.changed_above.emit(by)


def _beginning(part: Part) -> Part:
    """Of a table, its first rows."""
    return replace(part, rows=part.rows[:ROWS_AT_ONCE]) if isinstance(part, Table) else part


_LINE_HEIGHT = 1.28
_MARGINS_PX = 10
#: Head, margins and frame of a block of code.
_AROUND_CODE_PX = 64
_AROUND_CELL_PX = 13


def guess_height(part: Part, width: int, theme: Theme) -> float:
    """Pixels, in a column of `width`."""
    metrics = QFontMetricsF(theme.font(theme.sizes.body))
    if isinstance(part, (Code, OpenCode)):
        lines = part.lines if part.lines <= FOLDED_OVER else FOLDED_LINES
        return lines * QFontMetricsF(theme.mono_font()).lineSpacing() + _AROUND_CODE_PX
    if not isinstance(part, Line):
        rows = 1 + min(ROWS_AT_ONCE, len(part.rows))
        return rows * (metrics.lineSpacing() + _AROUND_CELL_PX) + _MARGINS_PX
    room = max(100, width - part.depth * INDENT_PX - part.quote * QUOTE_PX)
    # Ideographs are twice as wide as letters.
    letters = sum(len(run.text) + (0 if run.text.isascii() else _wide(run.text)) for run in part.runs)
    rows = max(1, ceil(letters * metrics.averageCharWidth() / room))
    return rows * metrics.lineSpacing() * _LINE_HEIGHT + _MARGINS_PX


def _wide(text: str) -> int:
    return sum(character > "\u2e7f" for character in text)


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
        if height != self.heights[number]:
            self.total += height - self.heights[number]
            self.heights[number] = height
            self.moved = min(self.moved, number)


class ChunkLayout(StackLayout):
    """As high as all of its stretches. Of hundreds, one changes: the others are not asked how high they are.

    What stands here are no items to Qt, which would go through all of them with each line that one of them
    gains.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._stretches: list[ChunkView] = []
        self._known: dict[tuple[int, float], _Heights] = {}
        self._placed: list[QRect] = []
        self._where = (0, 0, 0)

    def add(self, stretch: ChunkView) -> None:
        stretch.watch(partial(self._outdate, len(self._stretches)))
        self._stretches.append(stretch)
        for known in self._known.values():
            known.add()
        self.addChildWidget(stretch)

    @property
    def places(self) -> Sequence[QRect]:
        """Of those that have one, from the top down."""
        return self._placed

    def discard_last(self) -> None:
        """The last one goes for good."""
        stretch = self._stretches.pop()
        stretch.watch(None)
        for known in self._known.values():
            known.discard_last()
        del self._placed[len(self._stretches) :]
        drop_widget(stretch)
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
