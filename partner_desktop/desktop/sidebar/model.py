"""The conversations as rows: newest first, under the heads of their days."""

from __future__ import annotations

from collections.abc import Container, Iterable
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QLocale, QModelIndex, QPersistentModelIndex, Qt

from partner_desktop.desktop.parts.rows import RowsModel
from partner_desktop.desktop.wording import tr

if TYPE_CHECKING:
    from partner_desktop.domain.message import Conversation

_WEEK_DAYS = 7


class ListRow(NamedTuple):
    """A conversation, or the head over some; a head has no id."""

    conversation_id: str
    text: str
    busy: bool = False
    """Something goes on in it."""


class ConversationModel(RowsModel[ListRow]):
    """Heads can be neither chosen nor reached."""

    def show_conversations(
        self, conversations: Iterable[Conversation], now: datetime, busy: Container[str] = ()
    ) -> None:
        """Show these; `now` says which day it is, in the person's zone; in `busy` work goes on."""
        rows: list[ListRow] = []
        untitled = tr("New chat")
        head, day_began = "", datetime.max.replace(tzinfo=UTC)
        for conversation in sorted(conversations, key=lambda each: each.updated_at, reverse=True):
            if conversation.updated_at < day_began:  # of thousands, most are of the same day as the last
                day = conversation.updated_at.astimezone(now.tzinfo).date()
                day_began = datetime.combine(day, time.min, tzinfo=now.tzinfo)
                words = day_words(day, now.date())
                if words != head:
                    head = words
                    rows.append(ListRow("", head))
            title = conversation.title or untitled
            rows.append(ListRow(conversation.id, title, conversation.id in busy))
        self.set_rows(rows)

    def index_of(self, conversation_id: str) -> QModelIndex:
        """Where a conversation stands; invalid when it is not there."""
        for number, row in enumerate(self.rows):
            if row.conversation_id == conversation_id and conversation_id:
                return self.index(number)
        return QModelIndex()

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        if index.isValid() and self.rows[index.row()].conversation_id:
            flags = Qt.ItemFlag
            return flags.ItemIsEnabled | flags.ItemIsSelectable | flags.ItemIsEditable
        return Qt.ItemFlag.NoItemFlags

    def describe(self, row: ListRow, role: int) -> Any:  # noqa: ANN401 - whatever the role asks for
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return row.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return tr("{title}, at work").format(title=row.text) if row.busy else row.text
        return row.text if role == Qt.ItemDataRole.ToolTipRole and row.conversation_id else None


def day_words(day: date, today: date) -> str:
    """Today, Yesterday, Previous 7 days, then months: by the person's calendar, not by hours."""
    age = (today - day).days
    if age <= 0:
        return tr("Today")
    if age == 1:
        return tr("Yesterday")
    if age <= _WEEK_DAYS:
        return tr("Previous 7 days")
    month = QLocale().standaloneMonthName(day.month)
    return month if day.year == today.year else tr("{month} {year}").format(month=month, year=day.year)
