"""What words and rules can tell of a chain: whether it is done, what else could do a step that failed, and
which words want it otherwise: skip this, then do that too, begin again.

Words are read clause by clause by the phrases of `plans.toml`; a question changes nothing. What is to come in
must itself clearly choose an ability. Where several chains are open, one must be named.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence

from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.intervention import Intervention, InterventionKind, NewStep
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.plan import Plan, Step, StepStatus
from partner_desktop.domain.step_claim import StepClaim, bound_arguments
from partner_desktop.language.clauses import bare
from partner_desktop.language.phrase_table import phrase_table
from partner_desktop.language.references import pointed_at, steps_named
from partner_desktop.language.speech_acts.imperatives import is_conditional, is_question
from partner_desktop.language.terms import GENERIC_WEIGHT, terms
from partner_desktop.mind.answerers import Ask
from partner_desktop.mind.question import (
    ChooseVerification,
    CorrectChain,
    EvaluateIntent,
    ExtractIntents,
    JudgeChain,
    PlanVerdict,
    RankedAbility,
    ReadIntervention,
    VerificationCall,
    WordedIntervention,
)
from partner_desktop.mind.starter.matcher import CHOOSE_SCORE, odds_of
from partner_desktop.mind.starter.phrases import phrases_for
from partner_desktop.mind.starter.plan_reply import judged

#: How much less sure (in logarithms of odds) another ability may be that is to do the same.
_ALMOST = 1.0

Rank = Callable[[str, Sequence[MetaActionInfo]], Awaitable[Sequence[RankedAbility]]]


async def judge(request: JudgeChain) -> PlanVerdict:
    """At the end: whether every step that the person wanted succeeded, or another made it good.

    On the way there is nothing that words and rules could tell.
    """
    chain = request.action.chain
    if chain is None or not request.final:
        return PlanVerdict(ok=True)
    refused = {step.id for step in request.steps if step.status is ActionStatus.REJECTED and not step.error}
    titles = [
        step.title
        for step in chain.steps
        if step.status is not StepStatus.SUCCEEDED
        and not _made_good(chain, step)
        and not (step.status is StepStatus.SKIPPED and step.id in refused)
    ]
    if not titles:
        return PlanVerdict(ok=True)
    return PlanVerdict(ok=False, reason=judged(titles, phrases_for(request.action.request_text)))


async def choose_looks(request: ChooseVerification) -> tuple[VerificationCall, ...]:
    """What finds out what the step brings about; else the likest by its words, of those whose arguments are
    all known by name.
    """
    claim = request.claim
    bound = [
        (info, arguments)
        for info in request.tools
        if info.key != claim.key and (arguments := bound_arguments(info, claim)) is not None
    ]
    senses = [
        VerificationCall(info.key, arguments)
        for info, arguments in bound
        if set(info.declared.senses) & set(claim.effects)
    ]
    if senses:
        return tuple(senses)
    likeness = {info.key: _likeness(info, claim) for info, _ in bound}
    fitting = [(info, arguments) for info, arguments in bound if arguments or likeness[info.key]]
    best = max(fitting, key=lambda each: (likeness[each[0].key], len(each[1])), default=None)
    return (VerificationCall(best[0].key, best[1]),) if best is not None else ()


def _likeness(info: MetaActionInfo, claim: StepClaim) -> float:
    """How much of what is said of the step is said of an ability too."""
    own = f"{claim.title} {claim.key.rpartition('::')[2]} {claim.description}"
    other = f"{info.title} {info.name} {info.description} {' '.join(info.declared.outputs)}"
    said = {term.stem for term in terms(other)}
    telling = {term.stem: term.weight for term in terms(own) if term.weight > GENERIC_WEIGHT}
    return sum(weight for stem, weight in telling.items() if stem in said)


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


def _made_good(chain: Plan, step: Step) -> bool:
    return any(
        other.mends == step.id and (other.status is StepStatus.SUCCEEDED or _made_good(chain, other))
        for other in chain.steps
        if other.id != step.id
    )


def _is_taken_up(chain: Plan, step: Step) -> bool:
    """Whether something was put in its place already, or it was itself put in another's."""
    return bool(step.mends) or any(other.mends == step.id for other in chain.steps)


