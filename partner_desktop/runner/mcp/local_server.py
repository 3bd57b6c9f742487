"""The in-process MCP server `local`: every dynamic ability is a tool of it. This half is free of the SDK.

Contract: the SDK is loaded, in a thread, by the first call. Server and client live in one task of this
part from then on and are closed by it; a call runs in its caller's task, so that cancelling the caller ends
the call and its processes. When the list of abilities changes, whoever listens is told.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol, cast

from partner_desktop.base.errors import TryAgainError
from partner_desktop.base.tasks import TaskSet
from partner_desktop.domain.events import AbilitiesEvent, Event
from partner_desktop.domain.meta_action import MetaAction, MetaActionInfo, RunnerResponse
from partner_desktop.domain.run_facts import Isolation
from partner_desktop.runner.mcp.port import RunScope
from partner_desktop.runner.routes import ActionRoute

LOCAL = "local"
"""The location of dynamic abilities, and the id of this server."""

_SDK_HALF = "partner_desktop.runner.mcp.local_tools"

#: The descriptions that files in `mcp/desc/` put in the place of a tool's own: key → JSON text.
Overrides = Callable[[], Mapping[str, str]]


class LocalServerPort(Protocol):
    """The open server, seen from outside of the SDK."""

    async def call(self, meta_action: MetaAction, *, scope: RunScope) -> RunnerResponse:
        """Call the tool of this ability, with the run as its context.

        Raises:
            ActionError: It could not be done.
        """
        ...

    async def tell_changed(self) -> None:
        """Tell every client that tools and resources are different now."""
        ...


class LocalServer:
    """Opens the server when it is needed. An ActionRoute, and a channel: it hears of changed abilities."""

    name = "local server"

    def __init__(
        self, scripts: ActionRoute, abilities: Callable[[], Sequence[MetaActionInfo]], overrides: Overrides
    ) -> None:
        self._scripts = scripts
        self._abilities = abilities
        self._overrides = overrides
        self._tasks = TaskSet(self.name)
        self._opened: asyncio.Future[LocalServerPort] | None = None
        self._changed = asyncio.Event()

    async def close(self) -> None:
        await self._tasks.close()

    def isolation(self, info: MetaActionInfo) -> Isolation:
        return self._scripts.isolation(info)

    async def run(self, meta_action: MetaAction, *, scope: RunScope) -> RunnerResponse:
        door = await self.open()
        return await door.call(meta_action, scope=scope)

    def accepts(self, event: Event) -> bool:
        """Whether the event is about dynamic abilities."""
        if not isinstance(event, AbilitiesEvent):
            return False
        keys = [*(ability.key for ability in event.changed), *event.removed]
        return any(key.startswith(f"{LOCAL}::") for key in keys)

    def deliver(self, event: Event) -> None:
        del event
        self.changed()

    def changed(self) -> None:
        """Abilities or overrides are different now; several changes in a row are told once."""
        self._changed.set()

    async def open(self) -> LocalServerPort:
        """The open server; the first call opens it.

        Raises:
            TryAgainError: It could not be opened.
        """
        if self._opened is None:
            self._opened = asyncio.get_running_loop().create_future()
            self._tasks.start("serve", self._serve(self._opened))
        opened = self._opened
        await asyncio.wait([opened])
        if opened.cancelled():
            raise TryAgainError("The server for your own abilities could not be opened; the log says why.")
        return opened.result()

    async def _serve(self, opened: asyncio.Future[LocalServerPort]) -> None:
        try:
            async with await self._load() as door:
                opened.set_result(door)
                while True:
                    await self._changed.wait()
                    self._changed.clear()
                    await door.tell_changed()
        finally:
            self._opened = None
            opened.cancel()  # whoever waits still

    async def _load(self) -> AbstractAsyncContextManager[LocalServerPort]:
        sdk_half = await asyncio.to_thread(importlib.import_module, _SDK_HALF)
        made = sdk_half.open_local(self._scripts, self._abilities, self._overrides)
        return cast(
            "AbstractAsyncContextManager[LocalServerPort]", made
        )  # a module loaded by name is untyped
