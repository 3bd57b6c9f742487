"""The conversations as rows: pinned, in folders, under days, in the archive, and as a search found them."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from dataclasses import field
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtCore import QDate, QLocale, QTime

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.desktop.rows.row_painter import RowLook
from partner_desktop.desktop.rows.row_spec import RowLine, RowSpec, RowVerb, head_row
from partner_desktop.desktop.wording import tr

if TYPE_CHECKING:
    from partner_desktop.domain.message import Conversation, ConversationHit

#: About the id of a conversation, or the name of a folder; of a head about nothing.
ConversationRow: TypeAlias = RowSpec[str]
#: What stands first: what was used last, what was made last, or by the title.
ListOrder: TypeAlias = Literal["used", "made", "name"]
LIST_ORDERS: tuple[ListOrder, ...] = ("used", "made", "name")
CONVERSATION_LOOK = RowLook(pad_y=8, gap=3, head_pad=12, cards=False, strong=False, dots="pointed", indent=18)
HIT_LOOK = RowLook(pad_y=7, gap=3, cards=False, strong=False)
_WEEK_DAYS = 7
_EXCERPT_LINES = 2


@dataclass
class ListView:
    """How the person looks at the list."""

    order: ListOrder = "used"
    folded: set[str] = field(default_factory=set)
    """Names of the folders whose conversations do not show."""
    archive: bool = False
    """Whether the archive is shown in place of what is in use."""


@dataclass
class RowBook:
    """The rows that were made before: of thousands of conversations, few are otherwise each time."""

    busy: Container[str] = ()
    """Where work goes on."""
    _made: dict[str, tuple[Conversation, bool, bool, ConversationRow]] = field(default_factory=dict)

    def forget(self) -> None:
        """Their words are those of another language now."""
        self._made.clear()

    def row(self, one: Conversation, *, inner: bool = False) -> ConversationRow:
        at_work, made = one.id in self.busy, self._made.get(one.id)
        if made is not None and made[0] is one and made[1:3] == (at_work, inner):
            return made[3]
        row = _row(one, at_work=at_work, inner=inner)
        self._made[one.id] = (one, at_work, inner, row)
        return row


def list_rows(
    conversations: Iterable[Conversation], now: datetime, view: ListView, book: RowBook
) -> list[ConversationRow]:
    """All of the list. `now` says which day it is, in the person's zone."""
    known = _in_order(conversations, view.order)
    archived = [one for one in known if one.archived]
    if view.archive:
        back = RowSpec("back", tr("Back to all conversations"), "", kind="back", quiet=True, menu=False)
        words = tr("Archived")
        head = head_row("head/archive", words, "", moment=str(len(archived)))
        return [back, head, *(book.row(one) for one in archived)]
    rows: list[ConversationRow] = []
    in_use = [one for one in known if not one.archived]
    pinned = [one for one in in_use if one.pinned]
    foldered = [one for one in in_use if one.folder and not one.pinned]
    rest = [one for one in in_use if not one.folder and not one.pinned]
    if pinned:
        rows.append(head_row("head/pinned", tr("Pinned"), ""))
        rows += [book.row(one) for one in pinned]
    rows += _folder_rows(foldered, view.folded, book)
    if view.order == "name":
        if rest and rows:
            rows.append(head_row("head/rest", tr("By name"), ""))
        rows += [book.row(one) for one in rest]
    else:
        rows += _rows_by_day(rest, now, view.order, book)
    if archived:
        count = str(len(archived))
        title, spoken = tr("Archived"), tr("Archived, {count}").format(count=count)
        rows.append(
            RowSpec(
                "archive",
                title,
                "",
                kind="archive",
                moment=count,
                leads=True,
                quiet=True,
                menu=False,
                spoken=spoken,
            )
        )
    return rows


def _in_order(conversations: Iterable[Conversation], order: ListOrder) -> list[Conversation]:
    if order == "name":
        return sorted(conversations, key=lambda one: (one.title.casefold(), one.id))
    if order == "made":
        return sorted(conversations, key=lambda one: one.created_at, reverse=True)
    return sorted(conversations, key=lambda one: one.updated_at, reverse=True)


def _folder_rows(
    conversations: Iterable[Conversation], folded: Container[str], book: RowBook
) -> Iterator[ConversationRow]:
    within: dict[str, list[Conversation]] = {}
    for one in conversations:
        within.setdefault(one.folder, []).append(one)
    if within:
        yield head_row("head/folders", tr("Folders"), "")
    for name in sorted(within, key=str.casefold):
        inside, is_folded = within[name], name in folded
        new = sum(one.unread for one in inside)
        words = tr("{name}, folder of {count}").format(name=name, count=len(inside))
        yield RowSpec(
            folder_key(name),
            name,
            name,
            kind="folder",
            moment=str(len(inside)),
            tag=str(new) if new and is_folded else "",
            tag_kind="busy",
            strong=bool(new and is_folded),
            folded=is_folded,
            tip=name,
            spoken=", ".join([words, *_new_words(new)]),
        )
        if not is_folded:
            for one in inside:
                yield book.row(one, inner=True)


def folder_key(name: str) -> str:
    """Of the row of a folder."""
    return f"folder/{name}"


