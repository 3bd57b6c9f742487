"""AbilityMatcher: which abilities a message may mean: by words alone, or by words and meaning together.

Contract: ranking leaves the loop free between abilities that it has not seen before; nothing outlives a call
but what was learnt about the abilities.

Calibration: what speaks for an ability becomes one score, 0 to 1; from `CHOOSE_SCORE` on it is acted upon.
A logistic model with few, rounded weights. They were fitted on a public routing set (517 requests, 80 of them
for abilities that are not there), each fold's threshold set without that fold; the weights of meaning were
held up and those of the form of a question held down against that fit, because abilities on a desktop are
described better than functions are.

Lead: the verb that a request begins with, against the verbs that an ability begins its own phrases with.
`zip my notes` leads with `zip` and so does `Zip folder`; that somebody takes a `note` says less. A request
that leads with a word that the ability never leads with (`delete`, `send`) speaks a little against it.

Honour: what a message asks for and an ability cannot do, however near its words are. `what time is it in
Tokyo?` is not answered by a clock that knows one place, nor `notify me in ten minutes` by a notification that
comes at once, nor `delete my last note` by what adds notes. Only abilities that say with aliases how they are
asked for are held to it; such a one is still named as the nearest.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from functools import cached_property
from pathlib import PurePath
from shutil import which
from typing import Protocol

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.language.arguments.slot import slots_of
from partner_desktop.language.deed_frames import frames_in, is_filler
from partner_desktop.language.disk_names import FILE, FOLDER, kinds_in
from partner_desktop.language.lexicon import FUNCTION_WORDS
from partner_desktop.language.rule_table import rule_table
from partner_desktop.language.spans import blank, find_spans, masked_text
from partner_desktop.language.terms import (
    CONTENT_WEIGHT,
    FUNCTION_WEIGHT,
    Term,
    has_cjk,
    leading,
    mainly_cjk,
    terms,
)
from partner_desktop.language.values.moments import find_moments, zones_in
from partner_desktop.mind.question import NEAR_SCORE, RankedAbility
from partner_desktop.mind.starter.meaning import MeaningIndex
from partner_desktop.mind.starter.profile import (
    AbilityProfile,
    Givens,
    Wants,
    givens_of,
    read_query,
    wants_of,
)
from partner_desktop.mind.starter.scoring import Corpus, CorpusCache, Utterance

#: From this score on an ability is what was meant.
CHOOSE_SCORE = 0.5
#: Abilities whose odds differ by less than this (in logarithms) may both be what was meant.
TIE = 0.15
#: By less than this, and a script of one's own is meant before what is built in.
_EQUAL = 0.04
#: Abilities offered as a choice at most.
OFFERED = 3

#: Weights: likeness in meaning of the description and of the name (or an alias), and likeness in words.
_DESCRIPTION, _NAME, _WORDS = 4.0, 2.0, 5.0
#: A question of fact; one that gives nothing to work on; anything else that gives nothing; too few numbers.
_WONDERS, _WONDERS_EMPTY, _EMPTY, _TOO_FEW = -1.25, -2.0, -0.6, -3.0
#: Its name or an alias was said in full.
_CALLED = 1.0
#: A request leads with its verb, or with a word that it never leads with.
_LEAD, _OTHER_LEAD = 1.0, -0.4
#: Neither words nor meaning speak for it by themselves: two faint signs are no clear one. Behind a verb that
#: is not its own, more is faint.
_FAINT, _FAINT_WORDS, _FAINT_MEANING = -1.5, 0.45, 0.3
_FAINT_WORDS_ASIDE, _FAINT_MEANING_ASIDE = 0.55, 0.25
#: Where the odds are even.
_EVEN = 2.25


@dataclass(frozen=True)
class Signs:
    """What speaks for one ability."""

    words: float
    """0 to 1, by words (`scoring`)."""
    description: float
    """Cosine of message and description."""
    name: float
    """Cosine of message and name, or of the nearest alias."""
    lead: float
    """-1 to 1: whether it is led by the verb that the message leads with."""
    called: bool
    """Its name or an alias was said in full: nothing else needs to speak for it."""


def score(signs: Signs, givens: Givens, wants: Wants) -> float:
    """How sure it is that this ability was meant."""
    odds = _DESCRIPTION * signs.description + _NAME * signs.name + _WORDS * signs.words - _EVEN
    if not givens.wonders:
        odds += _LEAD * signs.lead if signs.lead > 0 else _OTHER_LEAD * -signs.lead
    if signs.called:
        odds += _CALLED
    else:
        odds += _doubt(givens, wants)
        odds += _FAINT if _faint(signs) else 0.0
    return _probability(odds)


def _probability(odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-odds))


def _faint(signs: Signs) -> bool:
    meaning = max(signs.description, signs.name)
    aside = signs.lead < 0 and signs.words < _FAINT_WORDS_ASIDE and meaning < _FAINT_MEANING_ASIDE
    return aside or (signs.words < _FAINT_WORDS and meaning < _FAINT_MEANING)


def _doubt(givens: Givens, wants: Wants) -> float:
    doubt = _WONDERS if givens.wonders else 0.0
    if wants.anything and givens.nothing:
        doubt += _WONDERS_EMPTY if givens.wonders else _EMPTY
    if wants.numbers > givens.numbers:
        doubt += _TOO_FEW
    return doubt


def near_ties(ranked: Sequence[RankedAbility]) -> tuple[MetaActionInfo, ...]:
    """The best and what fits about as well, all of them well enough; one's own scripts before builtins."""
    best = odds_of(ranked[0].score)
    close = [item for item in ranked if item.score >= CHOOSE_SCORE and best - odds_of(item.score) < TIE]
    scripts = [item for item in close if item.info.route is Route.MCP and _is_here(item.info)]
    if scripts and best - odds_of(scripts[0].score) < _EQUAL:
        close = scripts
    equal = [item for item in close if item.score >= close[0].score]
    if any(_is_here(item.info) for item in equal):
        close = [item for item in close if item not in equal or _is_here(item.info)]
    return tuple(item.info for item in close[:OFFERED])


