"""Where the chat scrolls to when it grows: it follows at the bottom only, and never jumps elsewhere."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QScrollBar

#: This close to the end counts as the end.
NEAR_END_PX = 24
#: This close to the start asks for older messages.
NEAR_START_PX = 240
#: A change of height comes in a few steps, at once; and it may not come at all.
_SETTLED_MS = 50
_AT_MOST_MS = 500


class FollowScroll(QObject):
    """Owns the value of one scroll bar. `following_changed(bool)`; `start_reached()` near the top;
    `end_reached()` near the bottom, while that is not the end."""

    following_changed = Signal(bool)
    start_reached = Signal()
    end_reached = Signal()

    def __init__(self, bar: QScrollBar) -> None:
        super().__init__(bar)
        self._bar = bar
        self._following = True
        self._goes_on = False
        self._held_from_end: int | None = None
        self._staying = False
        self._moving = False
        self._place: Callable[[], int] | None = None
        self._reveal = QTimer(self, singleShot=True, interval=0)
        self._reveal.timeout.connect(self._go_to_place)
        self._brief = QTimer(self, singleShot=True)
        self._brief.timeout.connect(self.release)
        self._again = QTimer(self, singleShot=True, interval=0)
        self._again.timeout.connect(lambda: self._ask_for_more(self._bar.value()))
        bar.valueChanged.connect(self._moved)
        bar.rangeChanged.connect(self._grew)

    @property
    def following(self) -> bool:
        """Whether the end stays in view when something is added."""
        return self._following

    def set_goes_on(self, *, goes_on: bool) -> None:
        """Whether there is more behind what is there: its bottom is not followed then."""
        self._goes_on = goes_on
        if goes_on:
            self._set_following(following=False)

    def follow(self) -> None:
        """Go to the end and stay there."""
        self.go_on()
        self._set_following(following=True)
        self._move_to(self._bar.maximum())

    def let_go(self) -> None:
        """Something else than the end is looked at."""
        self._set_following(following=False)

    def look(self) -> None:
        """The bar stands where it was put: the end is followed when it is in view."""
        self._set_following(following=self._bar.value() >= self._bar.maximum() - NEAR_END_PX)

    def hold(self) -> None:
        """Something is about to be added above: what is in view stays in view, until `release`."""
        self._brief.stop()
        self._held_from_end = self._bar.maximum() - self._bar.value()

    @property
    def held(self) -> bool:
        """Whether the distance to the end is kept."""
        return self._held_from_end is not None

    def hold_briefly(self) -> None:
        """Something above the view is about to change its height: hold until that is laid out."""
        if not self._following and self._held_from_end is None:
            self.hold()
            self._brief.start(_AT_MOST_MS)

    def release(self) -> None:
        """Additions come at the end again."""
        self._brief.stop()
        self._held_from_end = None
        self._again.start()  # whoever stands at the top still cannot move the bar to ask for more

    def stay(self) -> None:
        """The person unfolds something: what is in view stays, until there is news or the bar is moved."""
        self._staying = True

    def bring(self, place: Callable[[], int]) -> None:
        """As `stay`, and what is unfolded is brought into view as it gets its room: `place` says where."""
        self.stay()
        self._place = place
        self._reveal.start()

    def go_on(self) -> None:
        """There is news at the end: it is followed if the end is in view."""
        self._staying = False
        self._place = None
        self._reveal.stop()

    def shift(self, by: int) -> None:
        """What stands above the view became so much higher: what is in view stays in view."""
        if not self._following and self._held_from_end is None:
            self._move_to(self._bar.value() + by)

    def _grew(self, _least: int, most: int) -> None:
        if self._staying and self._held_from_end is None:
            self.look()
            if self._place is not None:
                self._reveal.start()  # what stands there has its place when this is laid out
        elif self._following:
            self._move_to(most)
        elif self._held_from_end is not None:
            self._move_to(max(0, most - self._held_from_end))
            if self._brief.isActive():
                self._brief.start(_SETTLED_MS)

    def _go_to_place(self) -> None:
        if self._place is not None:
            self._move_to(self._place())
            self.look()

    def _move_to(self, value: int) -> None:
        self._moving = True
        try:
            self._bar.setValue(value)
        finally:
            self._moving = False

    def _moved(self, value: int) -> None:
        if self._moving:
            return
        self.go_on()
        self._set_following(following=value >= self._bar.maximum() - NEAR_END_PX)
        if self._held_from_end is not None:
            self._held_from_end = self._bar.maximum() - value
        self._ask_for_more(value)

    def _ask_for_more(self, value: int) -> None:
        if value <= NEAR_START_PX and self._bar.maximum() > 0 and not self._following:
            self.start_reached.emit()
        elif self._goes_on and value >= self._bar.maximum() - NEAR_START_PX:
            self.end_reached.emit()

    def _set_following(self, *, following: bool) -> None:
        following = following and not self._goes_on
        if following != self._following:
            self._following = following
            self.following_changed.emit(following)
