"""ManualActions: what a person or a command does to actions by hand, each within its exchange."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from partner_desktop.abilities.catalog import AbilityCatalog
from partner_desktop.action.chain.chain_core import ChainCore
from partner_desktop.action.core import ActionCore
from partner_desktop.action.speech import language_spoken_in
from partner_desktop.action.store import ActionStore
from partner_desktop.base.spoken import spoken_language
from partner_desktop.capabilities import CognitionCapability
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.evidence import Evidence
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.runtime.exchanges import Exchange, ExchangeRegistry

#: What was begun by hand needs no understanding of words.
_SKIP = frozenset({"ActionPlanner"})


class ManualActions:
    """Used by the window's cards and by the commands."""

    def __init__(
        self,
        catalog: AbilityCatalog,
        core: ActionCore,
        chains: ChainCore,
        store: ActionStore,
        cognition: CognitionCapability,
        exchanges: ExchangeRegistry,
    ) -> None:
        self._catalog = catalog
        self._core = core
        self._chains = chains
        self._store = store
        self._cognition = cognition
        self._exchanges = exchanges

    async def run_again(self, action_id: str) -> None:
        """Propose an ended action once more, in its conversation.

        What was imported begins as a form on a card: its parameters were never said here.

        Raises:
            UsageError: Its ability is gone.
        """
        record = await self._store.get(action_id)
        exchange = self._exchanges.open(record.conversation_id, cwd=record.cwd, program=record.program)
        spoken_language.set(record.language)
        if record.chain is not None:
            with _held(exchange):
                work = self._chains.again(record, exchange=exchange, as_card=not record.exchange_id)
                self._tell(await work, exchange)
            return
        key = await self._catalog.successor(record.key)
        params, imported = record.params, not record.exchange_id
        if imported:
            known = self._catalog.require(key).properties()
            params = {name: value for name, value in params.items() if name in known}
        await self.begin(key, params, exchange, text=record.request_text, as_form=imported)

    async def begin(
        self, key: str, params: JsonObject, exchange: Exchange, *, text: str, as_form: bool = False
    ) -> Evidence:
        """Propose an ability by its key; a turn tells what came of it, but to a program.

        With `as_form` its parameters are filled in on the card, not asked for in the chat.

        Raises:
            UsageError: There is no such ability.
        """
        info = self._catalog.require(key)
        spoken_language.set(await language_spoken_in(self._cognition, exchange.conversation_id))
        missing = [name for name in info.required() if name not in params]
        with _held(exchange):
            if as_form and info.properties():
                evidence = await self._core.offer(info, params, exchange=exchange, text=text)
            else:
                evidence = await self._core.begin(info, params, missing, exchange=exchange, text=text)
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
