"""Looks that go with a plan: what its owners may look with afterwards, to check what was done.

Contract: what only looks may run by itself once the person said yes to it as it is. So what a check would ask
for stands on the plan's card, and one yes is to both. Nothing else is allowed by it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from partner_desktop.abilities.catalog import AbilityCatalog
from partner_desktop.action.plans.facts import request_for
from partner_desktop.action.plans.plan_draft import StepDraft
from partner_desktop.action.plans.step_maker import StepMaker, as_action
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.domain.plan import Plan, PlannedLook, Step
from partner_desktop.domain.run_facts import Risk
from partner_desktop.domain.step_claim import StepClaim, bound_arguments
from partner_desktop.permission.engine import PermissionEngine
from partner_desktop.permission.request import PermissionRequest

#: Looks that one card asks for; a check can do with fewer.
MOST_LOOKS = 12


def owner_of(info: MetaActionInfo) -> str:
    """Who answers for an ability: whom its author names, or its server; nobody: it is Partner's own."""
    if info.owner or info.route is Route.BUILTIN:
        return info.owner
    return info.location


def looks_of(infos: Sequence[MetaActionInfo], owner: str) -> Iterator[MetaActionInfo]:
    """The abilities of an owner of which their author says that they only look."""
    for info in infos:
        if owner and owner_of(info) == owner and info.annotations.read_only:
            yield info


class PlannedLooks:
    """Looks things up; nothing runs."""

    def __init__(self, catalog: AbilityCatalog, maker: StepMaker, engine: PermissionEngine) -> None:
        self._catalog = catalog
        self._maker = maker
        self._engine = engine

    async def of(self, record: ActionRecord, plan: Plan) -> tuple[PlannedLook, ...]:
        """What a check of a plan would have to ask the person for."""
        found: dict[str, PlannedLook] = {}
        infos = ((step, self._catalog.get(step.key)) for step in plan.steps if step.risk is not Risk.READ)
        owned = [(step, owner_of(info)) for step, info in infos if info is not None]
        looks: dict[str, list[MetaActionInfo]] = {owner: [] for _, owner in owned if owner}
        for info in self._catalog.usable() if looks else ():  # of all that there is, once
            if info.annotations.read_only and owner_of(info) in looks:
                looks[owner_of(info)].append(info)
        for step, owner in owned:
            for look in looks.get(owner, ()):
                if look.key in found or len(found) >= MOST_LOOKS:
                    continue
                request = await self._request(record, plan, step, look)
                if request is not None and await self._engine.is_free_once_approved(request):
                    told = look.spoken(record.language).title
                    found[look.key] = PlannedLook(look.key, told, look.content_hash, step.id)
        return tuple(found.values())

    async def requests(self, record: ActionRecord, plan: Plan) -> list[PermissionRequest]:
        """What the yes to a plan is to beside its steps: its looks, as shown and as they are."""
        found: list[PermissionRequest] = []
        for look in plan.looks:
            info, step = self._catalog.get(look.key), plan.step(look.step)
            if info is None or step is None or info.content_hash != look.content_hash:
                continue
            request = await self._request(record, plan, step, info)
            if request is not None and await self._engine.is_free_once_approved(request):
                found.append(request)
        return found

    async def _request(
        self, record: ActionRecord, plan: Plan, step: Step, info: MetaActionInfo
    ) -> PermissionRequest | None:
        """A call as a check would make it, as far as that is known before; `None`: it cannot be made."""
        # What the step is to bring is not known yet; by a yes only places matter, and these are.
        asked_for = replace(info, params={**info.params, "required": []})
        arguments = bound_arguments(asked_for, StepClaim(step.id, step.key, step.title, given=step.params))
        coming = {Path(use.path) for each in plan.steps for use in each.paths if use.access == "write"}
        draft = StepDraft(info, "", arguments or {})
        made = await self._maker.make(draft, cwd=record.cwd, language=record.language, coming=coming)
        places = {**info.path_params(), **info.path_lists()}
        if places.keys() & {*made.problems, *made.missing}:
            return None
        return request_for(as_action(record, made.step), info)
