"""Texts that are known by their form: quotations, formulas, codes, languages, colours, units, durations.

Sought: the text that is to be found in something, for parameters that hold such a text. `which files
mention the word budget` → `budget`; `search ~/Notes for budget 2024` → `budget 2024`. What is quoted comes
before all else. Words in the names of parameters tell what kind of text they hold: general language only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from partner_desktop.base.patterns import late
from partner_desktop.language.arguments.conversion import slot_words
from partner_desktop.language.arguments.cues import Cues
from partner_desktop.language.arguments.fit import form_fit
from partner_desktop.language.arguments.offers.distribution import Offer, Reading
from partner_desktop.language.arguments.remainder import SAYING, cleaned
from partner_desktop.language.arguments.slot import Slot, examples_in, quoted_in
from partner_desktop.language.lexicon import word_set
from partner_desktop.language.noun_phrases import preposition_before
from partner_desktop.language.spans import SpanKind
from partner_desktop.language.terms import FUNCTION_WEIGHT, GENERIC_WEIGHT, terms
from partner_desktop.language.values.moments import zones_in
from partner_desktop.language.values.units import meanings

FORMULA_WORDS = word_set("function equation expression formula polynomial integrand func")
UNIT_WORDS = word_set("unit units")
MEASURED_WORDS = UNIT_WORDS | word_set("currency currencies")
PLACE_WORDS = word_set(
    """
    location city place address area destination origin venue where loc town source start end to from county
    pickup dropoff
    """
)
CODE_WORDS = word_set(
    "id uuid code identifier key token username user number sku serial version ticker symbol"
)
COMMON_WORDS = word_set(
    "type category kind genre color colour dish ingredient ingredients cuisine material species flavor hobby"
)
DIGIT_STRINGS = word_set(
    "id code zip number phone version season year room flight account postal pin password serial isbn"
)
LANGUAGE_WORDS = word_set("language lang languages")
DURATION_WORDS = word_set("duration period timeframe timespan interval time_frame time_period time term")
COLOUR_NAMES = """
    red orange yellow green blue purple violet pink brown black white gray grey silver gold cyan magenta
    turquoise beige navy teal maroon
