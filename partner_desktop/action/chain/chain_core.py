"""ChainCore: from drafts of steps to a question, a card, or a start. Nothing runs here by itself.

Contract: every step is a row before it is an event. All are asked about together: what one of them lacks
is asked for before the card, and one that is forbidden turns all of it down.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from partner_desktop.action.chain.chain_maker import (
    ChainMaker,
    Gap,
    MadeChain,
    chain_title,
    of_step,
    step_title,
)
from partner_desktop.action.chain.chain_shape import named, shape_problem
from partner_desktop.action.chain.input_sources import fed_anew
from partner_desktop.action.chain.step_maker import StepDraft, as_action
from partner_desktop.action.confirmation_expiry import waiting_from
from partner_desktop.action.settings import ChainSettings
from partner_desktop.action.work_parts import WorkPart, WorkParts
from partner_desktop.base.errors import UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.spoken import sentence_of, spoken_language
from partner_desktop.base.tasks import uninterrupted, uninterruptible
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.chain import CHAIN_KEY, Chain
from partner_desktop.domain.evidence import Asked, Evidence, Proposed, Started
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.permission.request import Decision, Outcome, PermissionRequest
from partner_desktop.runtime.exchanges import Exchange

if TYPE_CHECKING:
    from partner_desktop.action.chain.runner import ChainRunner

__all__ = ["ChainCore", "chain_title", "step_face"]

Drafts = Sequence[Sequence[StepDraft]]


class ChainCore(WorkPart):
    """Shared by the planner and the desk."""

    def __init__(
        self,
        parts: WorkParts,
        maker: ChainMaker,
        chains: ChainRunner,
        *,
        settings: Callable[[], ChainSettings],
    ) -> None:
        super().__init__(parts)
        self._maker = maker
        self._chains = chains
        self._settings = settings

    @uninterruptible
    async def begin(
        self, stages: Drafts, *, exchange: Exchange, text: str, as_card: bool = False
    ) -> Evidence:
        """Ask for what is missing, show one card for all, or start at once where nothing needs a question.

        With `as_card` there is a card whatever is allowed already.

        Raises:
            UsageError: One of the abilities cannot be called any more; nothing was begun.
        """
        stages = [stage for stage in stages if stage]
        async with self._executor.settling(exchange.conversation_id):
            record = self._new(stages, exchange=exchange, text=text)
            problem = shape_problem(stages, most_steps=self._settings().most_steps)
            try:
                filled = stages if problem else await self._filled(stages, exchange.conversation_id)
            except UsageError as error:
                problem = str(error)
            if problem:
                await self._store.add(record)
                return await self._turn_down(record, problem)
            made = await self._maker.make(filled, cwd=record.cwd, language=record.language)
            await self._store.add(record)
            return await self._advance(record, made, exchange=exchange, as_card=as_card)

    async def again(self, record: ActionRecord, *, exchange: Exchange, as_card: bool = False) -> Evidence:
        """Propose an ended chain once more, with the steps as they were asked for.

        Raises:
            UsageError: One of its abilities is gone, or nothing of it was ever asked for.
        """
        stages = await self._maker.anew(record.chain or Chain(()))
        return await self.begin(stages, exchange=exchange, text=record.request_text, as_card=as_card)

    def asked_step(self, question: ActionRecord) -> ActionRecord:
        """The step that an open question of a chain is about, under the chain's id."""
        return step_face(question)

    async def answer(
        self, question: ActionRecord, params: JsonObject, missing: Sequence[str], *, exchange: Exchange
    ) -> Evidence:
        """The open question of a chain was answered; go on with it. What is missing is looked at anew.

        Raises:
            UsageError: The question was settled in the meantime.
        """
        del missing
        return await uninterrupted(self._answer(question, params, exchange=exchange))

    async def _answer(self, question: ActionRecord, params: JsonObject, *, exchange: Exchange) -> Evidence:
        async with self._executor.settling(question.conversation_id):
            record = await self._store.get(question.id)
            chain = record.chain
            step = chain.step(chain.asked_step) if chain is not None else None
            if record.status is not ActionStatus.ASKING or chain is None or step is None:
                raise UsageError(sentence_of("card.settled_meanwhile", title=record.title))
            chain = chain.with_step(replace(step, params=params))
            record = replace(record, chain=chain, exchange_id=exchange.id, cwd=exchange.cwd or record.cwd)
            gone = self._maker.gone(chain)
            if gone is not None:
                return await self._turn_down(record, gone.sentence)
            drafts = await asyncio.to_thread(fed_anew, self._maker.drafts(chain))
            made = await self._maker.make(drafts, cwd=record.cwd, language=record.language)
            return await self._advance(record, made, exchange=exchange)

    def _new(self, stages: Drafts, *, exchange: Exchange, text: str) -> ActionRecord:
        language = spoken_language.get()
        return ActionRecord(
            id=new_id(),
            conversation_id=exchange.conversation_id,
            exchange_id=exchange.id,
            key=CHAIN_KEY,
            title=step_title([draft.info.spoken(language).title for stage in stages for draft in stage]),
            description="",
            params={},
            schema={},
            status=ActionStatus.ASKING,
            created_at=self._clock.now(),
            request_text=text,
            language=language,
            cwd=exchange.cwd,
            grantable=False,
            chain=Chain(()),
        )

    async def _filled(self, stages: Drafts, conversation_id: str) -> Drafts:
        """What a step is about, where that is known though nobody said it."""
        filled: list[list[StepDraft]] = []
        number = 0
        for stage in stages:
            filled.append([])
            for draft in stage:
                number += 1
                try:
                    params = await self._prefill(draft.info, draft.params, conversation_id)
                except UsageError as error:
                    raise UsageError(
                        f"In {named(number, draft.info.spoken(spoken_language.get()).title)} {error}"
                    ) from error
                filled[-1].append(replace(draft, params=params))
        return filled

    async def _advance(
        self, record: ActionRecord, made: MadeChain, *, exchange: Exchange, as_card: bool = False
    ) -> Evidence:
        gap = made.gap
        if gap is None:
            return await self._propose(record, made, exchange=exchange, as_card=as_card)
        if not gap.param or not exchange.told:
            return await self._turn_down(made.shown_in(record), gap_sentence(made.chain, gap))
        exchange.status = "waiting"
        return await self._ask(record, made, gap)

    async def _ask(self, record: ActionRecord, made: MadeChain, gap: Gap) -> Evidence:
        chain = replace(made.chain.with_step(gap.step), asked_step=gap.step.id)
        now = self._clock.now()
        asking = replace(made.shown_in(record), chain=chain, asked_param=gap.param, asked_at=now)
        await self._settle(asking, record)
        self._publisher.changed(asking)
        told = made.infos[gap.step.id].spoken(record.language)
        schema = told.properties().get(gap.param, {})
        return Asked(step_face(asking), gap.param, str(schema.get("description") or ""), gap.problem)

    async def _propose(
        self, record: ActionRecord, made: MadeChain, *, exchange: Exchange, as_card: bool
    ) -> Evidence:
        beside = await self._store.in_status(ActionStatus.WAITING, conversation_id=record.conversation_id)
        number = 1 + max((other.number for other in beside), default=0)
        shown = replace(made.shown_in(record), status=ActionStatus.WAITING)
        proposal = waiting_from(shown, self._clock.now(), number)
        await self._settle(proposal, record)
        outcome, denied = await self._previewed(made.requests(proposal), exchange)
        if denied is not None:
            return await self._turn_down(proposal, denial(proposal, denied), denied)
        asks = as_card or outcome is Outcome.ASK
        place = await self._places.show(proposal, led=asks)
        if asks:
            exchange.status = "waiting"
            return Proposed(proposal, place)
        return Started(await self._chains.start(proposal, exchange=exchange))

    async def _previewed(
        self, requests: Sequence[PermissionRequest], exchange: Exchange
    ) -> tuple[Outcome, Decision | None]:
        """What is to be expected of all steps together; what forbids one of them is decided at once."""
        together = Outcome.ALLOW
        for request in requests:
            judgement = await self._engine.preview(request, standing=exchange.standing)
            match judgement.outcome:
                case Outcome.DENY:
                    decision = await self._engine.decide(request, standing=exchange.standing)
                    if decision.outcome is Outcome.DENY:
                        return Outcome.DENY, decision
                    together = Outcome.ASK
                case Outcome.ASK:
                    together = Outcome.ASK
                case Outcome.ALLOW:
                    pass
                case _:
                    assert_never(judgement.outcome)
        return together, None


def step_face(question: ActionRecord) -> ActionRecord:
    """The step that a chain's open question is about, as if asked about alone; under the id of the chain."""
    step = question.chain.step(question.chain.asked_step) if question.chain is not None else None
    if step is None:
        return question
    return replace(
        as_action(question, step),
        id=question.id,
        parent_id="",
        status=question.status,
        asked_param=question.asked_param,
        asked_at=question.asked_at,
        exchange_id=question.exchange_id,
    )


def gap_sentence(chain: Chain, gap: Gap) -> str:
    """What a step lacks, for whoever cannot be asked back."""
    own = of_step(chain, gap.step)
    if not gap.param:
        return sentence_of("chain.cannot_run", step=own, problem=gap.problem)
    if gap.problem:
        return sentence_of("chain.cannot_take", step=own, param=gap.param, problem=gap.problem)
    return sentence_of("chain.needs", step=own, param=gap.param)


def denial(record: ActionRecord, decision: Decision) -> str:
    """Why a chain will not run of which one step is forbidden."""
    chain = record.chain or Chain(())
    step = chain.step(decision.action_id)
    if step is None:
        return decision.reason
    return sentence_of("chain.may_not_run", step=of_step(chain, step), reason=decision.reason)
