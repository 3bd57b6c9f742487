"""A list that is chosen from while the keyboard is elsewhere: keys are given to it by whoever has them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from partner_desktop.desktop.rows.row_list import RowList
from partner_desktop.desktop.rows.row_painter import RowLook
from partner_desktop.desktop.rows.row_spec import RowSpec, T
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import LazyText

#: More rows than this are higher than any window.
_MOST_MEASURED = 60
_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}
#: Rows without a ground of their own, in a list that never has the keyboard.
_LOOK = RowLook(pad_x=10, pad_y=6, gap=0, head_pad=10, cards=False, strong=False)


class ChoiceList(RowList[T]):
    """`chosen(row)` of the one that is marked, or clicked."""

    def __init__(self, theme: Theme, name: LazyText) -> None:
        super().__init__(theme, name, look=_LOOK)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    @property
    def entries(self) -> list[T]:
        """What can be chosen, in order."""
        return [row.about for row in self.rows.rows if row.about is not None]

    def show_found(self, rows: Sequence[RowSpec[T]], *, anew: bool) -> None:
        """Show these; `anew`: Enter takes the first, else what was marked before, where it is still there."""
        marked = "" if anew else self.marked
        self.show_rows(rows)
        self.setVisible(bool(rows))
        if not marked or self.rows.place(marked) is None:
            self._stand_on(next((row.key for row in rows if row.about is not None), ""))
            self.scrollToTop()

    def step(self, by: int) -> None:
        """Go that many entries on, not beyond the ends; heads are passed over."""
        keys = [row.key for row in self.rows.rows if row.about is not None]
        if keys:
            place = keys.index(self.marked) + by if self.marked in keys else 0
            self._stand_on(keys[max(0, min(place, len(keys) - 1))])
            if self.marked == keys[0]:
                self.scrollToTop()  # its head, too

    def take_key(self, event: QKeyEvent) -> bool:
        """Whether the key was for the list."""
        key = Qt.Key(event.key())
        if key in _STEPS:
            self.step(_STEPS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.act(self.currentIndex())
        else:
            return False
        return True

    def fit(self, most_px: int) -> None:
        """As high as its rows, up to `most_px`."""
        height = sum(self.painter.height(row, self.width()) for row in islice(self.rows.rows, _MOST_MEASURED))
        self.setFixedHeight(max(0, min(height, most_px)))

    def _stand_on(self, key: str) -> None:
        self.mark(key)
        self.show_chosen(key)
