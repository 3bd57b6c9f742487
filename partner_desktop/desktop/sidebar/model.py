"""The conversations as rows: newest first, under the heads of their days."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt

from partner_desktop.desktop.parts.rows import RowsModel
from partner_desktop.desktop.wording import tr

if TYPE_CHECKING:
    from partner_desktop.domain.message import Conversation

_WEEK_DAYS = 7


@dataclass(frozen=True)
class ListRow:
    """A conversation, or the head over some; a head has no id."""

    conversation_id: str
    text: str


class ConversationModel(RowsModel[ListRow]):
    """Heads can be neither chosen nor reached."""

    def show_conversations(self, conversations: Iterable[Conversation], now: datetime) -> None:
        """Show these; `now` says which day it is, in the person's zone."""
        rows: list[ListRow] = []
        head = ""
        for conversation in sorted(conversations, key=lambda each: each.updated_at, reverse=True):
            day = day_words(conversation.updated_at, now)
            if day != head:
                head = day
                rows.append(ListRow("", day))
            rows.append(ListRow(conversation.id, conversation.title or tr("New chat")))
        self.set_rows(rows)

    def index_of(self, conversation_id: str) -> QModelIndex:
        """Where a conversation stands; invalid when it is not there."""
        for number, row in enumerate(self.rows):
            if row.conversation_id == conversation_id and conversation_id:
                return self.index(number)
        return QModelIndex()

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        if index.isValid() and self.rows[index.row()].conversation_id:
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return Qt.ItemFlag.NoItemFlags

    def describe(self, row: ListRow, role: int) -> Any:  # noqa: ANN401 - whatever the role asks for
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.text
        return row.text if role == Qt.ItemDataRole.ToolTipRole and row.conversation_id else None


def day_words(moment: datetime, now: datetime) -> str:
    """Today, Yesterday, Last week, Earlier: by the person's calendar, not by hours."""
    return _day_words(moment.astimezone(now.tzinfo).date(), now.date())


def _day_words(day: date, today: date) -> str:
    age = (today - day).days
    if age <= 0:
        return tr("Today")
    if age == 1:
        return tr("Yesterday")
    return tr("Last week") if age <= _WEEK_DAYS else tr("Earlier")
