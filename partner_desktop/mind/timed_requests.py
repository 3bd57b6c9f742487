"""Timed requests: what is wanted at a time, again and again, or whenever something happens; and what is said
of what was planned so. They are read before all else that is new.

A text that merely mentions a time is none of these: a time of what is looked for, of what was said or done,
or within what is to be written down.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import takewhile
from pathlib import Path, PurePath
from typing import Literal, Self

from partner_desktop.base.messages import sentence_of, speaking
from partner_desktop.base.time_zone import machine_zone
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.schedule import (
    ActionEnds,
    Cycle,
    FileLands,
    Terms,
    Threshold,
    Timing,
    landed_name,
)
from partner_desktop.language.arguments.slot import slots_of
from partner_desktop.language.conversation_language import conversation_language
from partner_desktop.language.ellipsis import to_the_point
from partner_desktop.language.entity_statements import states_only
from partner_desktop.language.lexicon import FUNCTION_WORDS
from partner_desktop.language.recollection import asks_what_was_said
from partner_desktop.language.rule_table import rule_tables, whole
from partner_desktop.language.spans import find_spans
from partner_desktop.language.speech_acts.imperatives import asks
from partner_desktop.language.speech_acts.schedule_talk import (
    NamedSchedules,
    asks_to_recall,
    is_time_of_things,
    read_schedule_talk,
    to_the_person,
)
from partner_desktop.language.speech_acts.speech_act import keeps_words
from partner_desktop.language.terms import has_cjk, terms
from partner_desktop.language.values.schedules import (
    SaidTiming,
    read_time_of_that,
    read_timing,
    with_time,
    words_before_lead,
)
from partner_desktop.language.values.several_times import read_timings, tells_something
from partner_desktop.language.values.triggers import SaidTrigger, read_trigger
from partner_desktop.mind.act import (
    Again,
    Interpret,
    NewAct,
    NoTime,
    Request,
    TalkState,
)
from partner_desktop.mind.answerers import Ask
from partner_desktop.mind.new_requests import RequestReading, SaidWords
from partner_desktop.mind.question import IntentEvaluation
from partner_desktop.mind.schedule_orders import (
    ScheduleOrders,
    stems_and_concepts,
    timed_terms,
    timing_joined,
    timing_shifted,
)

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

    async def read_all(self) -> tuple[NewAct, ...]:
        """What it wants later, at one time or at several; none: it is about neither."""
        acts = await self._several()
        act = await self.read() if not acts else None
        return acts if act is None else (act,)

    async def read(self) -> NewAct | None:
        """What it wants later, or of what is planned; `None`: it is about neither."""
        text = self._text
        if len(text) > _LONGEST:
            return None
        whole = await asyncio.to_thread(self._with_time_of)
        if whole is not None:
            state = replace(self._state, asked_when="")
            return await TimedReading(self._of_texts(whole, state), self._ask).read()
        talk = await asyncio.to_thread(read_schedule_talk, text, self._asked.at)
        if talk is not None and (act := await ScheduleOrders(self._asked, self._ask).read(talk)) is not None:
            return act
        if await asyncio.to_thread(_only_mentions_a_time, text):
            return None
        trigger = await asyncio.to_thread(read_trigger, text)
        if trigger is not None and (request := await self._triggered(trigger)) is not None:
            return request
        said = await asyncio.to_thread(read_timing, text, self._asked.at)
        return await self._timed(said) if said is not None else None

    def _with_time_of(self) -> str | None:
        """What was wanted before, with the time that the words are; `None`: they are none."""
        wanted = self._state.asked_when
        return with_time(wanted, self._text, self._asked.at) if wanted else None

    def _of_texts(self, text: str, state: TalkState) -> Interpret:
        return replace(self._asked, texts=(text,), state=state, plainly=())

    async def _several(self) -> tuple[NewAct, ...]:
        """Requests and reminders for several times that are said together."""
        text = self._text
        if len(text) > _LONGEST:
            return ()
        several = await asyncio.to_thread(read_timings, text, self._asked.at)
        if not several or await asyncio.to_thread(_only_mentions_a_time, text):
            return ()
        found = [await self._one_of_several(said) for said in several]
        acts = tuple(act for act in found if act is not None)
        return acts if len(acts) == len(found) else ()

    async def _one_of_several(self, said: SaidTiming) -> NewAct | None:
        if said.is_reminder:
            return await self._reminder(said) if self._only_reminds(said) else None
        request = await self._request(said.rest, once=said.at is not None)
        if said.timing is None or tells_something(said.rest):
            return None
        if request is None:  # nothing does it here: the person is told of it then
            return self._reminded(timed_terms(said.timing, said.zone), to_the_person(self._own(said.rest)))
        return replace(request, terms=timed_terms(said.timing, said.zone))

    async def to_card(self, card: ActionRecord) -> NewAct | None:
        """A card at another time: `do it every day at nine`; `None`: the words do not want that. Of
        `NoTime` it stays as it is.
        """
        said = await asyncio.to_thread(read_time_of_that, self._text, self._asked.at)
        old = card.terms
        talk = await asyncio.to_thread(read_schedule_talk, self._text, self._asked.at)
        if said is None and old is not None and talk is not None and talk.named == NamedSchedules():
            said = talk.target  # `change it to tuesday`
        if old is not None and old.timing and talk is not None and (talk.half or talk.shift):
            timing: Timing | Literal["past", "unjoined"] = timing_shifted(talk, old.timing, self._wall)
        elif said is None or said.timing is None:
            return None
        else:
            known = old is not None and old.timing
            timing = timing_joined(said, known, self._wall) if known else said.timing
        if isinstance(timing, str):
            return NoTime(self._text, timing)
        terms = timed_terms(timing, said.zone if said is not None else "")
        if old is not None and old.message:
            return self._reminded(terms, old.message)
        return Again(card.request_text, card, card.params, chain=card.chain, terms=terms)

    async def is_new_request(self) -> bool:
        """Whether it asks for something at a time, whatever waits: `every day at 9 zip ~/Notes`."""
        text = self._text
        if len(text) > _LONGEST or await asyncio.to_thread(_only_mentions_a_time, text):
            return False
        said = await asyncio.to_thread(read_timing, text, self._asked.at)
        if said is None or said.timing is None or said.is_reminder or not find_spans(said.rest):
            return False
        return await self._timed(said) is not None

    def stands_by_itself(self) -> bool:
        """Whether it is about nothing that is open, whatever that is: `remind me at nine to call Ann`."""
        text = self._text
        if len(text) > _LONGEST:
            return False
        if self._with_time_of() is not None:
            return True
        talk = read_schedule_talk(text, self._asked.at)
        if talk is not None:
            whole = talk.named.every and talk.order in {"paused", "resumed"}
            return talk.order == "asks" or talk.named.reminders or whole
        said = None if _only_mentions_a_time(text) else read_timing(text, self._asked.at)
        return said is not None and said.timing is not None and self._only_reminds(said)

    # At a time.

    async def _timed(self, said: SaidTiming) -> NewAct | None:
        if said.is_reminder:
            return await self._reminder(said) if self._only_reminds(said) else None
        request = await self._request(said.rest, once=said.at is not None)
        if request is None or not self._is_wanted_then(said, request.evaluation):
            return None
        if said.timing is None:
            return NoTime(self._text, said.problem or "unclear")
        return replace(request, terms=timed_terms(said.timing, said.zone))

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
        if whole("schedule_talk", "refused", said.rest):
            return None  # `on sundays, stop reminding me`
        message = to_the_person(self._own(said.rest)) if said.rest else self._plain_message()
        return self._reminded(timed_terms(said.timing, said.zone), message)

    def _plain_message(self) -> str:
        """What is told where the words do not say of what: `wake me up at seven`."""
        woken = any(table["wakes"].search(self._text) for table in rule_tables("schedules", self._text))
        with speaking(conversation_language([self._text])):
            return sentence_of(f"timing.{'wake' if woken else 'now'}")

    def _own(self, words: str) -> str:
        """Words that are told later, as the person said them."""
        for plain in self._asked.plainly:
            words = plain.own(words)
        return words

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
        start = max(at for at in clauses[:-1] if at <= begin)
        end = min((at for at in clauses if at > start), default=len(rest))
        clause = rest[start:end].strip(" ,;，；。")
        return not clause or len(clauses) == 2 or asks(clause, evaluation.meant)

    async def _request(self, rest: str, *, once: bool = False) -> Request | None:
        """What is wanted then, by the words without the time; `None`: nothing that can be done."""
        if not rest:
            return None
        around = replace(self._state.surroundings, lasting=not once)
        asked = self._of_texts(rest, replace(self._state, surroundings=around))
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
            return self._reminded(terms, to_the_person(self._own(trigger.message)))
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
        words = stems_and_concepts(said.title)
        for record in reversed(self._state.running):
            if words & stems_and_concepts(f"{record.title} {record.request_text}"):
                own = replace(said, title=record.title)
                return replace(own, key=record.key) if said.again else replace(own, action_id=record.id)
        found = await self._meaning(said.title)
        if found.chosen is None:
            return None
        return replace(said, key=found.chosen.key, title=found.chosen.title)

    @property
    def _wall(self) -> datetime:
        return self._asked.at.replace(tzinfo=None)


def _only_mentions_a_time(text: str) -> bool:
    before = words_before_lead(text)
    reminds = before != text
    if asks_to_recall(text) or keeps_words(f"{before} x" if reminds else text):
        return True
    return not reminds and (asks_what_was_said(text) or states_only(text))


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
