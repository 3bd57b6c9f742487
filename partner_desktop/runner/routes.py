"""ActionRoute: one way in which a MetaAction can run."""

from __future__ import annotations

from typing import Protocol

from partner_desktop.domain.meta_action import MetaAction, MetaActionInfo, RunnerResponse
from partner_desktop.domain.run_facts import Isolation
from partner_desktop.runner.mcp.port import RunScope


class ActionRoute(Protocol):
    """BUILTIN, ORIGIN or MCP. It knows neither permission nor the state of what it runs."""

    def isolation(self, info: MetaActionInfo) -> Isolation:
        """What would hold a run of this ability here and now."""
        ...

    async def run(self, meta_action: MetaAction, *, scope: RunScope) -> RunnerResponse:
        """Run; cancelling ends it, with everything that belongs to it, within a second.

        Raises:
            ActionError: It could not be done; the message is for the person.
        """
        ...
