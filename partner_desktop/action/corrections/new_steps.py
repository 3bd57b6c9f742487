"""NewSteps: steps that are wished for in a chain that waits, with what the words and the other steps give."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Literal

from partner_desktop.abilities.catalog import AbilityCatalog
from partner_desktop.action.feeds.input_sources import fed
from partner_desktop.action.plans.plan_draft import StepDraft
from partner_desktop.action.plans.plan_maker import draft_of_step
from partner_desktop.action.plans.step_maker import StepMaker
from partner_desktop.base.errors import PartnerError, UsageError
from partner_desktop.base.messages import sentence_of
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.intervention import Intervention, InterventionKind, NewStep
from partner_desktop.domain.message import TurnRef
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.plan import Plan, Step, StepStatus
from partner_desktop.mind.parameter_finder import ParameterFinder
from partner_desktop.mind.question import ExtractedParams, ExtractParams, Mind


class NewSteps:
    """Nothing is decided here, and nothing kept: the card shows what came of it."""

    def __init__(self, catalog: AbilityCatalog, maker: StepMaker, mind: Mind) -> None:
        self._catalog = catalog
        self._maker = maker
        self._finder = ParameterFinder(mind.ask)

    async def steps(
        self, record: ActionRecord, chain: Plan, wish: Intervention, by: Literal["person", "mind"]
    ) -> list[Step]:
        """What is wished for, made for the place where it comes in.

        Raises:
            UsageError: One of the abilities cannot be called.
        """
        earlier = self._earlier(chain, wish)
        made: list[Step] = []
        for new in wish.steps:
            info = required(self._catalog, new.key)
            if info.plan is not None:
                raise UsageError("plans.nested", title=info.told.title)
            found = await self._found(new, info, TurnRef(record.conversation_id, record.id))
            draft = StepDraft(info, new.text or record.request_text, found.values, origin=by)
            draft = await asyncio.to_thread(fed, draft, found.missing, earlier)
            made.append((await self._maker.make(draft, cwd=record.cwd, language=record.language)).step)
            if wish.kind is InterventionKind.REBUILD:  # each is a stage of its own
                earlier.append(draft)
        return made

    def _earlier(self, chain: Plan, wish: Intervention) -> list[StepDraft]:
        """The steps that come before the new ones, but for those that will bring nothing."""
        count = {
            InterventionKind.APPEND: wish.stage or len(chain.stages),
            InterventionKind.INSERT: (wish.stage or 1) - 1,
        }.get(wish.kind, 0)
        before = [step for stage in chain.stages[: max(0, count)] for step in stage.steps]
        steps = [step for step in before if not step.status.ended or step.status is StepStatus.SUCCEEDED]
        known = [(step, self._catalog.get(step.key)) for step in steps]
        return [draft_of_step(step, info) for step, info in known if info is not None]

    async def _found(self, new: NewStep, info: MetaActionInfo, turn: TurnRef) -> ExtractedParams:
        """What was given, and what its words say beside that."""
        names = info.properties()
        given = {name: value for name, value in new.params.items() if name in names}
        if new.text:
            with suppress(PartnerError):  # nobody could look: what is missing is asked for, as ever
                return await self._finder.find(ExtractParams(new.text, info, known=given, turn=turn))
        return ExtractedParams(given, tuple(name for name in info.required() if name not in given))


def required(catalog: AbilityCatalog, key: str) -> MetaActionInfo:
    """The ability of a key that a mind or a program named.

    Raises:
        UsageError: It cannot be called; where there is none, the nearest keys are named.
    """
    try:
        return catalog.require(key)
    except UsageError as error:
        near = [f"`{each}`" for each in catalog.nearest(key)] if catalog.entry(key) is None else []
        if not near:
            raise
        raise UsageError(
            "plans.nearest_one" if len(near) == 1 else "plans.nearest",
            error=error,
            near=sentence_of("step.comma").join(near),
        ) from error
