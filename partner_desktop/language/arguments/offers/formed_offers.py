"""Texts that are known by their form: quotations, formulas, codes, languages, colours, units, durations.

Sought: the text that is to be found in something, for parameters that hold such a text. `which files
mention the word budget` → `budget`; `search ~/Notes for budget 2024` → `budget 2024`. What is quoted comes
before all else. Words in the names of parameters tell what kind of text they hold: general language only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from partner_desktop.base.patterns import late
from partner_desktop.language.arguments.conversion import path_text
from partner_desktop.language.arguments.cues import Cues
from partner_desktop.language.arguments.fit import form_fit, is_joined
from partner_desktop.language.arguments.offers.distribution import Offer, Reading
from partner_desktop.language.arguments.remainder import cleaned
from partner_desktop.language.arguments.slot import Slot, examples_in, quoted_in
from partner_desktop.language.arguments.wordings import PATH, WORDINGS
from partner_desktop.language.noun_phrases import preposition_before
from partner_desktop.language.spans import SpanKind, unquoted
from partner_desktop.language.terms import FUNCTION_WEIGHT, GENERIC_WEIGHT, terms
from partner_desktop.language.values.moments import zones_in
from partner_desktop.language.values.quantities import meanings

COLOUR = late(rf"\b(?:{'|'.join(sorted(WORDINGS.sets['colours']))})\b", re.IGNORECASE)


_LONGEST = 80


def is_sought(slot: Slot) -> bool:
    """Whether it is a text that is to be found in something."""
    told = {name for term in terms(slot.description) for name in term.concepts}
    return slot.holds("sought") and "find" in told


_SAID = late(rf"\b(?:{'|'.join(name for name in WORDINGS.languages if name.isascii())})\b", re.IGNORECASE)
_SAID_CHINESE = late("|".join(name for name in WORDINGS.languages if not name.isascii()))


def language_code(choice: str, text: str) -> tuple[int, int] | None:
    """Where a text names the language of a code like `da` or `pt-BR`."""
    code = choice.lower().partition("-")[0]
    return next(((start, end) for start, end, _, named in named_languages(text) if named == code), None)


def named_languages(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Start, end, name and code of each language that a text names."""
    for match in (*_SAID.finditer(text), *_SAID_CHINESE.finditer(text)):
        yield match.start(), match.end(), match.group(), WORDINGS.languages[match.group().lower()]


_QUOTED, _STATED, _INTRODUCED = 1.0, 1.5, 0.7
_FORMED = frozenset({SpanKind.QUOTE, SpanKind.EMAIL, SpanKind.URL, SpanKind.PATH})
#: That something is put there, looked for in so many characters before; that a value has to be said.
_PUT, _PUT_BEFORE, _NEEDED = 0.6, 80, 0.8
#: Less where only the description, not the name, says what is introduced so.
_TOLD = 0.7
_UNIT_PLACES = (
    (re.compile(r"\d\s{0,9}(?P<unit>[A-Za-z]{1,15})\b"), "from"),
    (re.compile(r"\b(?:to|into|in|how many)\s{1,9}(?P<unit>[A-Za-z]{1,15})\b", re.IGNORECASE), "to"),
)
#: `all .txt files`: a kind of file and none of their names.
_ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,4}")
_PATTERN = re.compile(r"(?<!\S)[\w./\-]*\*[\w./*?\-]*(?<![.?])")
_CALLED_ID = late(r"(?i:\b(?:id|uuid|number|sku|isbn|serial)\b(?: is)?\W{1,3})$")
#: `ABC123`, `#77`, `L_579`: an identifier by its form.
_IDENTIFIER = late(r"(?<![\w#./-])#?(?=[A-Za-z_-]{0,20}\d)[A-Za-z0-9][\w-]{1,60}(?![\w]|[./]\w)")
_VERSION = re.compile(r"(?<![\w.])v?\d+(?:[.\-]\d+){1,3}(?![\w.]*\w)|(?<![\w.,\-])\d{1,12}(?![\w%]|[.,]\d)")
_FUNCTIONS = "sin|cos|tan|exp|log|ln|sqrt"
_ATOM = (
    rf"(?:\d+(?:\.\d+)?\s{{0,9}}\*?\s{{0,9}})?(?:(?:{_FUNCTIONS})\s{{0,9}}\([^()]{{1,40}}\)|[a-z](?![a-z])|\([^()]{{1,40}}\))"
    r"(?:\s{0,9}(?:\^|\*\*)\s{0,9}[\d.a-z()]{1,6}|[²³])?"
)
_OPERAND = rf"(?:{_ATOM}|\d+(?:\.\d+)?(?:\s{{0,9}}(?:\^|\*\*)\s{{0,9}}\d+)?)"
_FORMULA = late(
    rf"(?:[a-z](?:\([a-z]\))?\s{{0,9}}=\s{{0,9}})?(?<![\w.])"
    rf"(?P<body>[-]?\s?{_OPERAND}(?:\s{{0,9}}[-+*/]\s{{0,9}}{_OPERAND}){{0,12}})(?![\w^])",
)
_WORTH = late(r"\^|\*|[²³]|(?:sin|cos|tan|exp|log|ln|sqrt)\s*\(|[a-z)]\s*[-+/]\s*\d|\d[a-z]\b")


