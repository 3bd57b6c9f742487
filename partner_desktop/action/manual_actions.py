"""ManualActions: what a person or a command does to actions by hand, each within its exchange."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from partner_desktop.abilities.catalog import AbilityCatalog
from partner_desktop.action.plans.plan_draft import PlanDraft, StepDraft, alone
from partner_desktop.action.plans.plan_maker import PlanMaker
from partner_desktop.action.proposals import Proposals
from partner_desktop.action.store import ActionStore
from partner_desktop.action.turns.planning_parts import language_spoken_in
from partner_desktop.base.messages import spoken_language
from partner_desktop.capabilities import CognitionCapability
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.evidence import Evidence
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.schema_check import without_nulls
from partner_desktop.runtime.exchanges import Exchange, ExchangeRegistry

#: What was begun by hand needs no understanding of words.
_SKIP = frozenset({"ActionPlanner"})


class ManualActions:
    """Used by the window's cards and by the commands."""

    def __init__(
        self,
        catalog: AbilityCatalog,
        maker: PlanMaker,
        proposals: Proposals,
        store: ActionStore,
        cognition: CognitionCapability,
        exchanges: ExchangeRegistry,
    ) -> None:
        self._catalog = catalog
        self._maker = maker
        self._proposals = proposals
        self._store = store
        self._cognition = cognition
        self._exchanges = exchanges

    async def run_again(self, action_id: str) -> None:
        """Propose what is over once more, in its conversation.

        Raises:
            UsageError: An ability is gone.
        """
        record = await self._store.get(action_id)
        exchange = self._exchanges.open(record.conversation_id, cwd=record.cwd, program=record.program)
        await self.begin_plan(await self._maker.anew(record), exchange)

    async def begin(
        self, key: str, params: JsonObject, exchange: Exchange, *, text: str, as_form: bool = False
    ) -> Evidence:
        """Propose an ability by its key; a turn tells what came of it, but to a program.

        With `as_form` its parameters are filled in on the card, not asked for in the chat.

        Raises:
            UsageError: There is no such ability.
        """
        info = self._catalog.require(key)
        # Programs write null for what they do not give.
        given = without_nulls(params, info.params)
        assert isinstance(given, dict), "an object stays one"
        plan = alone(StepDraft(info, text, given))
        return await self.begin_plan(replace(plan, as_form=as_form and bool(info.properties())), exchange)

    async def begin_plan(self, plan: PlanDraft, exchange: Exchange) -> Evidence:
        """Propose what a maker of plans made; a turn tells what came of it, but to a program."""
        spoken_language.set(await language_spoken_in(self._cognition, exchange.conversation_id))
        with _held(exchange):
            evidence = await self._proposals.begin(plan, exchange=exchange)
            self._tell(evidence, exchange)
        return evidence

    def _tell(self, evidence: Evidence, exchange: Exchange) -> None:
        """A turn says what came of it; a program reads that itself."""
        if exchange.told:
            self._cognition.initiate_turn(
                [evidence],
                conversation_id=exchange.conversation_id,
                exchange_id=exchange.id,
                skip=_SKIP,
            )

    @contextmanager
    def exchange_of(self, record: ActionRecord) -> Iterator[Exchange]:
        """The exchange that a card belongs to, busy meanwhile."""
        exchange = self._exchanges.open(
            record.conversation_id, cwd=record.cwd, exchange_id=record.exchange_id
        )
        with _held(exchange):
            yield exchange


@contextmanager
def _held(exchange: Exchange) -> Iterator[None]:
    release = exchange.hold()
    try:
        yield
    finally:
        release()
