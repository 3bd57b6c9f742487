"""What a search found, in place of the conversations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QListView

from partner_desktop.desktop.parts.rows import ROW_ROLE, RowsModel
from partner_desktop.desktop.sidebar.result_delegate import ResultDelegate
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import say, tr

if TYPE_CHECKING:
    from partner_desktop.domain.message import ConversationHit


class ResultModel(RowsModel["ConversationHit"]):
    """One row a conversation."""

    def describe(self, row: ConversationHit, role: int) -> Any:  # noqa: ANN401 - whatever the role asks for
        title = row.title.text or tr("New chat")
        if role == Qt.ItemDataRole.DisplayRole:
            return title
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return f"{title}: {row.excerpt.text}" if row.excerpt is not None else title
        return None


class ResultList(QListView):
    """`hit_chosen(hit)` on Enter or a click."""

    hit_chosen = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.rows = ResultModel()
        say(self, self.setAccessibleName, lambda: self.tr("Search results"))
        self.setModel(self.rows)
        self.setItemDelegate(ResultDelegate(theme, self))
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clicked.connect(self._choose)
        self.activated.connect(self._choose)
        self.rows.dataChanged.connect(lambda *_: self.scheduleDelayedItemsLayout())
        theme.changed.connect(self.doItemsLayout)

    def show_hits(self, hits: Sequence[ConversationHit]) -> None:
        """Show these, best first."""
        self.rows.set_rows(list(hits))
        self.setCurrentIndex(QModelIndex())
        self.scrollToTop()

    def take_keys(self) -> None:
        """The keyboard comes down from the field."""
        if self.rows.rows:
            self.setCurrentIndex(self.rows.index(0))
            self.setFocus(Qt.FocusReason.TabFocusReason)

    def choose_first(self) -> None:
        """Enter in the field: the best one."""
        if self.rows.rows:
            self._choose(self.rows.index(0))

    def _choose(self, index: QModelIndex) -> None:
        hit: ConversationHit | None = index.data(ROW_ROLE)
        if hit is not None:
            self.setCurrentIndex(index)
            self.hit_chosen.emit(hit)
