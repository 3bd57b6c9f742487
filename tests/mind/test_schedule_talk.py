"""What people say of schedules, and the act that comes of it: to set, to ask, to change; and what is none."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from functools import cache
from itertools import islice
from pathlib import Path

from partner_desktop.abilities.ability_file import read_ability
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.domain.schedule import Cycle, Once, Schedule, Terms, Timing, occurrences
from partner_desktop.domain.surroundings import Surroundings
from partner_desktop.mind.act import (
    Act,
    Again,
    AskSchedules,
    ChangeSchedule,
    Interpret,
    NoTime,
    Request,
    TalkState,
)
from partner_desktop.mind.interpreting_mind import InterpretingMind
from partner_desktop.mind.starter.mind import StarterMind
from tests.builtins import builtin_infos
from tests.mind.test_starter_verdicts import ZIP
from tests.support import REPOSITORY
from tests.tables import all_rows

TABLE = tomllib.loads(Path(__file__).with_name("schedule_talk.toml").read_text(encoding="utf-8"))
#: A Wednesday.
NOW = datetime(2026, 5, 13, 10, tzinfo=UTC)
WALL = NOW.replace(tzinfo=None)
HOME = "/home/ada"


def schedule(name: str, title: str, terms: Terms) -> Schedule:
    return Schedule(name, "chat", title, terms, "armed", NOW)


def weekly(days: str, hour: int) -> Terms:
    return Terms(cycle=Cycle(WALL, f"FREQ=WEEKLY;BYDAY={days}", (time(hour),)))


def schedules(*titles: str) -> tuple[Schedule, ...]:
    backup, reports, call = titles
    return (
        schedule("backup", backup, weekly("MO,TU,WE,TH,FR", 18)),
        schedule("reports", reports, weekly("FR", 17)),
        schedule("call", call, Terms(once=Once(WALL + timedelta(hours=23)), message=call)),
    )


#: One for all that is said, as it is in a Partner: it analyses the abilities once.
MIND = InterpretingMind(StarterMind())
ENGLISH = schedules("Back up ~/Notes to ~/Backup", "Zip ~/Reports", "call Ann")
CHINESE = schedules("备份 ~/Notes 到 ~/Backup", "打包 ~/Reports", "给安娜打电话")


@cache
def abilities() -> tuple[MetaActionInfo, ...]:
    samples = REPOSITORY / "action" / "dynamic"
    places = [place for place in sorted(samples.iterdir()) if not place.name.startswith(".")]
    own = [read_ability(place, location="local", route=Route.MCP).info for place in places]
    return (*builtin_infos(), *own)


def told(act: Act) -> str:
    """An act as the table writes it."""
    match act:
        case Request(terms=Terms(message=message) as terms) if message:
            return f"remind {when(terms)} | {message}"
        case Request(terms=Terms() as terms, evaluation=found):
            keys = [info.key.rpartition("::")[2] for info in found.meant]
            return f"request {'/'.join(keys)} {when(terms)}"
        case NoTime(why=why):
            return f"no {why}"
        case AskSchedules(since=since, until=until):
            return " ".join(["asks", *(f"{at:%m-%d}" for at in (since, until) if at is not None)])
        case ChangeSchedule(deed=deed, ids=ids, at=at, terms=terms):
            time_of = [f"{at:%m-%d %H:%M}"] if at is not None else []
            return " ".join([deed, *ids, *time_of, *([when(terms)] if terms is not None else [])])
    return "none"


def when(terms: Terms) -> str:
    if terms.lands is not None:
        return f"lands {terms.lands.folder.replace(HOME, '~')} {terms.lands.pattern}"
    if terms.crosses is not None:
        side = "over" if terms.crosses.over else "under"
        path = terms.crosses.path.replace(HOME, "~")
        return f"{terms.crosses.of} {side} {terms.crosses.limit:g} {path}".strip()
    if terms.ends is not None:
        return f"ends {terms.ends.title} {terms.ends.key}"
    assert terms.timing is not None
    (first,) = islice(occurrences(terms.timing, UTC, after=NOW), 1)
    return f"{'once' if terms.once else 'cycle'} {first:%m-%d %H:%M}"


async def read(text: str, known: tuple[Schedule, ...]) -> str:
    state = TalkState(abilities(), surroundings=Surroundings(HOME, HOME), schedules=known)
    found = await MIND.ask(Interpret((text,), state, NOW))
    return " + ".join(map(told, found.acts)) or "none"


OLD: dict[str, Timing] = {
    "daily": Cycle(WALL, "FREQ=DAILY;INTERVAL=1", (time(9),)),
    "weekly": Cycle(WALL, "FREQ=WEEKLY;INTERVAL=1", (time(9),)),
    "weekdays": Cycle(WALL, "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", (time(9),)),
    "fortnightly": Cycle(WALL, "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", (time(9),)),
    "second days": Cycle(WALL, "FREQ=DAILY;INTERVAL=2", (time(9),)),
    "monthly": Cycle(WALL, "FREQ=MONTHLY;INTERVAL=1;BYMONTHDAY=15", (time(9),)),
    "distances": Cycle(WALL, every_s=7200),
    "cron": Cycle(WALL, cron="0 9 * * 1"),
    "today": Once(WALL + timedelta(hours=6)),
}
UNJOINED = "unjoined"
SUNDAYS, NOONS = "FREQ=WEEKLY;BYDAY=SU 12:00", "FREQ=DAILY;INTERVAL=1 12:00"


def joined(found: Sequence[Act]) -> str:
    """The new time, or why there is none."""
    match found[-1]:
        case NoTime(why=why):
            return why if len(found) == 1 else "the card is gone"
        case Again(terms=Terms(cycle=Cycle() as cycle)) | ChangeSchedule(terms=Terms(cycle=Cycle() as cycle)):
            return f"{cycle.rule} {cycle.times[0]:%H:%M}"
        case Again(terms=Terms(once=Once() as once)) | ChangeSchedule(terms=Terms(once=Once() as once)):
            return f"{once.at:%m-%d %H:%M}"
    return "none"


@all_rows(
    "old, text, new",
    [
        ["daily", "make it sunday at noon", SUNDAYS],
        ["daily", "改到周日中午", SUNDAYS],
        ["daily", "make it noon", NOONS],
        ["daily", "make it tomorrow at noon", UNJOINED],
        ["weekly", "make it sunday at noon", SUNDAYS],
        ["weekdays", "make it sunday at noon", SUNDAYS],
        ["fortnightly", "make it sunday at noon", "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU 12:00"],
        ["second days", "make it sunday at noon", UNJOINED],
        ["monthly", "make it sunday at noon", UNJOINED],
        ["distances", "make it tuesday", UNJOINED],
        ["distances", "make it noon", UNJOINED],
        ["distances", "改到周二", UNJOINED],
        ["distances", "make it every sunday at noon", SUNDAYS],
        ["cron", "make it tuesday", UNJOINED],
        ["today", "make it 9:30 am", "past"],
        ["today", "make it sunday at noon", "05-17 12:00"],
    ],
)
async def test_another_time_never_makes_other_days_in_silence(old: str, text: str, new: str) -> None:
    timing = OLD[old]
    terms = Terms(once=timing) if isinstance(timing, Once) else Terms(cycle=timing)
    card = replace(ZIP, terms=terms)
    waits = TalkState(abilities(), cards=(card,), said_last=frozenset({card.id}))
    planned = TalkState(abilities(), schedules=(schedule("backup", "zip my notes", terms),))
    for state in (waits, planned):
        found = await MIND.ask(Interpret((text,), state, NOW))
        assert joined(found.acts) == new


@all_rows("text, act", TABLE["en"])
async def test_what_is_said_in_english_becomes_its_act(text: str, act: str) -> None:
    assert await read(text, ENGLISH) == act


@all_rows("text, act", TABLE["zh"])
async def test_what_is_said_in_chinese_becomes_its_act(text: str, act: str) -> None:
    assert await read(text, CHINESE) == act
