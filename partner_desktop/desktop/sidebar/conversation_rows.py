"""The conversations as rows: under their days, and as a search found them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QLocale

from partner_desktop.desktop.rows.row_painter import RowLook
from partner_desktop.desktop.rows.row_spec import RowLine, RowSpec, RowVerb, head_row
from partner_desktop.desktop.wording import tr

if TYPE_CHECKING:
    from partner_desktop.domain.message import Conversation, ConversationHit

#: About the id of a conversation; of a head about nothing.
ConversationRow: TypeAlias = RowSpec[str]
CONVERSATION_LOOK = RowLook(pad_y=8, gap=3, head_pad=12, cards=False, strong=False, dots="pointed")
HIT_LOOK = RowLook(pad_y=7, gap=3, cards=False, strong=False)
_WEEK_DAYS = 7
_EXCERPT_LINES = 2


def rows_by_day(
    conversations: Iterable[Conversation], now: datetime, busy: Container[str] = ()
) -> list[ConversationRow]:
    """Newest first; `now` says which day it is, in the person's zone; in `busy` work goes on."""
    rows: list[ConversationRow] = []
    head, day_began = "", datetime.max.replace(tzinfo=UTC)
    for conversation in sorted(conversations, key=lambda each: each.updated_at, reverse=True):
        if conversation.updated_at < day_began:  # of thousands, most are of the same day as the last
            day = conversation.updated_at.astimezone(now.tzinfo).date()
            day_began = datetime.combine(day, time.min, tzinfo=now.tzinfo)
            words = day_words(day, now.date())
            if words != head:
                head = words
                rows.append(head_row(f"head/{head}", head, ""))
        rows.append(_row(conversation, busy=conversation.id in busy))
    return rows


def _row(conversation: Conversation, *, busy: bool) -> ConversationRow:
    title = conversation.title or tr("New chat")
    return RowSpec(
        conversation.id,
        title,
        conversation.id,
        dot="accent" if busy else None,
        tip=title,
        spoken=tr("{title}, at work").format(title=title) if busy else title,
    )


def conversation_verbs(row: ConversationRow) -> Iterator[RowVerb]:
    """What can be done with one."""
    if row.about:
        yield RowVerb("rename", tr("Rename"), key="F2")
        yield RowVerb("export", tr("Export…"))
        yield RowVerb("delete", tr("Delete"), key="Del")


def hit_row(hit: ConversationHit) -> RowSpec[ConversationHit]:
    """A conversation in which something was found."""
    title = hit.title.text or tr("New chat")
    excerpt = hit.excerpt
    said = f"{title}: {excerpt.text}" if excerpt is not None else title
    lines = (RowLine(excerpt.text, most=_EXCERPT_LINES, marks=tuple(excerpt.marks)),) if excerpt else ()
    marks = tuple(hit.title.marks) if hit.title.text else ()
    return RowSpec(hit.conversation.id, title, hit, lines=lines, marks=marks, tip=said, spoken=said)


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
