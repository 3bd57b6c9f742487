"""The exchanges under way: opened by gateways, found again by later turns, announced when over.

Contract: whoever keeps an exchange busy (a queued turn, a run) holds it; when the last hold is
released the exchange is over and says so once. A proposal that waits for the person does not keep it
busy: then it is over with the status `waiting`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import field
from typing import Literal, TypeAlias

from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.events import DoneEvent
from partner_desktop.permission.request import ApprovalMode
from partner_desktop.runtime.channel import ChannelRegistry


class ExchangeRegistry:
    """Keeps every exchange that is busy."""

    def __init__(self, channels: ChannelRegistry) -> None:
        self._channels = channels
        self._open: dict[str, Exchange] = {}
        self._over_now = asyncio.Event()

    def __len__(self) -> int:
        return len(self._open)

    def open(
        self,
        conversation_id: str,
        *,
        standing: ApprovalMode = ApprovalMode.ASK,
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

    async def idle(self, conversation_id: str = "") -> None:
        """Wait until nothing goes on that an input set off, in one conversation or anywhere."""
        while any(one.busy for one in self._open.values() if conversation_id in ("", one.conversation_id)):
            self._over_now.clear()
            await self._over_now.wait()

    def _over(self, exchange: Exchange) -> None:
        self._open.pop(exchange.id, None)
        self._over_now.set()
        self._channels.publish(
            DoneEvent(
                conversation_id=exchange.conversation_id, exchange_id=exchange.id, status=exchange.status
            )
        )


ExchangeStatus = Literal["ok", "failed", "waiting"]
Release: TypeAlias = Callable[[], None]


@dataclass(eq=False)
class Exchange:
    """Shared by all turns and runs of one input."""

    conversation_id: str
    on_over: Callable[[Exchange], None]
    standing: ApprovalMode = ApprovalMode.ASK
    cwd: str = ""
    """What relative paths in the input are relative to; empty: unknown."""
    program: str = ""
    """The program that asks, as it calls itself; empty: a person does, or their script."""
    id: str = field(default_factory=new_id)
    status: ExchangeStatus = "ok"
    over: asyncio.Event = field(default_factory=asyncio.Event)
    _holds: int = 0

    @property
    def busy(self) -> bool:
        """Whether a turn or a run holds it."""
        return self._holds > 0

    @property
    def told(self) -> bool:
        """Whether turns tell what came of it; a program reads the result itself, and nobody the reply."""
        return self.standing is not ApprovalMode.GRANTED

    def hold(self) -> Release:
        """Keep the exchange busy until the returned function is called (further calls do nothing)."""
        self._holds += 1
        self.over.clear()
        released = False

        def release() -> None:
            nonlocal released
            if released:
                return
            released = True
            self._holds -= 1
            if self._holds == 0:
                self.over.set()
                self.on_over(self)

        return release