"""
TEXT_WORDS = word_set("text message content body note comment reply words")
#: Parameters whose name says a kind of thing: `rock genre` is `rock`, but a `snake plant` is one.
KIND_WORDS = word_set(
    "genre type category kind color colour language style size cuisine method mode room sport"
)
REGION_WORDS = word_set("state country region province nation")
TOPIC_WORDS = word_set("query topic subject search question keyword event title discovery prompt text")
HOST_WORDS = word_set("host hostname domain server")
ID_WORDS = word_set("id uuid serial sku isbn")
NO_VALUE = word_set("none any all default null true false other")
COLOUR_WORDS = word_set("color colour colors colours")
COLOUR = re.compile(rf"\b(?:{'|'.join(COLOUR_NAMES.split())})\b", re.IGNORECASE)


#: A quotation; a text that is called one; a text behind a verb of searching.
_SOUGHT_QUOTED, _CALLED, _BEHIND = 3.0, 2.4, 2.2
_WORDS = frozenset({"text", "query", "phrase", "word", "keyword", "term", "pattern", "string"})
_KIND = r"(?:the |a )?(?:exact )?(?:words?|phrases?|texts?|strings?|terms?|keywords?)"
_CALLS = late(
    rf"\b(?:contain(?:s|ing)?|mention(?:s|ing)?|with|for|find|about) {_KIND} (?:of |is )?(?P<said>)",
    re.IGNORECASE,
)
_SEEKS = late(
    r"\b(?:mention(?:s|ing)?|contain(?:s|ing)?"
    r"|(?:search|look|looking|searching|grep|scan)(?:\s{1,3}[^\s]{1,200}){0,4}?\s{1,3}for)\s{1,3}(?:(?:the|an?|any)\s{1,3})?(?P<said>)",
    re.IGNORECASE,
)
_CHINESE = late(
    r"(?:提到|提及|包含|含有|出现|写着|写了|搜索|查找)(?:了|过|着)?\s{0,3}"
    r"(?P<value>[^\s，。,.?？!！、的里中]{1,20})(?=\s{0,3}(?:的|这个|$|[，。?？!！]))"
)
#: Where the text ends: at a place to look in, at a mark, at the end of the sentence.
_END = late(r"\s{1,9}(?:in|inside|within|under|from|among|please)\b|[,;?!\n]|\.(?:\s|$)", re.IGNORECASE)
_LONGEST = 80


def sought_offers(reading: Reading, slot: Slot) -> Iterator[Offer]:
    """What the message says is to be found, for a text parameter of an ability that finds texts."""
    if not _is_sought(slot):
        return
    for span in reading.spans:
        if span.kind is SpanKind.QUOTE:
            yield Offer(span.value, span.start, span.end, _SOUGHT_QUOTED, kind="text")
    for pattern, score in ((_CALLS, _CALLED), (_SEEKS, _BEHIND)):
        for match in pattern.finditer(reading.said):
            yield from _to_end(reading, match.start("said"), score)
    for match in _CHINESE.finditer(reading.said):
        if _open(reading, *match.span("value")):
            yield Offer(match["value"], *match.span("value"), _BEHIND, kind="text")


def _is_sought(slot: Slot) -> bool:
    told = {name for term in terms(slot.description) for name in term.concepts}
    return bool(slot_words(slot) & _WORDS) and "find" in told


def _to_end(reading: Reading, start: int, score: float) -> Iterator[Offer]:
    end = _END.search(reading.said, start)
    stops = [
        end.start() if end else len(reading.said),
        *(span.start for span in reading.spans if span.start >= start and span.kind is not SpanKind.NUMBER),
    ]
    said = reading.said[start : min(stops)].rstrip()
    known = [term for term in terms(said) if term.weight > FUNCTION_WEIGHT]
    if not known or len(said) > _LONGEST or all(term.weight <= GENERIC_WEIGHT for term in known):
        return
    yield Offer(said, start, start + len(said), score, kind="text")


def _open(reading: Reading, start: int, end: int) -> bool:
    return all(end <= span.start or start >= span.end for span in reading.spans)


_NAMES = {
    "en": "english 英语 英文", "zh": "chinese mandarin 中文 汉语", "de": "german deutsch 德语",
    "fr": "french 法语",
    "es": "spanish 西班牙语", "it": "italian 意大利语", "pt": "portuguese 葡萄牙语", "ru": "russian 俄语",
    "ja": "japanese 日语", "ko": "korean 韩语", "ar": "arabic 阿拉伯语", "hi": "hindi",
    "nl": "dutch", "sv": "swedish",
    "da": "danish", "no": "norwegian", "fi": "finnish", "pl": "polish", "tr": "turkish", "cs": "czech",
    "el": "greek", "he": "hebrew", "th": "thai", "vi": "vietnamese", "id": "indonesian", "uk": "ukrainian",
    "hu": "hungarian", "ro": "romanian", "la": "latin",
}  # fmt: skip
_CODES = {name: code for code, names in _NAMES.items() for name in names.split()}
_SAID = re.compile(rf"\b(?:{'|'.join(name for name in _CODES if name.isascii())})\b", re.IGNORECASE)
_SAID_CHINESE = re.compile("|".join(name for name in _CODES if not name.isascii()))


def language_code(choice: str, text: str) -> tuple[int, int] | None:
    """Where a text names the language of a code like `da` or `pt-BR`."""
    code = choice.lower().partition("-")[0]
    for match in (*_SAID.finditer(text), *_SAID_CHINESE.finditer(text)):
        if _CODES[match.group().lower()] == code:
            return match.span()
    return None


def named_languages(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Start, end, name and code of each language that a text names."""
    for match in (*_SAID.finditer(text), *_SAID_CHINESE.finditer(text)):
        yield match.start(), match.end(), match.group(), _CODES[match.group().lower()]


_QUOTED, _STATED, _INTRODUCED = 1.0, 1.5, 0.7
#: Less where only the description, not the name, says what is introduced so.
_TOLD = 0.7
_UNIT_PLACES = (
    (re.compile(r"\d\s{0,9}(?P<unit>[A-Za-z]{1,15})\b"), "from"),
    (re.compile(r"\b(?:to|into|in|how many)\s{1,9}(?P<unit>[A-Za-z]{1,15})\b", re.IGNORECASE), "to"),
)
#: `all .txt files`: a kind of file and none of their names.
_ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,4}")
_PATTERN_WORDS = frozenset({"pattern", "patterns", "glob"})
_PATTERN = re.compile(r"(?<!\S)[\w./\-]*\*[\w./*?\-]*(?<![.?])")
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
    yield from _quoted(reading, slot, cues)
    yield from sought_offers(reading, slot)
    yield from _formulas(reading, slot)
    yield from _digits(reading, slot, cues)
    yield from _sayings(reading, slot)
    yield from _colours(reading, slot)
    yield from _unit_names(reading, slot, cues)
    yield from _stated(reading, slot, cues)
    yield from _durations(reading, slot)
    yield from _patterns(reading, slot)


def _quoted(reading: Reading, slot: Slot, cues: Cues) -> Iterator[Offer]:
    for span in reading.spans:
        form = 0.0 if _ENDING.fullmatch(span.value) else form_fit(slot, span)
        if form > 0 and span.kind in (SpanKind.QUOTE, SpanKind.EMAIL, SpanKind.URL, SpanKind.PATH):
            near = cues.near(reading.said, span.start, span.end)
            before = preposition_before(reading.said, span.start)
            near += _INTRODUCED * cues.introduced(before) * (1.0 if cues.names(before) else _TOLD)
            said = span.value
            if span.kind is SpanKind.URL and (not slot.is_link or slot_words(slot) & HOST_WORDS):
                said = reading.text[span.start : span.end]
            yield Offer(said, span.start, span.end, _QUOTED + form * 0.3 + near, kind="text")