def _is_here(info: MetaActionInfo) -> bool:
    """Whether it needs no server: of two that fit equally well, that one is meant."""
    return info.route is not Route.MCP or info.location == "local"


def odds_of(probability: float) -> float:
    """The logarithm of the odds."""
    bounded = min(max(probability, 1e-9), 1 - 1e-9)
    return math.log(bounded / (1 - bounded))


#: What a verb of the same meaning counts.
_SAME_MEANING = 0.6


def lead_of(text: str) -> Term | None:
    """The first word of a message that says anything."""
    return leading(terms(blank(text, find_spans(text))))


def agreement(lead: Term | None, leads: Sequence[Term]) -> float:
    """From -1 (a word of its own that none of these is) to 1 (the same telling word)."""
    if lead is None:
        return 0.0
    if any(other.stem == lead.stem for other in leads):
        return lead.weight
    if any(lead.concepts.keys() & other.concepts.keys() for other in leads):
        return lead.weight * _SAME_MEANING
    return -1.0 if lead.weight >= CONTENT_WEIGHT and not lead.capital else 0.0


#: No more than this for what cannot be honoured: near enough to be named, never chosen.
AT_MOST = 0.4
#: No more than this for what is out of the question: not even named.
_FAR = 0.1
#: An ability in the frame of the message is at least so likely, and what is in another, at most; behind
#: a frame that is so sure comes even an ability whose name is said. A frame that is less sure is none.
#: Among those in the frame words and meaning decide.
_FRAMED, _AMONG, _UNFRAMED, _SURELY, _LEAST = 0.9, 3.0, 0.85, 1.3, 0.8

#: What a script is worth that knows nearly all that was said, how much that is, how much against what is
#: said in words of every day, and what all of it adds.
_TOLD, _NEARLY_ALL, _ALL_BUT, _MORE = 0.55, 0.6, 0.75, 0.09

#: What a message demands, by its words.
_SAID, _SAID_IN_CHINESE = rule_table("matching", "en"), rule_table("matching", "zh")
_DEEDS, _LIGHT, _FILES, _SOUGHT, _PROGRAMS, _WORDS_TOO = (
    _SAID.words(name) for name in ("deeds", "light", "files", "sought", "programs", "words_too")
)
_CHINESE_DEEDS = _SAID_IN_CHINESE.words("deeds")
#: One place or name to another, each as `_masked` writes it; and how many paths that takes.
_FROM_TO, _BOTH_ENDS = late(r"\ue000 (?:to|as|into|->|→) \ue000"), 2
_CODE = late(r"`[^`\n]+`")


def _masked(text: str) -> str:
    """With one character for each path."""
    for span in reversed(find_spans(text)):
        if span.is_path:
            text = f"{text[: span.start]}\ue000{text[span.end :]}"
    return text


