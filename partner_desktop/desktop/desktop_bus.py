"""The desktop's services over the session's D-Bus: asked, and heard. The one door to the library for it.

A service that is not there, or does not answer, is one error, whatever the library makes of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.tasks import uninterrupted

if TYPE_CHECKING:
    from jeepney.io.asyncio import DBusRouter

T = TypeVar("T")

#: A service that does not answer is as good as none.
_ANSWER_TIMEOUT_S = 3.0
#: Signals that came in and were not looked at yet: those of all programs come.
_MOST_SIGNALS = 64


class NoDesktopServiceError(Exception):
    """There is no such service here, or it does not answer."""


@dataclass(frozen=True)
class BusService:
    """Where a service is asked."""

    name: str
    path: str
    interface: str


@dataclass(frozen=True)
class BusSignal:
    """What a service told everybody, or us."""

    path: str
    member: str
    body: tuple[Any, ...]


class DesktopBus:
    """One connection."""

    def __init__(self, router: DBusRouter) -> None:
        self._router = router

    async def call(
        self, service: BusService, method: str, signature: str = "", body: tuple[Any, ...] = ()
    ) -> tuple[Any, ...]:
        """Ask for something and wait for the answer.

        Raises:
            NoDesktopServiceError: Nobody is there, or answers.
        """
        from jeepney import DBusAddress, new_method_call  # noqa: PLC0415 - as below
        from jeepney.wrappers import unwrap_msg  # noqa: PLC0415

        address = DBusAddress(service.path, bus_name=service.name, interface=service.interface)
        message = new_method_call(address, method, signature or None, body)
        answer = await _whole(self._router.send_and_get_reply(message))
        with _told_as_one():
            return tuple(unwrap_msg(answer))

    @asynccontextmanager
    async def signals(self, interface: str, path: str | None = None) -> AsyncIterator[SignalQueue]:
        """What is told from now on."""
        from jeepney import MatchRule  # noqa: PLC0415 - as below
        from jeepney.bus_messages import message_bus  # noqa: PLC0415
        from jeepney.io.asyncio import Proxy  # noqa: PLC0415

        rule = MatchRule(type="signal", interface=interface, path=path)
        with self._router.filter(rule, bufsize=_MOST_SIGNALS) as queue:
            await _whole(Proxy(message_bus, self._router).AddMatch(rule))
            yield SignalQueue(queue)


class SignalQueue:
    """Signals in their order."""

    def __init__(self, queue: asyncio.Queue[Any]) -> None:
        self._queue = queue

    async def next(self) -> BusSignal:
        """Wait for the next one."""
        from jeepney import HeaderFields  # noqa: PLC0415 - as below

        message = await self._queue.get()
        fields = message.header.fields
        return BusSignal(
            str(fields.get(HeaderFields.path)), str(fields.get(HeaderFields.member)), message.body
        )


@asynccontextmanager
async def desktop_bus() -> AsyncIterator[DesktopBus]:
    """A connection for as long as it is needed.

    Raises:
        NoDesktopServiceError: There is no bus, or who was asked is not there or does not answer.
    """
    from jeepney.io.asyncio import open_dbus_router  # noqa: PLC0415 - with the first that is needed

    with _told_as_one():
        async with open_dbus_router("SESSION") as router:
            yield DesktopBus(router)


async def _whole(call: Coroutine[Any, Any, T]) -> T:
    """The answer. Whoever gives up waiting waits for it still: to a library that has a call of which nobody
    wants the answer any more, an answer is the end of the connection.

    Raises:
        NoDesktopServiceError: There is none in time.
    """
    answer = await uninterrupted(_answer_or_error(call))
    if isinstance(answer, NoDesktopServiceError):
        raise answer
    return answer


async def _answer_or_error(call: Coroutine[Any, Any, T]) -> T | NoDesktopServiceError:
    try:
        with _told_as_one():
            async with asyncio.timeout(_ANSWER_TIMEOUT_S):
                return await call
    except NoDesktopServiceError as error:
        return error


@contextmanager
def _told_as_one() -> Iterator[None]:
    from jeepney import DBusErrorResponse  # noqa: PLC0415 - as above

    try:
        yield
    except (OSError, EOFError, LookupError, ValueError, RuntimeError, DBusErrorResponse) as error:
        raise NoDesktopServiceError(str(error)) from error
