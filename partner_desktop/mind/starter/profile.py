"""AbilityProfile: what the words of one ability's description come to. Made once per ability."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.language.arguments.slot import slots_of
from partner_desktop.language.terms import (
    ALIAS_LIMIT,
    FUNCTION_WEIGHT,
    Term,
    first_sentence,
    leading,
    mainly_cjk,
    terms,
)

#: How much a match counts by where the word stands.
NAME, ALIAS, VERB, DESCRIPTION, TAG, PARAMETER = 1.0, 1.0, 0.9, 0.9, 0.8, 0.7

#: Texts are cut here, so that none keeps the loop busy: their sense is at the beginning.
TEXT_LIMIT, PARAMETER_TEXT_LIMIT = 1_000, 200
_PAST = re.compile(r"\bdeprecated\b|\bobsolete\b|已弃用", re.IGNORECASE)
PARAMETER_LIMIT = 40


@dataclass(frozen=True)
class Phrase:
    """One way to say what the ability does: its name, an alias, or its description's first sentence."""

    terms: tuple[Term, ...]
    trust: float
    cjk: bool = False
    """Written in Chinese or its like."""
    calling: bool = True
    """A name, an alias or a verb, not a description."""


@dataclass(frozen=True)
class AbilityProfile:
    """An ability, ready to be compared."""

    info: MetaActionInfo
    phrases: tuple[Phrase, ...]
    stems: dict[str, float]
    """Stem → the best field it stands in, by weight."""
    concepts: dict[str, float]
    words: frozenset[str]
    """Its words as they are spelled."""
    keys: frozenset[str]
    """Stems and concepts that mean something: without one in common there is nothing to compare."""
    past: bool
    """It says that something else has taken its place."""
    takes_path: bool
    path_kinds: frozenset[str]
    """`file`, `folder`: what its path parameters take."""
    takes_zone: bool
    """A parameter takes a time zone."""
    takes_rest: bool
    """A parameter takes the rest of the message."""
    takes_command: bool
    """A parameter takes the rest of the message as a command line."""
    takes_text: bool
    """Some parameter is free text, so that unknown words may be its value."""

    @cached_property
    def leads(self) -> tuple[Term, ...]:
        """The words that its phrases begin with."""
        firsts = (leading(phrase.terms) for phrase in self.phrases)
        return tuple(first for first in firsts if first is not None)


def analyse(info: MetaActionInfo) -> AbilityProfile:
    """Read everything that an ability says about itself."""
    stems: dict[str, float] = {}
    concepts: dict[str, float] = {}
    words: set[str] = set()
    for weight, text in _fields(info):
        for term in terms(text):
            words.add(term.word)
            stems[term.stem] = max(stems.get(term.stem, 0.0), weight)
            for concept, strength in term.concepts.items():
                concepts[concept] = max(concepts.get(concept, 0.0), weight * strength)
    schemas, slots = _schemas(info), slots_of(info)
    return AbilityProfile(
        info=info,
        phrases=tuple(_phrases(info)),
        stems=stems,
        concepts=concepts,
        words=frozenset(words),
        keys=frozenset(key for key in (*stems, *(f"={name}" for name in concepts))),
        takes_path=any(slot.may_be_path for slot in slots),
        path_kinds=frozenset(kind for slot in slots if slot.may_be_path for kind in slot.file_kinds),
        past=bool(_PAST.search(f"{info.title} {info.description[:TEXT_LIMIT]}")),
        takes_zone=any(slot.is_zone for slot in slots),
        takes_rest=any(slot.takes_rest for slot in slots),
        takes_command=_takes_command(schemas),
        takes_text=any(_free_text(schema) for schema in schemas),
    )


def _takes_command(schemas: Iterable[JsonObject]) -> bool:
    return any(schema.get("x-partner-rest") is True and schema.get("type") == "array" for schema in schemas)


def _free_text(schema: JsonObject) -> bool:
    return schema.get("type", "string") == "string" and not schema.get("enum") and not schema.get("format")


def _fields(info: MetaActionInfo) -> Iterator[tuple[float, str]]:
    yield NAME, f"{info.title} {info.name}" if _is_named_by_a_person(info) else info.title
    for alias in info.aliases[:ALIAS_LIMIT]:
        yield ALIAS, alias
    yield DESCRIPTION, info.description[:TEXT_LIMIT]
    for tag in info.tags:
        yield TAG, tag
    for name, schema in list(info.properties().items())[:PARAMETER_LIMIT]:
        yield PARAMETER, name
        yield PARAMETER, str(schema.get("description", ""))[:PARAMETER_TEXT_LIMIT]
        yield from ((PARAMETER, str(choice)) for choice in _choices(schema))


def _is_named_by_a_person(info: MetaActionInfo) -> bool:
    """Whether the name says more than the label: that of a builtin is for programs."""
    return bool(info.label) and info.route is not Route.BUILTIN


def _choices(schema: JsonObject) -> Iterable[object]:
    choices = schema.get("enum")
    return choices[:20] if isinstance(choices, list) else ()


def _phrases(info: MetaActionInfo) -> Iterator[Phrase]:
    yield from _phrase(info.title, NAME)
    if _is_named_by_a_person(info):
        yield from _phrase(info.name, NAME)
    for alias in info.aliases[:ALIAS_LIMIT]:
        yield from _phrase(alias, ALIAS)
    for phrase in _phrase(first_sentence(info.description), DESCRIPTION):
        yield replace(phrase, calling=False)
    if _takes_command(_schemas(info)):
        yield from _verbs(info)


def _verbs(info: MetaActionInfo) -> Iterator[Phrase]:
    """`run` of `run a command`: with a command line behind it, the verb alone is the whole request."""
    for text in (info.title, *info.aliases[:ALIAS_LIMIT]):
        first = next((term for term in terms(text) if term.weight > FUNCTION_WEIGHT), None)
        if first is not None:
            yield Phrase((first,), VERB)


def _schemas(info: MetaActionInfo) -> list[JsonObject]:
    return list(info.properties().values())


def _phrase(text: str, trust: float) -> Iterator[Phrase]:
    found = {term.stem: term for term in terms(text[:TEXT_LIMIT])}
    if found:
        yield Phrase(tuple(found.values()), trust, mainly_cjk(text))
