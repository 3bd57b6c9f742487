"""What is said of schedules that there are: `cancel the backup on Friday only`, `move it to six`, `明天有什么安排`.

The rules are the tables `schedule_talk.toml`. Which schedules are meant, and whether there are any, is not
known here: `what` is as it was said.
"""  # noqa: E501 - Chinese signs are wide

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Literal

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.schedule import Cycle
from partner_desktop.language.rule_table import RuleTable, groups_of, rule_tables, says
from partner_desktop.language.speech_acts.imperatives import conditional
from partner_desktop.language.terms import has_cjk
from partner_desktop.language.values.schedule_words import USUAL
from partner_desktop.language.values.schedules import SaidTiming, read_day, read_target

ScheduleOrder = Literal[
    "asks", "when", "cancelled", "skipped", "moved", "snoozed", "paused", "resumed", "run", "done"
]
_ORDERS: tuple[ScheduleOrder, ...] = (
    "asks", "when", "done", "snoozed", "skipped", "cancelled", "moved", "paused", "resumed", "run",
)  # fmt: skip
#: More is no order about a schedule.
_LONGEST = 160
#: That long is snoozed where nothing is said.
_SNOOZE = timedelta(minutes=10)
_SCHEDULE_WORDS = "schedule_talk"
#: A time that is asked about is no order.
_ASKED = re.compile(r"[?？]\s*$")


@dataclass(frozen=True)
class NamedSchedules:
    """Which schedules words name."""

    words: frozenset[str] = frozenset()
    """What tells them from others, in small letters; of Chinese, all of it; none: the words after it do."""
    every: bool = False
    reminders: bool = False
    """Only reminders."""


@dataclass(frozen=True)
class SaidOfSchedules:
    """What a text wants of schedules."""

    order: ScheduleOrder
    named: NamedSchedules = NamedSchedules()
    first: date | None = None
    """The first day that is asked about, or the day whose time is called off."""
    last: date | None = None
    """The last day that is asked about."""
    only_next: bool = False
    """Only the next time is called off."""
    target: SaidTiming | None = None
    """With `moved`: when instead."""
    at: datetime | None = None
    """With `snoozed`: until when, on the wall."""
    shift: timedelta = timedelta()
    """With `moved`, in place of `target`: how much later; less than nothing: earlier."""
    half: Literal["", "am", "pm"] = ""
    """With `moved`, in place of `target`: the half of the day that was meant."""
    bare: bool = False
    """With `moved`: no more than a time is said, which means what was just told of or nothing."""


def read_schedule_talk(text: str, now: datetime) -> SaidOfSchedules | None:
    """What a text wants of schedules, `now` as the wall says it; `None`: it is about none."""
    bare = " ".join(text.split()).rstrip(".!?。！？ ")
    if not bare or len(bare) > _LONGEST:
        return None
    asked = _ASKED.search(text) is not None
    for table in rule_tables(_SCHEDULE_WORDS, bare):
        for order in _ORDERS:
            match = table[order].search(bare)
            found = _read(order, groups_of(match), table, now) if match is not None else None
            if found is not None and not (found.bare and asked):
                return found
    return None


def calls_off_last(text: str, now: datetime) -> bool:
    """Whether a text calls off what was spoken of last, and names nothing: `cancel it`, `delete that`."""
    talk, bare = read_schedule_talk(text, now), text.strip().rstrip(".!?。！？ ")
    if talk is not None:
        return talk.order == "cancelled" and talk.named == NamedSchedules()
    return any(table["drops_it"].fullmatch(bare) for table in rule_tables(_SCHEDULE_WORDS, bare))


def asks_to_recall(text: str) -> bool:
    """Whether a reminder is asked for of what was said or is known: `remind me what I said about Rome`."""
    return any(table["memory"].search(text) for table in rule_tables(_SCHEDULE_WORDS, text))


def is_time_of_things(rest: str) -> bool:
    """Whether a text that a time stood behind makes it one of things: `find the photos taken`."""
    return any(table["of_things"].search(rest) for table in rule_tables(_SCHEDULE_WORDS, rest))


