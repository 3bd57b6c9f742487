"""Rerouter: plans again when a stage of a computed plan has ended, with the world as it is then.

Contract: what was approved goes on as long as it leads to the goal, even where something cheaper has turned
up. What comes in anew was approved by nobody: it is decided on by itself. What the person said no to is not
to be had by another way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from partner_desktop.action.corrections.plan_edit import rerouted
from partner_desktop.action.goals.goal_domain import GoalDomain, have, plan_action, ran
from partner_desktop.action.goals.goal_maker import Aim, GoalMaker
from partner_desktop.action.goals.goal_plans import said_for
from partner_desktop.action.plans.plan_draft import SavedPart, StepDraft
from partner_desktop.action.plans.step_maker import StepMaker
from partner_desktop.action.runs.live_plan import LivePlan, PlanRows
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of, sentences_joined
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.message import TurnRef
from partner_desktop.domain.plan import Stage, Step, StepInput, StepStatus
from partner_desktop.domain.planning_facts import NO_FACTS, PlanningFacts
from partner_desktop.domain.run_facts import Risk
from partner_desktop.mind.parameter_finder import ParameterFinder
from partner_desktop.mind.question import Mind, PlanVerdict

#: The member of a result's object by which an ability says what it found to be so.
_CONDITIONS = "conditions"


@dataclass(frozen=True)
class _World:
    """What is so after the steps that ran."""

    now: Mapping[str, bool]
    brought: Mapping[str, StepInput]
    lacking: Sequence[str]
    """What steps that succeeded should have brought, in words."""


class Rerouter:
    """Shared by all plans."""

    def __init__(
        self, goals: GoalMaker, maker: StepMaker, mind: Mind, rows: PlanRows, *, clock: Clock
    ) -> None:
        self._goals = goals
        self._maker = maker
        self._finder = ParameterFinder(mind.ask)
        self._rows = rows
        self._clock = clock

    async def look(self, live: LivePlan) -> bool:
        """After a stage: whether what is to come is another way now, with which what failed is made good.

        Raises:
            PlanOverError: Somebody else settled the plan.
            StorageError: Nothing can be written down.
        """
        chain = live.chain
        turned_down = any(step.status in (StepStatus.SKIPPED, StepStatus.CANCELLED) for step in chain.steps)
        if not chain.is_planners or turned_down:
            return False
        goal = {name: value for name, value in chain.goal.items() if isinstance(value, bool)}
        domain = self._goals.domain()
        world = _world(live, domain, goal)
        to_come = [step for stage in chain.stages[chain.at + 1 :] for step in stage.steps]
        broken = [step for step in chain.steps if step.status is StepStatus.FAILED]
        unmended = [step for step in broken if not any(each.mends == step.id for each in chain.steps)]
        if any(step.pinned for step in unmended):
            return False  # nothing is put in its place
        stays = _staying(to_come)
        aim = Aim(goal, world.now, world.brought, frozenset(step.key for step in broken))
        try:
            drafts = await self._goals.stages(aim, live.record.request_text)
        except UsageError:
            return False  # nobody knows another way: what failed is looked at as in any plan
        new = [draft for stage in drafts for draft in stage]
        wanted = Counter(draft.info.key for draft in new)
        planned = Counter(step.key for step in to_come)
        planned -= Counter(step.key for step in stays) - wanted  # what stays anyway is not what it would do
        goes_on = wanted == planned or (not wanted < planned and _leads_there(to_come, world, goal, domain))
        if goes_on and not unmended:
            return False
        stages = await self._made(live.record, drafts, to_come, unmended, domain)
        there = {step.id for stage in stages for step in stage.steps}
        left = [(step for step in stage.steps if step in stays) for stage in chain.stages[chain.at + 1 :]]
        late = [Stage(tuple(step for step in stage if step.id not in there)) for stage in left]
        stages += [stage for stage in late if stage.steps]
        why = self._why(unmended, world, new, [step for step in to_come if step not in stays])
        await self._rows.change(live, partial(rerouted, stages=stages, why=why, now=self._clock.now()))
        return True

    def verdict(self, live: LivePlan) -> PlanVerdict:
        """Whether the goal is reached, by what came of the steps."""
        goal = {name: value for name, value in live.chain.goal.items() if isinstance(value, bool)}
        world = _world(live, self._goals.domain(), goal)
        if _holds(goal, world.now):
            return PlanVerdict(True)
        failed = [step for step in live.chain.steps if step.status.ended and step.error]
        told = map(_failure, failed)
        return PlanVerdict(False, sentences_joined([*told, *world.lacking]))

    async def _made(
        self,
        record: ActionRecord,
        drafts: Sequence[Sequence[StepDraft]],
        to_come: Sequence[Step],
        unmended: Sequence[Step],
        domain: GoalDomain,
    ) -> list[Stage]:
        """The new stages; a step that was to come anyway stays as it is, where nothing else feeds it."""
        kept = _kept(drafts, to_come)
        whole = {step.id for step in (*kept.values(), *_staying(to_come))} >= {step.id for step in to_come}
        every = {draft_id: step.id for draft_id, step in kept.items()}
        made: list[list[Step]] = []
        for stage in drafts:
            made.append([])
            for draft in stage:
                ids = {feed.step: kept[feed.step].id for feed in draft.feeds if feed.step in kept}
                feeds = tuple(replace(feed, step=ids.get(feed.step, feed.step)) for feed in draft.feeds)
                old = kept.get(draft.id)
                reason = draft.reason.for_steps(every) if draft.reason is not None else None
                known_as = old.id if old is not None else draft.id
                wanted = replace(draft, id=known_as, feeds=feeds, reason=reason)
                step = await self._step(record, wanted, old)
                # A yes was to all of it: what changes something is asked about where another falls away.
                step = step if whole or step.risk is Risk.READ else replace(step, approved=False)
                made[-1].append(step)
        return [Stage(tuple(steps)) for steps in _mending(made, unmended, domain)]

    async def _step(self, record: ActionRecord, draft: StepDraft, old: Step | None) -> Step:
        if old is not None and old.feeds == draft.feeds:
            return replace(old, reason=draft.reason)
        draft = replace(draft, origin=old.origin if old is not None else "reroute")
        fed = {feed.param for feed in draft.feeds}
        if old is not None:
            kept = {name: value for name, value in old.params.items() if name not in fed}
            draft = replace(draft, params=kept, saved=SavedPart.of(old))
        else:
            turn = TurnRef(record.conversation_id, record.id)
            draft = await said_for(self._finder, draft, turn=turn)
        return (await self._maker.make(draft, cwd=record.cwd, language=record.language)).step

    def _why(
        self, failed: Sequence[Step], world: _World, new: Sequence[StepDraft], to_come: Sequence[Step]
    ) -> str:
        told = [*map(_failure, failed)]
        told += [*world.lacking]
        keys = {draft.info.key for draft in new}
        spare = [step.title for step in to_come if step.key not in keys]
        if not told and spare:
            told.append(sentence_of("goal.not_needed", titles=sentence_of("step.comma").join(spare)))
        return sentences_joined(told)


def _failure(step: Step) -> str:
    """That it failed and why, as a whole sentence."""
    told = sentence_of("plans.step_failed", title=step.title, error=step.error)
    return sentence_of("edit.plain", told=told.rstrip(".。"))


def _kept(drafts: Sequence[Sequence[StepDraft]], to_come: Sequence[Step]) -> dict[str, Step]:
    """Draft id → the step that was to come anyway; one that comes twice is two."""
    left, kept = [*to_come], {}
    for draft in (each for stage in drafts for each in stage):
        step = next((each for each in left if each.key == draft.info.key), None)
        if step is not None:
            left.remove(step)
            kept[draft.id] = step
    return kept


def _staying(to_come: Sequence[Step]) -> list[Step]:
    """What the person pinned of it, with what that is fed by."""
    stays = {step.id for step in to_come if step.pinned}
    for step in reversed(to_come):  # what feeds a step comes before it
        stays |= {feed.step for feed in step.feeds} if step.id in stays else set()
    return [step for step in to_come if step.id in stays]


def _mending(made: Sequence[Sequence[Step]], failed: Sequence[Step], domain: GoalDomain) -> list[list[Step]]:
    """With what each failed step is made good by: what brings the same, or else what leads to the goal."""
    stages = [list(steps) for steps in made]
    places = [(stage, place) for stage, steps in enumerate(stages) for place in range(len(steps))]
    for step in failed:
        same = [each for each in places if _kinds(stages[each[0]][each[1]], domain) & _kinds(step, domain)]
        for stage, place in [*same, *places[-1:]][:1]:
            stages[stage][place] = replace(stages[stage][place], mends=step.id)
    return stages


def _kinds(step: Step, domain: GoalDomain) -> set[str]:
    info = domain.infos.get(step.key)
    facts = info.planning_facts if info is not None else NO_FACTS
    return {*map(have, facts.outputs.values()), *(name for name, so in facts.effects.items() if so)}


def _world(live: LivePlan, domain: GoalDomain, goal: Mapping[str, bool]) -> _World:
    """What the steps so far brought, by what came of them and not by what they promised."""
    now: dict[str, bool] = {}
    brought: dict[str, StepInput] = {}
    lacking: list[str] = []
    for step in live.chain.steps:
        info, child = domain.infos.get(step.key), live.children.get(step.id)
        if step.status is not StepStatus.SUCCEEDED or child is None:
            continue
        if info is None:  # it is gone since it ran: what it was approved for is so
            now.update(dict.fromkeys(step.reason.conditions if step.reason is not None else (), True))
            continue
        facts = info.planning_facts
        now[ran(step.key)] = True
        now.update(facts.effects)
        for kind in facts.outputs.values():
            there = _is_there(child, facts.output_of(kind))
            now[have(kind)] = there
            if there:
                brought[kind] = StepInput("", step.id, facts.output_of(kind))
            else:
                lacking.append(sentence_of("goal.lacks", title=step.title, thing=kind))
        now.update(_observed(child, facts, goal))
    return _World(now, brought, lacking)


def _is_there(child: ActionRecord, output: str) -> bool:
    if output:
        return isinstance(child.data, dict) and child.data.get(output) not in (None, "", [], {})
    return bool(child.data not in (None, "", [], {}) or child.stdout.strip() or child.files or child.parts)


def _observed(child: ActionRecord, facts: PlanningFacts, goal: Mapping[str, bool]) -> dict[str, bool]:
    """What an ability says that it found to be so, or not, of what it is there to find out.

    That something is not so may be said of all that it brings. No words reach a goal: that is done, not said.
    """
    told = child.data.get(_CONDITIONS) if isinstance(child.data, dict) else None
    known = told.items() if isinstance(told, dict) else ()
    told_of = {name: so for name, so in known if isinstance(so, bool)}
    brings = {name for name, so in told_of.items() if name in facts.effects and not so}
    senses = {name for name in told_of if name in facts.senses and name not in goal}
    return {name: told_of[name] for name in (*brings, *senses)}


def _leads_there(steps: Sequence[Step], world: _World, goal: Mapping[str, bool], domain: GoalDomain) -> bool:
    """Whether what is to come, as it was approved, still comes to the goal."""
    now = dict(world.now)
    for step in steps:
        info = domain.infos.get(step.key)
        action = plan_action(info) if info is not None else None
        if action is None or not _holds(action.preconditions, now):
            return False
        now.update(action.effects)
    return _holds(goal, now)


def _holds(wanted: Mapping[str, bool], now: Mapping[str, bool]) -> bool:
    return all(now.get(name, False) is value for name, value in wanted.items())
