"""The state of Partner for the left column's foot: engine, sandbox, abilities."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from partner_desktop.desktop.sidebar.status import StatusState
from partner_desktop.desktop.window_context import Controller, WindowContext
from partner_desktop.domain.mcp_server import ServerPhase

if TYPE_CHECKING:
    from partner_desktop.app import Partner

BUILDING_PERIOD_S = 2.0
#: When nothing is being built, a look now and then is enough.
IDLE_PERIOD_S = 20.0


class StatusController(Controller):
    """Looks at the engine while it is built, and says what is here."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context)
        self.state = StatusState()

    def _begin(self, partner: Partner) -> None:
        self._show(replace(self._with_sandbox(partner), started=True))
        self._request("engine status", self._watch)

    def failed(self) -> None:
        self._show(replace(self.state, started=False, failed=True))

    def count(self) -> None:
        known = self._store.abilities.values()
        usable = sum(1 for ability in known if ability.usable)
        broken = sum(1 for ability in known if ability.fault is not None)
        phases = [server.phase for server in self._store.servers.values()]
        self._show(
            replace(
                self.state,
                abilities=usable,
                broken=broken,
                servers=phases.count(ServerPhase.READY),
                failed_servers=phases.count(ServerPhase.FAILED),
            )
        )

    async def _watch(self, partner: Partner) -> None:
        """Follow the engine until cancelled."""
        while True:
            self._look(partner)
            moving = self.state.engine_state == "building" or self.state.finding == "starting"
            await asyncio.sleep(BUILDING_PERIOD_S if moving else IDLE_PERIOD_S)

    def _look(self, partner: Partner) -> None:
        engine, finding = partner.models.engine(), partner.models.embedding()
        state = replace(
            self._with_sandbox(partner),
            engine_state=engine.state,
            engine_percent=engine.percent,
            engine_detail=engine.detail,
            finding=finding.state,
            finding_detail=finding.reason,
        )
        self._show(state)

    def _with_sandbox(self, partner: Partner) -> StatusState:
        """The settings may switch it off and on again while Partner runs."""
        sandbox = partner.sandbox
        reason = "" if sandbox.available else sandbox.reason
        return replace(self.state, sandbox=sandbox.available, sandbox_reason=reason)

    def _show(self, state: StatusState) -> None:
        if state != self.state:
            self.state = state
            self._window.sidebar.status.show_state(state)