def to_the_person(text: str) -> str:
    """What a person said of themselves, as it is said to them: `call my mum` → `call your mum`."""
    table = next(iter(rule_tables(_SCHEDULE_WORDS, text)))
    spoken = table.section("second_person")
    words = "|".join(re.escape(word) for word in spoken)
    pattern = words if has_cjk(text) else rf"(?<![\w'’])(?:{words})(?![\w'’])"
    return re.sub(pattern, lambda match: spoken[match.group().casefold()], text, flags=re.IGNORECASE)


def _read(  # noqa: PLR0911 - one outcome an order
    order: ScheduleOrder, got: dict[str, str], table: RuleTable, now: datetime
) -> SaidOfSchedules | None:
    now = now.replace(tzinfo=None)
    match order:
        case "asks":
            return _asked(got.get("days", ""), table, now)
        case "moved":
            return _moved(got, table, now)
        case "snoozed":
            at = read_target(got["target"], now, spans=True) if got.get("target") else None
            if got.get("target") and (at is None or at.at is None):
                return None
            until = at.at if at is not None and at.at is not None else now + _SNOOZE
            return SaidOfSchedules(order, _named(got.get("what", ""), table), at=until)
        case "cancelled" | "skipped":
            before = got.get("before", "")
            if _is_of_some_times(before):
                return None
            day = before if read_day(before, now)[0] is not None else ""
            return _called_off(order, got.get("what", "") or day, table, now)
        case _:
            return SaidOfSchedules(order, _named(got.get("what", ""), table))


def _moved(got: dict[str, str], table: RuleTable, now: datetime) -> SaidOfSchedules | None:
    named, words = _named(got.get("what", ""), table), got.get("target", got.get("time", ""))
    if "am" in got or "pm" in got:
        return SaidOfSchedules("moved", named, half="am" if "am" in got else "pm", bare=True)
    if "span" in got:
        later = read_target(got["span"], now, spans=True)
        span = (
            later.at - now if later is not None and later.at is not None and not later.names_clock else None
        )
        shift = -span if span is not None and "earlier" in got else span
        return SaidOfSchedules("moved", named, shift=shift, bare=True) if shift else None
    if table["each_day"].match(words):
        target: SaidTiming | None = SaidTiming(Cycle(now, "FREQ=DAILY", (USUAL,)), "")
    else:
        target = read_target(words, now)
    return (
        SaidOfSchedules("moved", named, target=target, bare=not {"time", "turned"}.isdisjoint(got))
        if target
        else None
    )


def _is_of_some_times(before: str) -> bool:
    """Whether words before say when, or in what case: all else goes on as it is planned."""
    if not before:
        return False
    in_a_case = any(conditional(f"{before}{goes}") is not None for goes in (", go", "，走"))
    return in_a_case or says(_SCHEDULE_WORDS, "some_times", before)


def _asked(words: str, table: RuleTable, now: datetime) -> SaidOfSchedules | None:
    week = table["week"].search(words)
    if week is not None:
        monday = now.date() - timedelta(now.weekday())
        first = monday + timedelta(7) if groups_of(week).get("next") else now.date()
        last = monday + timedelta(13 if groups_of(week).get("next") else 6)
        return SaidOfSchedules("asks", first=first, last=last)
    day, rest = read_day(words, now)
    known = day is not None or not re.sub(r"[\W]|\b(?:for|on|next|now|then|up|coming)\b", "", rest)
    return SaidOfSchedules("asks", first=day, last=day) if known else None


def _called_off(order: ScheduleOrder, what: str, table: RuleTable, now: datetime) -> SaidOfSchedules | None:
    day, rest = read_day(what, now)
    bare = table["once"].sub(" ", rest)
    only_next = day is None and (order == "skipped" or bare != rest or bool(table["next"].search(bare)))
    bare = table["next"].sub(" ", bare)
    named = _named(bare, table)
    if day is None and not only_next:
        return SaidOfSchedules("cancelled", named)
    return SaidOfSchedules("skipped", named, first=day, only_next=only_next)


def _named(what: str, table: RuleTable) -> NamedSchedules:
    what = " ".join(what.split()).strip(" ,，").casefold()
    reminders = table["reminders"].search(what) is not None
    if table["all"].search(what):
        return NamedSchedules(every=True, reminders=reminders)
    if table["the_last"].search(what):
        return NamedSchedules(reminders=reminders)
    left = " ".join(table["unsaid"].sub(" ", what).split())
    words = [left] if has_cjk(left) else re.findall(r"[^\W_]+", left)
    return NamedSchedules(frozenset(words), reminders=reminders)
