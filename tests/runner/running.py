"""The composed RunnerClient of a Partner, as the executor uses it; and stand-ins for what it wraps."""

from __future__ import annotations

import asyncio
from pathlib import Path

from partner_desktop.action.plans.path_arguments import resolve_paths
from partner_desktop.app import Partner
from partner_desktop.base.errors import TryAgainError
from partner_desktop.base.ids import new_id
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.meta_action import (
    Annotations,
    MetaAction,
    MetaActionInfo,
    Route,
    RunnerResponse,
)
from partner_desktop.domain.run_facts import Isolation, PathUse, Risk
from partner_desktop.permission.request import Decision, PermissionRequest
from partner_desktop.runner.call import Call
from partner_desktop.runner.client import RunnerClient
from tests.deciding import decided


class Runs:
    """Submits approved calls, and knows where they lie."""

    def __init__(self, partner: Partner) -> None:
        parts = partner._parts
        self.runner = parts.actions.runner
        self._catalog = parts.actions.catalog
        self._engine = parts.core.permission
        self._home = partner.home

    async def prepare(self, key: str, **params: Json) -> tuple[MetaAction, tuple[PathUse, ...]]:
        """A call that waits, with its paths resolved."""
        info = self._catalog.require(key)
        found = await asyncio.to_thread(resolve_paths, info, params, cwd="")
        assert not found.problems
        return MetaAction(new_id(), info, found.params), found.uses

    async def approve(self, call: MetaAction) -> Decision:
        """The engine's own word."""
        request = PermissionRequest(
            action_id=call.id,
            action_key=call.info.key,
            route=call.info.route,
            content_hash=call.info.content_hash,
            params=call.params,
            risk=Risk.READ,
            isolation=self.runner.isolation(call.info),
        )
        return await self._engine.approve(request, scope="once")

    async def result(self, key: str, **params: Json) -> RunnerResponse:
        """One approved call to its end."""
        call, paths = await self.prepare(key, **params)
        await self.runner.submit(call, await self.approve(call), paths=paths)
        assert call.response is not None
        return call.response

    def workspace(self, call: MetaAction) -> Path:
        """Where its script runs."""
        return self._home.runs / call.id / "workspace"


class Scripted(RunnerClient):
    """Fails as often as it is told, then answers; or hangs, or asks the person first."""

    def __init__(
        self,
        *,
        failures: int = 0,
        error: Exception | None = None,
        hangs: bool = False,
        asks: bool = False,
    ) -> None:
        super().__init__()
        self.failures, self.hangs, self.asks = failures, hangs, asks
        self.answered = asyncio.Event()
        self.error = error or TryAgainError("The server was busy.")
        self.runs = 0
        self.begun = asyncio.Event()

    def isolation(self, info: MetaActionInfo) -> Isolation:
        del info
        return Isolation(sandboxed=True, net=False, summary="sandboxed")

    async def run(self, call: Call) -> RunnerResponse:
        self.runs += 1
        if self.asks:
            with call.asking():
                with call.asking():  # one of two questions is answered at once
                    pass
                self.begun.set()
                await self.answered.wait()
        self.begun.set()
        if self.hangs:
            await asyncio.Event().wait()
        if self.runs <= self.failures:
            raise self.error
        return RunnerResponse(ok=True, stdout=f"try {self.runs}")


class Gated(Scripted):
    """Each run begins, and ends when its gate is opened."""

    def __init__(self) -> None:
        super().__init__()
        self.gates: dict[str, asyncio.Event] = {}
        self.news: asyncio.Queue[str] = asyncio.Queue()
        """The ids of what begins, and whatever else a test puts there."""

    async def run(self, call: Call) -> RunnerResponse:
        self.news.put_nowait(call.meta_action.id)
        await self.gates.setdefault(call.meta_action.id, asyncio.Event()).wait()
        return RunnerResponse(ok=True)


_NO_CLAIM = Annotations()


def some_call(annotations: Annotations = _NO_CLAIM, *, timeout_s: float = 120.0) -> MetaAction:
    """A call that waits."""
    info = MetaActionInfo(
        key="clock::tell",
        route=Route.MCP,
        description="Tell the time",
        annotations=annotations,
        timeout_s=timeout_s,
    )
    return MetaAction(new_id(), info, {})


def allowed(call: MetaAction) -> Decision:
    """A decision for a runner that does not ask for one."""
    return decided(call.id, call.info.key, call.info.content_hash, call.params)