def formed_offers(reading: Reading, slot: Slot, cues: Cues) -> Iterator[Offer]:
    """Quotations, codes, formulas and what else is known by its form or by the description."""
    yield from span_offers(reading, slot, cues)
    yield from said_offers(reading, slot)
    yield from _formulas(reading, slot)
    yield from _digits(reading, slot, cues)
    yield from _colours(reading, slot)
    yield from _unit_names(reading, slot, cues)
    yield from _stated(reading, slot, cues)
    yield from _patterns(reading, slot)


_SAID_PLAINLY, _SOUGHT_QUOTED = 2.6, 2.0


def said_offers(reading: Reading, slot: Slot) -> Iterator[Offer]:
    """`replace IMG with sea`, `add eggs and butter to FILE`, `mention the word budget`."""
    holds = {name for name in ("old", "new") if slot.holds(name)}
    if slot.required and "new" not in holds:
        holds |= {name for name in ("text",) if slot.holds(name)} | ({"sought"} if is_sought(slot) else set())
    text = reading.said
    for span in (span for span in reading.spans if span.is_path):
        text = f"{text[: span.start]}{PATH * (span.end - span.start)}{text[span.end :]}"
    for pattern in WORDINGS.said if holds and not slot.is_path else ():
        for match in pattern.finditer(text):
            for name, said in match.groupdict().items():
                if said and name in holds and PATH not in said and _tells(said):
                    value = cleaned(unquoted(said))
                    yield Offer(value, *match.span(name), _SAID_PLAINLY, kind="text")


def _tells(said: str) -> bool:
    """Whether words are more than `a file`."""
    known = [term for term in terms(said[:_LONGEST]) if term.weight > FUNCTION_WEIGHT]
    return bool(known) and any(term.weight > GENERIC_WEIGHT or not term.stem.isascii() for term in known)


def span_offers(reading: Reading, slot: Slot, cues: Cues) -> Iterator[Offer]:
    """Paths, links, addresses and quotations, whose form tells what they are."""
    for span in reading.spans:
        form = form_fit(slot, span)
        kept = slot.holds("text") and reading.takes_path  # a path is where the text goes
        if form == 0 or (not slot.is_path and (_ENDING.fullmatch(span.value) or (span.is_path and kept))):
            continue
        if _ENDING.fullmatch(span.value) and WORDINGS.patterns["of_kind"].match(reading.said, span.end):
            continue
        goes = slot.is_destination or "x-partner-into" in slot.schema
        if span.kind not in _FORMED or (goes and is_joined(reading.text, span, reading.spans)):
            continue
        before = preposition_before(reading.said, span.start)
        near = cues.near(reading.said, span.start, span.end)
        near += _INTRODUCED * cues.introduced(before) * (1.0 if cues.names(before) else _TOLD)
        if slot.is_path and WORDINGS.patterns["put"].search(reading.said[: span.start][-_PUT_BEFORE:]):
            near += _PUT if slot.is_destination or cues.introduced("to") > 0 else -_PUT
        said = span.value
        if span.kind is SpanKind.URL and (not slot.is_link or slot.holds("host")):
            said = reading.text[span.start : span.end]
        typed = form if is_formed(slot) else 0.3 * form
        typed += _SOUGHT_QUOTED * (span.kind is SpanKind.QUOTE and is_sought(slot))
        score = _QUOTED + typed + near + _NEEDED * (slot.required and is_formed(slot))
        yield Offer(path_text(said) if slot.is_path else said, span.start, span.end, score, kind="text")


def is_formed(slot: Slot) -> bool:
    """Whether the form of a value alone tells that it is one."""
    return slot.is_path or slot.is_link or slot.format == "email"


