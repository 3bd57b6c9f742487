"""Words that want something forgotten: all about something, a day's talk, or what came just now. Pure.

The whole message says so, or it is about something else: `forget it` only drops a subject, and `I forgot …`
tells something.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.language.rule_table import rule_tables

#: A longer text says more than that.
_LONGEST = 200
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
    if not 0 < len(said) <= _LONGEST or said.endswith(("?", "？")):
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
    said = " ".join(text.replace("’", "'").split())[: _LONGEST + 1]
    return any(table["private"].fullmatch(said) for table in rule_tables("forget_orders", said))


def _only_day(words: str, now: datetime) -> date | None:
    """The day that words name, where they name one and nothing else."""
    from partner_desktop.language.values.past_times import past_times  # noqa: PLC0415 - with the first order

    bare = re.sub(r"^(?:on|from|about)\s+", "", words.strip())
    times = past_times(bare, now)
    if len(times) != 1 or times[0].end - times[0].start < len(bare) or times[0].vague:
        return None
    return times[0].since if times[0].until - times[0].since == timedelta(days=1) else None
