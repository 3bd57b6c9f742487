"""What memory holds as rows: pieces of talk under their days, topics, and what a search found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from heapq import nsmallest
from typing import TypeAlias

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
from partner_desktop.desktop.rows.row_spec import RowLine, RowSpec, RowVerb, head_row
from partner_desktop.desktop.wording import joined_words, tr
from partner_desktop.domain.entity import SELF, Attribute, Entity, KnownOfPerson
from partner_desktop.domain.remembered import MemorySlice, RememberedTurn

#: Topics that are listed.
_MOST_LISTED = 1_000
#: Of what a search finds, the topics that have its words come before what was said.
_MOST_TOPICS = 5
#: So much of a message is painted in its row.
_MOST_LETTERS = 300


@dataclass(frozen=True)
class MemoryItem:
    """A piece of talk, a message that was found, a topic, or somebody or something that is known."""

    slice: MemorySlice | None = None
    turn: RememberedTurn | None = None
    topic: str = ""
    entity: Entity | None = None
    unknown: tuple[Attribute, ...] = ()
    """With the person: what one would like to know."""
    day: date | None = None
    """The day of a piece of talk; of a head the day that it stands over."""


#: Its kinds: `slice`, `turn`, `topic`, `entity`.
MemoryRow: TypeAlias = RowSpec[MemoryItem]


def row_verbs(row: MemoryRow) -> Iterator[RowVerb]:
    """What can be done with a row."""
    one = row.about
    if row.kind in ("slice", "turn"):
        yield RowVerb("show", tr("Show in the chat"))
    if one.slice is not None:
        yield RowVerb("pin", tr("Unpin") if one.slice.pinned else tr("Pin"))
    if row.kind == "head" and one.day is not None:
        yield RowVerb("forget", tr("Forget this day…"))
    elif row.reachable and (one.entity is None or one.entity.id != SELF):
        yield RowVerb("forget", tr("Forget…"), key="Del")


def timeline_rows(slices: Iterable[MemorySlice], *, after: MemoryRow | None = None) -> Iterator[MemoryRow]:
    """Pieces of talk, newest first, under their days; `after`: the row that they follow."""
    day = after.about.day if after is not None else None
    for one in slices:
        own = one.at.astimezone().date()
        if own != day:
            day = own
            yield head_row(f"day/{own}", day_head(own), MemoryItem(day=own))
        yield slice_row(one)


def slice_row(one: MemorySlice) -> MemoryRow:
    """What it was about, and when, where and how much."""
    said = " ".join((one.summary or one.opening).split()) or tr("Nothing of it is left")
    topics = " · ".join(topic_name(path) for path in one.topics)
    return RowSpec(
        f"slice/{one.id}",
        one.title or tr("Without a title"),
        MemoryItem(slice=one, day=one.at.astimezone().date()),
        kind="slice",
        moment=moment_of_day(one.at),
        lines=(RowLine(said, color="ink"), RowLine(topics, message_count(one.messages))),
        tag=tr("pinned") if one.pinned else "",
        tag_kind="busy",
        opens=True,
    )


def topic_rows(topics: Iterable[tuple[str, int]]) -> list[MemoryRow]:
    """What is talked about most, in this order; the search finds the rest."""
    known = list(topics)
    if not known:
        return []
    first = nsmallest(_MOST_LISTED, known, key=lambda each: (-each[1], each[0].casefold()))
    head = _head("topics", tr("What you talk about"), f"{len(known):,}")
    return [head, *map(_topic_row, first)]


def _topic_row(topic: tuple[str, int]) -> MemoryRow:
    path, count = topic
    words = (topic_parents(path), passage_count(count))
    quiet = joined_words(*words)
    item, line = MemoryItem(topic=path), RowLine(quiet)
    return RowSpec(f"topic/{path}", topic_name(path), item, kind="topic", lines=(line,), leads=True)


def _head(key: str, title: str, count: str = "") -> MemoryRow:
    return head_row(f"head/{key}", title, MemoryItem(), moment=count)


def known_rows(known: KnownOfPerson) -> list[MemoryRow]:
    """The person at a glance, then whom and what the person spoke of."""
    rows = [_head("self", tr("About you")), entity_row(known.person, known.unknown)]
    if known.others:
        words = tr("Whom and what you spoke of")
        rows.append(_head("others", words, f"{known.count:,}"))
        rows += [entity_row(one) for one in known.others]
    return rows


def entity_row(one: Entity, unknown: tuple[Attribute, ...] = ()) -> MemoryRow:
    """Who or what it is, and the first of what is known."""
    summary = entity_summary(one) or tr("Nothing more is known")
    return RowSpec(
        f"entity/{one.id}",
        entity_title(one),
        MemoryItem(entity=one, unknown=unknown),
        kind="entity",
        lines=(RowLine(summary, said_at(one.at) if one.at is not None else ""),),
        tag=entity_kind(one),
        opens=True,
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
    rows = [_head("known", tr("Known")), *map(entity_row, entities)] if entities else []
    rows += [_head("topics", tr("Topics")), *fitting] if fitting else []
    if turns:
        rows.append(_head("said", tr("Said"), f"{len(turns):,}"))
        rows += [_turn_row(turn) for turn in turns]
    return rows


def _turn_row(turn: RememberedTurn) -> MemoryRow:
    said = tr("{speaker}: {words}").format(
        speaker=speaker_words(turn.speaker), words=" ".join(turn.text[:_MOST_LETTERS].split())
    )
    return RowSpec(
        f"turn/{turn.message_id}",
        turn.title or tr("Without a title"),
        MemoryItem(turn=turn),
        kind="turn",
        moment=said_at(turn.at),
        lines=(RowLine(said, color="ink", most=2),),
        opens=True,
    )
