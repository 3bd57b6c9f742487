"""AbilityProfile: what the words of one ability's description come to, made once per ability; and a
message, read for comparing: its words, what its arguments hint at, and which kinds of values it gives.

A request mostly carries its values (`back up ~/Notes`, `a 5 by 7 rectangle`); general knowledge (`what is
a paper folder?`) shares words with an ability and gives it nothing to work on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.language.arguments.offers.number_offers import wants_moment
from partner_desktop.language.arguments.slot import slots_of
from partner_desktop.language.deed_frames import frames_of, own_deed_frames
from partner_desktop.language.rule_table import language_data
from partner_desktop.language.spans import Span, SpanKind, blank, find_spans
from partner_desktop.language.terms import (
    ALIAS_LIMIT,
    FUNCTION_WEIGHT,
    GENERIC_WEIGHT,
    Term,
    first_sentence,
    has_cjk,
    leading,
    mainly_cjk,
    terms,
)
from partner_desktop.language.values.moments import find_moments, zones_in
from partner_desktop.language.values.quantities import find_quantities

#: How much a match counts by where the word stands.
NAME, ALIAS, VERB, DESCRIPTION, TAG, PARAMETER = 1.0, 1.0, 0.9, 0.9, 0.8, 0.7

#: Texts are cut here, so that none keeps the loop busy: their sense is at the beginning.
TEXT_LIMIT, PARAMETER_TEXT_LIMIT = 1_000, 200
_PAST = re.compile(r"\bdeprecated\b|\bobsolete\b|已弃用", re.IGNORECASE)
PARAMETER_LIMIT = 40
#: What stands before and behind it each says what an ability does that tells no other ways to ask for it.
_COLON = re.compile(r"[:：]")


@dataclass(frozen=True)
class Phrase:
    """One way to say what the ability does: its name, an alias, or its description's first sentence."""

    terms: tuple[Term, ...]
    trust: float
    cjk: bool = False
    """Written in Chinese or its like."""
    calling: bool = True
    """A name, an alias or a verb, not a description."""
    asks: bool = False
    """A question by its form."""


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
    takes: frozenset[str]
    """Kinds of values that its parameters take: `number`, `moment`, `zone`."""
    takes_name: bool
    """A parameter takes what files are called."""
    takes_rest: bool
    """A parameter takes the rest of the message."""
    takes_command: bool
    """A parameter takes the rest of the message as a command line."""
    takes_text: bool
    """Some parameter is free text, so that unknown words may be its value."""
    own_words: re.Pattern[str] | None = None
    """Without one of them it is not meant."""
    frames: frozenset[str] = frozenset()
    """What it does with which kind of thing (`deed_frames`)."""
    own_deed_frames: frozenset[str] = frozenset()
    """What it does for its own deed only, such as undoing it."""
    choices: frozenset[str] = frozenset()
    """Stems of what its parameters may be."""

    @cached_property
    def leads(self) -> tuple[Term, ...]:
        """The words that its phrases begin with."""
        return _leads(self.phrases)

    @cached_property
    def orders(self) -> tuple[Term, ...]:
        """The same without questions: who asks `where did I write it` orders nobody to write."""
        return _leads(phrase for phrase in self.phrases if not phrase.asks)


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
        takes=frozenset(
            kind
            for slot in slots
            for kind, fits in (
                ("number", slot.is_number),
                ("moment", wants_moment(slot)),
                ("zone", slot.is_zone),
            )
            if fits
        ),
        takes_name=any(slot.is_file_name for slot in slots),
        takes_rest=any(slot.takes_rest for slot in slots),
        takes_command=_takes_command(schemas),
        takes_text=any(_free_text(schema) for schema in schemas),
        own_words=next((words for key, words in _OWN_WORDS.items() if info.key.startswith(key)), None),
        frames=frames_of(info),
        own_deed_frames=own_deed_frames(info),
        choices=frozenset(
            term.stem
            for schema in schemas
            for choice in _choices(schema)
            for term in terms(str(choice))
            if term.weight > GENERIC_WEIGHT
        ),
    )


_OWN_WORDS = {
    key: late(f"{words}|{language_data('zh/own_words')[key]}", re.IGNORECASE)
    for key, words in language_data("en/own_words").items()
}


def _takes_command(schemas: Iterable[JsonObject]) -> bool:
    return any(schema.get("x-partner-rest") is True and schema.get("type") == "array" for schema in schemas)


def _free_text(schema: JsonObject) -> bool:
    return schema.get("type", "string") == "string" and not schema.get("enum") and not schema.get("format")


def _fields(info: MetaActionInfo) -> Iterator[tuple[float, str]]:
    yield NAME, f"{info.title} {info.name}" if _is_named_by_a_person(info) else info.title
    for alias in info.aliases[:ALIAS_LIMIT]:
        yield ALIAS, alias
    yield DESCRIPTION, info.description[:TEXT_LIMIT]
    for told in _elsewhere(info):
        yield ALIAS, told.title
        yield DESCRIPTION, told.description[:TEXT_LIMIT]
    for tag in info.tags:
        yield TAG, tag
    for name, schema in list(info.properties().items())[:PARAMETER_LIMIT]:
        yield PARAMETER, name
        yield PARAMETER, str(schema.get("description", ""))[:PARAMETER_TEXT_LIMIT]
        yield from ((PARAMETER, str(choice)) for choice in _choices(schema))