def _formulas(reading: Reading, slot: Slot) -> Iterator[Offer]:
    if slot_words(slot) & FORMULA_WORDS:
        for start, end, written in find_formulas(reading.said, " ".join(examples_in(slot.description))):
            yield Offer(written, start, end, 1.5 + 0.01 * len(written), kind="text")


def _digits(reading: Reading, slot: Slot, cues: Cues) -> Iterator[Offer]:
    """Digits for a text: an order number, a version, a season."""
    if not slot_words(slot) & DIGIT_STRINGS:
        return
    for match in _VERSION.finditer(reading.said):
        near = cues.near(reading.said, *match.span())
        year = re.fullmatch(r"(?:19|20)\d\d", match.group()) and slot_words(slot) & {"year", "season"}
        near += 0.8 if year else 0.0
        if near > 0.4 and not reading.in_moment(*match.span()):
            yield Offer(match.group(), match.start(), match.end(), 0.6 + near, kind="text")


def language_offers(reading: Reading, slot: Slot, cues: Cues) -> Iterator[Offer]:
    """A language, as its code where the description asks for one."""
    if not slot_words(slot) & LANGUAGE_WORDS:
        return
    for start, end, name, code in named_languages(reading.said):
        score = 0.8 + cues.near(reading.said, start, end)
        score += _INTRODUCED * cues.introduced(preposition_before(reading.said, start))
        as_code = re.search(r"\bcode|iso|bcp", slot.description, re.IGNORECASE)
        yield Offer(code if as_code else name, start, end, score, kind="text")


def zone_offers(reading: Reading, cues: Cues) -> Iterator[Offer]:
    """A time zone, by its name or by a place in it."""
    for start, end, zone in zones_in(reading.said):
        score = _QUOTED + cues.near(reading.said, start, end)
        score += _INTRODUCED * cues.introduced(preposition_before(reading.said, start))
        yield Offer(zone, start, end, score, kind="text")


def _colours(reading: Reading, slot: Slot) -> Iterator[Offer]:
    for match in COLOUR.finditer(reading.said) if slot_words(slot) & COLOUR_WORDS else ():
        yield Offer(match.group(), match.start(), match.end(), 1.7, kind="text")


def _unit_names(reading: Reading, slot: Slot, cues: Cues) -> Iterator[Offer]:
    """`convert 3 cups to spoons`: what is counted, and what is asked for."""
    if not slot_words(slot) & MEASURED_WORDS:
        return
    for pattern, preposition in _UNIT_PLACES:
        for match in pattern.finditer(reading.said):
            known = bool(meanings(match["unit"]))
            fits = cues.introduced(preposition) > 0 and (known or (slot.required and preposition == "from"))
            if fits:
                yield Offer(match["unit"], *match.span("unit"), 1.0 + 0.5 * known, kind="text")


def _sayings(reading: Reading, slot: Slot) -> Iterator[Offer]:
    """What stands behind `saying`, for a parameter that holds a text."""
    if slot_words(slot) & TEXT_WORDS and (saying := SAYING.search(reading.said)):
        said = cleaned(reading.said[saying.end() :])
        if said:
            yield Offer(said, saying.end(), len(reading.said), 1.8, kind="text")


def _stated(reading: Reading, slot: Slot, cues: Cues) -> Iterator[Offer]:
    """Values that the description names, where the text says them."""
    for value in (*quoted_in(slot.description), *examples_in(slot.description)):
        root = {term.stem for term in terms(value) if term.word}
        if not root or root <= reading.ability_stems or root <= slot.name_stems or value.lower() in NO_VALUE:
            continue
        if value.casefold() not in reading.said.casefold():
            continue
        match = re.search(rf"(?<!\w){re.escape(value)}(?:s|es)?(?!\w)", reading.said, re.IGNORECASE)
        if match:
            near = cues.near(reading.said, *match.span())
            yield Offer(value, match.start(), match.end(), _STATED + near, kind="text")


def _durations(reading: Reading, slot: Slot) -> Iterator[Offer]:
    """`2 weeks` for a duration that is told in words."""
    if slot_words(slot) & DURATION_WORDS:
        for quantity in reading.quantities:
            if "time" in quantity.dimensions and not quantity.ordinal:
                said = reading.said[quantity.start : quantity.end]
                yield Offer(said, quantity.start, quantity.end, 1.6, kind="text")


def _patterns(reading: Reading, slot: Slot) -> Iterator[Offer]:
    """`*.txt` for a pattern of names."""
    if slot_words(slot) & _PATTERN_WORDS:
        for match in _PATTERN.finditer(reading.said):
            yield Offer(match.group(), match.start(), match.end(), 1.8, kind="text")


def find_formulas(text: str, example: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and text of each formula, with powers as `**` unless the example shows `^`."""
    for match in _FORMULA.finditer(text):
        body = match["body"].strip()
        if _WORTH.search(body) and re.search(r"[a-z]", body):
            written = body if "^" in example else re.sub(r"\s{0,9}\^\s{0,9}", "**", body)
            yield match.start("body"), match.end("body"), written.replace("²", "**2").replace("³", "**3")
