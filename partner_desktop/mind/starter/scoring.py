"""How well one ability fits what was said: a number from 0 (shares nothing) to 1 (says the same).

Two halves and a doubt:

- *coverage*: how much of what was said the ability knows. Words that look like values count little.
- *likeness*: how much of its name, of one alias or of its description's first sentence was said.
- *doubt*: little said proves little, however well it fits.

A word counts as much as it is rare among the abilities of the moment. Spellings are alike by shared trigrams
and few edits, compounds by their parts.

The constants were calibrated by coordinate search over a public routing set (517 requests, 80 of them for
abilities that are not there) and a table of everyday desktop requests, alone and among 100 other abilities.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.terms import FUNCTION_WEIGHT, GENERIC_WEIGHT, Term, latin_term
from partner_desktop.language.typos import meant_word
from partner_desktop.mind.starter.profile import ALIAS, AbilityProfile, Phrase, Query, analyse


def compound_parts(word: str, known: Callable[[str], bool]) -> tuple[str, str] | None:
    """The two known stems that a word is made of (`wordcount` → `word`, `count`), else `None`."""
    for cut in range(3, len(word) - 2):
        if known(word[:cut]) and known(word[cut:]):
            return word[:cut], word[cut:]
    return None


#: How far the rarity of a word among the abilities lowers its weight.
RARITY = 0.3
#: Profiles kept beyond those of the abilities at hand: lists that alternate need not be read again.
SPARE_PROFILES = 500


class Corpus:
    """Profiles of abilities in their given order, with the vocabulary that they share."""

    def __init__(self, profiles: Sequence[AbilityProfile]) -> None:
        self.profiles = tuple(profiles)
        self._known_by = Counter(stem for profile in profiles for stem in profile.stems)
        self._words: dict[str, set[str]] = {}
        for profile in profiles:
            for word in profile.words:
                self._words.setdefault(word[:1], set()).add(word)
        self._scale = math.log(len(self.profiles) + 4)
        self._rarities: dict[str, float] = {}
        self.finds_names = any(profile.takes_name for profile in self.profiles)
        self.frames = frozenset(name for profile in profiles for name in profile.frames)

    def knows(self, stem: str) -> bool:
        return stem in self._known_by

    def words_like(self, word: str) -> Iterable[str]:
        """Known spellings with the same first letter, in a stable order."""
        return sorted(self._words.get(word[:1], ()))

    def rarity(self, stem: str) -> float:
        """1 for a word that at most one ability knows, falling slowly with each further one."""
        if (known := self._rarities.get(stem)) is not None:
            return known
        count = self._known_by.get(stem, 0)
        rare = 1.0 - RARITY * math.log(count) / self._scale if count > 1 else 1.0
        if count:  # what nobody knows is what people say, without end
            self._rarities[stem] = rare
        return rare


class CorpusCache:
    """Keeps profiles while their infos are in use, and the last corpus.

    Infos are known by identity (they are frozen; a change of an ability is a new info), and kept alive here
    so that an identity cannot be given away. All minds of a process share what was read of them.
    """

    _profiles: ClassVar[dict[int, AbilityProfile]] = {}

    def __init__(self) -> None:
        self._last: tuple[tuple[int, ...], Corpus] | None = None

    async def corpus(self, abilities: Sequence[MetaActionInfo]) -> Corpus:
        """The corpus of these abilities; new ones are read in a thread: patterns may be compiled."""
        identity = tuple(id(info) for info in abilities)
        last = self._last
        if last is not None and last[0] == identity:
            return last[1]
        known = {key: profile for key in identity if (profile := self._profiles.get(key)) is not None}
        new = [info for info in abilities if id(info) not in known]
        if new:
            known |= zip(map(id, new), await asyncio.to_thread(lambda: list(map(analyse, new))), strict=True)
            self._profiles.update(known)
        corpus = Corpus([known[key] for key in identity])
        self._last = (identity, corpus)
        self._drop_unused(identity)
        return corpus

    def _drop_unused(self, used: tuple[int, ...]) -> None:
        kept = set(used)
        spare = [key for key in self._profiles if key not in kept]
        for key in spare[: max(0, len(spare) - SPARE_PROFILES)]:
            del self._profiles[key]


#: What another word of the same meaning counts.
CONCEPT_VALUE = 0.75
#: Coverage matters less than likeness: people say why and where, abilities do not.
COVERAGE_POWER, LIKENESS_POWER = 0.3, 0.5
#: Matched weight at which half of the doubt is left.
DOUBT = 0.2
#: What an unknown word weighs in coverage: at all, written like a name, before a free text parameter, or
#: behind the verb of an ability that takes the rest of the message.
UNKNOWN, UNKNOWN_NAME, UNKNOWN_TEXT, UNKNOWN_REST = 0.8, 0.4, 0.55, 0.05
#: What is left between the words of a dictionary is mostly talk, or pieces of names.
UNKNOWN_PIECE = 0.4
#: A path in the message speaks for abilities that take one, and against those that cannot, or that take
#: a file where a folder is named or the other way round.
PATH_FITS, PATH_UNFIT, PATH_OTHER = 1.08, 0.9, 0.88
#: What is quoted is text sooner than a name.
QUOTE_FITS = 1.04
#: What says that it is past its time gives way to what took its place.
PAST = 0.8
#: From this value on a word is known by itself and not as a kind of something.
KNOWN_WELL = 0.4
#: From this share on a name or an alias counts as said in full.
CALLED = 0.95
#: A description is enough said when this much of it was.
DESCRIPTION_ENOUGH = 3.0


@dataclass(frozen=True)
class MessageTerm:
    """One term of the message as it is compared: what it is taken for, and how much it weighs here."""

    stem: str
    value: float
    """1, or less when the spelling had to be guessed."""
    weight: float
    concepts: Mapping[str, float]
    start: int
    capital: bool = False
    hint: bool = False


class Utterance:
    """A message against one corpus."""

    def __init__(self, query: Query, corpus: Corpus) -> None:
        words = [said for term in query.terms for said in _understood(term, corpus)]
        hints = [replace(_said(term, corpus), hint=True) for term in query.hints]
        self.said = (*words, *hints)
        self.has_path = query.has_path
        self.path_kinds = query.path_kinds
        self.quotes_text = query.quotes_text
        self._values = query.values
        self._names_zone = any(kind == "zone" for kind, _, _ in query.values)
        self.cjk = query.cjk
        self.stems = {said.stem: said.value for said in self.said}
        self.concepts = _strongest(self.said)
        content = [said for said in self.said if said.weight > FUNCTION_WEIGHT]
        self._lead = content[0].stem if content else ""
        self.keys = frozenset(said.stem for said in content) | {f"={name}" for name in self.concepts}
        self._corpus = corpus
        self._likenesses: dict[int, float] = {}

    def score(self, profile: AbilityProfile) -> float:
        """How well an ability of the corpus fits."""
        if self.keys.isdisjoint(profile.keys):
            return 0.0
        coverage, mass = self._coverage(profile)
        likeness = max((self._likeness(phrase) for phrase in self._comparable(profile)), default=0.0)
        score = (
            math.pow(coverage, COVERAGE_POWER) * math.pow(likeness, LIKENESS_POWER) * mass / (mass + DOUBT)
        )
        if self.has_path and profile.takes_path:
            score *= PATH_OTHER if self.of_another_kind(profile) else PATH_FITS
        elif self.has_path and not profile.takes_rest:
            score *= PATH_UNFIT
        if self.quotes_text and profile.takes_text:
            score *= QUOTE_FITS
        return min(1.0, score) * (PAST if profile.past else 1.0)

    def calls(self, profile: AbilityProfile) -> bool:
        """Whether its name or an alias was said in full: a single word only where the message leads
        with that word."""
        return any(self._said_in_full(phrase) for phrase in self._comparable(profile) if phrase.calling)

    def knows_frame(self, name: str) -> bool:
        """Whether some ability of the corpus has a frame."""
        return name in self._corpus.frames

    @property
    def finds_names(self) -> bool:
        """Whether some ability of the corpus finds files by name."""
        return self._corpus.finds_names

    def known(self, profile: AbilityProfile) -> frozenset[str]:
        """Stems of what was said and the ability knows well, without words of grammar."""
        return frozenset(
            said.stem
            for said in self._telling()
            if _value(said, profile.stems, profile.concepts) >= KNOWN_WELL
        )

    def chooses(self, profile: AbilityProfile) -> bool:
        """Whether something is said that only a parameter of this ability may be."""
        return any(self._corpus.rarity(stem) == 1.0 for stem in profile.choices & self.stems.keys())

    def strange(self, profile: AbilityProfile) -> frozenset[str]:
        """Stems of what was said and the ability does not know."""
        return frozenset(
            said.stem
            for said in self._telling()
            if not _value(said, profile.stems, profile.concepts)
            and (said.concepts or said.stem.isascii() or self._names_zone)
        )

    def explained(self, profile: AbilityProfile) -> float:
        """The share of what was said that the ability knows, or takes as a value; 0 where it knows nothing
        beside values that tells."""
        if not self._known_words(profile):
            return 0.0
        said = [said for said in self.said if said.weight > FUNCTION_WEIGHT and not said.hint]
        held = [
            one
            for one in said
            if _value(one, profile.stems, profile.concepts) or self._is_value(one, profile)
        ]
        return sum(one.weight for one in held) / sum(one.weight for one in said)

    def evidence(self, profile: AbilityProfile) -> int:
        """How many things of the message speak for an ability: words of its own, and kinds of values."""
        kinds = {kind for kind, _, _ in self._values if kind in profile.takes}
        return len(self._known_words(profile)) + len(kinds) + (self.has_path and profile.takes_path)

    def _known_words(self, profile: AbilityProfile) -> frozenset[str]:
        """What of the message it knows well and takes for no value."""
        values = {said.stem for said in self.said if self._is_value(said, profile)}
        return self.known(profile) - values

    def of_another_kind(self, profile: AbilityProfile) -> bool:
        """Whether it takes folders where a file is given, or the other way round; a name is of any kind."""
        given = self.path_kinds if profile.takes_path and not profile.takes_name else None
        return bool(given) and profile.path_kinds.isdisjoint(self.path_kinds)

    @property
    def profiles(self) -> Sequence[AbilityProfile]:
        """The abilities that it is compared with."""
        return self._corpus.profiles

    def _is_value(self, said: MessageTerm, profile: AbilityProfile) -> bool:
        return any(kind in profile.takes and start <= said.start < end for kind, start, end in self._values)

    def _telling(self) -> list[MessageTerm]:
        return [said for said in self.said if said.weight > GENERIC_WEIGHT and not said.hint]

    def _said_in_full(self, phrase: Phrase) -> bool:
        telling = [term.stem for term in phrase.terms if term.weight > FUNCTION_WEIGHT]
        whole = len(telling) > 1 or (bool(telling) and telling[0] == self._lead)
        return whole and self._likeness(phrase) >= CALLED * phrase.trust

    def _coverage(self, profile: AbilityProfile) -> tuple[float, float]:
        """The share of the message that the ability knows, and the weight of that share."""
        values = [(said, _value(said, profile.stems, profile.concepts)) for said in self.said]
        known = [(said, value) for said, value in values if value > 0]
        if not known:
            return 0.0, 0.0
        mass = sum(said.weight * value for said, value in known)
        first = min(said.start for said, _ in known)
        unknown = sum(
            _unknown_weight(said, profile, first)
            for said, value in values
            if value == 0 and not self._is_value(said, profile)
        )
        return mass / (sum(said.weight for said, _ in known) + unknown), mass

    def _comparable(self, profile: AbilityProfile) -> Sequence[Phrase]:
        """Chinese may be compared with anything; what has none with its own script first."""
        own = [phrase for phrase in profile.phrases if self.cjk or not phrase.cjk]
        return own or profile.phrases

    def _likeness(self, phrase: Phrase) -> float:
        """The share of a phrase that was said; the phrase is the corpus's own, which keeps its identity."""
        found = self._likenesses.get(id(phrase))
        if found is None:
            found = self._likenesses[id(phrase)] = self._compared(phrase)
        return found

    def _compared(self, phrase: Phrase) -> float:
        said = total = 0.0
        for term in phrase.terms:
            weight = term.weight * self._corpus.rarity(term.stem)
            value = self.stems.get(term.stem, 0.0)
            if term.concepts and value < CONCEPT_VALUE:
                value = max(value, CONCEPT_VALUE * _shared(term.concepts, self.concepts))
            said += weight * value
            total += weight
        enough = total if phrase.trust >= ALIAS else min(total, DESCRIPTION_ENOUGH)
        return phrase.trust * min(1.0, said / enough)


