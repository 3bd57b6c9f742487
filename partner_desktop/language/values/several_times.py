"""Several times in one message, each with what is wanted then: `remind me at nine to call Ann and at ten to
buy milk`. A day that the first names holds for those behind it; what stands at one of them alone holds for
those that say nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from partner_desktop.domain.schedule import Once
from partner_desktop.language.rule_table import RuleTable, rule_tables
from partner_desktop.language.spans import SCAN_LIMIT
from partner_desktop.language.values.schedule_words import EARLIEST, NOON
from partner_desktop.language.values.schedules import SaidTiming, read_timing, without_arguments


def read_timings(text: str, now: datetime) -> tuple[SaidTiming, ...]:
    """Each time with what is wanted then, in their order; none: the text is of one, or of none."""
    if len(text) > SCAN_LIMIT:
        return ()
    table = next(iter(rule_tables("schedules", text)))
    pieces = list(_pieces(table, text))
    if len(pieces) == 1 or table["question"].search(text):
        return ()
    reminds = any(table["lead"].search(piece) for piece in pieces)
    groups = _grouped(pieces, table, now, reminds=reminds)
    if len(groups) == 1:
        return ()
    found = [_read(group, table, now, reminds=reminds) for group in groups]
    known = [said for said in found if said is not None]
    if len(known) < len(found) or not any(said.rest for said in known):
        return ()
    return tuple(_on_the_same_day(_with_what_is_wanted(known), now))


def tells_something(rest: str) -> bool:
    """Whether a clause tells of somebody, and asks for nothing."""
    return any(table["tells"].search(rest) for table in rule_tables("schedules", rest))


def goes_on_from_before(text: str) -> bool:
    """Whether a text goes on with what was begun before it: `to call Ann`."""
    return any(table["goes_on"].search(text) for table in rule_tables("schedules", text))


def _pieces(table: RuleTable, text: str) -> Iterator[str]:
    """The text between the words that may part one time from the next, arguments whole."""
    plain, hidden = without_arguments(text)
    begin = 0
    for match in table["between_times"].finditer(plain):
        yield "".join(hidden.get(each, each) for each in plain[begin : match.start()])
        begin = match.end()
    yield "".join(hidden.get(each, each) for each in plain[begin:])


def _grouped(pieces: Sequence[str], table: RuleTable, now: datetime, *, reminds: bool) -> list[str]:
    """The pieces, those without a time of their own with the one before them."""
    groups: list[str] = []
    for piece in pieces:
        own = _has_time(_read(piece, table, now, reminds=reminds))
        if groups and not (own and _has_time(_read(groups[-1], table, now, reminds=reminds))):
            joint = "，" if not table.texts("plain_lead")[0].isascii() else " and "
            groups[-1] = f"{groups[-1]}{joint}{piece}"
        else:
            groups.append(piece)
    return groups


def _read(piece: str, table: RuleTable, now: datetime, *, reminds: bool) -> SaidTiming | None:
    said = read_timing(piece, now)
    if reminds and (said is None or not said.is_reminder):
        said = read_timing(table.texts("plain_lead")[0].format(words=piece), now)
    return said


def _has_time(said: SaidTiming | None) -> bool:
    """Whether it is of one time, and that not of a day alone; or asks for a reminder by itself."""
    if said is None or said.timing is None:
        return False
    return isinstance(said.timing, Once) and (said.names_clock or not said.names_day)


def _with_what_is_wanted(known: Sequence[SaidTiming]) -> list[SaidTiming]:
    """Those that say nothing of it want what is wanted behind them, or else before."""
    found: list[SaidTiming] = []
    wanted = ""
    for said in reversed(known):
        wanted = said.rest or wanted
        found.append(replace(said, rest=said.rest or wanted))
    last = next(said.rest for said in reversed(known) if said.rest)
    return [replace(said, rest=said.rest or last) for said in reversed(found)]


def _on_the_same_day(known: Sequence[SaidTiming], now: datetime) -> Iterator[SaidTiming]:
    day = None
    for said in known:
        at = said.at
        if at is not None and said.names_day:
            day = at.date()
        elif at is not None and day is not None and said.names_clock:
            hour = at.hour - NOON if said.bare_clock and at.hour - NOON >= EARLIEST else at.hour
            moved = datetime.combine(day, at.time().replace(hour=hour))
            if moved > now.replace(tzinfo=None):
                yield replace(said, timing=Once(moved))
                continue
        yield said
