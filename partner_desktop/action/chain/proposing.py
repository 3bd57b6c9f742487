"""ChainCore: from drafts of steps to a question, a card, or a start. Nothing runs here by itself."""

from __future__ import annotations

from collections.abc import Sequence

from partner_desktop.action.chain.making import StepDraft
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.evidence import Evidence
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.runtime.exchange import Exchange


class ChainCore:
    """Shared by the planner and the desk."""

    async def begin(
        self, stages: Sequence[Sequence[StepDraft]], *, exchange: Exchange, text: str
    ) -> Evidence:
        """Ask for what is missing, show one card for all, or start at once where nothing needs a question."""
        raise NotImplementedError

    def asked_step(self, question: ActionRecord) -> ActionRecord:
        """The step that an open question of a chain is about, under the chain's id."""
        raise NotImplementedError

    async def answer(
        self, question: ActionRecord, params: JsonObject, missing: Sequence[str], *, exchange: Exchange
    ) -> Evidence:
        """The open question of a chain was answered; go on with it."""
        raise NotImplementedError