def _formulas(reading: Reading, slot: Slot) -> Iterator[Offer]:
    if slot.holds("formula"):
        for start, end, written in find_formulas(reading.said, " ".join(examples_in(slot.description))):
            yield Offer(written, start, end, 1.5 + 0.01 * len(written), kind="text")


def _digits(reading: Reading, slot: Slot, cues: Cues) -> Iterator[Offer]:
    """Digits for a text: an order number, a version, a season."""
    if slot.holds("id"):
        for match in _IDENTIFIER.finditer(reading.said):
            named = cues.near(reading.said, *match.span()) + bool(
                _CALLED_ID.search(reading.said[: match.start()])
            )
            if named > 0.4 and not reading.in_moment(*match.span()):
                yield Offer(match.group(), match.start(), match.end(), 1.2 + named, kind="text")
    if not slot.holds("digits"):
        return
    for match in _VERSION.finditer(reading.said):
        near = cues.near(reading.said, *match.span())
        year = re.fullmatch(r"(?:19|20)\d\d", match.group()) and slot.holds("year")
        near += 0.8 if year else 0.0
        if near > 0.4 and not reading.in_moment(*match.span()):
            yield Offer(match.group(), match.start(), match.end(), 0.6 + near, kind="text")


def language_offers(reading: Reading, slot: Slot, cues: Cues) -> Iterator[Offer]:
    """A language, as its code where the description asks for one."""
    as_code = re.search(r"\bcode|iso|bcp", slot.description, re.IGNORECASE)
    for start, end, name, code in named_languages(reading.said):
        yield _introduced(reading, cues, start, end, code if as_code else name)


def zone_offers(reading: Reading, cues: Cues) -> Iterator[Offer]:
    """A time zone, by its name or by a place in it."""
    for start, end, zone in zones_in(reading.said):
        offer = _introduced(reading, cues, start, end, zone)
        alone = len(f"{reading.said[:start]} {reading.said[end:]}".split()) <= 1
        yield replace(offer, score=offer.score + _STATED * alone)


def _introduced(reading: Reading, cues: Cues, start: int, end: int, value: str) -> Offer:
    score = _QUOTED + cues.near(reading.said, start, end)
    score += _INTRODUCED * cues.introduced(preposition_before(reading.said, start))
    return Offer(value, start, end, score, kind="text")


def _colours(reading: Reading, slot: Slot) -> Iterator[Offer]:
    for match in COLOUR.finditer(reading.said) if slot.holds("colour") else ():
        yield Offer(match.group(), match.start(), match.end(), 1.7, kind="text")


def _unit_names(reading: Reading, slot: Slot, cues: Cues) -> Iterator[Offer]:
    """`convert 3 cups to spoons`: what is counted, and what is asked for."""
    for pattern, preposition in _UNIT_PLACES if slot.holds("measured") else ():
        for match in pattern.finditer(reading.said):
            known = bool(meanings(match["unit"]))
            if cues.introduced(preposition) > 0 and (known or (slot.required and preposition == "from")):
                yield Offer(match["unit"], *match.span("unit"), 1.0 + 0.5 * known, kind="text")


def _stated(reading: Reading, slot: Slot, cues: Cues) -> Iterator[Offer]:
    """Values that the description names, where the text says them."""
    for value in (*quoted_in(slot.description), *examples_in(slot.description)):
        root = {term.stem for term in terms(value) if term.word}
        if (
            not root
            or root <= reading.ability_stems
            or root <= slot.name_stems
            or value.lower() in WORDINGS.sets["no_value"]
        ):
            continue
        if value.casefold() not in reading.said.casefold():
            continue
        match = re.search(rf"(?<!\w){re.escape(value)}(?:s|es)?(?!\w)", reading.said, re.IGNORECASE)
        if match:
            near = cues.near(reading.said, *match.span())
            yield Offer(value, match.start(), match.end(), _STATED + near, kind="text")


def _patterns(reading: Reading, slot: Slot) -> Iterator[Offer]:
    """`*.txt` for a pattern of names."""
    if slot.holds("pattern"):
        for match in _PATTERN.finditer(reading.said):
            yield Offer(match.group(), match.start(), match.end(), 1.8, kind="text")


def find_formulas(text: str, example: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and text of each formula, with powers as `**` unless the example shows `^`."""
    for match in _FORMULA.finditer(text):
        body = match["body"].strip()
        if _WORTH.search(body) and re.search(r"[a-z]", body):
            written = body if "^" in example else re.sub(r"\s{0,9}\^\s{0,9}", "**", body)
            yield match.start("body"), match.end("body"), written.replace("²", "**2").replace("³", "**3")
