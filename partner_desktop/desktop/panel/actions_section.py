"""One part of the Actions panel: a head and its items, newest first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.parts.boxes import vbox
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.wording import Words, told

if TYPE_CHECKING:
    from partner_desktop.desktop.panel.action_item import ActionItem
    from partner_desktop.desktop.panel.session_item import SessionItem

Item = TypeVar("Item", "ActionItem", "SessionItem")


class Section(QWidget, Generic[Item]):
    """Hidden while it has nothing to show."""

    def __init__(self, title: Words) -> None:
        super().__init__()
        self._items: list[Item] = []
        head = text_label(lambda: told(title).upper(), "head")
        head.setContentsMargins(4, 4, 0, 0)
        self._layout = vbox(head, into=self, gap=8, margins=(0, 0, 0, 8))
        self.hide()

    @property
    def items(self) -> list[Item]:
        """Newest first."""
        return list(self._items)

    def put(self, item: Item, words: Sequence[str] = ()) -> None:
        """Place an item by its time; hidden where it is not what somebody looks for."""
        newer = sum(1 for other in self._items if other.moment > item.moment)
        self._items.insert(newer, item)
        self._layout.insertWidget(1 + newer, item)
        item.setVisible(item.holds(words))
        self._fit()

    def take(self, item: Item) -> None:
        """Take an item out, for another section or for good."""
        self._items.remove(item)
        self._layout.removeWidget(item)
        self._fit()

    def look_for(self, words: Sequence[str]) -> int:
        """Show only what holds all of the words; how many do."""
        for item in self._items:
            item.setVisible(item.holds(words))
        self._fit()
        return sum(not item.isHidden() for item in self._items)

    def _fit(self) -> None:
        self.setVisible(any(not item.isHidden() for item in self._items))
