"""Frames: what a text wants done with which kind of thing, whatever words and order it takes. Pure.

The tables `resources/language/*/frames.toml` are read as one; the head of the English one tells how. Paths of
a text are kinds of things (`file`, `folder`), English words are compared by their stems, those of languages
without blanks as they are written.

A clause leaves to the one before it its verb (`and B to ~/Music`), and the place or the thing that it goes
on with (`put it in there`, `放进去`); those words are rules of `clauses.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import PurePath
from typing import TypeAlias

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.paths import shipped
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.surroundings import HomeEntry, Surroundings
from partner_desktop.language.anaphora import is_destination, nouns, words_of
from partner_desktop.language.clauses import clause_rule, pieces_of, veiled
from partner_desktop.language.disk_names import is_of_kind
from partner_desktop.language.rule_table import UNSPACED, rule_tables
from partner_desktop.language.spans import Span, SpanKind, find_spans
from partner_desktop.language.terms import (
    ALIAS_LIMIT,
    CONTENT_WEIGHT,
    FUNCTION_WEIGHT,
    has_cjk,
    latin_term,
    stem,
    terms,
)
from partner_desktop.language.typos import MIN_SWAP_LENGTH, meant_word

#: What stands for a path.
_FOLDER, _FILE, _IMAGE, _UNTOLD, _LIST = "\ue000", "\ue001", "\ue002", "\ue003", "\ue004"
#: What stands for a quotation, which is no word of a clause.
_QUOTED = "\ue005"
_MARKS_OF_CLASSES = {
    "folder": (_FOLDER, _UNTOLD),
    "file": (_FILE, _IMAGE, _UNTOLD, _LIST),
    "image": (_IMAGE,),
    "text_thing": (_FILE, _LIST),
    "list": (_LIST,),
    "path": (_FOLDER, _FILE, _IMAGE, _UNTOLD, _LIST),
}
#: A word of a language with blanks, or one sign of another.
_LETTER = "a-z0-9\u00df-\u00f6\u00f8-\u024f"
_UNIT = re.compile(rf"[{_LETTER}]+(?:['-][{_LETTER}]+)*|[^\x00-\x7f，。；！？、：“”…—–]")
#: The name of a file that lines are added to.
_LISTED = re.compile(r"(?:\blist|to.?do|清单|待办)[^/]*\.(?:txt|md)$", re.IGNORECASE)
#: A longer text is looked at in its clauses only.
_LONG = 110
#: What parts weigh that say little, are a kind of things, or are said of much; others weigh 1.
_WEIGHTS = {"light": 0.2, "kinds": 0.4, "soft": 0.6}
#: What share of the names of an ability is in a frame that it has.
_ENOUGH = 0.25
#: What is said longer is a document.
_LONGEST = 1_200


@dataclass(frozen=True)
class DeedFrame:
    """One that a text is in."""

    name: str
    sureness: float
    """What the parts of its rule weigh together."""
    start: int
    """Where in the text it begins."""


@lru_cache(maxsize=256)
def frames_in(text: str) -> tuple[DeedFrame, ...]:
    """The frames that a text is in, the surest first, of equal ones what is said first."""
    found: dict[str, DeedFrame] = {}
    for start, words in _pieces(text[:_LONGEST]):
        for frame in _table().frames_of(words, start):
            best = found.get(frame.name)
            if best is None or best.sureness < frame.sureness:
                found[frame.name] = frame
    return tuple(sorted(found.values(), key=lambda frame: (-frame.sureness, frame.start)))


def is_filler(word: str) -> bool:
    """Whether a stem says nothing anywhere: politeness, who is spoken to."""
    return any(name == "filler" and words == (word,) for words, name in _table().words.get(word, ()))


def frames_of(info: MetaActionInfo) -> frozenset[str]:
    """The frames that enough of the names of an ability are in."""
    shares: defaultdict[str, float] = defaultdict(float)
    for said in (info.title, *info.aliases[:ALIAS_LIMIT]):
        frames = frames_in(said)
        surest = [frame for frame in frames if frame.sureness == frames[0].sureness]
        for frame in surest:
            shares[frame.name] += frame.sureness / len(surest)
    enough = _ENOUGH * sum(shares.values())
    return frozenset(name for name, share in shares.items() if share >= enough)


def own_deed_frames(info: MetaActionInfo) -> frozenset[str]:
    """The frames about another deed (`undo`) that some name of an ability is in: it does them for its own."""
    named = {frame.name for said in (info.title, *info.aliases[:ALIAS_LIMIT]) for frame in frames_in(said)}
    return frozenset(named & _table().of_deeds)


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """The text with paths as marks: a short one whole, and each of its clauses, alone and with the next."""
    masked = text
    for span in reversed(find_spans(text)):
        mark = _mark(span)
        if mark is not None:
            masked = masked[: span.start] + mark.ljust(span.end - span.start) + masked[span.end :]
    clauses = pieces_of(masked)
    if len(clauses) < 2 or len(" ".join(masked.split())) <= _LONG:
        yield 0, masked
    if len(clauses) < 2:
        return
    for number, clause in enumerate(clauses):
        yield clause.start, masked[clause.start : clause.end]
        if number + 1 < len(clauses):
            yield clause.start, masked[clause.start : clauses[number + 1].end]


def _mark(span: Span) -> str | None:
    if span.is_path:
        if span.folder:
            return _FOLDER
        if not span.file:
            return _UNTOLD
        if _LISTED.search(span.value):
            return _LIST
        return _IMAGE if is_of_kind(span.value, "image", is_folder=False) else _FILE
    return _QUOTED if span.kind is SpanKind.QUOTE else None


#: A class → the places where a word of it begins.
_Places: TypeAlias = Mapping[str, Sequence[int]]


@dataclass(frozen=True)
class _Part:
    """One part of a rule: one of these classes is there, or (`without`) none of them."""

    classes: tuple[str, ...]
    leads: bool
    without: bool

    @classmethod
    def read(cls, said: str) -> _Part:
        return cls(tuple(said.lstrip("^!").split("|")), said.startswith("^"), said.startswith("!"))

    def places(self, found: _Places, lead: int) -> set[int]:
        """Where it is."""
        places = {place for name in self.classes for place in found.get(name, ())}
        return places & {lead} if self.leads else places


@dataclass(frozen=True)
class _Rule:
    """One rule of a frame."""

    name: str
    parts: tuple[_Part, ...]
    unspaced: bool
    """Only for texts in a language that is written without blanks."""


class _FrameTable:
    """The classes and frames of all languages."""

    def __init__(self) -> None:
        rules: list[_Rule] = []
        self.words: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        self._spelled: dict[str, set[str]] = {}
        self.of_deeds: set[str] = set()
        self._weights: dict[str, float] = {"any": 0.1}
        classes: set[str] = set()
        for path in sorted((shipped("resources") / "language").glob("*/frames.toml")):
            table = tomllib.loads(path.read_text(encoding="utf-8"))
            for name, words in table.get("classes", {}).items():
                classes.add(name)
                for word in words.split():
                    self._add(word, name)
            self.of_deeds |= set(table.get("of_deeds", "").split())
            for names, weight in _WEIGHTS.items():
                self._weights |= dict.fromkeys(table.get(names, "").split(), weight)
            for name, said in table.get("frames", {}).items():
                rules += [_Rule(name, _parts(rule), path.parent.name in UNSPACED) for rule in said]
        for name, marks in _MARKS_OF_CLASSES.items():
            for mark in marks:
                self._add(mark, name)
        for name in {each for rule in rules for part in rule.parts for each in part.classes} - classes:
            self._add(name, name)
        self._rules: dict[str, list[_Rule]] = {}
        for rule in rules:
            wanted = (part for part in rule.parts if not part.without)
            telling = max(wanted, key=lambda part: min(self._weights.get(each, 1.0) for each in part.classes))
            for each in telling.classes:
                self._rules.setdefault(each, []).append(rule)

    def _add(self, word: str, name: str) -> None:
        units = tuple(stem(unit) if _is_word(unit) else unit for unit in _words(word.replace("_", " ")))
        if _is_word(word) and "_" not in word:
            self._spelled.setdefault(word[:1], set()).add(word)
        self.words.setdefault(units[0], []).append((units, name))

    def frames_of(self, piece: str, start: int) -> Iterator[DeedFrame]:
        """Those whose rules a piece of a text that stands at `start` fulfils."""
        words = [word for word in _words(piece) if word != _QUOTED]
        units = [stem(self._meant(word)) if _is_word(word) else word for word in words]
        found: dict[str, list[int]] = {"quoted": [len(units)]} if _QUOTED in piece else {}
        fillers: dict[int, int] = {}
        for at, unit in enumerate(units):
            for known, name in self.words.get(unit, ()):
                if tuple(units[at : at + len(known)]) == known:
                    found.setdefault(name, []).append(at)
                    if name == "filler":
                        fillers[at] = max(fillers.get(at, 0), len(known))
        lead = 0
        while lead in fillers:
            lead += fillers[lead]
        if sum(map(_is_telling, units[lead:])) > 1:
            found["any"] = [lead + 1]
        unspaced = has_cjk(piece)
        for rule in dict.fromkeys(rule for each in found for rule in self._rules.get(each, ())):
            if rule.unspaced and not unspaced:
                continue
            wanted = [part for part in rule.parts if not part.without]
            if any(found.keys().isdisjoint(part.classes) for part in wanted):
                continue
            first = _first(sorted((part.places(found, lead) for part in wanted), key=len))
            if first is None or any(part.places(found, lead) for part in rule.parts if part.without):
                continue
            yield DeedFrame(rule.name, sum(self._weight(part, found) for part in wanted), start + first)

    def _meant(self, word: str) -> str:
        """A word without its slip of the fingers."""
        known = stem(word) in self.words or latin_term(word).weight < CONTENT_WEIGHT
        if known or len(word) < MIN_SWAP_LENGTH:
            return word
        found = meant_word(word, sorted(self._spelled.get(word[:1], ())))
        return found[0] if found is not None else word

    def _weight(self, part: _Part, found: _Places) -> float:
        return max(self._weights.get(name, 1.0) for name in part.classes if name in found)


def _first(wanted: Sequence[set[int]]) -> int | None:
    """The first of the places of several parts, each at one of its own; `None`: one has none."""
    taken: set[int] = set()
    for places in wanted:
        free = places - taken
        if not free:
            return None
        taken.add(min(free))
    return min(taken)


@cache
def _table() -> _FrameTable:
    return _FrameTable()


def _parts(rule: str) -> tuple[_Part, ...]:
    return tuple(_Part.read(part) for part in rule.replace(" !", " + !").split(" + "))


def _words(text: str) -> list[str]:
    """English words, marks of paths, and each other letter by itself."""
    return _UNIT.findall(text.lower().replace("’", "'"))


def _is_word(unit: str) -> bool:
    return re.match(f"[{_LETTER}]", unit) is not None


def _is_telling(unit: str) -> bool:
    return not _is_word(unit) or latin_term(unit).weight > FUNCTION_WEIGHT


#: In a clause whose arguments are veiled: something and where it goes, and a place that comes first.
_GOES = re.compile(r"(?!\s*from\b).*\S\s+(to|into|in|onto|on|as)\s+_+[^_]*$", re.IGNORECASE | re.DOTALL)
_INSIDE = re.compile(r"\s*((?:in|inside|within)\s+_+)\s+(?=(?:an?|one)\b)", re.IGNORECASE)


def completed(words: str, before: str) -> str:
    """A clause with what it leaves to the one before it: it says another thing and place and no verb, or only
    another thing; empty: it leaves nothing.
    """
    veiled_words, things = veiled(words), find_spans(words)
    if things and clause_rule("too").fullmatch(veiled_words) is not None:
        first = next((span for span in find_spans(before) if span.is_path), None)
        thing = words[things[0].start : things[0].end]
        return f"{before[: first.start]}{thing}{before[first.end :]}" if first is not None else ""
    own, first_goes = _GOES.match(veiled_words), _GOES.match(veiled(before))
    alike = own is not None and first_goes is not None and own[1].lower() == first_goes[1].lower()
    inside = _INSIDE.match(veiled_words)
    if has_cjk(words) or not (alike or inside):
        return ""
    words = f"{words[inside.end() :]} {words[inside.start(1) : inside.end(1)]}" if inside else words
    verb = next((term for term in terms(before) if term.word and not is_filler(stem(term.word))), None)
    return f"{before[: verb.start + len(verb.word)]} {words}" if verb is not None else ""


@dataclass(frozen=True)
class Left:
    """Where a step leaves things."""

    folder: str = ""
    """It worked in it, made it, or put something into it."""
    made: str = ""
    """The file that it made or wrote."""
    source: str = ""
    """What it was given."""

    @classmethod
    def by(cls, info: MetaActionInfo, values: JsonObject, words: str) -> Left:
        """What a step with these arguments leaves, as far as its own words tell of it."""
        folder = made = source = ""
        for name, access in info.path_params().items():
            schema, value = info.properties()[name], values.get(name)
            kinds = nouns(words_of(name, schema))
            if not isinstance(value, str) or PurePath(value).name.casefold() not in words.casefold():
                continue
            if len(kinds) > 1 and not is_destination(name, schema):
                source = value
            elif kinds == {"file"} or PurePath(value).suffix:
                made = value if access == "write" else made
            else:
                folder = value
                made = f"{value.rstrip('/')}/{PurePath(source).name}" if source else made
        return cls(folder, made, source)

    def written_into(self, words: str) -> str:
        """The words with it written out where they mean it; as they are where they mean none."""
        folder, made = self.folder or self.made, self.made or self.folder
        for rule, path in (("original", self.source), ("onto", made), ("there", folder)):
            for table in rule_tables("clauses", words) if path else ():
                found = next(filter(None, (each.search(veiled(words)) for each in table.each(rule))), None)
                if found is not None:
                    said, unspaced = found.groupdict(), has_cjk(words)
                    lead = said.get("lead") or ("" if unspaced or rule == "original" else "in")
                    lead = f"{said['verb']}到" if said.get("verb") else lead
                    inside = "里" if rule == "there" and unspaced else ""
                    if re.match(rf"的?\s*['\"]?{re.escape(path)}/", words[found.end() :]):
                        return f"{words[: found.start()]}{lead}{words[found.end() :].lstrip('的')}"
                    written = f"{lead} '{path}' {inside}{words[found.end() :].lstrip()}"
                    return f"{words[: found.start()].rstrip(' ')} {written.strip()}".strip()
        return words

    def among(self, surroundings: Surroundings) -> Surroundings:
        """The disk as it will be then."""
        coming = HomeEntry(self.folder.replace("~", surroundings.home, 1), is_folder=True)
        return replace(surroundings, entries=(*surroundings.entries, coming)) if self.folder else surroundings


NOTHING = Left()


def points(words: str) -> bool:
    """Whether words may mean what a step before leaves."""
    return Left("~", "~", "~").written_into(words) != words
