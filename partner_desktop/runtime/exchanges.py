"""The exchanges under way: opened by gateways, found again by later turns, announced when over."""

from __future__ import annotations

from partner_desktop.domain.events import DoneEvent
from partner_desktop.permission.request import StandingAnswer
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.exchange import Exchange


class ExchangeBook:
    """Keeps every exchange that is busy."""

    def __init__(self, channels: ChannelRegistry) -> None:
        self._channels = channels
        self._open: dict[str, Exchange] = {}

    def __len__(self) -> int:
        return len(self._open)

    def open(
        self,
        conversation_id: str,
        *,
        standing: StandingAnswer = StandingAnswer.ASK,
        cwd: str = "",
        exchange_id: str = "",
        program: str = "",
    ) -> Exchange:
        """A new exchange; with `exchange_id`, the one under way or a new one of the same id."""
        if exchange_id in self._open:
            return self._open[exchange_id]
        exchange = Exchange(conversation_id, self._over, standing=standing, cwd=cwd, program=program)
        if exchange_id:
            exchange.id = exchange_id
        self._open[exchange.id] = exchange
        return exchange

    def _over(self, exchange: Exchange) -> None:
        self._open.pop(exchange.id, None)
        self._channels.publish(
            DoneEvent(
                conversation_id=exchange.conversation_id, exchange_id=exchange.id, status=exchange.status
            )
        )
