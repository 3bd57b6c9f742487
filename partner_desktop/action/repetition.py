"""Repeating: what was done last in a conversation, proposed once more in words.

Contract: nothing is approved here: it is looked at and asked for as anything new.
"""

from __future__ import annotations

from dataclasses import replace

from partner_desktop.action.chain.path_swap import Swap
from partner_desktop.action.planning_parts import PlanningPart
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.chain import Chain, Step
from partner_desktop.domain.evidence import Evidence
from partner_desktop.language.speech_acts.card_requests import Repeat
from partner_desktop.mind.question import ExtractParams
from partner_desktop.runtime.flow import RunningFlowContext


class Repetition(PlanningPart):
    """A part of the planner."""

    async def again(self, flow: RunningFlowContext, wish: Repeat, text: str) -> Evidence | None:
        """What was proposed; `None` where nothing was done here, or it cannot be so.

        Raises:
            UsageError: An ability of it is gone.
        """
        last = await self._core.last(flow.conversation_id)
        if last is None:
            return None
        if last.chain is not None:
            return await self._chain(flow, last, last.chain, wish, text)
        info = self._catalog.require(last.key)
        params = last.params
        if wish.other:
            asked = ExtractParams(wish.other, info, known=params, amends=True)
            found = await self._find(flow, asked)
            if found.values == params:
                return None
            params = found.values
        missing = [name for name in info.required() if name not in params]
        return await flow.begun(self._core.begin(info, params, missing, exchange=flow.exchange, text=text))

    async def _chain(
        self, flow: RunningFlowContext, last: ActionRecord, chain: Chain, wish: Repeat, text: str
    ) -> Evidence | None:
        wanted = await self._other(flow, chain, wish.other) if wish.other else chain
        if wanted is None:
            return None
        record = replace(last, chain=wanted, request_text=text if wish.other else last.request_text)
        return await flow.begun(self._chain_core.again(record, exchange=flow.exchange))

    async def _other(self, flow: RunningFlowContext, chain: Chain, words: str) -> Chain | None:
        """The chain with another path wherever the first that it works on stands."""
        for step in chain.steps:
            info = self._catalog.require(step.key)
            asked = ExtractParams(words, info, known=step.params, amends=True)
            found = await self._find(flow, asked)
            swap = Swap.of(step.params, found.values)
            if swap is not None:
                return _swapped(chain, swap)
        return None


def _swapped(chain: Chain, swap: Swap) -> Chain:
    def step_of(step: Step) -> Step:
        return replace(step, params=swap.changed(step.params))

    return replace(
        chain,
        stages=tuple(
            replace(stage, steps=tuple(step_of(step) for step in stage.steps)) for stage in chain.stages
        ),
    )
