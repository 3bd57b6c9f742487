"""LazyAgents: the abilities that agents are. What runs them is brought in by the first call."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from partner_desktop.abilities.builtin.registry import BuiltinCall, Builtins
from partner_desktop.base.tasks import Deferred
from partner_desktop.domain.meta_action import RunnerResponse

if TYPE_CHECKING:
    from partner_desktop.agents.agent_builtins import AgentBuiltins

_NAMES = ("agent::story", "agent::run")


class LazyAgents:
    """A `BuiltinActionProvider`."""

    def __init__(self, agents: Deferred[AgentBuiltins]) -> None:
        self._agents = agents

    def definitions(self) -> Builtins:
        return {name: partial(self._call, name) for name in _NAMES}

    async def _call(self, name: str, call: BuiltinCall) -> RunnerResponse:
        agents = await self._agents.get()
        return await agents.definitions()[name](call)
