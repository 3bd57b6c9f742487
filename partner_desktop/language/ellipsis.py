"""Turns that leave out what the turn before them said: `and Pictures?`, `same for Music`, `图片呢？`; and
questions about what was shown last: `when was that?`, `what else did I say?`. Pure.

The same ability is wanted, its arguments are inherited, and what is named overrides them.
"""

from __future__ import annotations

import re
from pathlib import PurePath

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.prompts import LANGUAGES
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.remembered import FollowUp
from partner_desktop.language.anaphora import points_back
from partner_desktop.language.entity_questions import read_correction
from partner_desktop.language.recollection import read_cue
from partner_desktop.language.rule_table import group_of, rule_table, rule_tables
from partner_desktop.language.spans import SpanKind, blank, find_spans, masked_text, unquoted
from partner_desktop.language.speech_acts.imperatives import asks
from partner_desktop.language.speech_acts.small_talk import small_talk
from partner_desktop.language.spoken_words import ResolvedText
from partner_desktop.language.terms import has_cjk, stem, terms

#: A longer text says more than that.
_LONGEST = 120
_SENTENCE = re.compile(r"(.+?)\s*[.!?。！？,，…]+\s*(\S.*)")
#: What abilities mean that add texts to something.
_ADDS = frozenset({"append", "note"})


@dataclass(frozen=True)
class EllipticalTurn:
    """What is wanted again."""

    words: str = ""
    """What is named instead; empty: as it was."""
    again: bool = False
    """It says that something is done once more; otherwise the words may as well be about something else."""
    more: bool = False
    """The words are one more text for what adds texts."""
    typed: bool = False
    """Only what its form tells is wanted of them: paths, numbers, choices."""
    placed: bool = False
    """They are where it is wanted, and nothing else."""


def read_ellipsis(text: str) -> EllipticalTurn | None:
    """What the words leave out; `None`: nothing, they are whole."""
    said = without_talk(" ".join(text.replace("’", "'").split()))
    if not said or len(said) > _LONGEST:
        return None
    for table in rule_tables("ellipsis", said):
        if table["again"].fullmatch(said.rstrip("?？ ")):
            return EllipticalTurn(again=True)
        for rule in ("more", "again_with", "also", "too", "amount", "and"):
            found = table[rule].fullmatch(said)
            if found is None:
                continue
            words = next(value for value in found.groupdict().values() if value).strip(" ,，")
            if rule in ("more", "again_with"):
                return EllipticalTurn(words, again=rule == "again_with", more=rule == "more")
            if (place := table["placed"].fullmatch(words)) is not None:
                return EllipticalTurn(group_of(place, "place"), typed=True, placed=True)
            if table["never"].match(words) is None and (rule == "amount" or not _asks(words)):
                return EllipticalTurn(words)
    return None


def with_more(words: str, info: MetaActionInfo, before: JsonObject) -> JsonObject | None:
    """The arguments of the last action with another text, where it adds texts to something; else `None`."""
    phrases = (info.title, *info.aliases)
    adds = any(_ADDS & term.concepts.keys() for phrase in phrases for term in terms(phrase))
    texts = _texts(info)
    return {**before, texts[0]: unquoted(words)} if adds and len(texts) == 1 and texts[0] in before else None


def inherited(
    said: ResolvedText, info: MetaActionInfo, before: JsonObject, found: JsonObject, *, typed: bool = False
) -> JsonObject | None:
    """The arguments of the last action with what the words override; `None`: they override nothing.

    `found`: what their numbers, paths and choices are. Of what only looks, the rest of the words is what is
    looked for, where that is the one text it takes and not only what is `typed` is wanted.
    """
    texts = _texts(info)
    anew = {name: value for name, value in found.items() if name not in texts and value != before.get(name)}
    if not typed and looks_for_text(info) and (rest := _rest(said)):
        anew[texts[0]] = rest
    return {**_without_old_names(before, anew), **anew} if anew else None


def _without_old_names(before: JsonObject, anew: JsonObject) -> JsonObject:
    """Where something went under its own name, another goes into the same folder under its own."""
    names = {PurePath(old).name for name in anew if isinstance(old := before.get(name), str) and "/" in old}
    return {
        name: str(PurePath(value).parent)
        if isinstance(value, str) and "/" in value and PurePath(value).name in names
        else value
        for name, value in before.items()
    }


def looks_for_text(info: MetaActionInfo) -> bool:
    """Whether it only looks, and the one text it takes is what it looks for."""
    return bool(info.annotations.read_only) and len(_texts(info)) == 1


def _rest(said: ResolvedText) -> str:
    """What of the words is neither a path nor a number, and stands not only around those."""
    marked = masked_text(said.said, [(each.start, each.end) for each in said.references], " ")
    spans = tuple(span for span in find_spans(marked) if span.kind is not SpanKind.QUOTE)
    rest = " ".join(blank(marked, spans).split())
    for table in rule_tables("ellipsis", said.said):
        while (bare := table["around"].sub("", rest).strip(" ,，.?？'\"“”")) != rest:
            rest = bare
    return rest


def without_talk(text: str) -> str:
    """Without what is only said before it: `I see. And Downloads?`."""
    found = _SENTENCE.match(text)
    return without_talk(found[2]) if found is not None and small_talk(found[1]) is not None else text


def to_the_point(text: str) -> str:
    """What is asked for, without the talk before it; what is told as lost, as the question where it is."""
    said = text if read_correction(text) is not None else without_talk(text)  # `that's wrong, it's Hanna`
    for table in rule_tables("ellipsis", said):
        if (lost := table["lost"].fullmatch(said)) is not None:
            return table.section("templates")["where"].format(thing=group_of(lost, "thing"))
    return said


def _texts(info: MetaActionInfo) -> list[str]:
    """The parameters that are plain text."""
    return [
        name
        for name, schema in info.properties().items()
        if schema.get("type") == "string"
        and "enum" not in schema
        and schema.get("format") in (None, "file-name")
    ]


def _asks(words: str) -> bool:
    """Whether they are led by a deed of their own; in Chinese the table knows them."""
    return not has_cjk(words) and asks(words, ())


def follow_up(text: str) -> FollowUp | None:
    """What is asked about what was shown last; `None`: the words are about something else."""
    for table in rule_tables("follow_ups", text) if len(text) <= _LONGEST else ():
        if table["more"].fullmatch(text):
            return FollowUp("more")
        if table["of_the_saying"].fullmatch(text):
            return FollowUp("place")
        if points_back(text) and table["asks_of"].search(text):
            return FollowUp("detail" if _names_anything(text) else "place")
        other = table["other"].match(text)
        wanted = group_of(other, "other") if other is not None else ""
        if wanted and _names_anything(wanted):
            return FollowUp("other", wanted)
    return None


def _names_anything(text: str) -> bool:
    tables = (rule_table("follow_ups", language) for language in LANGUAGES)
    of_talk = {stem(word) for table in tables for word in table.words("of_talk")}
    return any(term not in of_talk for term in read_cue(text).terms)
