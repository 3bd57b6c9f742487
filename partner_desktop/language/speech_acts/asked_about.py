"""Questions that records answer: what was done, what waits, what can be done, who is asked. Pure.

The phrases are `resources/language/{en,zh}/questions.toml`; one fits the whole message, or its last sentence
where those before it are small talk. What was said earlier is memory's (`language/recollection.py`).

Words that want something forgotten mean all about something, a day's talk, or what came just now. The whole
message says so, or it is about something else: `forget it` only drops a subject, and `I forgot …` tells
something.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import cast, get_args

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.inquiry import AskedAbout, FileDeed, Topic
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.phrase_table import SaidPhrase, phrase_table, plainly
from partner_desktop.language.references import number_said
from partner_desktop.language.rule_table import rule_tables
from partner_desktop.language.spans import SpanKind, find_spans
from partner_desktop.language.speech_acts.small_talk import may_order, small_talk
from partner_desktop.language.terms import FUNCTION_WEIGHT, Term, terms
from partner_desktop.language.values.past_times import PastTime, past_times

#: A longer text asks for more, or says more than that.
_LONGEST = 160
_SENTENCES = re.compile(r"(?<=[.!?。！？…])\s+|(?<=[。！？])|\n+")
_DEEDS: tuple[FileDeed, ...] = get_args(FileDeed)


def asked_about(text: str, now: datetime | None = None) -> AskedAbout | None:
    """What a message asks of the records; `None`: it is about something else. `today` counts from `now`."""
    now = now or datetime.now().astimezone()
    said = _question(text, only_talk=True)
    if 3 <= len(said) <= _LONGEST:
        for found in phrase_table("questions").readings(said):
            table = found.known["general"]
            if found.row.get("general") and _search(table["not"], found.groups.get("about", "")):
                continue
            dated = re.sub(table["last"], " ", said, flags=re.IGNORECASE)
            return _read(found, said, past_times(dated, now))
    return _by_words(_question(text), now)


def _by_words(said: str, now: datetime) -> AskedAbout | None:
    """By what words there are, in any order."""
    spans = find_spans(said)
    named = any((span.is_path and not span.folder) or span.kind is SpanKind.QUOTE for span in spans)
    if not 3 <= len(said) <= _LONGEST or named:
        return None
    plain = plainly(said) + ("?" if said.rstrip().endswith(("?", "？")) else "")
    for table in rule_tables("asked_words", said):
        topic = next((topic for topic in map(Topic, table.names) if table[topic].match(plain)), None)
        if topic is not None:
            days = next(iter(past_times(said, now)), None) if topic is Topic.DEEDS else None
            return AskedAbout(topic, since=days.since if days else None, until=days.until if days else None)
    return None


def _question(text: str, *, only_talk: bool = False) -> str:
    """The last sentence, where all before it are small talk, or at least ask for nothing; else all of it."""
    parts = [part for part in _SENTENCES.split(text.strip()) if part.strip()]
    if len(parts) > 1 and all(
        small_talk(part) is not None or not (only_talk or may_order(part)) for part in parts[:-1]
    ):
        return parts[-1]
    return text.strip()


def _search(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE) is not None


def _read(found: SaidPhrase, plain: str, times: Sequence[PastTime]) -> AskedAbout:
    topic, row = Topic(found.row["topic"]), found.row
    said = next((deed for deed in _DEEDS if deed in found.groups), row.get("deed", "run"))
    days = times[0] if times and topic is Topic.DEEDS else None
    return AskedAbout(
        topic,
        found.groups.get("about", ""),
        cast("FileDeed", said),
        days.since if days is not None else None,
        days.until if days is not None else None,
        yes_or_no=bool(row.get("yes_or_no")),
        last="last" in found.groups,
        step=number_said(plain) if topic in (Topic.OPEN, Topic.PLAN) else 0,
        only_if_there=bool(row.get("only_if_there")),
    )


def abilities_about(
    words: str, infos: Sequence[MetaActionInfo], *, literally: bool = False
) -> tuple[MetaActionInfo, ...]:
    """The abilities whose texts say all that the words do, those first that are called so.

    Unless `literally`, a word says what others do that mean the same: `pictures`, `images`.
    """
    wanted = [term for term in terms(words) if term.weight > FUNCTION_WEIGHT]
    if literally:
        wanted = [replace(term, concepts={}) for term in wanted]
    places = ((_place(wanted, info), info) for info in infos) if wanted else ()
    return tuple(info for place, info in sorted(places, key=lambda found: found[0]) if place < _NOWHERE)


_NOWHERE = 9


def _place(wanted: Sequence[Term], info: MetaActionInfo) -> int:
    """How far from its name an ability says the words: its title, its other names, what it is for."""
    said: list[Term] = []
    for place, text in enumerate(_texts(info)):
        said += terms(text.lower())
        if all(any(_same(term, other) for other in said) for term in wanted):
            return place
    return _NOWHERE


def _texts(info: MetaActionInfo) -> Iterator[str]:
    yield info.title
    yield "\n".join(info.aliases)
    yield f"{info.description} {info.name.replace('_', ' ')}"
    yield " ".join(str(schema.get("description", "")) for schema in info.properties().values())


def _same(wanted: Term, said: Term) -> bool:
    meant = {concept for concept, strength in wanted.concepts.items() if strength >= 1.0}
    return wanted.stem == said.stem or any(said.concepts.get(concept, 0) >= 1.0 for concept in meant)


def object_of(words: str) -> str:
    """What something is to be done with, which words name last."""
    said = [term for term in terms(words) if term.weight > FUNCTION_WEIGHT and term.word]
    return said[-1].word if len(said) > 1 else ""


def says_all(text: str, words: str) -> bool:
    """Whether a text has every word that says something; no words: it has."""
    said = {term.stem for term in terms(text)}
    return all(term.stem in said for term in terms(words) if term.weight > FUNCTION_WEIGHT)


#: A longer text says more than that.
_LONGEST_ORDER = 200
_NOTHING = frozenset({"it", "that", "this", "them", "everything", "all", "him", "her", "它", "这", "那"})
_QUOTES = " \t\"'“”‘’「」《》.!。！"


@dataclass(frozen=True)
class ForgetOrder:
    """What is to be forgotten: what some words are about, or a day's talk; neither: what came just before."""

    words: str = ""
    day: date | None = None


