"""Which arguments a text gives, asked of a model: a flat form, each entry filled in or null.

The starter mind reads the text first. Its values stand wherever the model gives none, or none that keeps
the ability's schema. A plain answer to the question for a number, a path, a date or a choice is not put to
the model at all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from partner_desktop.domain.json_value import Json
from partner_desktop.domain.schema_check import misfits
from partner_desktop.mind.prompted.abilities import ParamSlots, first_line, is_free_text, slot_named
from partner_desktop.mind.prompted.answers import json_object
from partner_desktop.mind.prompted.asker import Asker
from partner_desktop.mind.prompted.prompts import Flaw, FlawError, quoted, tail_of, written
from partner_desktop.mind.question import ExtractedParams, ExtractParams, Mind

#: Tokens for the braces, and for each entry: a path or a sentence.
_TOKENS, _TOKENS_EACH, _MOST_TOKENS = 64, 64, 1_024
_KNOWN, _PROBLEM = 400, 200

Values = dict[str, Json]


async def extract(
    asker: Asker, starter: Mind, request: ExtractParams, *, now: Callable[[], datetime]
) -> ExtractedParams:
    """The model's values over the starter's."""
    known = await starter.ask(request)
    form = ParamSlots(request.info)
    if not form or _plainly_answered(request, known):
        return known
    reading = _Reading(request, form, now)
    values = await asker.ask(
        request,
        reading.read,
        _shown(asker.language, request, form),
        turn=request.turn,
        schema=form.schema(),
        max_tokens=min(_MOST_TOKENS, _TOKENS + _TOKENS_EACH * form.keys.count(",")),
    )
    return _over(known, values if values is not None else reading.kept, request)


class _Reading:
    """Reads the model's answers to one question; remembers what of them could be used."""

    def __init__(self, request: ExtractParams, form: ParamSlots, now: Callable[[], datetime]) -> None:
        self._request, self._form, self._now = request, form, now
        self.kept: Values = {}
        """Of the last answer that was a filled-in form: the values that keep the schema."""

    async def read(self, text: str) -> Values:
        self.kept = {}
        found = await self._form.read(json_object(text), self._now)
        broken = await asyncio.to_thread(misfits, self._request.info, found)
        self.kept = {name: value for name, value in found.items() if name not in broken}
        if broken:
            raise FlawError(Flaw.VALUES)
        return self.kept


def _plainly_answered(request: ExtractParams, known: ExtractedParams) -> bool:
    slot = slot_named(request.info, request.asked)
    clear = slot is not None and not known.problem and not known.unsure and request.asked in known.values
    return clear and slot is not None and not is_free_text(slot)


def _shown(language: str, request: ExtractParams, form: ParamSlots) -> dict[str, str]:
    trouble = []
    if request.asked:
        trouble.append(tail_of("asked_param", language, param=form.named(request.asked)))
    if request.problems:
        told = [f"{form.named(name)}: {quoted(why, _PROBLEM)}" for name, why in request.problems.items()]
        trouble.append(tail_of("wrong_params", language, problems="; ".join(told)))
    return {
        "ability": f"{quoted(request.info.title)}, {first_line(request.info)}",
        "params": form.lines(),
        "known": ", ".join(_known(form, name, value) for name, value in request.known.items()) or "-",
        "trouble": "".join(f"{line}\n" for line in trouble),
        "said": quoted(request.text),
        "keys": form.keys,
    }


def _known(form: ParamSlots, name: str, value: Json) -> str:
    said = written(value)
    return f"{form.named(name)} = {said if len(said) <= _KNOWN else quoted(said, _KNOWN)}"


def _over(known: ExtractedParams, values: Values, request: ExtractParams) -> ExtractedParams:
    missing = tuple(name for name in known.missing if name not in values)
    merged = replace(known, values={**known.values, **values}, missing=missing)
    return replace(merged, problem="", unsure=False) if request.asked in values else merged
