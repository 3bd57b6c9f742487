"""What the person's words teach of people and things, found by a model; what was not said does not count.

A model may only point at what stands in a line: whose it is, what of, and the value in the line's own words.
What the rules read of the same line is taken with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import cast, get_args

from partner_desktop.domain.entity import Attribute, EntityStatement, EntitySubject
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.remembered import RememberedTurn
from partner_desktop.language.entity_statements import entity_rules
from partner_desktop.language.terms import has_cjk
from partner_desktop.mind.prompted.answers import (
    FoundFact,
    FoundFactsAnswer,
    object_schema,
    one_of,
    read_answer,
    text_of_at_most,
)
from partner_desktop.mind.prompted.asker import Asker
from partner_desktop.mind.prompted.prompts import Flaw, FlawError, quoted
from partner_desktop.mind.question import FindEntities, Mind

#: Characters of a line that are shown, and of what is found.
_LINE, _ABOUT, _VALUE = 600, 60, 120
_MOST_FACTS = 24
_MOST_TOKENS = 1_200
#: How sure a fact is that only a model saw.
_SURE = 0.6
#: What a model may find: what has a day of its own is left to the rules, which read days.
_FOUND: tuple[Attribute, ...] = tuple(one for one in get_args(Attribute) if one not in ("event", "note"))
_PERSON = ("me", "i", "myself", "self", "我")


async def find_entities(
    asker: Asker, starter: Mind, request: FindEntities
) -> tuple[tuple[EntityStatement, ...], ...]:
    """What the rules read, and what the model finds beside it."""
    known = await starter.ask(request)
    if not request.turns:
        return known
    lines = [f"{number}. {quoted(turn.text, _LINE)}" for number, turn in enumerate(request.turns, 1)]
    most = len(request.turns)

    async def read(text: str) -> FoundFactsAnswer:
        answer = read_answer(FoundFactsAnswer, text)
        if any(not 1 <= fact.line <= most or fact.what not in _FOUND for fact in answer.facts):
            raise FlawError(Flaw.VALUES)
        return answer

    fact = object_schema(
        line={"type": "integer", "minimum": 1, "maximum": most},
        about=text_of_at_most(_ABOUT),
        what=one_of(*_FOUND),
        value=text_of_at_most(_VALUE),
    )
    facts: JsonObject = {"type": "array", "items": fact, "maxItems": _MOST_FACTS}
    found = await asker.ask(
        request,
        read,
        {"said": "\n".join(lines), "kinds": ", ".join(_FOUND)},
        turn=request.turn,
        schema=object_schema(facts=facts),
        max_tokens=_MOST_TOKENS,
    )
    if found is None:
        return known
    return await asyncio.to_thread(_beside, known, found.facts, request.turns)


def _beside(
    known: Sequence[tuple[EntityStatement, ...]],
    facts: Sequence[FoundFact],
    turns: Sequence[RememberedTurn],
) -> tuple[tuple[EntityStatement, ...], ...]:
    """What the rules read of each line, and what of the rest was really said there."""
    all_of = [list(of_line) for of_line in known]
    for fact in facts[:_MOST_FACTS]:
        text = turns[fact.line - 1].text
        stated = _stated(fact, text)
        if stated is None:
            continue
        here = all_of[fact.line - 1]
        if all(
            (one.attribute, one.value.lower()) != (stated.attribute, stated.value.lower()) for one in here
        ):
            here.append(stated)
    return tuple(map(tuple, all_of))


def _stated(fact: FoundFact, text: str) -> EntityStatement | None:
    """A fact as a statement; `None`: it was not said, or a question, or names nobody."""
    value, about = " ".join(fact.value.split()), " ".join(fact.about.split())
    said = " ".join(text.split()).lower()
    if not value or value.lower() not in said or said.rstrip().endswith(("?", "？")):
        return None
    subject = _subject(about, said)
    if subject is None:
        return None
    rules = entity_rules("zh" if has_cjk(text) else "en")
    found = EntityStatement(
        subject, cast("Attribute", fact.what), value, confidence=_SURE, introduces=bool(subject.relation)
    )
    if fact.what == "relation":
        key, kind = rules.relation_of(value)
        if not key or not subject.name:
            return None
        named = EntitySubject(subject.name, key, value.lower(), kind)
        return replace(found, subject=named, attribute="name", value=subject.name, introduces=True)
    return found


def _subject(about: str, said: str) -> EntitySubject | None:
    if about.lower() in _PERSON:
        return EntitySubject()
    plain = about.lower().removeprefix("my ").removeprefix("我的").removeprefix("我")
    for language in ("en", "zh"):
        key, kind = entity_rules(language).relation_of(plain)
        if key and plain in said:
            return EntitySubject("", key, plain, kind)
    is_name = bool(about) and about.lower() in said and (about[:1].isupper() or has_cjk(about))
    return EntitySubject(about) if is_name else None
