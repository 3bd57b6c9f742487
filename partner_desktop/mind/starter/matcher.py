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
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.language.arguments.slot import slots_of
from partner_desktop.language.lexicon import word_set
from partner_desktop.language.spans import blank, find_spans
from partner_desktop.language.terms import CONTENT_WEIGHT, Term, has_cjk, leading, stem, terms
from partner_desktop.mind.question import RankedAbility
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
    """The best and what fits about as well, all of them well enough."""
    best = odds_of(ranked[0].score)
    close = [item for item in ranked if item.score >= CHOOSE_SCORE and best - odds_of(item.score) < TIE]
    equal = [item for item in close if item.score >= ranked[0].score]
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


def agreement(lead: Term | None, profile: AbilityProfile) -> float:
    """From -1 (a word of its own that no phrase leads with) to 1 (the same telling word)."""
    if lead is None:
        return 0.0
    leads = profile.leads
    if any(other.stem == lead.stem for other in leads):
        return lead.weight
    if any(lead.concepts.keys() & other.concepts.keys() for other in leads):
        return lead.weight * _SAME_MEANING
    return -1.0 if lead.weight >= CONTENT_WEIGHT and not lead.capital else 0.0


#: No more than this for what cannot be honoured: near enough to be named, never chosen.
AT_MOST = 0.4

#: Deeds that nothing else stands for.
_DEEDS = word_set(
    """
    delete remove erase copy move unzip unpack uncompress crop rotate play send print install uninstall
    download upload translate encrypt decrypt call phone buy order book reserve cancel merge split sing draw
    paint cook mute lock unlock restart reboot close quit upgrade
    """
)
#: Verbs that say little without their object.
_LIGHT = word_set("take make add put do give get write")
#: Words around a question that ask for nothing more.
_FILLERS = word_set(
    "right exactly currently moment partner friend buddy quick quickly local locally precisely sir"
)
#: `run out of`, `run late`: no command line begins so.
_PARTICLES = word_set("out away late into over off around low after errands")
#: What a message that is about files calls them.
_FILES = word_set("file files folder folders directory directories document documents path paths contents")
_FILLER_STEMS = frozenset(stem(word) for word in _FILLERS)
_ABOUT_ABILITIES = re.compile(r"^\W{0,3}what (?:all )?(?:can|could) (?:you|i|we) \w+\W{0,3}$", re.IGNORECASE)
#: No command line is asked for with such words.
_QUESTION = re.compile(
    r"^\W{0,3}(?:what|which|who|how|is|are)\b|^[^`\n]{0,40}(?:什么|哪些|哪个|哪几个)", re.IGNORECASE
)
_LATER = re.compile(
    r"^(?:\w+\W{1,3}){0,3}\w+ (?:me|us) (?:(?:again )?(?:in|after) (?:about )?"
    r"(?:an?|half|\d+|one|two|three|five|ten|twenty|thirty) |at \d|when |once |every |tomorrow|tonight"
    r"|on (?:mon|tues|wednes|thurs|fri|satur|sun)day)",
    re.IGNORECASE,
)


def _is_light(lead: Term | None) -> bool:
    """Whether a message leads with a verb that says little alone."""
    return lead is not None and lead.word in _LIGHT


class Demands:
    """What one message demands, against one ability at a time."""

    def __init__(self, text: str, utterance: Utterance) -> None:
        self._utterance = utterance
        self._lead: Term | None = lead_of(text)
        self._numbers = givens_of(text).numbers
        self._later = bool(_LATER.match(text))
        self._about_abilities = bool(_ABOUT_ABILITIES.match(text))
        self._question = bool(_QUESTION.match(text))
        self._words = [word.lower() for word in re.findall(r"[\w']+", text[:200])]

    def bounded(self, profile: AbilityProfile, score: float) -> float:
        """The score, or as much of it as an ability deserves that cannot do what was said."""
        if self._question and profile.takes_command:
            return min(score, AT_MOST)
        held = score > AT_MOST and profile.info.aliases and not self._utterance.cjk
        return AT_MOST if held and self._unfit(profile) else score

    def _unfit(self, profile: AbilityProfile) -> bool:
        slots = slots_of(profile.info)
        if self._about_abilities or self._another_deed(profile) or self._chance(profile):
            return True
        if not slots and not profile.info.free_args:
            return bool(self._utterance.strange(profile) - _FILLER_STEMS)
        timed = any(slot.is_moment or slot.is_number for slot in slots)
        if profile.takes_rest:
            return (self._later and not timed) or self._no_command() or self._only_light(profile)
        if self._utterance.has_path:
            return False
        if profile.takes_text:
            return _is_light(self._lead) and agreement(self._lead, profile) < 0
        return (bool(self._numbers) and not timed) or self._another_object(profile)

    def _another_deed(self, profile: AbilityProfile) -> bool:
        lead = self._lead
        deed = lead is not None and lead.word in _DEEDS and agreement(lead, profile) < 0
        return deed and not self._utterance.calls(profile)

    def _chance(self, profile: AbilityProfile) -> bool:
        """`move on` names no file; one word of what talks are about is in every talk (`he said hello`)."""
        if self._utterance.calls(profile):
            return False
        if "files" in profile.info.tags:
            return not (self._utterance.has_path or _FILES & set(self._words))
        return "dialog" in profile.info.tags and len(self._utterance.known(profile)) < 2

    def _no_command(self) -> bool:
        lead = self._lead.word if self._lead else ""
        after = self._words[self._words.index(lead) + 1 :] if lead in self._words else []
        return lead in {"run", "runs"} and bool(after) and after[0] in _PARTICLES

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
    thresholds of the words.
    """

    def __init__(self, words: WordMatcher, meaning: MeaningIndex) -> None:
        self._words = words
        self._meaning = meaning

    async def rank(self, text: str, abilities: Sequence[MetaActionInfo]) -> tuple[RankedAbility, ...]:
        corpus = await self._words.corpus(abilities)
        if has_cjk(text):
            return by_words(text, *await self._words.compare(text, corpus))
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
                    lead=agreement(lead, profile),
                    called=utterance.calls(profile),
                )
                words = score(signs, givens, wants_of(profile))  # noqa: PLW2901 - one score an ability
            ranked.append(RankedAbility(profile.info, demands.bounded(profile, words)))
            if count % _SLICE == 0:
                await asyncio.sleep(0)
        return _ranked(ranked)


def by_words(
    text: str, utterance: Utterance, compared: Sequence[tuple[AbilityProfile, float]]
) -> tuple[RankedAbility, ...]:
    """Best first; among those that say the same, what is led by the message's own verb."""
    lead, demands = lead_of(text), Demands(text, utterance)
    found = []
    for profile, words in compared:
        led = min(1.0, words * (1 + _LED * max(0.0, agreement(lead, profile))))
        found.append(RankedAbility(profile.info, demands.bounded(profile, led)))
    return _ranked(found)


def _ranked(found: Sequence[RankedAbility]) -> tuple[RankedAbility, ...]:
    return tuple(sorted(found, key=lambda item: -item.score))
