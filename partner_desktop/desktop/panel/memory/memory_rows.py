"""What memory holds as rows: pieces of talk under their days, topics, and what a search found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from heapq import nsmallest
from typing import Any, Literal

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.desktop.panel.memory.memory_words import (
    day_head,
    entity_kind,
    entity_summary,
    entity_title,
    message_count,
    moment_of_day,
    passage_count,
    said_at,
    speaker_words,
    topic_name,
    topic_parents,
)
from partner_desktop.desktop.parts.controls import PillKind
from partner_desktop.desktop.parts.lists.list_rows import RowsModel
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.entity import Attribute, Entity, KnownOfPerson
from partner_desktop.domain.remembered import MemorySlice, RememberedTurn

#: Topics that are listed.
_MOST_LISTED = 1_000
#: Of what a search finds, the topics that have its words come before what was said.
_MOST_TOPICS = 5
#: So much of a message is painted in its row.
_MOST_LETTERS = 300


@dataclass(frozen=True)
class MemoryRow:
    """A head, a piece of talk, a message that was found, a topic, or somebody or something that is known."""

    kind: Literal["head", "slice", "turn", "topic", "entity"]
    key: str
    title: str
    moment: str = ""
    """At the right of the title: when."""
    said: str = ""
    """What was said, or what sums it up."""
    quiet: str = ""
    right: str = ""
    """At the right of the quiet line: how much."""
    tag: str = ""
    tag_kind: PillKind = "plain"
    slice: MemorySlice | None = None
    turn: RememberedTurn | None = None
    topic: str = ""
    entity: Entity | None = None
    unknown: tuple[Attribute, ...] = ()
    """With the person: what one would like to know."""
    day: date | None = None
    """With a piece of talk: the one under whose head it stands."""

    @property
    def opens(self) -> bool:
        """Heads have nothing behind them."""
        return self.kind != "head"


def timeline_rows(slices: Iterable[MemorySlice], *, after: MemoryRow | None = None) -> Iterator[MemoryRow]:
    """Pieces of talk, newest first, under their days; `after`: the row that they follow."""
    day = after.day if after is not None else None
    for one in slices:
        own = one.at.astimezone().date()
        if own != day:
            day = own
            yield MemoryRow("head", f"day/{own}", day_head(own), day=own)
        yield slice_row(one)


def slice_row(one: MemorySlice) -> MemoryRow:
    """What it was about, and when, where and how much."""
    return MemoryRow(
        "slice",
        f"slice/{one.id}",
        one.title or tr("Without a title"),
        moment=moment_of_day(one.at),
        said=" ".join((one.summary or one.opening).split()) or tr("Nothing of it is left"),
        quiet=" · ".join(topic_name(path) for path in one.topics),
        right=message_count(one.messages),
        tag=tr("pinned") if one.pinned else "",
        tag_kind="busy",
        slice=one,
        day=one.at.astimezone().date(),
    )


def topic_rows(topics: Iterable[tuple[str, int]]) -> list[MemoryRow]:
    """What is talked about most, in this order; the search finds the rest."""
    known = list(topics)
    if not known:
        return []
    first = nsmallest(_MOST_LISTED, known, key=lambda each: (-each[1], each[0].casefold()))
    head = MemoryRow("head", "head/topics", tr("What you talk about"), right=f"{len(known):,}")
    return [head, *map(_topic_row, first)]


def _topic_row(topic: tuple[str, int]) -> MemoryRow:
    path, count = topic
    words = (topic_parents(path), passage_count(count))
    quiet = " · ".join(part for part in words if part)
    return MemoryRow("topic", f"topic/{path}", topic_name(path), quiet=quiet, topic=path)


def known_rows(known: KnownOfPerson) -> list[MemoryRow]:
    """The person at a glance, then whom and what the person spoke of."""
    rows = [MemoryRow("head", "head/self", tr("About you")), entity_row(known.person, known.unknown)]
    if known.others:
        words = tr("Whom and what you spoke of")
        rows.append(MemoryRow("head", "head/others", words, right=f"{known.count:,}"))
        rows += [entity_row(one) for one in known.others]
    return rows


def entity_row(one: Entity, unknown: tuple[Attribute, ...] = ()) -> MemoryRow:
    """Who or what it is, and the first of what is known."""
    return MemoryRow(
        "entity",
        f"entity/{one.id}",
        entity_title(one),
        quiet=entity_summary(one) or tr("Nothing more is known"),
        right=said_at(one.at) if one.at is not None else "",
        tag=entity_kind(one),
        entity=one,
        unknown=unknown,
    )


def found_rows(
    words: str,
    turns: Sequence[RememberedTurn],
    topics: Iterable[tuple[str, int]],
    entities: Sequence[Entity] = (),
) -> list[MemoryRow]:
    """What a search found: who is known by its words, topics that have them, what was said, best first."""
    wanted = words.casefold()
    fitting = [_topic_row(each) for each in topics if wanted in each[0].casefold()][:_MOST_TOPICS]
    rows = [MemoryRow("head", "head/known", tr("Known")), *map(entity_row, entities)] if entities else []
    rows += [MemoryRow("head", "head/topics", tr("Topics")), *fitting] if fitting else []
    if turns:
        rows.append(MemoryRow("head", "head/said", tr("Said"), right=f"{len(turns):,}"))
        rows += [_turn_row(turn) for turn in turns]
    return rows


def _turn_row(turn: RememberedTurn) -> MemoryRow:
    return MemoryRow(
        "turn",
        f"turn/{turn.message_id}",
        turn.title or tr("Without a title"),
        moment=said_at(turn.at),
        said=tr("{speaker}: {words}").format(
            speaker=speaker_words(turn.speaker), words=" ".join(turn.text[:_MOST_LETTERS].split())
        ),
        turn=turn,
    )


class MemoryModel(RowsModel[MemoryRow]):
    """Heads can be neither chosen nor reached."""

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        if index.isValid() and self.rows[index.row()].opens:
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return Qt.ItemFlag.NoItemFlags

    def describe(self, row: MemoryRow, role: int) -> Any:  # noqa: ANN401 - whatever the role asks for
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            parts = (row.title, row.tag, row.moment, row.said, row.quiet, row.right)
            return ", ".join(part for part in parts if part)
        return None
