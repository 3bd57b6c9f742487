"""StepMaker: from what is wanted of one ability to a step with the facts that card and decision rest on."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import field, replace
from pathlib import Path

from partner_desktop.abilities.catalog import AbilityCatalog
from partner_desktop.action.facts import risk_of, validation_problem
from partner_desktop.action.hazards import with_hazard
from partner_desktop.action.path_arguments import ResolvedPaths, is_given, resolve_paths
from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.chain import Origin, Step, StepInput
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.leftover import Leftover
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.run_facts import PathUse
from partner_desktop.runner.client import RunnerClient


@dataclass(frozen=True)
class StepDraft:
    """What is wanted of one ability."""

    info: MetaActionInfo
    text: str
    """The words that ask for it."""
    params: JsonObject = field(default_factory=dict)
    feeds: tuple[StepInput, ...] = ()
    origin: Origin = "request"
    mends: str = ""
    id: str = field(default_factory=new_id)
    leftovers: tuple[Leftover, ...] = ()
    """What of its words stands in no argument."""


@dataclass(frozen=True)
class MadeStep:
    """A step, and what keeps it from being proposed."""

    step: Step
    problems: Mapping[str, str]
    """Parameter → why its value does not do; under the empty name what is wrong with all of it."""
    missing: tuple[str, ...]
    """Required parameters that nothing gives, no step either, in declared order."""


class StepMaker:
    """Looks at disk, catalog and sandbox as they are now; nothing runs and nothing is kept."""

    def __init__(self, catalog: AbilityCatalog, runner: RunnerClient) -> None:
        self._catalog = catalog
        self._runner = runner

    async def make(
        self,
        draft: StepDraft,
        *,
        cwd: str,
        language: str,
        beside: Mapping[str, Path] | None = None,
        coming: Collection[Path] = (),
    ) -> MadeStep:
        """The step as it would be proposed now, told in `language`; the others: see `resolve_paths`."""
        info, fed = draft.info, {feed.param for feed in draft.feeds}
        given = _without(draft.params, fed)
        found = await asyncio.to_thread(
            resolve_paths, info, given, cwd=cwd, beside=beside or {}, coming=coming
        )
        isolation = with_hazard(self._runner.isolation(info), info, found.params)
        # A path that a step brings is not known yet, but that it is read or written is.
        known = tuple(use for use in found.uses if use.param not in fed)
        places = {**info.path_params(), **info.path_lists()}
        brought = [PathUse(name, "", access) for name, access in places.items() if name in fed]
        told = info.spoken(language)
        step = Step(
            id=draft.id,
            key=info.key,
            title=told.title,
            text=draft.text,
            params=_without(found.params, fed),
            schema=told.params,
            risk=risk_of(info, isolation, [*known, *brought]),
            isolation=isolation,
            paths=known,
            content_hash=info.content_hash,
            source_path=str(self._catalog.original(info.key) or ""),
            feeds=draft.feeds,
            origin=draft.origin,
            mends=draft.mends,
        )
        return MadeStep(step, await self._problems(info, found, fed), _missing(info, found, fed))

    async def _problems(self, info: MetaActionInfo, found: ResolvedPaths, fed: set[str]) -> dict[str, str]:
        problems = {name: why for name, why in found.problems.items() if name not in fed}
        required = [name for name in info.required() if name not in fed and is_given(found.params.get(name))]
        schema: JsonObject = {**info.params, "required": list(required)}
        given = {name: value for name, value in found.params.items() if name not in fed}
        problem, param = await asyncio.to_thread(validation_problem, replace(info, params=schema), given)
        if problem and param not in problems:
            problems[param] = problem
        return problems


def planned_params(step: Step) -> JsonObject:
    """The arguments as they are approved: what another step brings stands there by that step's id."""
    return {**step.params, **{feed.param: {"$from": feed.step} for feed in step.feeds}}


def as_action(record: ActionRecord, step: Step) -> ActionRecord:
    """A step of the chain `record` as an action of its own, not yet decided on."""
    return ActionRecord(
        id=step.id,
        conversation_id=record.conversation_id,
        exchange_id=record.exchange_id,
        key=step.key,
        title=step.title,
        description="",
        params=step.params,
        schema=step.schema,
        status=ActionStatus.ASKING,
        created_at=record.created_at,
        content_hash=step.content_hash,
        risk=step.risk,
        isolation=step.isolation,
        paths=step.paths,
        source_path=step.source_path,
        request_text=step.text or record.request_text,
        language=record.language,
        cwd=record.cwd,
        parent_id=record.id,
    )


def _missing(info: MetaActionInfo, found: ResolvedPaths, fed: set[str]) -> tuple[str, ...]:
    return tuple(name for name in info.required() if name not in fed and not is_given(found.params.get(name)))


def _without(params: JsonObject, names: set[str]) -> JsonObject:
    return {name: value for name, value in params.items() if name not in names}
