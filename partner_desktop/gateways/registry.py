"""GatewayRegistry: runs the gateways that the settings name, and follows the settings as they change.

Contract: a gateway whose parameters stay the same is left alone by a reload, with its clients; a removed
one is shut down, a changed one is made anew. When one cannot be opened, what ran before runs again and the
reload is turned down. At the start one that cannot be opened keeps nothing else from starting: `faults` has
the sentence. Launched after the runtime, shut down before everything else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from partner_desktop.base import log
from partner_desktop.base.errors import GatewayError, PartnerError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.tasks import uninterrupted
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.domain.json_value import Json
from partner_desktop.gateways.settings import GatewaySettings
from partner_desktop.runtime.extension_points import Gateway

if TYPE_CHECKING:
    from partner_desktop.api.services import Services


_log = log.area("gateways")

#: Seconds that one gateway is given to open.
LAUNCH_TIMEOUT_S = 10.0
#: Seconds that one gateway is given to close; they close together.
SHUTDOWN_TIMEOUT_S = 4.0

Params = Mapping[str, Json]


@dataclass(frozen=True)
class _Running:
    params: Params
    gateway: Gateway


class GatewayRegistry:
    """The gateways of one host. A part of the AgentContext."""

    name = "gateways"

    def __init__(
        self,
        host: Services,
        settings: ConfigHandle[GatewaySettings],
        *factories: Mapping[str, GatewayFactory],
    ) -> None:
        self._host = host
        self._settings = settings
        self._factories = factories
        """Read when a gateway is opened: packages bring theirs at the launch."""
        self._running: dict[str, _Running] = {}
        self._reconciling = asyncio.Lock()
        self._undo: Callable[[], None] = lambda: None
        self._closed = False
        self._faults: list[str] = []

    @property
    def faults(self) -> Sequence[str]:
        """What could not be opened at the start, one sentence each."""
        return tuple(self._faults)

    def running(self, name: str) -> Gateway | None:
        """The gateway of this name, if it runs."""
        found = self._running.get(name)
        return found.gateway if found else None

    async def launch(self) -> None:
        """Open what the settings name, and listen for their changes."""
        self._undo = self._settings.on_change(self.apply)
        async with self._reconciling:
            for name, params in self._settings.value.wanted().items():
                try:
                    await self._open(name, params)
                except PartnerError as error:
                    _log.warning("%s", error)
                    self._faults.append(str(error))

    async def shutdown(self) -> None:
        """Close them all; idempotent."""
        self._closed = True
        self._undo()
        self._undo = lambda: None
        async with self._reconciling:
            await self._close(self._running)

    async def apply(self, settings: GatewaySettings) -> None:
        """Make what runs what the settings say.

        Raises:
            GatewayError: One cannot be opened; everything that ran before runs again.
        """
        async with self._reconciling:
            if self._closed:
                return
            wanted = settings.wanted()
            for name in wanted:
                self._factory(name)
            before = dict(self._running)
            await self._close([name for name, one in before.items() if wanted.get(name) != one.params])
            try:
                for name, params in wanted.items():
                    if name not in self._running:
                        await self._open(name, params)
            except BaseException as error:
                # Also when the reload's time is over: what ran before must run again.
                lost = await uninterrupted(self._restore(before))
                if isinstance(error, PartnerError):
                    raise GatewayError("gateways.and_lost", error=error, lost=lost) from error
                raise
            self._faults.clear()

    async def _restore(self, before: Mapping[str, _Running]) -> str:
        """Run again what ran before; a sentence more where even that fails."""
        await self._close([name for name, one in self._running.items() if before.get(name) is not one])
        lost = []
        for name, one in before.items():
            if name not in self._running:
                try:
                    await self._open(name, one.params)
                except PartnerError as error:
                    lost.append(sentence_of("gateways.not_opened_again", name=name, error=error))
        return "".join(lost)

    def _factory(self, name: str) -> GatewayFactory:
        for some in self._factories:
            if name in some:
                return some[name]
        known = ", ".join(sorted(name for some in self._factories for name in some)) or "none"
        raise GatewayError("gateways.unknown", name=name, known=known)

    async def _open(self, name: str, params: Params) -> None:
        factory = self._factory(name)
        gateway: Gateway | None = None
        try:
            gateway = factory(self._host, params)
            async with asyncio.timeout(LAUNCH_TIMEOUT_S):
                await gateway.launch()
        except BaseException as error:
            if gateway is not None:
                await self._end(name, gateway)  # what it had opened half-way
            if isinstance(error, PartnerError):
                raise
            if isinstance(error, TimeoutError):
                raise GatewayError("gateways.did_not_open", name=name, seconds=LAUNCH_TIMEOUT_S) from error
            if isinstance(error, Exception):
                raise GatewayError("gateways.not_opened", name=name, error=error) from error
            raise
        self._running[name] = _Running(params, gateway)
        _log.info("%s is open", name)

    async def _close(self, names: Sequence[str] | Mapping[str, _Running]) -> None:
        leaving = [(name, self._running.pop(name)) for name in tuple(names)]
        await asyncio.gather(*(self._end(name, one.gateway) for name, one in leaving))

    async def _end(self, name: str, gateway: Gateway) -> None:
        """One that raises or hangs keeps nothing else from closing."""
        try:
            async with asyncio.timeout(SHUTDOWN_TIMEOUT_S):
                await gateway.shutdown()
        except TimeoutError:
            _log.error("%s did not close within %s s", name, SHUTDOWN_TIMEOUT_S)
        except Exception:  # noqa: BLE001 - a bridge to foreign code
            _log.exception("closing %s failed", name)


#: Makes a gateway; it opens nothing before `launch`. A PartnerError says what is wrong with the params.
GatewayFactory: TypeAlias = Callable[["Services", Mapping[str, Json]], Gateway]
