"""StepAmendment: words that want one step of a waiting chain otherwise. Nothing runs; the card asks again."""

from __future__ import annotations

from collections.abc import Sequence

from partner_desktop.action.approvals import Approvals
from partner_desktop.action.catalog import AbilityCatalog
from partner_desktop.action.chain.path_swap import Swap, swapped
from partner_desktop.action.chain.step_maker import as_action
from partner_desktop.action.parameters import ParameterFinder
from partner_desktop.base.errors import PartnerError
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.chain import Chain, Step
from partner_desktop.domain.evidence import Amended, Evidence, Withheld
from partner_desktop.domain.json_value import Json
from partner_desktop.language.references import in_order, names_step
from partner_desktop.mind.question import ExtractParams, Mind
from partner_desktop.runtime.flow import RunningFlowContext


class StepAmendment:
    """A part of the words about cards."""

    def __init__(self, mind: Mind, catalog: AbilityCatalog, approvals: Approvals) -> None:
        self._finder = ParameterFinder(mind)
        self._catalog = catalog
        self._approvals = approvals

    async def amend(self, flow: RunningFlowContext, card: ActionRecord, chain: Chain, words: str) -> Evidence:
        """The card, with the step changed that the words fit: the one that they name, else the last.

        What stood in several steps alike is changed in all of them, unless the words name one.
        """
        swap = swapped(words, chain)
        if swap is not None:
            return await self._edit(flow, card, chain, swap)
        for step in _tried(card, chain, words):
            found = await self._found(flow, step, words)
            if found is None:
                continue
            alike = Swap.of(step.params, found)
            if alike is not None and not names_step(words, as_action(card, step)) and alike.spread(chain):
                return await self._edit(flow, card, chain, alike)
            try:
                evidence = await self._approvals.amend_step(card.id, step.id, found)
            except PartnerError as error:
                return Withheld(card, str(error))
            flow.exchange.status = "waiting"
            return evidence
        flow.exchange.status = "waiting"
        return Amended(card)

    async def _edit(self, flow: RunningFlowContext, card: ActionRecord, chain: Chain, swap: Swap) -> Evidence:
        flow.exchange.status = "waiting"
        try:
            record = await self._approvals.edit_chain(card.id, swap.edit(chain))
        except PartnerError as error:
            return Amended(card, problem=str(error))
        return Amended(record, swap.names(chain))

    async def _found(self, flow: RunningFlowContext, step: Step, words: str) -> dict[str, Json] | None:
        """The step's arguments as the words want them; `None` where they change nothing of it."""
        info = self._catalog.get(step.key)
        if info is None:
            return None
        request = ExtractParams(words, info, known=step.params, amends=True, turn=flow.ref)
        found = await flow.unless_interrupted(self._finder.find(request))
        return None if found.values == step.params else found.values


def _tried(card: ActionRecord, chain: Chain, words: str) -> Sequence[Step]:
    """The steps, the likeliest to be meant first."""
    order = in_order(words, [as_action(card, step) for step in chain.steps])
    return [step for record in order if (step := chain.step(record.id)) is not None]
