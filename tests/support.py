"""Hand-made helpers that tests share."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.clock import SystemClock
from partner_desktop.base.errors import PartnerError
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import DoneEvent, Event, ServersEvent

REPOSITORY = Path(__file__).resolve().parent.parent

#: Nothing that a test waits for takes longer, on a machine whose processors are all busy with other things:
#: with forty others at two processors, what takes half a second alone has taken over twenty. Only what never
#: comes is waited for to the end.
WAIT_S = 90.0


_Result = TypeVar("_Result")


class HastyClock(SystemClock):
    """A hundred times as fast: for tests that are not about the pause in which a person may go on."""

    def monotonic_s(self) -> float:
        return super().monotonic_s() * 100

    async def sleep(self, delay_s: float) -> None:
        await super().sleep(delay_s / 100)


class FakeClock:
    """Stands still until moved, at `now` or at whatever time it is."""

    def __init__(self, now: datetime | None = None) -> None:
        self._now = now or datetime.now(UTC)
        self._elapsed_s = 0.0
        self._sleepers: dict[asyncio.Future[None], tuple[float, float]] = {}
        """When each is due, and for how long it went to sleep."""

    def now(self) -> datetime:
        return self._now

    def monotonic_s(self) -> float:
        return self._elapsed_s

    def move(self, step: timedelta) -> None:
        """Let time pass."""
        self._now += step
        self._elapsed_s += step.total_seconds()
        for sleeper, (due_s, _) in list(self._sleepers.items()):
            if due_s <= self._elapsed_s and not sleeper.done():
                sleeper.set_result(None)

    def set_by(self, step: timedelta) -> None:
        """Set the wall clock; or let a machine sleep, which the other clock does not count."""
        self._now += step

    def naps(self) -> list[float]:
        """For how many seconds each of those who sleep went to sleep."""
        return [delay_s for _, delay_s in self._sleepers.values()]

    async def sleep(self, delay_s: float) -> None:
        sleeper = asyncio.get_running_loop().create_future()
        self._sleepers[sleeper] = (self._elapsed_s + delay_s, delay_s)
        try:
            await sleeper
        finally:
            del self._sleepers[sleeper]


class Watcher:
    """Everything that happened, and a bounded wait for what has not yet."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._news = asyncio.Event()

    def __call__(self, event: Event) -> None:
        self.events.append(event)
        self._news.set()

    def types(self) -> list[str]:
        return [event.type for event in self.events]

    async def until(self, fits: Callable[[Event], bool], *, wait_s: float = WAIT_S) -> Event:
        """The first event, past or to come, that fits."""
        try:
            async with asyncio.timeout(wait_s):
                seen = 0
                while True:
                    while seen < len(self.events):
                        if fits(self.events[seen]):
                            return self.events[seen]
                        seen += 1
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            last = "\n".join(repr(event)[:2000] for event in self.events[-8:])
            raise TimeoutError(f"of {len(self.events)} events none fits; the last of them:\n{last}") from None

    async def done(self, exchange_id: str = "") -> DoneEvent:
        """The end of an exchange."""
        found = await self.until(
            lambda event: isinstance(event, DoneEvent) and exchange_id in ("", event.exchange_id)
        )
        assert isinstance(found, DoneEvent)
        return found


async def yes_to(partner: Partner, exchange_id: str) -> None:
    """The person's own yes, once, to what an exchange has asked."""
    for record in await partner.actions.list():
        if record.exchange_id == exchange_id and record.status is ActionStatus.WAITING:
            await partner.actions.approve(record.id, scope="once")


class Trusting:
    """A person who lets every server start: for tests that are not about the question."""

    def __init__(self, partner: Partner) -> None:
        self._partner = partner
        self._saying: set[asyncio.Task[None]] = set()
        partner.subscribe(self)

    def __call__(self, event: Event) -> None:
        for status in event.changed if isinstance(event, ServersEvent) else ():
            if status.question is not None:
                task = asyncio.get_running_loop().create_task(
                    self._allow(status.id, status.question.shown_hash)
                )
                self._saying.add(task)
                task.add_done_callback(self._saying.discard)

    async def _allow(self, server_id: str, shown_hash: str) -> None:
        with contextlib.suppress(PartnerError):  # it is another by now, or gone with Partner
            await self._partner.servers.allow(server_id, shown_hash=shown_hash)

    async def settled(self) -> None:
        """Everything was said."""
        while self._saying:
            await asyncio.wait(self._saying)


async def ready_in_time(
    run: Callable[[float], Awaitable[_Result]], ready: Callable[[], bool]
) -> tuple[_Result, float]:
    """What came of a run that got `ready` before its time was up, and that time: a busy machine gets more.

    `run` takes the seconds that it is given.
    """
    for timeout_s in (0.3, 1.2, 5.0, 20.0):
        result = await run(timeout_s)
        if ready():
            return result, timeout_s
    raise AssertionError("it never got ready")


@contextlib.contextmanager
def unwritable(path: Path) -> Iterator[None]:
    """A file that cannot be replaced: where root may do everything, by the file system's own mark."""
    if os.getuid() != 0:
        path.parent.chmod(0o555)
        yield
        return
    if (
        subprocess.run(
            ["chattr", "+i", path.name], cwd=path.parent, capture_output=True, check=False
        ).returncode
        != 0
    ):
        pytest.skip("root may write everything here, and this file system has no marks")
    try:
        yield
    finally:
        marked = next(path.parent.parent.glob(f"*/{path.name}"))
        subprocess.run(["chattr", "-i", marked.name], cwd=marked.parent, check=True)


def run_cli_arguments(*arguments: str) -> list[str]:
    """The command line of the real program."""
    return [sys.executable, "-m", "partner_desktop", *arguments]


UPPER_SCRIPT = """\
# /// partner
# description = "Shout a text in capital letters"
# aliases = ["make it loud"]
# [params.text]
# type = "string"
# description = "the text to shout"
# ///
import sys
text = next(a.split("=", 1)[1] for a in sys.argv[1:] if a.startswith("--text="))
print(text.upper())
"""


async def drain(items: AsyncGenerator[Any, None]) -> None:
    """Follow an operation to its end."""
    async with aclosing(items) as told:
        async for _item in told:
            pass