def _is_light(lead: Term | None) -> bool:
    """Whether a message leads with a verb that says little alone."""
    return lead is not None and lead.word in _LIGHT


class Demands:
    """What one message demands, against one ability at a time."""

    def __init__(self, text: str, utterance: Utterance) -> None:
        self._utterance = utterance
        self._lead: Term | None = lead_of(text)
        givens = givens_of(text)
        self._numbers, self._wonders = givens.numbers, givens.wonders
        self._later = bool(_SAID["later"].match(text))
        self._about_abilities = bool(_SAID["about_abilities"].match(text))
        self._question = any(said["question"].match(text) for said in (_SAID, _SAID_IN_CHINESE))
        self._text = text
        self._renames = bool(_FROM_TO.search(_masked(text)))
        self._by_name = self._asks_by_name(text)
        self._code = bool(_CODE.search(text))
        frames = [frame for frame in frames_in(text) if utterance.knows_frame(frame.name)]
        self._said = {frame.name for frame in frames}
        self._frame = next((frame for frame in frames if frame.sureness >= _LEAST), None)

    def bounded(self, profile: AbilityProfile, score: float) -> float:
        """The score, or as much of it as an ability deserves that cannot do what was said."""
        if self._is_far(profile):
            return min(score, _FAR)
        other_kind = self._utterance.of_another_kind(profile) and not profile.takes_name
        framed = self._is_framed(profile) and not other_kind
        if framed and not self._cannot(profile) and not self._is_told_better(profile):
            return max(_FRAMED, _probability(odds_of(score) + _AMONG))
        if profile.takes_command and not self._has_command():
            return min(score, AT_MOST)
        # Meaning is compared of English alone.
        unlike = self._utterance.cjk or mainly_cjk(profile.info.description) or self._frame is not None
        if (unlike and self._is_told(profile)) or (score >= NEAR_SCORE and self._is_chosen(profile)):
            least = _TOLD if self._frame is None else _FRAMED
            score = max(score, least + _MORE * self._utterance.explained(profile))
        if self._frame is not None and (profile.frames or profile.info.route is Route.BUILTIN):
            called = self._frame.sureness < _SURELY and self._utterance.calls(profile)
            score = score if called else min(score, _UNFRAMED)
        held = score > AT_MOST and profile.info.aliases
        unfit = self._another_deed_in_chinese if self._utterance.cjk else self._unfit
        return AT_MOST if held and (framed or unfit(profile)) else score

    def _is_framed(self, profile: AbilityProfile) -> bool:
        """Whether it is in the frame of the message; `undo the last tidying` is in that of what tidies."""
        if self._frame is None or self._frame.name in profile.frames:
            return self._frame is not None
        return self._frame.name in profile.own_deed_frames and not self._said.isdisjoint(profile.frames)

    def _is_told(self, profile: AbilityProfile) -> bool:
        """Whether a script knows nearly all that was said, or takes it as values: more than one thing."""
        script = profile.info.route is Route.MCP and _is_here(profile.info) and not profile.frames
        said, least = self._utterance, _NEARLY_ALL if self._frame is None else _ALL_BUT
        return script and said.explained(profile) >= least and said.evidence(profile) > 1

    def _is_chosen(self, profile: AbilityProfile) -> bool:
        return self._frame is None and not profile.frames and self._utterance.chooses(profile)

    @cached_property
    def _told(self) -> Sequence[AbilityProfile]:
        return [profile for profile in self._utterance.profiles if self._is_told(profile)]

    def _is_told_better(self, profile: AbilityProfile) -> bool:
        """Whether some script knows all that an ability in the frame knows of the message, and more."""
        known = self._utterance.known(profile)
        return any(known < self._utterance.known(script) for script in self._told)

    def _is_far(self, profile: AbilityProfile) -> bool:
        """Whether none of the words is said without which an ability is not meant."""
        own = profile.own_words
        return own is not None and not own.search(self._text) and not self._utterance.calls(profile)

    def _cannot(self, profile: AbilityProfile) -> bool:
        """Whether something is said that the ability has no place for."""
        slots = slots_of(profile.info)
        by_name = self._by_name and not profile.takes_name
        one_end = self._renames and sum(slot.is_path for slot in slots) < _BOTH_ENDS
        if self._about_abilities or by_name or one_end:
            return True
        typed = bool(slots) and all(slot.is_moment or slot.is_zone for slot in slots)
        if (slots and not typed) or profile.info.free_args:
            timed = any(slot.is_moment or slot.is_number for slot in slots)
            return profile.takes_rest and self._later and not timed
        strange = {word for word in self._utterance.strange(profile) if not is_filler(word)}
        if typed:  # of all that it does not know, it takes days and zones
            taken = [(moment.start, moment.end) for moment in find_moments(self._text)]
            taken += [(start, end) for start, end, _ in zones_in(self._text)]
            strange -= {term.stem for start, end in taken for term in terms(self._text[start:end])}
            left = masked_text(self._text, taken, " ")
            return self._code or bool(strange) or any(map(str.isdigit, left))
        called = " ".join((profile.info.title, *profile.info.aliases)).casefold()
        days = [moment.said.casefold() for moment in find_moments(self._text) if moment.has_date]
        other_day = any(day not in called for day in days)
        return self._code or other_day or bool(strange or self._numbers)

    def _unfit(self, profile: AbilityProfile) -> bool:
        if self._cannot(profile) or self._another_deed(profile) or self._chance(profile):
            return True
        slots = slots_of(profile.info)
        if profile.takes_rest:
            return self._only_light(profile)
        if self._utterance.has_path or not (slots or profile.info.free_args):
            return False
        if profile.takes_text:
            leads = profile.leads if self._wonders else profile.orders
            return _is_light(self._lead) and agreement(self._lead, leads) < 0
        timed = any(slot.is_moment or slot.is_number for slot in slots)
        return (bool(self._numbers) and not timed) or self._another_object(profile)

    def _asks_by_name(self, text: str) -> bool:
        """`find the PDFs in ~/Downloads`, `where is ~/Notes/list.txt`: no words in files are looked for."""
        if not (self._utterance.finds_names and self._utterance.has_path and _SAID["by_name"].search(text)):
            return False
        rest = _SAID["by_name"].sub("", blank(text, find_spans(text)))
        said = {term.word for term in terms(rest) if term.word and term.weight > FUNCTION_WEIGHT}
        named = any(PurePath(span.value).suffix for span in find_spans(text) if span.is_path)
        left = said - _SOUGHT - {word for word in said if kinds_in(word)}
        return not left and (named or bool(kinds_in(rest) - {FILE, FOLDER}))

    def _another_deed(self, profile: AbilityProfile) -> bool:
        lead = self._lead
        deed = lead is not None and lead.word in _DEEDS and agreement(lead, profile.leads) < 0
        return deed and not self._utterance.calls(profile)

    def _another_deed_in_chinese(self, profile: AbilityProfile) -> bool:
        asked = self._utterance.concepts.keys() & _CHINESE_DEEDS
        other = bool(asked - profile.concepts.keys()) and not profile.takes_rest
        return other and not self._utterance.calls(profile)

    def _chance(self, profile: AbilityProfile) -> bool:
        """`move on` names no file; one word of what talks are about is in every talk (`he said hello`)."""
        if self._utterance.calls(profile):
            return False
        if "files" in profile.info.tags:
            return not (self._utterance.has_path or self._utterance.concepts.keys() & _FILES)
        return "dialog" in profile.info.tags and len(self._utterance.known(profile)) < 2

    def _has_command(self) -> bool:
        """A program behind the verb, or what only a command line has; `run errands` has neither."""
        if self._question:
            return False
        if self._code:
            return True
        found = _SAID["command"].match(self._text) or _SAID_IN_CHINESE["command"].match(self._text)
        if found is None:
            return False
        line = found["line"]
        program = line.split(maxsplit=1)[0].strip("`")
        return (
            bool(_SAID["command_line"].search(line))
            or program in _PROGRAMS
            or (program.lower() not in FUNCTION_WORDS | _WORDS_TOO and which(program) is not None)
        )

    def _only_light(self, profile: AbilityProfile) -> bool:
        """`take a screenshot` has but the verb of `take a note`."""
        lead = self._lead
        return lead is not None and _is_light(lead) and self._utterance.known(profile) <= {lead.stem}

    def _another_object(self, profile: AbilityProfile) -> bool:
        """`clean up my inbox` has but the verb of an alias, and something else behind it."""
        lead = self._lead
        if lead is None or self._utterance.known(profile) - {lead.stem}:
            return False
        titled = any(
            said.stem.startswith(lead.stem) or said.concepts.keys() & lead.concepts.keys()
            for said in terms(profile.info.title)
        )
        return not titled and bool(self._utterance.strange(profile))