def _rows_by_day(
    conversations: Iterable[Conversation], now: datetime, order: ListOrder, book: RowBook
) -> Iterator[ConversationRow]:
    head, day_began = "", datetime.max.replace(tzinfo=UTC)
    for one in conversations:
        at = one.created_at if order == "made" else one.updated_at
        if at < day_began:  # of thousands, most are of the same day as the last
            day = at.astimezone(now.tzinfo).date()
            day_began = datetime.combine(day, time.min, tzinfo=now.tzinfo)
            words = day_words(day, now.date())
            if words != head:
                head = words
                yield head_row(f"head/{head}", head, "")
        yield book.row(one)


def _row(one: Conversation, *, at_work: bool, inner: bool) -> ConversationRow:
    title = one.title or tr("New chat")
    spoken = tr("{title}, at work").format(title=title) if at_work else title
    return RowSpec(
        one.id,
        title,
        one.id,
        dot="accent" if at_work else None,
        tag=str(one.unread) if one.unread else "",
        tag_kind="busy",
        strong=one.unread > 0,
        inner=inner,
        tip=title,
        spoken=", ".join([spoken, *_new_words(one.unread)]),
    )


def _new_words(count: int) -> list[str]:
    if not count:
        return []
    return [tr("1 new reply") if count == 1 else tr("{count} new replies").format(count=count)]


def unread_words(conversations: Iterable[Conversation]) -> str:
    """How many of them have something new, for screen readers; empty: none has."""
    count = sum(1 for one in conversations if one.unread)
    if not count:
        return ""
    return (
        tr("New replies in 1 conversation")
        if count == 1
        else tr("New replies in {count} conversations").format(count=count)
    )


#: What begins the name of the verb that puts conversations into a folder.
MOVE = "move:"


def conversation_verbs(chosen: Sequence[Conversation], folders: Collection[str]) -> Iterator[RowVerb]:
    """What can be done with one conversation, or with several at once."""
    one = chosen[0] if len(chosen) == 1 else None
    if one is not None:
        yield RowVerb("rename", tr("Rename"), key="F2")
    if all(each.pinned for each in chosen):
        yield RowVerb("unpin", tr("Unpin"), key="Ctrl+D")
    else:
        yield RowVerb("pin", tr("Pin"), key="Ctrl+D")
    if any(each.unread for each in chosen):
        yield RowVerb("read", tr("Mark as read"), key="Ctrl+U")
    else:
        yield RowVerb("unread", tr("Mark as unread"), key="Ctrl+U")
    within = {each.folder for each in chosen}
    under = tr("Move to folder")
    for name in sorted(folders, key=str.casefold):
        yield RowVerb(f"{MOVE}{name}", name, under=under, checked=within == {name})
    if not any(each.archived for each in chosen):  # the archive has no folders, where it would be named
        yield RowVerb("new-folder", tr("New folder"), under=under)
    if within != {""}:
        yield RowVerb(MOVE, tr("Out of the folder"), under=under)
    if all(each.archived for each in chosen):
        yield RowVerb("unarchive", tr("Back from the archive"), key="Ctrl+E")
    else:
        yield RowVerb("archive", tr("Archive"), key="Ctrl+E")
    if one is not None:
        yield RowVerb("export", tr("Export…"))
    yield RowVerb("delete", tr("Delete"), key="Del", parted=True)


def folder_verbs() -> Iterator[RowVerb]:
    """What can be done with a folder."""
    yield RowVerb("rename", tr("Rename"), key="F2")
    yield RowVerb("dissolve", tr("Remove the folder, keep what is in it"), key="Del")


#: What begins the name of the verb that sorts the list.
ORDER = "order:"


def list_verbs(view: ListView, *, archived: bool) -> Iterator[RowVerb]:
    """What can be done with the list itself; `archived`: whether there is an archive to show."""
    for order in LIST_ORDERS:
        yield RowVerb(
            f"{ORDER}{order}",
            order_words(order),
            under=tr("Sort by"),
            checked=view.order == order,
            parted=order == "used",
        )
    if view.archive:
        yield RowVerb("list", tr("Back to all conversations"))
    elif archived:
        yield RowVerb("archive-list", tr("Show the archive"))
    yield RowVerb("import", tr("Import conversations…"), parted=True)


def order_words(order: ListOrder) -> str:
    """What the list is sorted by."""
    return {"used": tr("Newest use"), "made": tr("Newest begun"), "name": tr("Name")}[order]


def hit_row(hit: ConversationHit, now: datetime | None = None) -> RowSpec[ConversationHit]:
    """A conversation in which something was found, or one message of it; `now` lets it say when that was."""
    title = hit.title.text or tr("New chat")
    excerpt = hit.excerpt
    said = f"{title}: {excerpt.text}" if excerpt is not None else title
    lines = (RowLine(excerpt.text, most=_EXCERPT_LINES, marks=tuple(excerpt.marks)),) if excerpt else ()
    marks = tuple(hit.title.marks) if hit.title.text else ()
    moment = "" if hit.said_at is None or now is None else _short_day(hit.said_at.astimezone(now.tzinfo), now)
    if hit.conversation.archived:  # both would leave no room for the title
        moment = tr("archived")
    return RowSpec(
        f"{hit.conversation.id}/{hit.message_id}",
        title,
        hit,
        lines=lines,
        marks=marks,
        moment=moment,
        tip=said,
        spoken=", ".join(part for part in (said, moment) if part),
    )


def _short_day(at: datetime, now: datetime) -> str:
    locale, day = QLocale(), at.date()
    if day == now.date():
        return locale.toString(QTime(at.hour, at.minute), QLocale.FormatType.ShortFormat)
    pattern = tr("MMM d") if day.year == now.year else "yyyy-MM-dd"
    return locale.toString(QDate(day.year, day.month, day.day), pattern)


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
