"""Which ability is meant, asked of a model: talk or act first, then which of the nearest.

Cheap gates come first. What the starter mind takes for small talk, for declined, or for a call by name stands
without a call, and so does a message that no ability is near to. Messages in Chinese and its like are
compared by characters alone, so being far means little there: the model is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.negation import declined
from partner_desktop.language.references.ability_references import is_called
from partner_desktop.language.speech_acts.small_talk import small_talk
from partner_desktop.language.terms import has_cjk
from partner_desktop.mind.prompted.abilities import MOST_SHOWN, NamedAbilities
from partner_desktop.mind.prompted.answers import (
    IntentAnswer,
    PickAnswer,
    object_schema,
    one_of,
    or_null,
    read_answer,
)
from partner_desktop.mind.prompted.asking import Asker
from partner_desktop.mind.prompted.prompts import Flaw, FlawError, quoted
from partner_desktop.mind.question import EvaluateIntent, IntentEvaluation, Mind, PickAbility, RankedAbility

#: From this score of the best on the model is asked. An ability worth naming scores more: of twenty sentences
#: of mere talk eighteen stay below this, of twelve requests in uncommon words one does.
OPEN_SCORE = 0.12
#: What scores this share of the best is shown: the words may mean what does not look likeliest.
_SHARE = 0.2
#: The choice is a few dozen tokens; models of bytes need more.
_MOST_TOKENS = 160


async def evaluate(asker: Asker, starter: Mind, request: EvaluateIntent) -> IntentEvaluation:
    """The model's choice among what is near; the starter's where the model is not needed or gives none."""
    known = await starter.ask(request)
    close = near(request.text, known)
    if not close:
        return known
    named = NamedAbilities(close)

    async def read(text: str) -> MetaActionInfo | bool:
        answer = read_answer(IntentAnswer, text)
        if answer.ability is None and answer.do == "act":
            raise FlawError(Flaw.CHOICE)
        meant = named.named(answer.ability) if answer.ability is not None else False
        return meant if answer.do == "act" else False

    chosen = await asker.ask(
        request,
        read,
        {"abilities": named.lines(), "said": quoted(request.text)},
        turn=request.turn,
        schema=object_schema(do=one_of("reply", "act"), ability=or_null(one_of(*named.names))),
        max_tokens=_MOST_TOKENS,
    )
    if chosen is None:
        return known
    return replace(known, chosen=chosen if isinstance(chosen, MetaActionInfo) else None, ties=())


def near(text: str, known: IntentEvaluation) -> tuple[MetaActionInfo, ...]:
    """What the model is to choose among; empty where it is not asked."""
    if small_talk(text) is not None or declined(text):
        return ()
    if known.chosen is not None and is_called(known.chosen, text):
        return ()
    best = max((item.score for item in known.ranked), default=0.0)
    if has_cjk(text):
        return _first(known.ranked)
    return _first([item for item in known.ranked if best >= OPEN_SCORE and item.score >= _SHARE * best])


def _first(ranked: Sequence[RankedAbility]) -> tuple[MetaActionInfo, ...]:
    return tuple(item.info for item in ranked[:MOST_SHOWN])


async def pick(asker: Asker, starter: Mind, request: PickAbility) -> MetaActionInfo | None:
    """A number, a place or a name chooses by itself; other words are put to the model."""
    picked = await starter.ask(request)
    if picked is not None or not request.options:
        return picked
    if declined(request.text) or small_talk(request.text) is not None:
        return None
    named = NamedAbilities(request.options[:MOST_SHOWN])

    async def read(text: str) -> tuple[MetaActionInfo | None]:
        answer = read_answer(PickAnswer, text)
        return (named.named(answer.ability) if answer.ability is not None else None,)

    chosen = await asker.ask(
        request,
        read,
        {"abilities": named.lines(), "said": quoted(request.text)},
        turn=request.turn,
        schema=object_schema(ability=or_null(one_of(*named.names))),
        max_tokens=_MOST_TOKENS,
    )
    return chosen[0] if chosen is not None else None
