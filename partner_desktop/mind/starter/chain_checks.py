"""What words and rules can tell of a chain: whether it is done, and what else could do a step that failed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.chain import Chain, Step, StepStatus
from partner_desktop.domain.intervention import Intervention, InterventionKind, NewStep
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.mind.question import ChainVerdict, CorrectChain, JudgeChain, RankedAbility
from partner_desktop.mind.starter.calibration import CHOOSE_SCORE, odds_of
from partner_desktop.mind.starter.chain_reply import judged
from partner_desktop.mind.starter.phrases_zh import phrases_for

#: How much less sure (in logarithms of odds) another ability may be that is to do the same.
_ALMOST = 1.0

Rank = Callable[[str, Sequence[MetaActionInfo]], Awaitable[Sequence[RankedAbility]]]


async def judge(request: JudgeChain) -> ChainVerdict:
    """At the end: whether every step that the person wanted succeeded, or another made it good.

    On the way there is nothing that words and rules could tell.
    """
    chain = request.action.chain
    if chain is None or not request.final:
        return ChainVerdict(ok=True)
    refused = {step.id for step in request.steps if step.status is ActionStatus.REJECTED and not step.error}
    titles = [
        step.title
        for step in chain.steps
        if step.status is not StepStatus.SUCCEEDED
        and not _made_good(chain, step)
        and not (step.status is StepStatus.SKIPPED and step.id in refused)
    ]
    if not titles:
        return ChainVerdict(ok=True)
    return ChainVerdict(ok=False, reason=judged(titles, phrases_for(request.action.request_text)))


async def correct(request: CorrectChain, rank: Rank) -> tuple[Intervention, ...]:
    """Another ability that a failed step's words choose almost as well and that takes the same arguments.

    Nothing is tried twice.
    """
    chain = request.action.chain
    if chain is None:
        return ()
    known = {info.key: info for info in request.abilities}
    wishes = []
    for step in chain.steps:
        if step.status is not StepStatus.FAILED or _is_taken_up(chain, step) or not step.text:
            continue
        other = _equal(step, chain, await rank(step.text, request.abilities), known.get(step.key))
        if other is not None:
            wishes.append(_in_place_of(step, other, chain))
    return tuple(wishes)


def _made_good(chain: Chain, step: Step) -> bool:
    return any(
        other.mends == step.id and (other.status is StepStatus.SUCCEEDED or _made_good(chain, other))
        for other in chain.steps
        if other.id != step.id
    )


def _is_taken_up(chain: Chain, step: Step) -> bool:
    """Whether something was put in its place already, or it was itself put in another's."""
    return bool(step.mends) or any(other.mends == step.id for other in chain.steps)


def _equal(
    step: Step, chain: Chain, ranked: Sequence[RankedAbility], own: MetaActionInfo | None
) -> MetaActionInfo | None:
    """The best other ability, if it is sure."""
    tried = {other.key for other in chain.steps}
    score = next((item.score for item in ranked if item.info.key == step.key), CHOOSE_SCORE)
    for item in ranked:
        if item.score < CHOOSE_SCORE or odds_of(score) - odds_of(item.score) > _ALMOST:
            return None
        if item.info.key not in tried and own is not None and _takes_the_same(step, own, item.info):
            return item.info
    return None


def _takes_the_same(step: Step, own: MetaActionInfo, other: MetaActionInfo) -> bool:
    """Whether the step's arguments are the other's too, of the same type, and all that it needs."""
    mine, theirs = own.properties(), other.properties()
    given = {*step.params, *(feed.param for feed in step.feeds)}
    return (
        bool(given)
        and set(other.required()) <= given
        and all(
            name in mine and name in theirs and _shape(mine[name]) == _shape(theirs[name]) for name in given
        )
    )


def _shape(schema: object) -> tuple[object, ...]:
    if not isinstance(schema, dict):
        return ()
    return tuple(schema.get(name) for name in ("type", "format", "access", "enum"))


def _in_place_of(step: Step, other: MetaActionInfo, chain: Chain) -> Intervention:
    new = (NewStep(other.key, step.text, step.params),)
    reason = f"{other.title} does the same as {step.title}, which failed."
    if chain.at < len(chain.stages):
        return Intervention(
            InterventionKind.INSERT, stage=chain.at + 1, steps=new, mends=step.id, reason=reason
        )
    return Intervention(InterventionKind.APPEND, steps=new, mends=step.id, reason=reason)
