"""The designed answers where nothing here does what was said: small talk, the nearest, an honest no."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence

from partner_desktop.domain.evidence import NoAbility
from partner_desktop.domain.message import Role
from partner_desktop.domain.meta_action import LOCAL, MetaActionInfo
from partner_desktop.language.speech_acts.ability_requests import holds_script
from partner_desktop.language.speech_acts.asked_about import wants_private
from partner_desktop.language.speech_acts.small_talk import SmallTalk, small_talk, wants_conversation
from partner_desktop.language.speech_acts.speech_act import SpeechAct, SpeechActKind, speech_act
from partner_desktop.language.terms import first_sentence, mainly_cjk, terms
from partner_desktop.mind.question import ReplyRequest
from partner_desktop.mind.starter.phrases import ENGLISH, Phrases
from partner_desktop.mind.starter.results import bold, inline

#: Abilities named as nearest, as examples of what can be done, and in a brief answer.
NEAREST, EXAMPLES, BRIEF_EXAMPLES = 3, 4, 2
#: Earlier messages in which a sentence is not repeated.
_RECENT = 6
#: Longest example that still reads as something to type.
_MAX_EXAMPLE = 60
#: Longest order that is said back.
_MAX_ORDER = 120


def variant(choices: Sequence[str], seed: str) -> str:
    """One of several sentences; the same for the same seed."""
    return choices[hashlib.sha256(seed.encode(errors="replace")).digest()[0] % len(choices)]


def said_before(words: str, request: ReplyRequest) -> bool:
    """Whether Partner said this lately in the conversation."""
    said = [message.text for message in request.recent if message.role is Role.PARTNER]
    return any(words in text for text in said[-_RECENT:])


def no_ability(request: ReplyRequest, evidence: NoAbility, phrases: Phrases) -> str:
    """The answer to a message that no ability serves."""
    kind = small_talk(request.text) or _in_lines(request.text)
    if kind is not None:
        return talked(kind, request, phrases, evidence.nearest)
    near = [info.spoken(phrases.language) for info in evidence.nearest]
    abilities, note = _known(request, evidence.nearest, phrases), _note(request, phrases)
    if wants_private(request.text):
        return phrases.not_private
    if holds_script(request.text):
        return phrases.code_pasted
    act = speech_act(request.text)
    if not act.may_make_card and act.kind is not SpeechActKind.ABILITY_QUESTION:
        return _joined(_of_no_order(act, phrases), note if act.kind is SpeechActKind.STATEMENT else "")
    if evidence.near and near:
        listed = "\n".join(_examples(near[:NEAREST], phrases))
        return _joined(phrases.nearest, listed, phrases.nearest_end)
    cannot = phrases.cannot_converse if wants_conversation(request.text) else phrases.cannot
    return _joined(_brief(cannot, phrases.can_do_briefly, abilities, phrases), note)


def talked(
    kind: SmallTalk, request: ReplyRequest, phrases: Phrases, near: Sequence[MetaActionInfo] = ()
) -> str:
    """The answer to small talk, with what could be asked for instead."""
    greeting = variant(phrases.talk[kind], request.text)
    if kind.shortest:
        return greeting
    abilities, note = _known(request, near, phrases), _note(request, phrases)
    if kind is SmallTalk.WHAT_CAN_YOU_DO:
        offer = _offer(abilities, phrases)
        return _joined(greeting, offer, phrases.later.can_remind, phrases.teach, note)
    more = phrases.can_do_more if kind.brief else phrases.can_do_briefly
    return _joined(_brief(greeting, more, abilities, phrases), "" if kind.brief else note)


def _known(
    request: ReplyRequest, near: Sequence[MetaActionInfo], phrases: Phrases
) -> Sequence[MetaActionInfo]:
    """What can be done here, one's own scripts first."""
    known = {info.key: info.spoken(phrases.language) for info in (*near, *request.abilities)}
    return sorted(known.values(), key=lambda info: (info.location != LOCAL, not info.aliases))


def _note(request: ReplyRequest, phrases: Phrases) -> str:
    return "" if said_before(phrases.model_note, request) else phrases.model_note


def _of_no_order(act: SpeechAct, phrases: Phrases) -> str:
    """What is said to words that want nothing done, with the order that they may have been meant as."""
    order = act.mentioned if len(act.mentioned) <= _MAX_ORDER else ""
    if act.kind is SpeechActKind.REFUSAL:
        return phrases.declined
    if act.condition and order:
        return phrases.on_condition.format(condition=inline(act.condition), order=inline(order))
    if act.kind in (SpeechActKind.REPORT, SpeechActKind.HYPOTHETICAL) and order:
        return phrases.not_asked.format(order=inline(order))
    return phrases.told


def _in_lines(text: str) -> SmallTalk | None:
    """Small talk in several messages, or lines: the last of them is answered, if all are."""
    talks = [small_talk(line) for line in text.splitlines() if line.strip()]
    return talks[-1] if talks and None not in talks else None


def _joined(*blocks: str) -> str:
    return "\n\n".join(block for block in blocks if block)


def _brief(lead: str, template: str, abilities: Sequence[MetaActionInfo], phrases: Phrases) -> str:
    """A sentence, and one with what could be said."""
    said = [
        phrases.quoted.format(words=inline(words_for(info, phrases))) for info in abilities[:BRIEF_EXAMPLES]
    ]
    more = template.format(examples=phrases.alternative.join(said)) if said else phrases.teach
    return phrases.gap.join(part for part in (lead, more) if part)


def _offer(abilities: Sequence[MetaActionInfo], phrases: Phrases) -> str:
    """What can be done here and now, as things to say."""
    if not abilities:
        return phrases.can_do_nothing
    return ability_list(phrases.can_do, abilities[:EXAMPLES], phrases)


def ability_list(lead: str, abilities: Sequence[MetaActionInfo], phrases: Phrases) -> str:
    """Abilities as things to say, a line each."""
    return "\n".join([lead, "", *_examples(abilities, phrases)])


def _examples(infos: Sequence[MetaActionInfo], phrases: Phrases) -> Iterable[str]:
    for info, title in zip(infos, distinct_titles(infos), strict=True):
        yield "- " + phrases.example.format(words=inline(words_for(info, phrases)), title=bold(title))


def distinct_titles(infos: Sequence[MetaActionInfo]) -> list[str]:
    """Their titles; where two servers call theirs the same, with the server."""
    counts = Counter(info.title.casefold() for info in infos)
    return [
        f"{info.title} · {info.location}" if counts[info.title.casefold()] > 1 else info.title
        for info in infos
    ]


def words_for(info: MetaActionInfo, phrases: Phrases, *, about: str = "") -> str:
    """How a person could ask for it: an alias in their language, else what it says of itself.

    The one that says most of what they asked `about`, and the fullest of several.
    """
    english = phrases is ENGLISH
    aliases = [
        alias for alias in info.aliases if mainly_cjk(alias) is not english and len(alias) <= _MAX_EXAMPLE
    ]
    if aliases:
        wanted = {term.stem for term in terms(about)}

        def fit(alias: str) -> tuple[int, int]:
            said = {term.stem for term in terms(alias)}
            length = len(alias.split()) if english else len(alias)
            return len(wanted & said), -len(said - wanted) if wanted & said else length

        return max(aliases, key=fit)
    told = first_sentence(info.description).strip().rstrip(".。")
    plain = told[:1].lower() + told[1:] if told[1:2].islower() else told
    return plain or info.title.lower()