def forget_order(text: str, now: datetime) -> ForgetOrder | None:
    """What a message wants forgotten; `None`: it wants nothing of the kind."""
    said = " ".join(text.split())
    if not 0 < len(said) <= _LONGEST_ORDER or said.endswith(("?", "？")):
        return None
    for table in rule_tables("forget_orders", said):
        if table["last"].fullmatch(said):
            return ForgetOrder()
        for rule in ("day", "words"):
            for found in filter(None, (each.fullmatch(said) for each in table.each(f"of_{rule}"))):
                words = found[rule].strip(_QUOTES)
                named = table["named"].fullmatch(words)
                words = named["name"] if named is not None else words
                day = _only_day(words, now)
                if day is not None:
                    return ForgetOrder(day=day)
                if rule == "words" and words and words.casefold() not in _NOTHING:
                    return ForgetOrder(words)
    return None


def wants_private(text: str) -> bool:
    """Whether the conversation is not to be remembered."""
    said = " ".join(text.replace("’", "'").split())[: _LONGEST_ORDER + 1]
    return any(table["private"].fullmatch(said) for table in rule_tables("forget_orders", said))


def _only_day(words: str, now: datetime) -> date | None:
    """The day that words name, where they name one and nothing else."""
    from partner_desktop.language.values.past_times import past_times  # noqa: PLC0415 - with the first order

    bare = re.sub(r"^(?:on|from|about)\s+", "", words.strip())
    times = past_times(bare, now)
    if len(times) != 1 or times[0].end - times[0].start < len(bare) or times[0].vague:
        return None
    return times[0].since if times[0].until - times[0].since == timedelta(days=1) else None
