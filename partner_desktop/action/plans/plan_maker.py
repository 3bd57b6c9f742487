"""PlanMaker: all steps of a plan as things are now, with what keeps them from being proposed."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from partner_desktop.abilities.catalog import AbilityCatalog
from partner_desktop.action.plans.facts import request_for
from partner_desktop.action.plans.plan_draft import Drafts, PlanDraft, SavedPart, StepDraft, capital, named
from partner_desktop.action.plans.planned_checks import PlannedLooks
from partner_desktop.action.plans.step_maker import MadeStep, StepMaker, as_action, planned_params
from partner_desktop.base.errors import UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.events import as_json
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.domain.plan import Plan, Stage, Step
from partner_desktop.domain.run_facts import Isolation, Risk
from partner_desktop.domain.schedule import SCHEDULE_KEYS, Terms
from partner_desktop.domain.schema_check import unknown_names
from partner_desktop.permission.engine import PermissionEngine
from partner_desktop.permission.request import Decision, PermissionRequest

#: Who puts steps into a plan that is under way.
_LATER = ("mind", "reroute")
_RISKS = (Risk.READ, Risk.WRITE, Risk.SYSTEM)


@dataclass(frozen=True)
class Gap:
    """What a step lacks."""

    step: Step
    """Without the values that do not do."""
    param: str
    """Empty: it is about all of its arguments."""
    problem: str = ""
    """Why its value does not do; empty: there is none."""


@dataclass(frozen=True)
class Gone:
    """A step that cannot run any more."""

    step: Step
    why: str
    error: UsageError
    """The same to be raised, naming the step where there are several."""


@dataclass(frozen=True)
class MadePlan:
    """Steps as made now; nothing is kept yet."""

    stages: tuple[tuple[MadeStep, ...], ...]

    @property
    def chain(self) -> Plan:
        """Not begun, and not approved."""
        return Plan(tuple(Stage(tuple(made.step for made in stage)) for stage in self.stages))

    @property
    def steps(self) -> tuple[MadeStep, ...]:
        """All of them in order."""
        return tuple(made for stage in self.stages for made in stage)

    @property
    def infos(self) -> Mapping[str, MetaActionInfo]:
        """Step id → its ability."""
        return {made.step.id: made.info for made in self.steps}

    @property
    def gap(self) -> Gap | None:
        """The first that is to be asked for, in the order of the steps."""
        return next(filter(None, map(_gap, self.steps)), None)

    def put_into(self, record: ActionRecord) -> ActionRecord:
        """The record with these steps, and what follows of them for its head."""
        if record.chain is None:
            (made,) = self.steps
            return _alone_in(record, made)
        same = {step.id for step in record.chain.steps} == {made.step.id for made in self.steps}
        # What the person took out or put in is not undone by planning again.
        goal = record.chain.goal if same or not record.chain.steps else {}
        chain = replace(
            self.chain,
            goal=goal,
            looks=record.chain.looks,
            saved_key=record.chain.saved_key,
            saved_hash=record.chain.saved_hash,
            arguments=record.chain.arguments,
            main_task=record.chain.main_task,
        )
        # Of a saved plan it is that plan's; what only tells has no steps.
        title = record.title if chain.saved_key or not chain.steps else plan_title(chain.stages)
        risk = max((step.risk for step in chain.steps), key=_RISKS.index, default=Risk.READ)
        once = any(made.info.once for made in self.steps)  # it makes no sense to do all of it again
        grantable = bool(chain.saved_key) and all(made.grantable for made in self.steps)
        return replace(
            record,
            chain=chain,
            title=title,
            risk=risk,
            once=once,
            asked_param="",
            grantable=grantable,
        )

    def requests(self, record: ActionRecord) -> list[PermissionRequest]:
        """What the permission engine is asked about each step, in their order; `record`: with these steps."""
        return [planned_request(record, made.step, made.info) for made in self.steps]


class PlanMaker:
    """Looks things up; nothing runs and nothing is kept."""

    def __init__(self, catalog: AbilityCatalog, maker: StepMaker, engine: PermissionEngine) -> None:
        self._catalog = catalog
        self._maker = maker
        self._engine = engine
        self.looks = PlannedLooks(catalog, maker, engine)

    def gone(self, record: ActionRecord, wanted: Plan | None = None) -> Gone | None:
        """The first step whose ability cannot be called any more, by its number on the card.

        `wanted`: the steps, where they are not those of the record.
        """
        for step in (wanted or record.plan).steps:
            try:
                self._catalog.require(step.key)
            except UsageError as error:
                if record.chain is None:
                    return Gone(step, str(error), error)
                card = record.chain if wanted is None or record.chain.step(step.id) else wanted
                return Gone(
                    step, str(error), UsageError("plans.cannot_run", step=of_step(card, step), error=error)
                )
        return None

    def drafts(self, record: ActionRecord, wanted: Plan | None = None) -> list[list[StepDraft]]:
        """The steps of a record, to be made anew of their abilities as these are now; `wanted`: see `gone`.

        Raises:
            UsageError: One of them cannot be called any more.
        """
        gone = self.gone(record, wanted)
        if gone is not None:
            raise gone.error
        return [
            [draft_of_step(step, self._catalog.require(step.key)) for step in stage.steps]
            for stage in (wanted or record.plan).stages
        ]

    async def anew(self, record: ActionRecord) -> PlanDraft:
        """What was asked for, to be done once more: without the steps that were to mend others.

        A saved plan is made anew of its file as that is now. What was imported was never asked for here: it
        begins with a card, as a form where it is one step.

        Raises:
            UsageError: One of its abilities is gone, or nothing of it was ever asked for.
        """
        alone, imported = record.chain is None, not record.exchange_id
        saved = self._catalog.get(record.chain.saved_key) if record.chain is not None else None
        if saved is not None and record.chain is not None:
            draft = StepDraft(saved, record.request_text, record.chain.arguments)
            return PlanDraft([[draft]], draft.text, stands_alone=True, asks_first=imported)
        asked = [[step for step in stage.steps if step.origin not in _LATER] for stage in record.plan.stages]
        ids = {step.id: new_id() for stage in asked for step in stage}
        mended = {step.id: step.mends for step in record.plan.steps if step.origin in _LATER}
        ids |= {step_id: ids[mends] for step_id, mends in mended.items() if mends in ids}
        if not ids:
            raise UsageError("plans.nothing_again")
        stages = [[await self._anew(step, ids) for step in stage] for stage in asked if stage]
        form = imported and alone and bool(stages[0][0].info.properties())
        if alone and not imported:  # what the ability does not know is told of, as the first time
            stages = [[replace(stages[0][0], params=record.params)]]
        return PlanDraft(
            stages,
            record.request_text,
            goal=record.plan.goal,
            stands_alone=alone,
            asks_first=imported and not alone,
            as_form=form,
        )

    async def _anew(self, step: Step, ids: Mapping[str, str]) -> StepDraft:
        info = self._catalog.require(await self._catalog.successor(step.key))
        feeds = tuple(replace(feed, step=ids[feed.step]) for feed in step.feeds if feed.step in ids)
        reason = step.reason.for_steps(ids) if step.reason is not None else None
        return draft_of_step(replace(step, id=ids[step.id], feeds=feeds, reason=reason, mends=""), info)

    def as_now(self, stages: Drafts) -> list[list[StepDraft]]:
        """The drafts with their abilities as these are now; what an edit took away is left out.

        Raises:
            UsageError: One of them cannot be called any more.
        """
        return [[_as_now(draft, self._catalog.require(draft.info.key)) for draft in one] for one in stages]

    async def make(
        self,
        stages: Drafts,
        *,
        cwd: str,
        language: str,
        beside: Mapping[str, Path] | None = None,
        unseen: bool = False,
    ) -> MadePlan:
        """The plan that these drafts are; the arguments: see `StepMaker.make`.

        Raises:
            UsageError: One of their abilities cannot be called any more.
        """
        while True:
            now = self.as_now(stages)
            made: list[tuple[MadeStep, ...]] = []
            coming: set[Path] = set()
            for one in now:
                steps = [
                    await self._maker.make(
                        draft, cwd=cwd, language=language, beside=beside, coming=coming, unseen=unseen
                    )
                    for draft in one
                ]
                made.append(tuple(steps))
                coming |= {path for each in steps for path in _written(each.step)}
            # Edited while its arguments were looked at: once more.
            if self.as_now(now) == now:
                return MadePlan(tuple(made))

    async def card(self, record: ActionRecord, made: MadePlan) -> ActionRecord:
        """The record as its card shows it; of what is done later also whether a yes is to each time."""
        shown = made.put_into(record)
        if shown.terms is not None:
            asks = any(map(self._engine.asks_each_firing, made.requests(shown)))
            shown = replace(shown, grantable=not asks)
        if shown.chain is not None:
            looks = await self.looks.of(shown, shown.chain)
            shown = replace(shown, chain=replace(shown.chain, looks=looks))
            if not shown.grantable or shown.terms is not None:
                return shown
            return replace(shown, was_allowed=await self._engine.allowed_before_edit(whole_request(shown)))
        (request,) = made.requests(shown)
        return replace(shown, was_allowed=await self._engine.allowed_before_edit(request))


def _alone_in(record: ActionRecord, made: MadeStep) -> ActionRecord:
    """A step that stands alone is its record."""
    step, info = made.step, made.info
    return replace(
        record,
        key=step.key,
        title=step.title,
        # Why it asks whatever is allowed was said of it as it was begun.
        description=record.description if record.asks_first else info.spoken(record.language).description,
        params=step.params,
        schema=step.schema,
        paths=step.paths,
        isolation=step.isolation,
        risk=step.risk,
        content_hash=step.content_hash,
        source_path=step.source_path,
        once=info.once,
        grantable=made.grantable,
        asked_param="",
    )


def _written(step: Step) -> Iterator[Path]:
    """What will be there once a step has run."""
    properties = step.schema.get("properties")
    known = properties if isinstance(properties, dict) else {}
    for use in step.paths:
        schema = known.get(use.param)
        if use.access == "write" and isinstance(schema, dict) and not schema.get("x-partner-there"):
            yield Path(use.path)


def plan_title(stages: Sequence[Stage]) -> str:
    """`A → B`, of many steps the first and how many more."""
    return joined_titles([step.title for stage in stages for step in stage.steps])


def joined_titles(titles: Sequence[str]) -> str:
    """The same of the titles of its steps."""
    if len(titles) > 3:
        return sentence_of("chain.title", first=titles[0], count=len(titles) - 1)
    return " → ".join(titles)


def of_step(chain: Plan, step: Step) -> str:
    """A step at the beginning of a sentence about it."""
    return capital(named(chain.number_of(step.id), step.title))


def gap_sentence(record: ActionRecord, made: MadePlan, gap: Gap) -> str:
    """What a step lacks, for whoever cannot be asked back."""
    if record.chain is None:
        told = "param.unfit" if gap.problem else "param.missing"
        return sentence_of(told, param=gap.param, problem=gap.problem) if gap.param else gap.problem
    own = of_step(made.chain, gap.step)
    if not gap.param:
        return sentence_of("chain.cannot_run", step=own, problem=gap.problem)
    if gap.problem:
        return sentence_of("chain.cannot_take", step=own, param=gap.param, problem=gap.problem)
    return sentence_of("chain.needs", step=own, param=gap.param)


def denial(record: ActionRecord, decision: Decision) -> str:
    """Why a plan will not run of which a step is forbidden."""
    step = record.chain.step(decision.action_id) if record.chain is not None else None
    if record.chain is None or step is None:
        return decision.reason
    return sentence_of("chain.may_not_run", step=of_step(record.chain, step), reason=decision.reason)


def draft_of_step(step: Step, info: MetaActionInfo) -> StepDraft:
    """What a step wants of its ability as it is now; what an edit took away is left out."""
    gone = unknown_names(info.params, step.params)
    params: JsonObject = {name: value for name, value in step.params.items() if name not in gone}
    feeds = tuple(feed for feed in step.feeds if feed.param in info.properties())
    return StepDraft(
        info, step.text, params, feeds, step.reason, step.origin, step.mends, step.id, SavedPart.of(step)
    )


def planned_request(record: ActionRecord, step: Step, info: MetaActionInfo) -> PermissionRequest:
    """What the permission engine is asked about a step that is planned."""
    return request_for(replace(as_action(record, step), params=planned_params(step)), info)


def whole_request(record: ActionRecord) -> PermissionRequest:
    """What the permission engine is asked about a saved plan as a whole: of one whose card was changed it is
    another thing than of the plan as it is saved.
    """
    chain = record.plan
    places = {step.id: number for number, step in enumerate(chain.steps)}
    steps: list[Json] = [[_canonical(step, places) for step in stage.steps] for stage in chain.stages]
    holds = [step.isolation for step in chain.steps]
    isolation = Isolation(
        sandboxed=all(hold.sandboxed for hold in holds),
        net=any(hold.net for hold in holds),
        summary=" / ".join(dict.fromkeys(hold.summary for hold in holds)),
    )
    return PermissionRequest(
        action_id=record.id,
        action_key=chain.saved_key,
        route=Route.MCP,
        content_hash=chain.saved_hash,
        params={"arguments": chain.arguments, "steps": steps},
        risk=record.risk,
        isolation=isolation,
        args_bound=True,
        conversation_id=record.conversation_id,
        grantable=record.grantable,
        program=record.program,
        title=record.title,
    )


def schedule_key(schedule_id: str) -> str:
    """What is granted to the firings of a schedule is granted under this key."""
    return SCHEDULE_KEYS + schedule_id


def firing_request(record: ActionRecord, terms: Terms, schedule_id: str) -> PermissionRequest:
    """What the permission engine is asked about a schedule as a whole: when, which steps, with what, and
    in which folder, wherever its name leads to.
    """
    known = replace(terms, replaces="")
    hashes: list[Json] = [step.content_hash for step in record.plan.steps]
    cwd = os.path.realpath(record.cwd) if record.cwd else ""
    said = json.dumps([as_json(known), hashes, record.plan.saved_hash, cwd], sort_keys=True)
    return replace(
        whole_request(record),
        action_key=schedule_key(schedule_id),
        content_hash=hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest(),
        grantable=True,
    )


def _canonical(step: Step, places: Mapping[str, int]) -> JsonObject:
    """All of a step that its yes is to, without what is new in each run."""
    feeds: list[Json] = [[feed.param, places.get(feed.step, -1), feed.output] for feed in step.feeds]
    paths: list[Json] = [[use.param, use.path, use.access] for use in step.paths]
    return {
        "key": step.key,
        "hash": step.content_hash,
        "params": step.params,
        "feeds": feeds,
        "paths": paths,
        "held": [step.isolation.sandboxed, step.isolation.net, step.isolation.server],
        "when": step.when,
        "outcomes": step.outcomes,
        "retries": step.retries,
    }


def _as_now(draft: StepDraft, info: MetaActionInfo) -> StepDraft:
    gone = draft.info.properties().keys() - info.properties().keys()
    params: JsonObject = {name: value for name, value in draft.params.items() if name not in gone}
    feeds = tuple(feed for feed in draft.feeds if feed.param not in gone)
    return replace(draft, info=info, params=params, feeds=feeds)


def _gap(made: MadeStep) -> Gap | None:
    declared = [name for name in made.info.properties() if name in made.problems]
    unfit = declared or [*made.problems]
    if not unfit and not made.missing:
        return None
    param = unfit[0] if unfit else made.missing[0]
    kept = {name: value for name, value in made.step.params.items() if name not in made.problems}
    return Gap(replace(made.step, params=kept), param, made.problems.get(param, ""))
