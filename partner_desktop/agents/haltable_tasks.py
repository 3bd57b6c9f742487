"""The tasks of a process while it runs, all of which can be halted at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine, Sequence
from typing import Any, TypeVar

from partner_desktop.base.errors import AgentError
from partner_desktop.base.tasks import CLOSE_TIMEOUT_S, TaskSet, happens

T = TypeVar("T")


class HaltedError(Exception):
    """It was halted while something was waited for."""


class HaltableTasks:
    """Opened and closed by the run of a process, again and again."""

    def __init__(self) -> None:
        self._halted = asyncio.Event()
        self._tasks: TaskSet | None = None

    @property
    def is_open(self) -> bool:
        return self._tasks is not None

    def open(self, name: str) -> None:
        """Begin, under a name."""
        self._halted.clear()
        self._tasks = TaskSet(name)

    async def close(self) -> None:
        """Cancel and await what is left, within a limit."""
        if self._tasks is not None:
            await self._tasks.close()
            self._tasks = None

    def halt(self) -> None:
        """Let whoever waits here wait no more, and cancel what they wait for."""
        self._halted.set()

    async def stop_point(self) -> None:
        """Once it is halted, go no further: the cancellation is on its way."""
        if self._halted.is_set():
            await happens(asyncio.Event())

    def start(self, name: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run it beside the others; it raises nothing."""
        assert self._tasks is not None
        return self._tasks.start(name, work)

    async def finish(self, tasks: Sequence[asyncio.Task[None]]) -> None:
        """Wait until they have ended or, where it is halted, until they are cancelled, within a limit."""
        halted = self.start("halted", happens(self._halted))
        pending = set(tasks)
        try:
            while pending and not halted.done():
                await asyncio.wait({*pending, halted}, return_when=asyncio.FIRST_COMPLETED)
                pending = {each for each in pending if not each.done()}
        finally:
            halted.cancel()
        for each in pending:
            each.cancel()
        if pending:
            await asyncio.wait(pending, timeout=CLOSE_TIMEOUT_S)

    async def unless_halted(self, work: Awaitable[T]) -> T:
        """What it gives.

        Raises:
            HaltedError: It was halted first; the work was cancelled.
            AgentError: The work failed.
        """
        results: list[T] = []
        errors: list[Exception] = []

        async def run() -> None:
            try:
                results.append(await work)
            except Exception as error:  # noqa: BLE001 - raised on below, to whoever waits
                errors.append(error)

        await self.finish([self.start("work", run())])
        if errors:
            raise AgentError("common.told", text=errors[0]) from errors[0]
        if not results:
            raise HaltedError
        return results[0]
