"""What was said in a stretch of dialog, summed up by a model; what it invents does not count."""

from __future__ import annotations

import asyncio
import re

from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.remembered import RememberedTurn
from partner_desktop.language.recollection import remembered_terms
from partner_desktop.mind.prompted.answers import SummaryAnswer, object_schema, read_answer
from partner_desktop.mind.prompted.asker import Asker
from partner_desktop.mind.prompted.prompts import Flaw, FlawError, quoted
from partner_desktop.mind.question import Mind, Summarise

#: Characters of all that is shown, and the part of the asked length by which an answer may be longer.
_SHOWN, _LONGER = 12_000, 1.5
_LEAST_SHOWN = 120
#: Tokens of an answer: of the languages with the most tokens a character.
_TOKENS_A_CHARACTER = 1.0
#: The least part of a summary's words that was said.
_SAID_PART = 0.4
_NUMBER = re.compile(r"\d+")
_NAME = re.compile(r"(?<=[a-z,;:] )[A-Z][a-z]{2,}")


async def summarise_by_model(asker: Asker, starter: Mind, request: Summarise) -> str:
    """The model's words; the starter's where it gives none that can be used."""
    if request.plain:
        return await starter.ask(request)
    texts = [*request.parts] or [_line(turn) for turn in request.turns]
    most = max(_LEAST_SHOWN, _SHOWN // max(1, len(texts)))
    source = "\n".join(_line(turn) for turn in request.turns)

    async def read(text: str) -> str:
        summary = " ".join(read_answer(SummaryAnswer, text).summary.split())
        if not summary:
            raise FlawError(Flaw.EMPTY)
        if len(summary) > request.most_characters * _LONGER:
            raise FlawError(Flaw.TOO_LONG)
        if not await asyncio.to_thread(_is_of, summary, source):
            raise FlawError(Flaw.UNSAID)
        return summary

    schema: JsonObject = {"type": "string", "minLength": 1}
    found = await asker.ask(
        request,
        read,
        {"said": "\n".join(quoted(text, most) for text in texts), "characters": str(request.most_characters)},
        turn=request.turn,
        schema=object_schema(summary=schema),
        max_tokens=round(request.most_characters * _LONGER * _TOKENS_A_CHARACTER),
    )
    return await starter.ask(request) if found is None else found


def _line(turn: RememberedTurn) -> str:
    return f"{turn.at:%Y-%m-%d} {turn.speaker}: {turn.text}"


def _is_of(summary: str, source: str) -> bool:
    """Whether its numbers and names were said, and most of its words are of what was."""
    known = source.lower()
    if not set(_NUMBER.findall(summary)) <= set(_NUMBER.findall(source)):
        return False
    if any(name.lower() not in known for name in _NAME.findall(summary) if name != "Partner"):
        return False
    terms, said = set(remembered_terms(summary)), set(remembered_terms(source))
    return not terms or len(terms & said) >= _SAID_PART * len(terms)