#: Abilities compared before the loop gets its turn: a few milliseconds.
_SLICE = 200
#: What leading with the message's own verb adds where words alone decide.
_LED = 0.1


class AbilityMatcher(Protocol):
    """Compares a message with abilities."""

    async def rank(self, text: str, abilities: Sequence[MetaActionInfo]) -> tuple[RankedAbility, ...]:
        """Every ability with its score, best first; equals keep their order."""
        ...


class WordMatcher:
    """Compares by words: stems, everyday synonyms, spelling, Chinese words and bigrams."""

    def __init__(self) -> None:
        self._cache = CorpusCache()

    async def rank(self, text: str, abilities: Sequence[MetaActionInfo]) -> tuple[RankedAbility, ...]:
        utterance, compared = await self.compare(text, await self.corpus(abilities))
        return by_words(text, utterance, compared)

    async def corpus(self, abilities: Sequence[MetaActionInfo]) -> Corpus:
        """The abilities, read for comparing."""
        return await self._cache.corpus(abilities)

    async def compare(
        self, text: str, corpus: Corpus
    ) -> tuple[Utterance, list[tuple[AbilityProfile, float]]]:
        """Every profile with its score by words, in the corpus's order."""
        utterance = Utterance(read_query(text), corpus)
        compared: list[tuple[AbilityProfile, float]] = []
        for count, profile in enumerate(corpus.profiles, 1):
            compared.append((profile, utterance.score(profile)))
            if count % _SLICE == 0:
                await asyncio.sleep(0)
        return utterance, compared


