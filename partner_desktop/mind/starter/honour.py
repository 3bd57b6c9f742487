"""Honour: what a message asks for and an ability cannot do, however near its words are.

`what time is it in Tokyo?` is not answered by a clock that knows one place, nor `notify me in ten minutes` by
a notification that comes at once, nor `delete my last note` by what adds notes. Only abilities that say with
aliases how they are asked for are held to it; such a one is still named as the nearest.
"""

from __future__ import annotations

import re

from partner_desktop.language.arguments.slot import slots_of
from partner_desktop.language.lexicon import word_set
from partner_desktop.language.terms import Term, stem, terms
from partner_desktop.mind.starter.givens import givens_of
from partner_desktop.mind.starter.lead import agreement, lead_of
from partner_desktop.mind.starter.profile import AbilityProfile
from partner_desktop.mind.starter.scoring import Utterance

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