def _elsewhere(info: MetaActionInfo) -> list[MetaActionInfo]:
    """The ability as it is told in other languages than English."""
    return [info.spoken(language) for language in info.localized if language != "en"]


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
    sentence = first_sentence(info.description)
    for part in (sentence, *(() if info.aliases else _COLON.split(sentence))):
        for phrase in _phrase(part, DESCRIPTION):
            yield replace(phrase, calling=False)
    for other in _elsewhere(info):
        yield from _phrase(other.title, ALIAS)
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
        yield Phrase(tuple(found.values()), trust, mainly_cjk(text), asks=bool(_WONDERS.match(text)))


def _leads(phrases: Iterable[Phrase]) -> tuple[Term, ...]:
    firsts = (leading(phrase.terms) for phrase in phrases)
    return tuple(first for first in firsts if first is not None)


#: Words inside quotation marks are mostly a value, sometimes the name of an ability.
QUOTED_FACTOR = 0.5


@dataclass(frozen=True)
class Query:
    """What a message says and points at."""

    terms: tuple[Term, ...]
    """Its words, each once."""
    hints: tuple[Term, ...]
    """What its arguments suggest: they help an ability that knows them and never count against one."""
    has_path: bool
    path_kinds: frozenset[str]
    """`file`, `folder`: what its paths are by their form."""
    quotes_text: bool
    """Something is quoted that is no path."""
    values: tuple[tuple[str, int, int], ...]
    """Kind, start and end of what may be a number, a moment or the place of a time zone."""
    cjk: bool
    """At least in part in Chinese or its like."""

    @property
    def empty(self) -> bool:
        return not self.terms and not self.hints


def read_query(text: str) -> Query:
    """Split a message into words and arguments."""
    spans = find_spans(text)
    words = {term.stem: term for term in reversed(terms(blank(text, spans)))}
    ordered = tuple(sorted(words.values(), key=lambda term: term.start))
    zones = [("zone", start, end) for start, end, _ in zones_in(text)]
    numbers = [("number", each.start, each.end) for each in find_quantities(text)]
    moments = [("moment", each.start, each.end) for each in find_moments(text)]
    found = (*(term for span in spans for term in _hints(span)), *(_zone_hint(zone[1]) for zone in zones[:1]))
    hints = {term.stem: term for term in found if term.stem not in words}
    has_path = any(span.is_path for span in spans)
    kinds = frozenset(_path_kinds(spans))
    quotes = any(span.kind is SpanKind.QUOTE and not span.is_path for span in spans)
    values = (*zones, *numbers, *moments)
    return Query(ordered, tuple(hints.values()), has_path, kinds, quotes, values, has_cjk(text))


def _zone_hint(start: int) -> Term:
    return replace(terms("timezone")[0], start=start)


def _path_kinds(spans: tuple[Span, ...]) -> Iterator[str]:
    for span in spans:
        if span.is_path and (span.folder or span.file):
            yield "folder" if span.folder else "file"


def _hints(span: Span) -> Iterator[Term]:
    if span.is_path:
        concept = "folder" if span.folder else "file"
        yield Term(f"={concept}", GENERIC_WEIGHT, {concept: 1.0}, start=span.start)
    elif span.kind is SpanKind.QUOTE:
        for term in terms(span.value, limit=20):
            if term.weight > FUNCTION_WEIGHT:
                yield replace(term, weight=term.weight * QUOTED_FACTOR, start=span.start)
    elif span.kind is SpanKind.URL:
        yield Term("=link", GENERIC_WEIGHT, {"link": 1.0}, start=span.start)


_COUNTED = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred"
    r"|thousand|million|half|dozen)\b",
    re.IGNORECASE,
)
_WONDERS = re.compile(r"^\W{0,9}(?:what|who|whom|whose|when|where|which|why|how)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Givens:
    """What a message gives to work on."""

    numbers: int
    """Numbers and moments."""
    names: int
    """Names, quotations, paths, addresses."""
    wonders: bool
    """A question of fact by its form."""

    @property
    def nothing(self) -> bool:
        return not self.numbers and not self.names


@dataclass(frozen=True)
class Wants:
    """What an ability cannot do without."""

    numbers: int
    others: int

    @property
    def anything(self) -> bool:
        return bool(self.numbers or self.others)


def givens_of(text: str) -> Givens:
    """Read a message once."""
    spans = find_spans(text)
    digits = sum(span.kind in (SpanKind.NUMBER, SpanKind.MOMENT) for span in spans)
    rest = terms(blank(text, spans))
    names = sum(term.capital and term.weight > FUNCTION_WEIGHT for term in rest)
    return Givens(
        numbers=digits + len(_COUNTED.findall(text[:4_000])),
        names=names + len(spans) - digits,
        wonders=bool(_WONDERS.match(text)),
    )


def wants_of(profile: AbilityProfile) -> Wants:
    """Required parameters without a default, by kind."""
    needed = [slot for slot in slots_of(profile.info) if slot.required and "default" not in slot.schema]
    numbers = sum(slot.is_number for slot in needed)
    return Wants(numbers, len(needed) - numbers)