class MeaningMatcher:
    """Compares by words and by meaning; by words alone what has no vectors, and what is not in English.

    The embedding model is English: for Chinese and its like, characters and aliases decide, with the
    thresholds of the words. While it starts, what words say plainly waits for nothing.
    """

    def __init__(self, words: WordMatcher, meaning: MeaningIndex) -> None:
        self._words = words
        self._meaning = meaning

    async def rank(self, text: str, abilities: Sequence[MetaActionInfo]) -> tuple[RankedAbility, ...]:
        corpus = await self._words.corpus(abilities)
        if has_cjk(text) or self._meaning.asleep:
            found = by_words(text, *await self._words.compare(text, corpus))
            if has_cjk(text):
                return found
            if _is_plain(found):
                self._meaning.wake(text)
                return found
        async with asyncio.TaskGroup() as together:  # the model has a process of its own
            meant = together.create_task(self._meaning.vector_of(text), name="meaning of the text")
            await asyncio.sleep(0)  # it is on its way before the words are compared
            utterance, compared = await self._words.compare(text, corpus)
            likeliest = by_words(text, utterance, compared)
        asked = meant.result()
        near = {} if asked is None else await self._meaning.nearness(asked, [item.info for item in likeliest])
        if not near:
            return likeliest
        givens, lead, demands = givens_of(text), lead_of(text), Demands(text, utterance)
        ranked: list[RankedAbility] = []
        for count, (profile, words) in enumerate(compared, 1):
            nearness = near.get(profile.info.key)
            if nearness is not None:
                signs = Signs(
                    words=words,
                    description=nearness.description,
                    name=nearness.name,
                    lead=agreement(lead, profile.leads),
                    called=utterance.calls(profile),
                )
                words = score(signs, givens, wants_of(profile))  # noqa: PLW2901 - one score an ability
            ranked.append(RankedAbility(profile.info, demands.bounded(profile, words)))
            if count % _SLICE == 0:
                await asyncio.sleep(0)
        return _ranked(ranked)


#: By words alone, such a score with so much less behind it says what meaning would.
_PLAINLY, _APART = CHOOSE_SCORE, 0.03


def _is_plain(ranked: Sequence[RankedAbility]) -> bool:
    best, second = (*(item.score for item in ranked[:2]), 0.0, 0.0)[:2]
    return best >= _PLAINLY and best - second >= _APART


def by_words(
    text: str, utterance: Utterance, compared: Sequence[tuple[AbilityProfile, float]]
) -> tuple[RankedAbility, ...]:
    """Best first; among those that say the same, what is led by the message's own verb."""
    lead, demands = lead_of(text), Demands(text, utterance)
    found = []
    for profile, words in compared:
        led = min(1.0, words * (1 + _LED * max(0.0, agreement(lead, profile.leads))))
        found.append(RankedAbility(profile.info, demands.bounded(profile, led)))
    return _ranked(found)


def _ranked(found: Sequence[RankedAbility]) -> tuple[RankedAbility, ...]:
    return tuple(sorted(found, key=lambda item: -item.score))
