"""The rest of a message: what stands behind the words that ask for an ability, for parameters that take it.

`run ls -la /tmp` → `ls -la /tmp`; `remind me with a notification saying tea is ready` → `tea is ready`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import PurePath

from partner_desktop.base.patterns import late
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.arguments.wordings import WORDINGS
from partner_desktop.language.lexicon import CJK_CONCEPTS
from partner_desktop.language.spans import SCAN_LIMIT, SpanKind, blank, find_spans
from partner_desktop.language.terms import (
    ALIAS_LIMIT,
    FUNCTION_WEIGHT,
    Term,
    cjk_word,
    first_sentence,
    latin_term,
    terms,
)

_SAID, _SETS = WORDINGS.patterns, WORDINGS.sets
#: Characters in which politeness at the end is looked for.
_END = 60
#: Words at the beginning in which the request is looked for.
_BEGINNING = 30
#: The full stop of the sentence that a command line ends; `..` and a lone `.` are arguments.
_SENTENCE_END = late(r"(?<=\w)\.$")
_CODE = late(r"`([^`\n]{1,2000})`")
_TOKEN = late(r"\S+")
_PLAIN = late(r"[A-Za-z][A-Za-z'’\-]*[,:]?")
_CJK_GLUE = late(r"^(?:命令|一下|我|他|说|：|:|，|,|\s)+")


def rest_of(text: str, info: MetaActionInfo, *, prose: bool) -> str:
    """What follows the request; empty when it cannot be told. `prose`: a text, not a command line."""
    body = text[_polite_end(text) :]
    if prose and (saying := _SAID["saying"].search(body[:SCAN_LIMIT])):
        return cleaned(body[saying.end() :])
    for told in (pattern.search(body[:SCAN_LIMIT]) for pattern in WORDINGS.rest if prose):
        if told is not None:
            return cleaned(told["text"])
    start = _after_request(body, info, prose=prose)
    if start is not None:
        rest = cleaned(body[start:], colon=True)
        if prose and _SAID["adding"].match(body):
            rest = _without_place(rest, info)
        return rest if prose else _command_line(_SENTENCE_END.sub("", rest), info)
    if not prose and (command := _placed_command(body, info)):
        return command
    quotes = [span for span in find_spans(body) if span.kind is SpanKind.QUOTE]
    return quotes[0].value if len(quotes) == 1 else ""


def _command_line(rest: str, info: MetaActionInfo) -> str:
    """The command line alone: what is set off as code, or all but the request's own last words.

    ``run `ls -la` in the background`` and `run ls -la in the background` → `ls -la`.
    """
    if code := _CODE.match(rest):
        return code[1]
    found = (_SAID["place_end"].search(phrase.lower()) for phrase in _said_of(info))
    places = {place.group() for place in found if place is not None}
    end = max((place for place in places if rest.lower().endswith(place)), key=len, default="")
    return rest[: len(rest) - len(end)]


def _placed_command(body: str, info: MetaActionInfo) -> str:
    """The command line of `run ls -la in the background`, though the ability does not call itself `run`."""
    bare = cleaned(body)
    first = _TOKEN.match(bare)
    if first is None or first.group().lower() not in _SETS["starters"]:
        return ""
    rest = bare[first.end() :].strip()
    command = _command_line(rest, info)
    return command if command != rest else ""


def _without_place(rest: str, info: MetaActionInfo) -> str:
    place = _SAID["into"].search(rest)
    if place is None:
        return rest
    known = {term.stem for phrase in _phrases(info) for term in phrase}
    named = all(term.stem in known for term in terms(place["into"]))
    return rest[: place.start()].strip() if named else rest


def _said_of(info: MetaActionInfo) -> Iterator[str]:
    yield from (info.title, first_sentence(info.description), *info.aliases[:ALIAS_LIMIT])


def _polite_end(text: str) -> int:
    match = _SAID["polite"].match(text)
    return match.end() if match else 0


def cleaned(rest: str, *, colon: bool = False) -> str:
    """Without politeness at the end and without quotation marks around all of it."""
    bare = rest.strip()
    bare = bare[:-_END] + _SAID["polite_end"].sub("", bare[-_END:])
    bare = bare.lstrip(":：").strip() if colon else bare.strip()
    spans = find_spans(bare)
    quoted = len(spans) == 1 and spans[0].kind is SpanKind.QUOTE and not re.search(r"\w", blank(bare, spans))
    return spans[0].value if quoted else bare


def _after_request(body: str, info: MetaActionInfo, *, prose: bool) -> int | None:
    """Where the words that ask end: after as many of one phrase's words, in order, as it begins with."""
    ends = [end for phrase in _phrases(info) if (end := _matched_end(body, phrase)) is not None]
    ends += [end for end in (_cjk_end(body, info), _name_end(body, info)) if end is not None]
    if not ends:
        return None
    end = max(ends)
    return _past(body, end, _SETS["before_text"]) if prose else end


def _phrases(info: MetaActionInfo) -> Iterator[tuple[Term, ...]]:
    for text in _said_of(info):
        found = tuple(term for term in terms(text, limit=30) if term.word and term.weight > FUNCTION_WEIGHT)
        if found:
            yield found


def _matched_end(body: str, phrase: tuple[Term, ...]) -> int | None:
    end: int | None = None
    position = 0
    for match in islice(_TOKEN.finditer(body), _BEGINNING):
        token = match.group()
        if not _PLAIN.fullmatch(token):
            break
        said = latin_term(token.rstrip(",:").lower())
        found = next((index for index in range(position, len(phrase)) if _same(said, phrase[index])), None)
        if found is None and said.word not in _SETS["between"]:
            break
        if found is not None:
            position, end = found + 1, match.end()
    return end


def _same(said: Term, known: Term) -> bool:
    return said.stem == known.stem or any(
        value == known.concepts.get(name) for name, value in said.concepts.items()
    )


def _name_end(body: str, info: MetaActionInfo) -> int | None:
    """Behind the plain name of the ability (`run note.sh …`)."""
    names = {info.name.casefold(), PurePath(info.name).name.casefold(), PurePath(info.name).stem.casefold()}
    for match in islice(_TOKEN.finditer(body), _BEGINNING):
        token = match.group().casefold().rstrip(",:")
        if token in names or PurePath(token).name in names:
            return _past(body, match.end(), frozenset({"with", "on", "for"}))
        if token not in _SETS["starters"] and token not in _SETS["between"]:
            return None
    return None


def _cjk_end(body: str, info: MetaActionInfo) -> int | None:
    """Behind the Chinese words that ask: an alias, or dictionary words of the ability's meaning."""
    said = max(
        (alias for alias in info.aliases if not alias.isascii() and body.startswith(alias)),
        key=len,
        default="",
    )
    end = len(said)
    told = " ".join((info.title, info.description, *info.aliases))
    concepts = {name for term in terms(told) for name in term.concepts}
    while CJK_CONCEPTS.get(word := cjk_word(body, end), {}).keys() & concepts:
        end += len(word)
    if end == 0:
        return None
    glue = _CJK_GLUE.match(body[end:])
    return end + (glue.end() if glue else 0)


def _past(body: str, end: int, words: frozenset[str]) -> int:
    """Behind those of `words` that follow."""
    for match in islice(_TOKEN.finditer(body, end), _BEGINNING):
        if match.group().lower().rstrip(",:") not in words:
            break
        end = match.end()
    return end
