"""What memory asks of a model: which recalled passages help, what was said in short, and what the person's
words teach of people and things. What was not said does not count.

Of people and things a model may only point at what stands in a line: whose it is, what of, and the value in
the line's own words. What the rules read of the same line is taken with it.
"""

from __future__ import annotations

import re
from typing import get_args

from partner_desktop.base.text import cut
from partner_desktop.domain.entity import Attribute, EntityStatement, EntitySubject
from partner_desktop.domain.evidence_text import passage_words
from partner_desktop.domain.remembered import RememberedTurn
from partner_desktop.language.entity_statements import entity_rules
from partner_desktop.language.recollection import remembered_terms
from partner_desktop.language.terms import has_cjk
from partner_desktop.mind.prompted.answers import (
    Answer,
    list_of,
    number_to,
    object_schema,
    one_of,
    text_of_at_most,
)
from partner_desktop.mind.prompted.asker import Asker
from partner_desktop.mind.prompted.prompts import Flaw, FlawError, quoted
from partner_desktop.mind.question import FindEntities, JudgeSlices, Mind, Summarise, TitleDialog

#: Characters of a passage and of a line that are shown, and of what is found.
_PASSAGE, _LINE, _ABOUT, _VALUE = 600, 600, 60, 120
_MOST_TOKENS_OF_SLICES, _MOST_TOKENS_OF_FACTS, _MOST_TOKENS_OF_A_TITLE = 64, 1_200, 80
#: Characters of a dialog that a title is made of, and what is taken off around one.
_TITLED = 2_400
_AROUND_TITLES = " .。\"'“”‘’«»「」《》*#"
#: Characters of a dialog that are shown, and the part of the asked length by which a summary may be longer.
_SHOWN, _LEAST_SHOWN, _LONGER = 12_000, 120, 1.5
#: Tokens of a summary: of the languages with the most tokens a character.
_TOKENS_A_CHARACTER = 1.0
#: The least part of a summary's words that was said.
_SAID_PART = 0.4
_NUMBER = re.compile(r"\d+")
_NAME = re.compile(r"(?<=[a-z,;:] )[A-Z][a-z]{2,}")
_MOST_FACTS = 24
#: How sure a fact is that only a model saw.
_SURE = 0.6
#: What a model may find: what has a day of its own is left to the rules, which read days.
_FOUND: tuple[Attribute, ...] = tuple(one for one in get_args(Attribute) if one not in ("event", "note"))
_PERSON = ("me", "i", "myself", "self", "我")


async def judge_slices(asker: Asker, starter: Mind, request: JudgeSlices) -> tuple[bool, ...]:
    """The model's choice; the starter's, which is all of them, where it gives none that can be used."""
    most = len(request.passages)
    if not most:
        return ()
    passages = (
        f"{number}. {quoted(passage_words(passage).full, _PASSAGE)}"
        for number, passage in enumerate(request.passages, 1)
    )
    found = await asker.ask(
        request,
        lambda answer: tuple(number in answer["helpful"] for number in range(1, most + 1)),
        {"said": quoted(request.text), "passages": "\n\n".join(passages)},
        {"helpful": list_of(number_to(most), most=most)},
        max_tokens=_MOST_TOKENS_OF_SLICES,
    )
    return await starter.ask(request) if found is None else found


