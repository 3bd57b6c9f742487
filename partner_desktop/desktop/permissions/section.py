"""One list of the page: a head, its rows in a card, and how many more there are.

The rows are made a slice at a time. The first ones show, and more of them whenever that is asked for, so that
what stands below a long list is not out of reach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Generic, Protocol, TypeVar, cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from partner_desktop.desktop.parts.boxes import aligned, at_left, drop_widget, hbox, holds_keyboard, vbox
from partner_desktop.desktop.parts.controls import push_button, text_label
from partner_desktop.desktop.theme.theme import Space
from partner_desktop.desktop.wording import LazyText, in_every_language, resolve_text

#: So many rows stand there unasked, and so many come with each press.
FIRST = 20
STEP = 50


class Row(Protocol):
    """What a list is made of: a widget with a line above it and something to press."""

    rule: QFrame

    @property
    def first_stop(self) -> QWidget: ...


T = TypeVar("T")


class RowsSection(QWidget, Generic[T]):
    """`more_wanted()`: more rows are asked for. `empty` says what would stand here."""

    more_wanted = Signal()

    def __init__(
        self,
        title: LazyText,
        empty: LazyText,
        make: Callable[[T], QWidget],
        *,
        buttons: Sequence[QWidget] = (),
    ) -> None:
        super().__init__()
        self._title = title
        self._make = make
        self._items: dict[str, T] = {}
        self._chosen: list[str] = []
        self._most = FIRST
        self._looking = False
        self._held: int | None = None
        self.rows: dict[str, QWidget] = {}
        self.head = text_label("", "head")
        self.empty = text_label(empty, "muted", wrap=True)
        self.empty.setContentsMargins(Space.L, Space.M, Space.L, Space.M)
        self.card = QFrame()
        self.card.setObjectName("card")
        self._column = vbox(self.empty, into=self.card, margins=(0, Space.XS, 0, Space.XS))
        self.more_button = push_button("", "quiet", pressed=self._show_more)
        line = hbox(
            aligned(self.head, Qt.AlignmentFlag.AlignBottom, 1),
            *(aligned(button, Qt.AlignmentFlag.AlignBottom) for button in buttons),
            gap=Space.S,
        )
        self.above = vbox(gap=Space.S)
        vbox(line, self.above, self.card, at_left(self.more_button), into=self, gap=Space.S)
        in_every_language(self, self.say, now=True)

    @property
    def order(self) -> list[QWidget]:
        """The rows in view, in order."""
        return [self.rows[key] for key in self._shown if key in self.rows]

    def show_items(self, items: Mapping[str, T], chosen: Sequence[str], *, looking: bool) -> None:
        """All there are by key, and those to show; `looking`: a search has narrowed them."""
        self._items, self._chosen, self._looking = dict(items), list(chosen), looking
        self.say()

    def item(self, key: str) -> T | None:
        """What a key stands for now."""
        return self._items.get(key)

    def settle(self) -> Iterator[None]:
        """Bring the rows in line; each step is a place to pause."""
        self._forget_gone()
        shown = set(self._shown)
        for key, row in self.rows.items():
            if key not in shown and not row.isHidden():
                row.hide()
        for place, key in enumerate(self._shown):
            if key not in self.rows:
                self.rows[key] = self._make(self._items[key])
                yield
            row = self.rows[key]
            if self._column.indexOf(row) != place:
                self._column.insertWidget(place, row)
            cast("Row", row).rule.setVisible(place > 0)
            row.show()
        self._give_keyboard_back()

    def say(self) -> None:
        """How many there are, or that there are none."""
        count = f" · {len(self._items):,}" if self._items else ""
        self.head.setText(resolve_text(self._title).upper() + count)
        self.empty.setVisible(not self._items)
        self.setVisible(bool(self._chosen) or not self._looking)
        rest = len(self._chosen) - len(self._shown)
        words = self.tr("Show more ({count} left)").format(count=f"{rest:,}")
        self.more_button.setText(words)
        self.more_button.setAccessibleName(f"{resolve_text(self._title)}: {words}")
        self.more_button.setVisible(rest > 0)

    @property
    def _shown(self) -> list[str]:
        return self._chosen[: self._most]

    def _show_more(self) -> None:
        last = self.order[-1] if self.order else None
        self._most += STEP
        if last is not None and self.more_button.hasFocus() and self._most >= len(self._chosen):
            cast("Row", last).first_stop.setFocus(
                Qt.FocusReason.OtherFocusReason
            )  # the button is about to go
        self.say()
        self.more_wanted.emit()

    def _forget_gone(self) -> None:
        for key in [key for key in self.rows if key not in self._items]:
            row = self.rows.pop(key)
            if holds_keyboard(row):
                self._held = self._column.indexOf(row)
            self._column.removeWidget(row)
            drop_widget(row)

    def _give_keyboard_back(self) -> None:
        """What has come to stand in the place of the row that had it, and went, takes it over."""
        place, self._held = self._held, None
        rows = self.order
        if place is not None and rows:
            stop = cast("Row", rows[min(place, len(rows) - 1)]).first_stop
            stop.setFocus(Qt.FocusReason.OtherFocusReason)
