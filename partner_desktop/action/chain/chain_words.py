"""ChainWords: what the person's words do to what waits in several steps, and to what runs.

Contract: words never add or change a step unseen: a card that was changed asks anew, and a step that comes
into a running chain is decided on by the permission engine alone. Only questions to the mind are cut short.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from partner_desktop.action.chain.candidate_abilities import CandidateAbilities
from partner_desktop.action.chain.interventions import Interventions
from partner_desktop.action.chain.runner import ChainRunner
from partner_desktop.action.executor import ActionExecutor
from partner_desktop.action.store import ActionStore
from partner_desktop.base.errors import PartnerError
from partner_desktop.base.tasks import uninterrupted
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.evidence import Dropped, Evidence, Finished, Unsettled, Withheld
from partner_desktop.domain.intervention import InterventionKind
from partner_desktop.mind.question import Mind, ReadIntervention, WordedIntervention
from partner_desktop.runtime.flow import RunningFlowContext


class ChainWords:
    """A part of the planner."""

    def __init__(
        self,
        mind: Mind,
        nearby: CandidateAbilities,
        interventions: Interventions,
        chains: ChainRunner,
        executor: ActionExecutor,
        store: ActionStore,
    ) -> None:
        self._mind = mind
        self._nearby = nearby
        self._interventions = interventions
        self._chains = chains
        self._executor = executor
        self._store = store

    async def running(self, conversation_id: str) -> list[ActionRecord]:
        """What runs in a conversation and can be stopped, oldest first; a step is a part of its chain."""
        running = await self._store.in_status(ActionStatus.RUNNING, conversation_id=conversation_id)
        return [record for record in running if not record.parent_id]

    async def settle(
        self, flow: RunningFlowContext, text: str, open_: Sequence[ActionRecord]
    ) -> Sequence[Evidence]:
        """What came of the words, of the cards that wait and of what runs; nothing when they are about
        something else."""
        from partner_desktop.language.speech_acts.card_requests import stop_in  # noqa: PLC0415 - small; its like is there

        running = [record for record in open_ if record.status is ActionStatus.RUNNING]
        # While a card waits, a plain “stop” is a no to that.
        stop = stop_in(text, running, by_name=False) if len(running) == len(open_) else None
        if stop is None:
            worded = await self._read(flow, text, [record for record in open_ if record.chain is not None])
            stop = stop_in(text, running, by_name=True)
            # Words that want something to stop put nothing in, whatever a mind reads in them.
            if worded is not None and (stop is None or not _only_adds(worded)):
                return [await self._apply(flow, worded)]
        if stop is None:
            return []
        if not stop.ids:
            return [Unsettled(tuple(replace(each, number=at) for at, each in enumerate(running, 1)))]
        return [await self._stop(record) for record in running if record.id in stop.ids]

    async def _read(
        self, flow: RunningFlowContext, text: str, chains: Sequence[ActionRecord]
    ) -> WordedIntervention | None:
        if not chains:
            return None
        near = await self._nearby.to(text, chains)
        asked = ReadIntervention(text, chains, near, turn=flow.ref)
        worded = await flow.unless_interrupted(self._mind.ask(asked))
        if worded is None or not (worded.interventions or worded.order):
            return None
        return worded if any(record.id == worded.action_id for record in chains) else None

    async def _apply(self, flow: RunningFlowContext, worded: WordedIntervention) -> Evidence:
        record = await self._store.get(worded.action_id)
        ends = any(wish.kind is InterventionKind.CANCEL for wish in worded.interventions)
        if ends and record.status is ActionStatus.RUNNING:
            return await self._stop(record)
        self._chains.heard_in(record.id, flow.exchange)
        work = (
            self._interventions.reorder(worded.action_id, worded.order)
            if worded.order
            else self._interventions.apply(worded.action_id, worded.interventions, by="person")
        )
        try:
            evidence = await uninterrupted(work)
        except PartnerError as error:
            return Withheld(await self._store.get(worded.action_id), str(error))
        if evidence.action.status is ActionStatus.REJECTED:
            return Dropped(evidence.action)
        if evidence.action.status is ActionStatus.WAITING:
            flow.exchange.status = "waiting"
        return evidence

    async def _stop(self, record: ActionRecord) -> Evidence:
        """End a run; told here, so that no turn of its own tells it again."""
        if record.chain is not None:
            await self._chains.cancel(record.id, tell=False)
        else:
            await self._executor.cancel(record.id, tell=False)
        steps = await self._store.steps_of(record.id)
        return Finished(await self._store.get(record.id), tuple(steps))


def _only_adds(worded: WordedIntervention) -> bool:
    adds = (InterventionKind.APPEND, InterventionKind.INSERT)
    return all(wish.kind in adds for wish in worded.interventions)