async def summarise_by_model(asker: Asker, starter: Mind, request: Summarise) -> str:
    """The model's words; the starter's where it gives none that can be used."""
    if request.plain:
        return await starter.ask(request)
    lines = [f"{turn.at:%Y-%m-%d} {turn.speaker}: {turn.text}" for turn in request.turns]
    texts = request.parts or lines
    most = max(_LEAST_SHOWN, _SHOWN // max(1, len(texts)))

    def check(answer: Answer) -> str:
        summary = " ".join(answer["summary"].split())
        if not summary:
            raise FlawError(Flaw.EMPTY)
        if len(summary) > request.most_characters * _LONGER:
            raise FlawError(Flaw.TOO_LONG)
        if not _is_of(summary, "\n".join(lines)):
            raise FlawError(Flaw.UNSAID)
        return summary

    found = await asker.ask(
        request,
        check,
        {"said": "\n".join(quoted(text, most) for text in texts), "characters": str(request.most_characters)},
        {"summary": {"type": "string", "minLength": 1}},
        max_tokens=round(request.most_characters * _LONGER * _TOKENS_A_CHARACTER),
    )
    return await starter.ask(request) if found is None else found


async def title_by_model(asker: Asker, request: TitleDialog) -> str | None:
    """On one line, without the marks that models like to put around it."""
    lines = [f"{'user' if by_person else 'Partner'}: {text}" for by_person, text in request.said]
    most = max(_LEAST_SHOWN, _TITLED // max(1, len(lines)))

    def check(answer: Answer) -> str:
        title = " ".join(answer["title"].split()).strip(_AROUND_TITLES)
        if not title:
            raise FlawError(Flaw.EMPTY)
        if not set(_NUMBER.findall(title)) <= set(_NUMBER.findall("\n".join(lines))):
            raise FlawError(Flaw.UNSAID)
        return cut(title, request.most_characters)

    return await asker.ask(
        request,
        check,
        {"said": "\n".join(quoted(text, most) for text in lines), "characters": str(request.most_characters)},
        {"title": {"type": "string", "minLength": 1}},
        max_tokens=_MOST_TOKENS_OF_A_TITLE,
    )


def _is_of(summary: str, source: str) -> bool:
    """Whether its numbers and names were said, and most of its words are of what was."""
    known = source.lower()
    if not set(_NUMBER.findall(summary)) <= set(_NUMBER.findall(source)):
        return False
    if any(name.lower() not in known for name in _NAME.findall(summary) if name != "Partner"):
        return False
    terms, said = set(remembered_terms(summary)), set(remembered_terms(source))
    return not terms or len(terms & said) >= _SAID_PART * len(terms)


async def find_entities(
    asker: Asker, starter: Mind, request: FindEntities
) -> tuple[tuple[EntityStatement, ...], ...]:
    """What the rules read, and what the model finds beside it."""
    known = await starter.ask(request)
    if not request.turns:
        return known

    def check(answer: Answer) -> tuple[tuple[EntityStatement, ...], ...]:
        """What the rules read of each line, and what of the rest was really said there."""
        all_of = [list(of_line) for of_line in known]
        for fact in answer["facts"]:
            here = all_of[fact["line"] - 1]
            stated = _stated(fact, request.turns[fact["line"] - 1])
            told = {(one.attribute, one.value.lower()) for one in here}
            if stated is not None and (stated.attribute, stated.value.lower()) not in told:
                here.append(stated)
        return tuple(map(tuple, all_of))

    lines = (f"{number}. {quoted(turn.text, _LINE)}" for number, turn in enumerate(request.turns, 1))
    fact = object_schema(
        line=number_to(len(request.turns)),
        about=text_of_at_most(_ABOUT),
        what=one_of(*_FOUND),
        value=text_of_at_most(_VALUE),
    )
    found = await asker.ask(
        request,
        check,
        {"said": "\n".join(lines), "kinds": ", ".join(_FOUND)},
        {"facts": list_of(fact, most=_MOST_FACTS)},
        max_tokens=_MOST_TOKENS_OF_FACTS,
    )
    return known if found is None else found


def _stated(fact: Answer, turn: RememberedTurn) -> EntityStatement | None:
    """A fact as a statement; `None`: it was not said, or a question, or names nobody."""
    value, about = " ".join(fact["value"].split()), " ".join(fact["about"].split())
    said = " ".join(turn.text.split()).lower()
    if not value or value.lower() not in said or said.endswith(("?", "？")):
        return None
    subject = _subject(about, said)
    if subject is None:
        return None
    if fact["what"] != "relation":
        return EntityStatement(
            subject, fact["what"], value, confidence=_SURE, introduces=bool(subject.relation)
        )
    key, kind = entity_rules("zh" if has_cjk(turn.text) else "en").relation_of(value)
    if not key or not subject.name:
        return None
    named = EntitySubject(subject.name, key, value.lower(), kind)
    return EntityStatement(named, "name", subject.name, confidence=_SURE, introduces=True)


def _subject(about: str, said: str) -> EntitySubject | None:
    plain = about.lower()
    if plain in _PERSON:
        return EntitySubject()
    bare = plain.removeprefix("my ").removeprefix("我的").removeprefix("我")
    for language in ("en", "zh"):
        key, kind = entity_rules(language).relation_of(bare)
        if key and bare in said:
            return EntitySubject("", key, bare, kind)
    is_name = bool(plain) and plain in said and (about[:1].isupper() or has_cjk(about))
    return EntitySubject(about) if is_name else None
