"""One list of the page: a head with how many there are, and the rows.

The first ones show, and more of them whenever that is asked for, so that what stands below a long list is not
out of reach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.parts.boxes import aligned, hbox, vbox
from partner_desktop.desktop.parts.controls import text_label
from partner_desktop.desktop.rows.placed_view import RowSheet
from partner_desktop.desktop.rows.row_list import RowList
from partner_desktop.desktop.rows.row_painter import RowLook
from partner_desktop.desktop.rows.row_spec import RowSpec, RowVerb, T
from partner_desktop.desktop.theme.theme import Space, Theme
from partner_desktop.desktop.wording import LazyText, in_every_language, resolve_text, tr

#: So many rows stand there unasked, and so many come with each press.
FIRST = 20
STEP = 50
_MORE = "more"


class RowsSection(QWidget, Generic[T]):
    """`chosen(row)` by Enter or a click, `asked(verb, row)`; `more_wanted()`: more rows are asked for.
    `empty` says what would stand here."""

    chosen = Signal(object)
    asked = Signal(str, object)
    more_wanted = Signal()

    def __init__(
        self,
        theme: Theme,
        title: LazyText,
        empty: LazyText,
        *,
        verbs: Callable[[RowSpec[T]], Iterable[RowVerb]],
        sheet: Callable[[RowSpec[T]], RowSheet[T]],
        buttons: Sequence[QWidget] = (),
    ) -> None:
        super().__init__()
        self._title = title
        self._count = 0
        self._most = FIRST
        self.head = text_label("", "head")
        self.empty = text_label(empty, "muted", wrap=True)
        self.list: RowList[T] = RowList(
            theme, title, look=RowLook(dots="always"), verbs=verbs, sheet=sheet, grows=True
        )
        self.list.chosen.connect(self._choose)
        self.list.asked.connect(self.asked)
        bottom = Qt.AlignmentFlag.AlignBottom
        line = hbox(aligned(self.head, bottom, 1), *(aligned(each, bottom) for each in buttons), gap=Space.S)
        self.above = vbox(gap=Space.S)
        vbox(line, self.above, self.empty, self.list, into=self, gap=Space.S)
        in_every_language(self, self._say, now=True)

    def show_rows(self, rows: Sequence[RowSpec[T]], *, count: int, looking: bool) -> None:
        """Those that are looked for; `count`: how many there are, `looking`: a search has narrowed them."""
        self._count = count
        self._say()
        self.empty.setVisible(not count)
        self.setVisible(bool(rows) or not looking)
        before, at = self.list.marked, self.list.currentIndex().row()
        shown, rest = [*rows[: self._most]], len(rows) - self._most
        if rest > 0:
            words = tr("Show more ({count} left)").format(count=f"{rest:,}")
            shown.append(RowSpec(_MORE, words, rows[0].about, kind=_MORE, quiet=True, menu=False))
        self.list.show_rows(shown)
        self.list.setVisible(bool(shown))
        if shown and before and not self.list.marked:  # what has come to stand in its place
            self.list.mark(shown[min(at, len(shown) - 1)].key)

    def _choose(self, row: RowSpec[T]) -> None:
        if row.kind == _MORE:
            self._most += STEP
            self.more_wanted.emit()
        else:
            self.chosen.emit(row)

    def _say(self) -> None:
        count = f" · {self._count:,}" if self._count else ""
        self.head.setText(resolve_text(self._title).upper() + count)