def _equal(
    step: Step, chain: Plan, ranked: Sequence[RankedAbility], own: MetaActionInfo | None
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


def _in_place_of(step: Step, other: MetaActionInfo, chain: Plan) -> Intervention:
    new = (NewStep(other.key, step.text, step.params),)
    reason = f"{other.title} does the same as {step.title}, which failed."
    if chain.at < len(chain.stages):
        return Intervention(
            InterventionKind.INSERT, stage=chain.at + 1, steps=new, mends=step.id, reason=reason
        )
    return Intervention(InterventionKind.APPEND, steps=new, mends=step.id, reason=reason)


#: A longer text says more than that.
_LONGEST = 300


async def read(request: ReadIntervention, ask: Ask) -> WordedIntervention | None:
    """What the words want of which chain; `None` where they are about something else."""
    said = " ".join(request.text.split())
    if len(said) > _LONGEST or not request.chains or is_question(said):
        return None
    reader = _Reader(request, ask)
    whole = await reader.of_clause(said)
    return whole or _together([await reader.of_clause(clause) for clause in _CLAUSES.split(said)])


#: What is said of steps is said clause by clause.
_CLAUSES = re.compile(r"[,，;；。.!！]+\s*(?=\S)")


def _together(found: Sequence[WordedIntervention | None]) -> WordedIntervention | None:
    """Steps that are left out, clause by clause: `skip the second bit, only the zip`."""
    wishes = [wish for each in found if each is not None for wish in each.interventions]
    deletes = all(wish.kind is InterventionKind.DELETE for wish in wishes)
    chains = {each.action_id for each in found if each is not None}
    if len(found) < 2 or not wishes or not deletes or len(chains) != 1 or None in found[1:-1]:
        return None
    ids = dict.fromkeys(name for wish in wishes for name in wish.step_ids)
    return WordedIntervention(chains.pop(), (Intervention(InterventionKind.DELETE, step_ids=tuple(ids)),))


class _Reader:
    """One message, phrase by phrase."""

    def __init__(self, request: ReadIntervention, ask: Ask) -> None:
        self._request = request
        self._ask = ask
        self._only = request.chains[0] if len(request.chains) == 1 else None

    async def of_clause(self, text: str) -> WordedIntervention | None:
        """What a few words want; `None` where they are about something else."""
        for phrase in phrase_table("plans").readings(text, longest=_LONGEST):
            found = await self._wanted(phrase.kind, phrase.groups)
            if found is not None:
                return found
        return None

    async def _wanted(self, kind: str, said: Mapping[str, str]) -> WordedIntervention | None:
        """What a phrase wants; `None` where something in it means nothing."""
        which = said.get("which", "").casefold()
        match kind:
            case "cancel" | "rebuild":
                return _of(self._only, Intervention(InterventionKind(kind)))
            case "cancel_named":
                return _of(self._chain_called(said["chain"]), Intervention(InterventionKind.CANCEL))
            case "delete" | "only":
                return self._deleted(which, others=kind == "only")
            case "reverse" | "first" | "last" | "exchange":
                return self._ordered(kind, which, said.get("other", "").casefold())
            case "append":
                return await self._appended(said["wish"], 0)
            case _:
                return await self._beside(kind, which, said["wish"])

    def _chain_called(self, name: str) -> ActionRecord | None:
        pointed = pointed_at(name.casefold(), self._request.chains)
        ids = pointed.ids if pointed is not None else ()
        by_step = self._pointed(name.casefold()) if not ids else None
        if by_step is not None:
            return by_step[0]
        return next((chain for chain in self._request.chains if ids == (chain.id,)), None)

    def _pointed(self, which: str) -> tuple[ActionRecord, tuple[Step, ...]] | None:
        """The chain and its steps that are meant; `None` where several chains have such."""
        found = [(chain, steps) for chain in self._request.chains if (steps := steps_named(which, chain))]
        return found[0] if len(found) == 1 else None

    def _deleted(self, which: str, *, others: bool) -> WordedIntervention | None:
        pointed = self._pointed(which)
        if pointed is None or pointed[0].chain is None:
            return None
        chain, steps = pointed
        ids = [step.id for step in steps]
        if others:
            ids = [step.id for step in _to_come(pointed[0].chain) if step.id not in ids]
        return _of(chain, Intervention(InterventionKind.DELETE, step_ids=tuple(ids))) if ids else None

    def _ordered(self, kind: str, which: str, other: str) -> WordedIntervention | None:
        """The steps in another order; a chain of more than two has no other way round."""
        if kind == "reverse":
            chain = self._only
            if chain is None or chain.chain is None or len(chain.chain.steps) < 2:
                return None
            return WordedIntervention(chain.id, (), tuple(step.id for step in reversed(chain.chain.steps)))
        pointed = self._pointed(which)
        if pointed is None or pointed[0].chain is None or len(pointed[1]) != 1:
            return None
        chain, (step,) = pointed
        ids = [each.id for each in pointed[0].chain.steps if each.id != step.id]
        place = 0 if kind == "first" else len(ids)
        if kind == "exchange":
            behind = self._pointed(other)
            if behind is None or len(behind[1]) != 1 or behind[1][0].id not in ids:
                return None
            place = ids.index(behind[1][0].id)
        return WordedIntervention(chain.id, (), (*ids[:place], step.id, *ids[place:]))

    async def _beside(self, kind: str, which: str, wish: str) -> WordedIntervention | None:
        pointed = self._pointed(which)
        if pointed is None or len(pointed[1]) != 1:
            return None
        chain, (step,) = pointed
        stage = _stage_of(chain, step)
        if kind == "after":
            return await self._appended(wish, stage, chain)
        if stage > 1 and step.status is StepStatus.PLANNED:
            return await self._appended(wish, stage - 1, chain)
        # Nothing comes before what has begun: beside it at the most, or it is refused with why.
        return await self._appended(wish, stage, chain, InterventionKind.INSERT)

    async def _appended(
        self,
        wish: str,
        stage: int,
        chain: ActionRecord | None = None,
        kind: InterventionKind = InterventionKind.APPEND,
    ) -> WordedIntervention | None:
        chain = chain or self._only
        if chain is None or is_conditional(wish):
            return None
        abilities = self._request.abilities
        intents = await self._ask(ExtractIntents(wish, abilities, turn=self._request.turn))
        wishes: list[Intervention] = []
        for number, parts in enumerate(intents.stages):
            steps = [await self._step(part) for part in parts]
            if any(step is None for step in steps):
                return None
            new = tuple(step for step in steps if step is not None)
            wishes.append(Intervention(kind, stage=stage + number if stage else 0, steps=new))
        return _of(chain, *wishes)

    async def _step(self, words: str) -> NewStep | None:
        words = bare(words)
        evaluation = await self._ask(EvaluateIntent(words, self._request.abilities))
        return NewStep(evaluation.chosen.key, words) if evaluation.chosen is not None else None


def _of(chain: ActionRecord | None, *wishes: Intervention) -> WordedIntervention | None:
    return WordedIntervention(chain.id, tuple(wishes)) if chain is not None and wishes else None


def _stage_of(action: ActionRecord, step: Step) -> int:
    stages = action.chain.stages if action.chain is not None else ()
    return next((number for number, stage in enumerate(stages, 1) if step in stage.steps), 0)


def _to_come(chain: Plan) -> Sequence[Step]:
    return [step for step in chain.steps if step.status is StepStatus.PLANNED]
