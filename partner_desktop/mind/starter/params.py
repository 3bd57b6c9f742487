"""Arguments out of a message: what it gives plainly, converted, checked against the schema; and the
sentences for an answer that does not do: what is needed instead, as plain text.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from partner_desktop.domain.json_value import Json
from partner_desktop.domain.schema_check import Misfit, misfits
from partner_desktop.language.arguments.answer import AnsweredValue, read_answer
from partner_desktop.language.arguments.assignment import assign
from partner_desktop.language.arguments.conversion import Need, UnfitError, to_value
from partner_desktop.language.arguments.offers.number_offers import wants_moment
from partner_desktop.language.arguments.slot import Slot, flattened, slots_of
from partner_desktop.language.clauses import is_negative
from partner_desktop.language.speech_acts.speech_act import speech_act, trial_switch
from partner_desktop.language.values.moments import Moment, moments_in, read_moments
from partner_desktop.mind.question import ExtractedParams, ExtractParams
from partner_desktop.mind.starter.phrases import Phrases, phrases_for

#: Choices named at most; more do not fit a sentence.
_CHOICES = 12


def need_sentence(need: Need, slot: Slot, phrases: Phrases) -> str:
    """One sentence that says what would do."""
    return phrases.need[need].format(choices=named_choices(slot, phrases), example='{"key": "value"}')


def breach_sentence(breach: Misfit, slot: Slot, phrases: Phrases) -> str:
    """One sentence for a value of the right type that breaks a rule of its schema."""
    rule = breach.keyword.removeprefix("exclusive").lower()
    sentence = phrases.breach.get(rule, phrases.breach["other"])
    return sentence.format(limit=breach.limit, choices=named_choices(slot, phrases))


def named_choices(slot: Slot, phrases: Phrases) -> str:
    """The choices of a parameter as one enumeration."""
    return phrases.enumerated([str(choice) for choice in slot.choices if choice is not None], most=_CHOICES)


#: Characters and parameters above which the loop is not held.
_LONG, _MANY = 400, 12

Clock = Callable[[], datetime]


def _local_now() -> datetime:
    return datetime.now().astimezone()


async def extract(request: ExtractParams, *, now: Clock = _local_now) -> ExtractedParams:
    """Values of the right types, what is missing, and with an asked parameter why its answer does not do.

    `now` is what `tomorrow` counts from.
    """
    slot = next((slot for slot in slots_of(request.info) if slot.name == request.asked), None)
    if slot is not None:
        return await _answered(request, slot, now)
    if request.amends and is_negative(request.text):
        return _extracted(request, {})
    moments = (
        await read_moments(request.text, now()) if _takes_moments(request) else await moments_in(request.text)
    )
    found = await _assigned(request, moments)
    if request.amends and not found:
        found = _only_number(request)
    switch = trial_switch(request.info)
    if switch and speech_act(request.text).preview:
        found[switch] = True
    broken = await asyncio.to_thread(misfits, request.info, found)
    return _extracted(request, {name: value for name, value in found.items() if name not in broken})


async def _assigned(request: ExtractParams, moments: tuple[Moment, ...]) -> dict[str, Json]:
    """A long message is read in a thread: it takes tens of milliseconds."""
    if len(request.text) <= _LONG and len(request.info.properties()) <= _MANY:
        return assign(request.text, request.info, moments, said_only=request.amends)
    return await asyncio.to_thread(assign, request.text, request.info, moments, said_only=request.amends)


def _only_number(request: ExtractParams) -> dict[str, Json]:
    """`改成 300` with one number to change: what the parameter is called need not be said."""
    said = re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])", request.text)
    slots = [slot for slot in slots_of(request.info) if slot.is_number]
    if len(said) != 1 or len(slots) != 1:
        return {}
    try:
        return {slots[0].name: to_value(said[0], slots[0])}
    except UnfitError:
        return {}


def _takes_moments(request: ExtractParams) -> bool:
    return any(wants_moment(slot) for slot in flattened(slots_of(request.info)))


async def _answered(request: ExtractParams, slot: Slot, now: Clock) -> ExtractedParams:
    phrases = phrases_for(request.text)
    moments = await read_moments(request.text, now()) if wants_moment(slot) else ()
    try:
        answer = read_answer(request.text, slot, request.info, moments)
    except UnfitError as unfit:
        return _extracted(request, {}, problem=need_sentence(unfit.need, slot, phrases))
    more = await _told_besides(request, slot, answer.rest)
    if answer.rest and not more and slot.is_free and request.text.startswith(str(answer.value)):
        answer = AnsweredValue(to_value(request.text, slot))
    broken = await asyncio.to_thread(misfits, request.info, {slot.name: answer.value})
    if slot.name in broken:
        return _extracted(request, more, problem=breach_sentence(broken[slot.name], slot, phrases))
    return replace(_extracted(request, {**more, slot.name: answer.value}), unsure=not answer.sure)


async def _told_besides(request: ExtractParams, slot: Slot, rest: str) -> dict[str, Json]:
    """What else an answer sets: `~/Music, but only PDFs`. Free text is what was asked for alone."""
    if not rest:
        return {}
    told = await asyncio.to_thread(assign, rest, request.info, said_only=True)
    free = {each.name for each in slots_of(request.info) if each.is_free}
    more = {name: value for name, value in told.items() if name not in (slot.name, *free)}
    broken = await asyncio.to_thread(misfits, request.info, more)
    return {name: value for name, value in more.items() if name not in broken}


def _extracted(request: ExtractParams, found: dict[str, Json], *, problem: str = "") -> ExtractedParams:
    values = {**request.known, **found}
    missing = tuple(name for name in _required(request) if name not in values)
    return ExtractedParams(values=values, missing=missing, problem=problem)


def _required(request: ExtractParams) -> list[str]:
    """Required parameters in declared order; those with a default can be left out."""
    properties = request.info.properties()
    required = [name for name in properties if name in request.info.required()]
    return [name for name in required if "default" not in properties[name]]
