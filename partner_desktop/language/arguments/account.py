"""The account of what was said: what of a request came into no argument, and must not be dropped in silence.

Pure. The words for it are `resources/language/{en,zh}/account.toml`. Said and accounted for is what stands in
a value, word for word or in another form (`two`, `1.5 hours`), what is part of the ability's own phrases, and
what was resolved as a reference. An exclusion is kept only by a parameter that leaves something out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import log10
from pathlib import PurePath

from partner_desktop.base.paths import expanded_path
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.leftover import Leftover, LeftoverKind
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.surroundings import HomeEntry
from partner_desktop.language.arguments.conversion import number_value
from partner_desktop.language.arguments.said_places import takes_away, unbound_places
from partner_desktop.language.arguments.slot import Slot, own_name, slots_of
from partner_desktop.language.clauses import pieces_of
from partner_desktop.language.deed_frames import frames_in, frames_of
from partner_desktop.language.disk_names import is_of_kind, kind_places, kinds_in
from partner_desktop.language.rule_table import RuleTable, rule_tables, says
from partner_desktop.language.spans import SCAN_LIMIT, SpanKind, find_spans
from partner_desktop.language.speech_acts.imperatives import conditional
from partner_desktop.language.speech_acts.small_talk import may_order
from partner_desktop.language.terms import has_cjk, leading, stem, terms
from partner_desktop.language.values.moments import find_moments
from partner_desktop.language.values.quantities import Quantity, find_quantities

#: Rules of the table, in the order in which they take words from each other.
_RULES = (
    ("exclusion", LeftoverKind.EXCLUSION),
    ("only", LeftoverKind.ONLY),
    ("negation", LeftoverKind.NEGATION),
    ("named", LeftoverKind.NAME),
    ("with", LeftoverKind.WITH),
)
_LEAVING_OUT = frozenset({LeftoverKind.EXCLUSION, LeftoverKind.NEGATION})
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_CJK_CHARACTER = re.compile(r"[\u3400-\u9fff]")
_NAME = re.compile(r"\b(?:to|for|from|with|by|at|of|and) (?P<name>[A-Z][a-z][\w'-]*(?: [A-Z][\w'-]+)*)")
_DIGITS = re.compile(r"[$€£¥]?\d[\d,]*(?:\.\d+)?")
#: Of two numbers that differ by how they are written only.
_CLOSE = 1e-6
#: Stands for the folder where a part of one is looked for.
_FOLDER = "§"
#: The power of ten of a hundred.
_PERCENT = 2
_DATED = re.compile(r"\d{4}-\d\d|\d\d?-\d\d?-\d{4}|\d\d?:\d\d|\d{4}/\d\d")


def unaccounted(
    text: str,
    info: MetaActionInfo,
    values: JsonObject,
    *,
    references: Sequence[str] = (),
    entries: Sequence[HomeEntry] = (),
) -> tuple[Leftover, ...]:
    """What of `text` is in no value, in no phrase of the ability and in no reference, in the order said.

    `references` are the words that were resolved (`the todo list`), as they stand in the text; `entries`:
    what is known to lie on the disk.
    """
    said = text[:SCAN_LIMIT].replace("’", "'")
    left: dict[int, Leftover] = {}
    for table in reversed([*rule_tables("account", said)]):  # where two see something, its own language's
        left |= dict(_Account(said, info, values, table, references, entries).left())
    return tuple(left[start] for start in sorted(left))


class _Account:
    """One request against one ability's values, by one language's table."""

    def __init__(
        self,
        text: str,
        info: MetaActionInfo,
        values: JsonObject,
        table: RuleTable,
        references: Sequence[str],
        entries: Sequence[HomeEntry],
    ) -> None:
        self._text = text
        self._entries = entries
        self._table = table
        self._slots = [slot for slot in slots_of(info) if slot.name in values]
        self._values = values
        self._texts = [value for value in _leaves(values) if isinstance(value, str) and value.strip()]
        self._phrases = [info.title, *info.aliases]
        self._reads = bool(info.annotations.read_only)
        self._frames = frames_of(info)
        self._known = {*_tokens(" ".join(self._phrases)), *self._value_tokens()}
        self._about = {
            *self._known,
            *_tokens(info.description),
            *(
                word
                for slot in slots_of(info)
                for word in _tokens(f"{own_name(slot.name)} {slot.description}")
            ),
        }
        self._plain = table["filler"].sub(lambda match: " " * len(match.group()), text)
        self._held = [*self._word_for_word(references)]
        self._taken: list[tuple[int, int]] = []

    def left(self) -> Iterator[tuple[int, Leftover]]:
        """Place and words of each leftover."""
        found = conditional(self._text)
        start = self._text.find(found.clause) if found is not None else -1
        if found is not None and start >= 0 and not self._is_held(start, start + len(found.clause)):
            yield from self._leftover(LeftoverKind.CONDITION, start, start + len(found.clause), known=False)
        for rule, kind in _RULES:
            for match in self._said(rule):
                if self._is_held(*_sign_of(match)):
                    continue
                known = self._is_kept(kind, match["words"]) or (
                    self._reads and kind in _LEAVING_OUT and says("speech_acts", "destroys", match.group())
                )  # what only looks deletes nothing
                known = known or (kind in _LEAVING_OUT and self._is_contrast(match.group()))
                known = known or (kind is LeftoverKind.NEGATION and self._is_limit(match))
                yield from self._leftover(kind, match.start(), match.end(), known=known)
        yield from self._parts()
        yield from self._kinds()
        yield from self._deeds()
        yield from self._places()
        yield from self._quotes()
        yield from self._numbers()
        yield from self._names()

    def _said(self, rule: str) -> Iterator[re.Match[str]]:
        for pattern in self._table.each(rule):
            yield from pattern.finditer(self._plain)

    def _leftover(
        self, kind: LeftoverKind, start: int, end: int, *, known: bool
    ) -> Iterator[tuple[int, Leftover]]:
        if any(start < last and first < end for first, last in self._taken):
            return
        self._taken.append((start, end))
        if not known:
            yield start, Leftover(kind, self._text[start:end].strip(" ,.;:!?(，。；！？-"))

    # What is accounted for.

    def _word_for_word(self, references: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Where a value, a reference or a phrase of the ability stands word for word."""
        low = self._text.casefold()
        for words in (
            *self._texts,
            *references,
            *(phrase for phrase in self._phrases if len(phrase.split()) > 1),
        ):
            for each in {words, PurePath(words).name}:
                start = low.find(each.casefold()) if each else -1
                if start >= 0 and not each.isdigit():
                    yield start, start + len(each)

    def _is_held(self, start: int, end: int) -> bool:
        return any(first <= start and end <= last for first, last in self._held)

    def _value_tokens(self) -> Iterator[str]:
        for value in _leaves(self._values):
            if not isinstance(value, bool):
                yield from _tokens(str(value))

    def _is_kept(self, kind: LeftoverKind, words: str) -> bool:
        """Whether what was said is what some value, or the ability itself, is about."""
        said = [token for token in _tokens(words) if not self._table["small"].fullmatch(token)]
        if not said:
            return kind is not LeftoverKind.EXCLUSION
        if any(self._is_about(slot, said) for slot in self._slots):
            return True
        if kind in _LEAVING_OUT and self._leaves_there(words):
            return True
        about = self._known if kind is LeftoverKind.NAME else self._about
        return kind not in _LEAVING_OUT and not about.isdisjoint((said[0], said[0].removesuffix("s")))

    def _is_contrast(self, words: str) -> bool:
        """Whether it is another deed alone that is not wanted: `copy them, don't move`."""
        bare = self._table["refusing"].sub("", words.strip(" ,，。.!！")).strip()
        deed = next(iter(terms(bare)), None)
        alone = next(iter(rule_tables("speech_acts", bare)))["deeds"].fullmatch(bare) is not None
        own = [leading(terms(phrase)) for phrase in self._phrases]
        alike = (
            one.stem == deed.stem or one.concepts.keys() & deed.concepts.keys() for one in own if one and deed
        )
        # What takes something away, or may write over it, does what is not wanted in its own way, too.
        loses = says("speech_acts", "destroys", words) or self._table["loses"].search(words) is not None
        loses = loses or any(takes_away(slot) for slot in self._slots)
        return alone and deed is not None and not any(alike) and (self._reads or not loses)

    def _is_limit(self, match: re.Match[str]) -> bool:
        """Whether it says how far a number may go that some value is: `not wider than 320`."""
        if self._table["limit"].fullmatch(match["words"].strip()) is None:
            return False
        start, end = match.span("words")
        said = [one for one in find_quantities(self._text) if start <= one.start and one.end <= end]
        return bool(said) and all(map(self._is_number_known, said))

    def _leaves_there(self, words: str) -> bool:
        """Whether what is to stay is what is only read: `copy it to Music and keep the original`."""
        if any(takes_away(slot) for slot in self._slots):
            return False
        read = [slot for slot in self._slots if slot.is_path and slot.schema.get("access") == "read"]
        given = [str(self._values[slot.name]) for slot in read]
        named = any(value in words and self._text.count(value) > 1 for value in given)
        return bool(read) and (named or self._table["original"].fullmatch(words.strip()) is not None)

    def _is_about(self, slot: Slot, said: Sequence[str]) -> bool:
        """Whether a parameter that leaves something out holds the words, or a switch for them was set."""
        told = f"{slot.name.replace('_', ' ')} {slot.description}".lower()
        value = self._values[slot.name]
        if isinstance(value, bool):
            return value != slot.schema.get("default") and any(word in _tokens(told) for word in said)
        if self._table["leaves_out"].search(told) is None:
            return False
        return any(word in _tokens(str(leaf)) for leaf in _leaves(value) for word in said)

    # What is taken away as a whole.

    def _parts(self) -> Iterator[tuple[int, Leftover]]:
        """What names a part of a folder that would be taken away with all that is in it, or one of two."""
        whole = {PurePath(str(self._values[slot.name])).name for slot in self._slots if takes_away(slot)}
        spans = [span for span in find_spans(self._text) if span.kind is SpanKind.PATH]
        for first, second in pairwise(spans):
            if self._table["or"].fullmatch(self._text[first.end : second.start]) is not None:
                self._taken.append((first.start, second.end))
                yield first.start, Leftover(LeftoverKind.ONLY, self._text[first.start : second.end])
        for span in (span for span in spans if PurePath(span.value).name in whole):
            said = f"{self._text[: span.start]}{_FOLDER}{self._text[span.end :]}"
            for match in filter(None, (pattern.search(said) for pattern in self._table.each("part"))):
                if not self._is_whole(match["words"]):
                    yield span.start, Leftover(LeftoverKind.ONLY, match["words"].strip())
                    return

    def _kinds(self) -> Iterator[tuple[int, Leftover]]:
        """What of a folder is meant where all is given and other things lie there: `zip the pdfs in it`."""
        given = {PurePath(str(self._values[slot.name])).name for slot in self._slots if slot.is_path}
        for span in find_spans(self._text):
            if not span.is_path or PurePath(span.value).name not in given:
                continue
            folder = str(expanded_path(span.value))
            inside = [
                each.path
                for each in self._entries
                if not each.is_folder and str(PurePath(each.path).parent) == folder
            ]
            unknown = all(each.path != folder for each in self._entries)  # what lies there may be anything
            for start, end in kind_places(self._text) if self._entries and (inside or unknown) else ():
                before = self._table["kind_before"].fullmatch(self._text, end, max(end, span.start))
                behind = self._table["kind_behind"].fullmatch(self._text, span.end, max(span.end, start))
                if (end <= span.start and before) or (span.end <= start and behind):
                    words = self._text[start:end]
                    fits = all(
                        is_of_kind(path, kind, is_folder=False) for path in inside for kind in kinds_in(words)
                    )
                    known = not self._about.isdisjoint(_tokens(words)) or (fits and not unknown)
                    yield from self._leftover(LeftoverKind.ONLY, start, end, known=known)

    def _is_whole(self, words: str) -> bool:
        """`All of it`; `the files`, with nothing but a verb before it."""
        if self._table["everything"].search(words) is not None:
            return True
        plain = self._table["contents"].search(words)
        before = _tokens(words[: plain.start()]) if plain is not None else []
        return plain is not None and (not before or before[-1] in self._known)

    def _deeds(self) -> Iterator[tuple[int, Leftover]]:
        """Another deed that is ordered beside this one: `add milk to it and show it to me`."""
        pieces = pieces_of(self._text)
        for piece in pieces if len(pieces) > 1 else ():
            words = self._text[piece.start : piece.end]
            frames = frames_in(words)
            surest = {frame.name for frame in frames if frame.sureness == frames[0].sureness}
            if not frames or frames[0].sureness < 1 or surest & self._frames or not may_order(words):
                continue
            if not any(first < piece.end and piece.start < last for first, last in self._held):
                yield from self._leftover(LeftoverKind.PLACE, piece.start, piece.end, known=False)

    # What has a form of its own.

    def _places(self) -> Iterator[tuple[int, Leftover]]:
        for span in unbound_places(self._text, iter(self._texts)):
            if not self._is_held(span.start, span.end):
                masked = f"{self._text[: span.start]}{_FOLDER}{self._text[span.end :]}"
                known = self._table["beside"].search(masked) is not None  # what lies there tells where
                yield from self._leftover(LeftoverKind.PLACE, span.start, span.end, known=known)

    def _quotes(self) -> Iterator[tuple[int, Leftover]]:
        for span in find_spans(self._text):
            if span.kind is SpanKind.QUOTE and not self._is_held(span.start, span.end):
                known = set(_tokens(span.value)) <= self._known
                yield from self._leftover(LeftoverKind.QUOTE, span.start, span.end, known=known)

    def _numbers(self) -> Iterator[tuple[int, Leftover]]:
        dated = any(_DATED.search(text) for text in self._texts)
        moments = find_moments(self._text) if dated else ()
        for quantity in find_quantities(self._text):
            if (quantity.worded and quantity.value == 1) or self._is_held(quantity.start, quantity.end):
                continue
            known = any(moment.start < quantity.end and quantity.start < moment.end for moment in moments)
            known = known or self._is_number_known(quantity)
            yield from self._leftover(LeftoverKind.NUMBER, quantity.start, quantity.end, known=known)

    def _names(self) -> Iterator[tuple[int, Leftover]]:
        if self._text.isupper():
            return
        for match in _NAME.finditer(self._plain):
            words = [word for word in match["name"].split() if not self._table["no_name"].fullmatch(word)]
            known = not words or any(token in self._about for token in _tokens(" ".join(words)))
            yield from self._leftover(LeftoverKind.NAME, match.start("name"), match.end("name"), known=known)

    def _is_number_known(self, quantity: Quantity) -> bool:
        """Whether a value is that number, in its own unit or that of its parameter."""
        plain = f"{quantity.value.normalize():f}"
        if plain in self._known or self._text[quantity.start : quantity.end].casefold() in self._known:
            return True
        runs = (run for run in _DIGITS.finditer(self._text) if run.start() <= quantity.start < run.end())
        if any(run.group().strip("$€£¥").rstrip(",").replace(",", "") in self._known for run in runs):
            return True
        numbers = [float(leaf) for leaf in _leaves(self._values) if isinstance(leaf, int | float)]
        for slot in self._slots:
            value = number_value(quantity, slot) if slot.is_number else None
            if isinstance(value, int | float) and float(value) in numbers:
                return True
        if quantity.worded and float(quantity.value) in self._counts():
            return True
        return any(_same_digits(number, quantity) for number in numbers)

    def _counts(self) -> set[float]:
        """How many there are of what is given: `two points` is said of two that follow."""
        lists = [len(value) for value in self._values.values() if isinstance(value, list)]
        numbers = [slot for slot in self._slots if slot.is_number]
        return {float(count) for count in (*lists, len(numbers), len(lists)) if count > 1}