def _understood(term: Term, corpus: Corpus) -> Sequence[MessageTerm]:
    """A term as the corpus knows it: as it is, without its slip of the fingers, or as its two parts."""
    strange = (
        term.word and term.weight >= GENERIC_WEIGHT and not term.concepts and not corpus.knows(term.stem)
    )
    if not strange:
        return [_said(term, corpus)]
    if meant := meant_word(term.word, corpus.words_like(term.word)):
        word, value = meant
        said = _said(latin_term(word, term.start), corpus)
        return [
            replace(
                said, value=value, concepts={name: power * value for name, power in said.concepts.items()}
            )
        ]
    if parts := compound_parts(term.word, corpus.knows):
        return [_said(latin_term(part, term.start), corpus) for part in parts]
    return [_said(term, corpus)]


def _said(term: Term, corpus: Corpus) -> MessageTerm:
    weight = term.weight * corpus.rarity(term.stem)
    return MessageTerm(term.stem, 1.0, weight, term.concepts, term.start, capital=term.capital)


def _strongest(said: Sequence[MessageTerm]) -> dict[str, float]:
    found: dict[str, float] = {}
    for item in said:
        for concept, strength in item.concepts.items():
            found[concept] = max(found.get(concept, 0.0), strength)
    return found


def _value(said: MessageTerm, stems: Mapping[str, float], concepts: Mapping[str, float]) -> float:
    value = stems.get(said.stem, 0.0) * said.value
    if said.concepts and value < CONCEPT_VALUE:
        return max(value, CONCEPT_VALUE * _shared(said.concepts, concepts))
    return value


def _shared(ours: Mapping[str, float], theirs: Mapping[str, float]) -> float:
    if theirs.keys().isdisjoint(ours):
        return 0.0
    return max(strength * theirs.get(concept, 0.0) for concept, strength in ours.items())


def _unknown_weight(said: MessageTerm, profile: AbilityProfile, first: int) -> float:
    if said.hint:
        return 0.0
    weight = said.weight * UNKNOWN * (UNKNOWN_NAME if said.capital else 1.0)
    if not said.concepts and not said.stem.isascii():
        weight *= UNKNOWN_PIECE
    if profile.takes_rest and said.start > first:
        return weight * UNKNOWN_REST
    return weight * (UNKNOWN_TEXT if profile.takes_text else 1.0)
