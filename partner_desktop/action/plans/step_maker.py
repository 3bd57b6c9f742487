"""StepMaker: from what is wanted of one ability to a step with the facts that card and decision rest on."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from partner_desktop.abilities.catalog import AbilityCatalog
from partner_desktop.action.plans.facts import asks_each_time, is_careful, risk_of, validation_problem
from partner_desktop.action.plans.hazards import with_hazard
from partner_desktop.action.plans.path_arguments import ResolvedPaths, is_given, resolve_paths
from partner_desktop.action.plans.plan_draft import StepDraft
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import spoken_language
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.plan import Step
from partner_desktop.domain.run_facts import PathUse
from partner_desktop.permission.engine import PermissionEngine
from partner_desktop.runner.client import RunnerClient
from partner_desktop.runtime.exchanges import Exchange


@dataclass(frozen=True)
class MadeStep:
    """A step, and what keeps it from being proposed."""

    step: Step
    info: MetaActionInfo
    problems: Mapping[str, str]
    """Parameter → why its value does not do; under the empty name what is wrong with all of it."""
    missing: tuple[str, ...]
    """Parameters that nothing gives, no step either, in declared order."""
    grantable: bool
    """Whether a yes to it alone may reach further than this run."""


class StepMaker:
    """Looks at disk, catalog, settings and sandbox as they are now; nothing runs and nothing is kept."""

    def __init__(self, catalog: AbilityCatalog, runner: RunnerClient, engine: PermissionEngine) -> None:
        self._catalog = catalog
        self._runner = runner
        self._engine = engine

    async def make(
        self,
        draft: StepDraft,
        *,
        cwd: str,
        language: str,
        beside: Mapping[str, Path] | None = None,
        coming: Collection[Path] = (),
        unseen: bool = False,
    ) -> MadeStep:
        """The step as it would be proposed now, told in `language`; `unseen`: nothing that it names is looked
        for on the disk. The others: see `resolve_paths`.
        """
        info, fed = draft.info, {feed.param for feed in draft.feeds}
        given = _without(draft.params, fed)
        found = ResolvedPaths(given, (), {})
        if not unseen:
            found = await asyncio.to_thread(
                resolve_paths, info, given, cwd=cwd, beside=beside or {}, coming=coming
            )
        isolation = self._runner.isolation(info)
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
            isolation=with_hazard(isolation, info, found.params),
            paths=known,
            content_hash=info.content_hash,
            # Of a saved plan there is no script that could be tried out.
            source_path="" if info.plan is not None else str(self._catalog.original(info.key) or ""),
            feeds=draft.feeds,
            reason=draft.reason,
            origin=draft.origin,
            mends=draft.mends,
        )
        return MadeStep(
            draft.saved.put_on(step),
            info,
            await self._problems(info, found, fed),
            _missing(draft, found, fed),
            grantable=not (
                self._engine.asks_each_time(info.key) or asks_each_time(info) or is_careful(info, known)
            ),
        )

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


def new_record(
    draft: StepDraft, *, exchange: Exchange, text: str, source: str, now: datetime
) -> ActionRecord:
    """A step that stands alone, before anything about it is decided."""
    language, info = spoken_language.get(), draft.info
    told = info.spoken(language)
    return ActionRecord(
        id=draft.id,
        conversation_id=exchange.conversation_id,
        exchange_id=exchange.id,
        key=info.key,
        title=told.title,
        description=told.description,
        params=dict(draft.params),
        schema=told.params,
        status=ActionStatus.ASKING,
        created_at=now,
        source_path=source,
        request_text=text,
        language=language,
        cwd=exchange.cwd,
        program=exchange.program,
        grantable=not asks_each_time(info),
        once=info.once,
    )


def as_action(record: ActionRecord, step: Step) -> ActionRecord:
    """A step of the plan of `record` as an action of its own, not yet decided on; what stands alone is it."""
    if record.chain is None:
        return record
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


def _missing(draft: StepDraft, found: ResolvedPaths, fed: set[str]) -> tuple[str, ...]:
    """What its maker missed goes by the ability as it is now, which may have been edited since."""
    known, needed = draft.info.properties(), draft.info.required()
    meant = [name for name in draft.missing if name in known]
    lacking = [name for name in needed if name not in meant and not is_given(found.params.get(name))]
    return tuple(name for name in [*meant, *lacking] if name not in fed)


def _without(params: JsonObject, names: set[str]) -> JsonObject:
    return {name: value for name, value in params.items() if name not in names}
