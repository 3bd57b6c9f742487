"""Timed requests: what is wanted at a time, again and again, or whenever something happens; and what is said
of what was planned so. They are read before all else that is new.

A text that merely mentions a time is none of these: a time of what is looked for, of what was said or done,
or within what is to be written down.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from datetime import datetime, time, timedelta, tzinfo
from itertools import islice, takewhile
from pathlib import Path, PurePath
from typing import Self
from zoneinfo import ZoneInfo

from partner_desktop.base.machine_zone import machine_zone
from partner_desktop.base.messages import sentence_of, speaking
from partner_desktop.domain.schedule import (
    ActionEnds,
    Cycle,
    FileLands,
    Once,
    Schedule,
    Terms,
    Threshold,
    Timing,
    landed_name,
    occurrences,
)
from partner_desktop.language.arguments.slot import slots_of
from partner_desktop.language.conversation_language import conversation_language
from partner_desktop.language.ellipsis import to_the_point
from partner_desktop.language.entity_statements import states_only
from partner_desktop.language.lexicon import FUNCTION_WORDS
from partner_desktop.language.recollection import asks_what_was_said
from partner_desktop.language.rule_table import rule_tables
from partner_desktop.language.spans import find_spans
from partner_desktop.language.speech_acts.imperatives import asks
from partner_desktop.language.speech_acts.schedule_talk import (
    NamedSchedules,
    SaidOfSchedules,
    asks_to_recall,
    is_time_of_things,
    read_schedule_talk,
    to_the_person,
)
from partner_desktop.language.speech_acts.speech_act import keeps_words
from partner_desktop.language.terms import has_cjk, terms
from partner_desktop.language.values.schedules import SaidTiming, read_timing, words_before_lead
from partner_desktop.language.values.triggers import SaidTrigger, read_trigger
from partner_desktop.mind.act import (
    AskSchedules,
    ChangeDeed,
    ChangeSchedule,
    Interpret,
    NewAct,
    NoTime,
    Request,
)
from partner_desktop.mind.answerers import Ask
from partner_desktop.mind.new_requests import RequestReading, SaidWords
from partner_desktop.mind.question import SURE_SCORE, IntentEvaluation

#: A longer text is a document.
_LONGEST = 1_000
_DAY = timedelta(1)
_CLAUSE_END = re.compile(r"[,;](?=\s)|[，；。]")
#: So many words before `remind me` ask for nothing of their own.
_FEW_WORDS = 1
#: From this score on an ability is what reminds.
_SURELY = 0.6


class TimedReading(SaidWords):
    """One thing said, without the talk before it."""

    @classmethod
    async def of(cls, asked: Interpret, ask: Ask) -> Self:
        """Made in a thread: reading takes its time."""
        text = await asyncio.to_thread(to_the_point, asked.texts[0])
        return cls(replace(asked, texts=(text,)), ask)

    async def read(self) -> NewAct | None:
        """What it wants later, or of what is planned; `None`: it is about neither."""
        text = self._text
        if len(text) > _LONGEST:
            return None
        talk = await asyncio.to_thread(read_schedule_talk, text, self._asked.at)
        if talk is not None and (act := await self._of_schedules(talk)) is not None:
            return act
        if await asyncio.to_thread(_only_mentions_a_time, text):
            return None
        trigger = await asyncio.to_thread(read_trigger, text)
        if trigger is not None and (request := await self._triggered(trigger)) is not None:
            return request
        said = await asyncio.to_thread(read_timing, text, self._asked.at)
        return await self._timed(said) if said is not None else None

    def is_reminder(self) -> bool:
        """Whether it is one, whatever is open: `remind me tomorrow at nine to call Ann`."""
        text = self._text
        if len(text) > _LONGEST or _only_mentions_a_time(text):
            return False
        said = read_timing(text, self._asked.at)
        return said is not None and said.timing is not None and self._only_reminds(said)

    # At a time.

    async def _timed(self, said: SaidTiming) -> NewAct | None:
        if said.is_reminder:
            return await self._reminder(said) if self._only_reminds(said) else None
        request = await self._request(said.rest)
        if request is None or not self._is_wanted_then(said, request.evaluation):
            return None
        if said.timing is None:
            return NoTime(self._text, said.problem or "unclear")
        return replace(request, terms=_terms(said.timing))

    def _only_reminds(self, said: SaidTiming) -> bool:
        """Whether nothing else is asked for before: `brew the tea, remind me in five minutes`."""
        if not said.is_reminder:
            return False
        left = said.before_lead
        said_besides = [term for term in terms(left) if term.word not in FUNCTION_WORDS]
        return not find_spans(left) and len(said_besides) <= _FEW_WORDS

    async def _reminder(self, said: SaidTiming) -> NewAct | None:
        if said.timing is None:
            known = await self._meaning(self._text)
            if said.problem == "unclear" and known.meant and known.ranked[0].score >= _SURELY:
                return None  # what reminds at once does: `remind me with a notification`
            return NoTime(self._text, said.problem or "unclear")
        message = to_the_person(said.rest) if said.rest else self._plain_message()
        return self._reminded(_terms(said.timing), message)

    def _plain_message(self) -> str:
        """What is told where the words do not say of what: `wake me up at seven`."""
        woken = any(table["wakes"].search(self._text) for table in rule_tables("schedules", self._text))
        with speaking(conversation_language([self._text])):
            return sentence_of(f"timing.{'wake' if woken else 'now'}")

    def _reminded(self, terms: Terms, message: str) -> Request:
        nothing = IntentEvaluation(None, (), wishes=False)
        resolved = replace(self._unresolved(self._text), plainly=self._asked.plainly)
        return Request((0,), resolved, nothing, terms=replace(terms, message=message))

    def _is_wanted_then(self, said: SaidTiming, evaluation: IntentEvaluation) -> bool:
        """Whether the time is of when something is to be done, and not an argument of it."""
        text, rest = " ".join(self._text.split()).casefold(), said.rest.casefold()
        before, behind = text.endswith(rest), text.startswith(rest)
        slots = [slot for info in evaluation.meant for slot in slots_of(info)]
        if before or isinstance(said.timing, Cycle):
            return before or not (is_time_of_things(said.rest) or any(slot.is_free for slot in slots))
        of_things = (
            is_time_of_things(said.rest)
            or not self._is_of_a_request(said.rest, evaluation)
            or any(slot.is_moment or slot.is_zone or (slot.is_free and slot.required) for slot in slots)
            or (said.bare_clock and not said.names_day and any(slot.is_number for slot in slots))
        )
        looks = all(info.annotations.read_only for info in evaluation.meant)
        if of_things or said.timing is None:
            return not of_things and behind and (said.problem != "past" or not looks)
        if not looks:
            return True
        is_soon = (said.at or self._wall) - self._wall < 2 * _DAY
        return is_soon and (said.names_day or not said.names_clock)

    def _is_of_a_request(self, rest: str, evaluation: IntentEvaluation) -> bool:
        """Whether the clause in which the time stands asks for something, or says nothing but the time."""
        pairs = zip(" ".join(self._text.split()), rest, strict=False)
        begin = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        clauses = [0, *(match.end() for match in _CLAUSE_END.finditer(rest)), len(rest)]
        start = max(at for at in clauses if at <= begin)
        end = min((at for at in clauses if at > start), default=len(rest))
        clause = rest[start:end].strip(" ,;，；。")
        return not clause or len(clauses) == 2 or asks(clause, evaluation.meant)

    async def _request(self, rest: str) -> Request | None:
        """What is wanted then, by the words without the time; `None`: nothing that can be done."""
        if not rest:
            return None
        asked = replace(self._asked, texts=(rest,), plainly=())
        reading = await RequestReading.to_the_point(asked, self._ask)
        found = await reading.read()
        request = found.acts[0] if len(found.acts) == 1 else None
        if not isinstance(request, Request) or not request.evaluation.meant:
            return None
        evaluation = request.evaluation
        if not asks(rest, evaluation.meant):
            return None
        if evaluation.chosen is None:  # the card shows which, and a question would lose the time
            evaluation = replace(evaluation, chosen=evaluation.ties[0], ties=())
        return replace(request, evaluation=evaluation, recollection=None)

    # Whenever something happens.

    async def _triggered(self, trigger: SaidTrigger) -> NewAct | None:
        terms = await self._happening(trigger.happening)
        if terms is None:
            return None
        if trigger.message:
            return self._reminded(terms, to_the_person(trigger.message))
        rest = trigger.rest
        if terms.lands is not None:
            rest = _with_landed(rest, terms.lands)
        request = await self._request(rest)
        return replace(request, terms=terms, condition=None) if request is not None else None

    async def _happening(self, happening: FileLands | Threshold | ActionEnds) -> Terms | None:
        match happening:
            case FileLands(folder, pattern):
                return Terms(lands=FileLands(self._absolute(folder), pattern), zone=machine_zone())
            case Threshold(path=path):
                found = replace(happening, path=self._absolute(path) if path else "")
                return Terms(crosses=found, zone=machine_zone())
            case ActionEnds():
                ends = await self._ends(happening)
                return Terms(ends=ends, zone=machine_zone()) if ends is not None else None

    def _absolute(self, path: str) -> str:
        around = self._state.surroundings
        if path.startswith("~"):
            path = f"{around.home or Path.home()}{path[1:]}"
        base = around.cwd or around.home or str(Path.home())
        return str(PurePath(base) / path)

    async def _ends(self, said: ActionEnds) -> ActionEnds | None:
        """What runs, or an ability, by the words for it; `None`: nothing is called so."""
        words = _words(said.title)
        for record in reversed(self._state.running):
            if words & _words(f"{record.title} {record.request_text}"):
                own = replace(said, title=record.title)
                return replace(own, key=record.key) if said.again else replace(own, action_id=record.id)
        for schedule in reversed(self._state.schedules):
            if words and words <= _words(schedule.title):
                return replace(said, title=schedule.title)
        found = await self._meaning(said.title)
        if found.chosen is None:
            return None
        return replace(said, key=found.chosen.key, title=found.chosen.title)

    # What is planned.

    async def _of_schedules(self, talk: SaidOfSchedules) -> NewAct | None:
        if talk.order == "asks":
            return await self._asked_for(talk)
        if talk.order in {"paused", "resumed"} and talk.named.every and not talk.named.reminders:
            return ChangeSchedule(self._text, talk.order, ())
        ids = self._meant(talk)
        return self._changed(talk, talk.order, ids) if ids else None

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
        if said is None or said.timing is None:
            return None
        timing = _joined(said, old.timing, self._wall) if old.timing is not None else said.timing
        if timing is None:
            return NoTime(self._text, "past")
        moved = Terms(missed=old.missed, message=old.message, zone=old.zone or machine_zone())
        return ChangeSchedule(self._text, "moved", (schedule.id,), terms=_with(moved, timing))

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


def _only_mentions_a_time(text: str) -> bool:
    before = words_before_lead(text)
    reminds = before != text
    if asks_to_recall(text) or keeps_words(f"{before} x" if reminds else text):
        return True
    return not reminds and (asks_what_was_said(text) or states_only(text))


def _terms(timing: Timing) -> Terms:
    return _with(Terms(zone=machine_zone()), timing)


def _with(terms: Terms, timing: Timing) -> Terms:
    if isinstance(timing, Once):
        return replace(terms, once=timing, cycle=None)
    return replace(terms, cycle=timing, once=None)


def _joined(said: SaidTiming, old: Timing, now: datetime) -> Timing | None:
    """A timing with another: what it does not say stays as it was. `None`: it is past."""
    if said.at is None:
        return said.timing
    if isinstance(old, Cycle):
        return _cycle_at(old, said)
    if not said.names_clock and said.names_day:
        at = datetime.combine(said.at.date(), old.at.time())
    elif said.names_clock and not said.names_day:
        at = datetime.combine(old.at.date(), said.at.time())
        at = _nearest(at, old.at)
    else:
        at = said.at
    return Once(at) if at > now else None


def _nearest(at: datetime, old: datetime) -> datetime:
    """Of the two hours that a number may mean, the one that is nearer to what it was."""
    half = timedelta(hours=12)
    same_day = [each for each in (at, at - half, at + half) if each.date() == at.date()]
    return min(same_day, key=lambda each: abs(each - old))


def _cycle_at(old: Cycle, said: SaidTiming) -> Timing | None:
    if said.at is None or old.cron or old.every_s:
        return said.timing
    rule, times = old.rule, old.times
    if said.names_clock:
        times = (said.at.time(),)
    if said.names_day and "FREQ=WEEKLY" in rule:
        day = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")[said.at.weekday()]
        rule = re.sub(r"BYDAY=[A-Z,]+", f"BYDAY={day}", rule)
    return replace(old, rule=rule, times=times)


def _words(text: str) -> frozenset[str]:
    """What tells a text from others: stems, and what they are about."""
    found = [*terms(text.casefold())]
    return frozenset(term.stem for term in found) | {
        f"={concept}" for term in found for concept in term.concepts
    }


def _alike(named: NamedSchedules, known: list[Schedule]) -> tuple[str, ...]:
    """Those whose title, or what they tell, has all of the words; else those that have the most of them."""
    shares: dict[str, float] = {}
    for each in known:
        title = f"{each.title} {each.terms.message}".casefold()
        shares[each.id] = sum(_is_in(word, title) for word in named.words) / len(named.words)
    most = max(shares.values(), default=0.0)
    return tuple(each for each, share in shares.items() if share == most >= 0.5)


def _is_in(word: str, title: str) -> bool:
    if has_cjk(word):
        return word in title or not _words(word).isdisjoint(_words(title))
    return not _words(word).isdisjoint(_words(title)) or word in title


def _with_landed(rest: str, lands: FileLands) -> str:
    """The request with the file that will have landed written where the words mean it."""
    name = f"'{landed_name(lands)}'"
    for table in rule_tables("triggers", rest):
        found, count = table["landed"].subn(name, rest, count=1)
        if count:
            return found
    template = next(iter(rule_tables("triggers", rest))).texts("landed_left_out")[0]
    verb, _, left = rest.partition(" ") if not has_cjk(rest) else ("", "", rest)
    return template.format(verb=verb, name=name, left=left).strip()