def _same_digits(number: float, quantity: Quantity) -> bool:
    """Whether they are the same; with a unit, or of a hundred, also by powers of ten (`50 mH`, `40 %`)."""
    said = abs(float(quantity.value))
    if not number or not said or not (quantity.unit or not quantity.bare):
        return abs(number) == said
    power = log10(abs(number) / said)
    return abs(power - round(power)) < _CLOSE and (round(power) % 3 == 0 or abs(round(power)) == _PERCENT)


def _sign_of(match: re.Match[str]) -> tuple[int, int]:
    """Where the words stand that make a leftover of those beside them: `except`, `must stay`."""
    if match.start("words") > match.start():
        return match.start(), match.start("words")
    return match.end("words"), match.end()


def _leaves(value: Json) -> Iterator[Json]:
    """What a value holds, whatever is in what."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield key
            yield from _leaves(each)
    elif isinstance(value, list):
        for each in value:
            yield from _leaves(each)
    else:
        yield value


def _tokens(text: str) -> list[str]:
    """Words by their stems; of Chinese each pair of characters, and each alone."""
    found = [stem(word.casefold()) for word in _WORD.findall(text)]
    parts = [stem(part.casefold()) for part in re.findall(r"\d+(?:\.\d+)?|[A-Za-z]+", text)]
    parts += [part.lstrip("0") for part in parts if part.startswith("0")]
    characters = _CJK_CHARACTER.findall(text) if has_cjk(text) else []
    pairs = [first + second for first, second in pairwise(characters)]
    return [*found, *parts, *pairs, *(characters if len(characters) == 1 else [])]
