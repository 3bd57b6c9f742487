"""Orders about schedules: which of those that there are the words mean, and what is to become of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta, tzinfo
from itertools import islice
from typing import Literal
from zoneinfo import ZoneInfo

from partner_desktop.base.time_zone import machine_zone
from partner_desktop.domain.schedule import Cycle, Once, Schedule, Terms, Timing, occurrences
from partner_desktop.language.speech_acts.schedule_talk import NamedSchedules, SaidOfSchedules
from partner_desktop.language.terms import has_cjk, terms
from partner_desktop.language.values.schedule_words import by_day
from partner_desktop.language.values.schedules import SaidTiming
from partner_desktop.mind.act import AskSchedules, ChangeDeed, ChangeSchedule, NewAct, NoTime
from partner_desktop.mind.new_requests import SaidWords
from partner_desktop.mind.question import SURE_SCORE

_DAY = timedelta(1)
#: Every day, or days of the week, for which another day of the week can stand; and what names them.
_BY_WEEKDAY = re.compile(r"FREQ=DAILY(?:;INTERVAL=1)?|FREQ=WEEKLY(?:;INTERVAL=\d+)?(?:;BYDAY=[A-Z,]+)?")
_DAYS_SAID = re.compile(r";INTERVAL=1(?!\d)|;BYDAY=[A-Z,]+")


class ScheduleOrders(SaidWords):
    """One thing said of schedules."""

    async def read(self, talk: SaidOfSchedules) -> NewAct | None:
        """What is to become of them; `None`: there is none that the words could mean."""
        if talk.order == "asks":
            return await self._asked_for(talk)
        if talk.order in {"paused", "resumed"} and talk.named.every and not talk.named.reminders:
            return ChangeSchedule(self._text, talk.order, ())
        ids = self._meant(talk)
        if (
            self._state.planned_last
            and talk.order in {"moved", "cancelled"}
            and talk.named == NamedSchedules()
        ):
            ids = (self._state.planned_last,)
        elif talk.bare or talk.half or talk.shift:
            return None
        if talk.order == "when":
            return self._when(ids)
        return self._changed(talk, talk.order, ids) if ids else None

    def _when(self, ids: tuple[str, ...]) -> NewAct | None:
        """Their times: of one alone, where its next is known."""
        times = [each.next_at for each in self._state.schedules if each.id in ids]
        if len(times) == 1 and times[0] is not None:
            return AskSchedules(self._text, times[0], times[0] + timedelta(seconds=1))
        return AskSchedules(self._text) if ids else None

    def _changed(self, talk: SaidOfSchedules, deed: ChangeDeed, ids: tuple[str, ...]) -> NewAct | None:
        last = next(each for each in self._state.schedules if each.id == ids[-1])
        found: NewAct | None = ChangeSchedule(self._text, deed, ids)
        if deed == "moved":
            found = self._moved(talk, last)
        elif deed == "snoozed":
            at = talk.at.replace(tzinfo=self._zone()) if talk.at is not None else None
            found = ChangeSchedule(self._text, deed, (last.id,), at=at)
        elif deed == "skipped":
            found = ChangeSchedule(self._text, deed, ids, at=self._single_time(talk, last))
        elif deed == "done" and (not last.terms.is_reminder or last.last is None):
            found = None
        return found

    async def _asked_for(self, talk: SaidOfSchedules) -> NewAct | None:
        found = await self._meaning(self._text)
        best = found.ranked[0] if found.ranked else None
        if found.meant and best is not None and best.score >= SURE_SCORE:
            return None  # somebody's calendar knows better
        if talk.first is None or talk.last is None:
            return AskSchedules(self._text)
        zone = self._zone()
        since = datetime.combine(talk.first, time(), zone)
        return AskSchedules(self._text, since, datetime.combine(talk.last + _DAY, time(), zone))

    def _meant(self, talk: SaidOfSchedules) -> tuple[str, ...]:
        """The ids of the schedules that the words name."""
        named = talk.named
        known = [each for each in self._state.schedules if not named.reminders or each.terms.is_reminder]
        if named.every:
            return tuple(each.id for each in known)
        if named.words:
            return _alike(named, known)
        if talk.order == "snoozed":
            known = [each for each in known if each.terms.is_reminder]
        elif not named.reminders and known and self._was_done_since(known[-1]):
            return ()  # `cancel it` is about that
        return tuple(each.id for each in known[-1:])

    def _was_done_since(self, schedule: Schedule) -> bool:
        """Whether something else was done after it was made, or told of."""
        done = self._state.last
        told = max(
            schedule.created_at, schedule.last.at if schedule.last is not None else schedule.created_at
        )
        if done is None or done.schedule_id == schedule.id:
            return False
        return (done.finished_at or done.created_at) > told

    def _single_time(self, talk: SaidOfSchedules, schedule: Schedule) -> datetime | None:
        """The one time that is called off."""
        timing, zone = schedule.terms.timing, self._zone(schedule.terms.zone)
        if talk.first is None:
            known = schedule.next_at
            if known is None and timing is not None:
                known = next(occurrences(timing, zone, after=self._asked.at), None)
            return known
        begin = datetime.combine(talk.first, time(), zone)
        if timing is not None:
            after = max(begin - timedelta(seconds=1), self._asked.at)
            for at in islice(occurrences(timing, zone, after=after), 1):
                if at.date() == talk.first:
                    return at
        return begin

    def _moved(self, talk: SaidOfSchedules, schedule: Schedule) -> NewAct | None:
        said, old = talk.target, schedule.terms
        if old.timing is not None and (talk.half or talk.shift):
            timing: Timing | Literal["past", "unjoined"] = timing_shifted(talk, old.timing, self._wall)
        elif said is None or said.timing is None:
            return None
        else:
            timing = timing_joined(said, old.timing, self._wall) if old.timing is not None else said.timing
        if isinstance(timing, str):
            return NoTime(self._text, timing)
        moved = Terms(missed=old.missed, message=old.message, zone=old.zone or machine_zone())
        return ChangeSchedule(self._text, "moved", (schedule.id,), terms=with_timing(moved, timing))

    @property
    def _wall(self) -> datetime:
        return self._asked.at.replace(tzinfo=None)

    def _zone(self, name: str = "") -> tzinfo:
        name = name or machine_zone()
        try:
            zone: tzinfo | None = ZoneInfo(name) if name else self._asked.at.tzinfo
        except (KeyError, ValueError, OSError):
            zone = self._asked.at.tzinfo
        assert zone is not None, "what is said has its time with a zone"
        return zone


def timed_terms(timing: Timing, zone: str = "") -> Terms:
    """Terms with a timing, in the zone that is named or that of the machine."""
    return with_timing(Terms(zone=zone or machine_zone()), timing)


def with_timing(terms: Terms, timing: Timing) -> Terms:
    """The terms at another time."""
    if isinstance(timing, Once):
        return replace(terms, once=timing, cycle=None)
    return replace(terms, cycle=timing, once=None)


def timing_shifted(talk: SaidOfSchedules, old: Timing, now: datetime) -> Timing | Literal["past", "unjoined"]:
    """A timing so much later, or in the half of the day that was meant."""

    def moved(at: datetime) -> datetime:
        hour = at.hour % 12 + (12 if talk.half == "pm" else 0)
        return at.replace(hour=hour) if talk.half else at + talk.shift

    if isinstance(old, Cycle):
        if not old.times or old.cron or old.every_s:
            return "unjoined"
        days = [moved(datetime.combine(now.date(), each)) for each in old.times]
        alike = all(each.date() == now.date() for each in days)
        return replace(old, times=tuple(each.time() for each in days)) if alike else "unjoined"
    at = moved(old.at)
    at = at + _DAY if at <= now and talk.half else at
    return Once(at) if at > now else "past"


def timing_joined(said: SaidTiming, old: Timing, now: datetime) -> Timing | Literal["past", "unjoined"]:
    """A timing with another: what it does not say stays as it was; or why there is none.

    `unjoined`: nobody can tell which of the times of a cycle are meant.
    """
    new = said.timing
    assert new is not None, "there is such a time"
    if said.at is None:
        if isinstance(new, Cycle) and isinstance(old, Cycle) and not said.names_clock:
            return replace(new, times=old.times) if new.times and old.times else new
        if isinstance(new, Cycle) and isinstance(old, Once) and not said.names_clock and new.times:
            return replace(new, times=(old.at.time(),))
        return new
    if isinstance(old, Cycle):
        return _cycle_at(old, said)
    if not said.names_clock and said.names_day:
        at = datetime.combine(said.at.date(), old.at.time())
    elif said.names_clock and not said.names_day:
        at = datetime.combine(old.at.date(), said.at.time())
        at = _nearest(at, old.at) if said.open_half else at
    else:
        at = said.at
    return Once(at) if at > now else "past"


def _nearest(at: datetime, old: datetime) -> datetime:
    """Of the two hours that a number may mean, the one that is nearer to what it was."""
    half = timedelta(hours=12)
    same_day = [each for each in (at, at - half, at + half) if each.date() == at.date()]
    return min(same_day, key=lambda each: abs(each - old))


def _cycle_at(old: Cycle, said: SaidTiming) -> Cycle | Literal["unjoined"]:
    """At another time of its days, or on another day of the week."""
    if said.at is None or old.cron or old.every_s:
        return "unjoined"
    rule, times = old.rule, old.times
    if said.names_clock:
        at = said.at
        if said.open_half and times:
            at = _nearest(at, datetime.combine(at.date(), times[0]))
        times = (at.time(),)
    if said.names_day:
        if not said.names_weekday or _BY_WEEKDAY.fullmatch(rule) is None:
            return "unjoined"
        rule = f"{_DAYS_SAID.sub('', rule).replace('DAILY', 'WEEKLY')};BYDAY={by_day([said.at.weekday()])}"
    return replace(old, rule=rule, times=times)


def stems_and_concepts(text: str) -> frozenset[str]:
    """What tells a text from others: stems, and what they are about."""
    found = [*terms(text.casefold())]
    return frozenset(term.stem for term in found) | {
        f"={concept}" for term in found for concept in term.concepts
    }


def _alike(named: NamedSchedules, known: Sequence[Schedule]) -> tuple[str, ...]:
    """The last whose title, or what it tells, has all of the words."""
    found = [
        each.id
        for each in known
        if all(_is_in(word, f"{each.title} {each.terms.message}".casefold()) for word in named.words)
    ]
    return tuple(found[-1:])


def _is_in(word: str, title: str) -> bool:
    if word in title:
        return True
    own, others = stems_and_concepts(word), stems_and_concepts(title)
    if has_cjk(word):
        stems = {each for each in own if not each.startswith("=")}
        return bool(stems) and stems <= others
    return not own.isdisjoint(others)
