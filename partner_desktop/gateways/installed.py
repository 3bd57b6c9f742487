"""InstalledGateways: starts what installed packages bring, and goes on without what does not start."""

from __future__ import annotations

from collections.abc import Callable

from partner_desktop.base import log
from partner_desktop.runtime.exceptions import ExceptionDoor
from partner_desktop.runtime.extensions import Extension, ExtensionLoader
from partner_desktop.runtime.gateway import Gateway

_log = log.area("gateways")


class InstalledGateways:
    """One gateway of the AgentContext that stands for all of them."""

    name = "installed gateways"

    def __init__(self, extensions: ExtensionLoader, host: object, exceptions: ExceptionDoor) -> None:
        self._extensions = extensions
        self._host = host
        self._exceptions = exceptions
        self._running: list[Gateway] = []

    async def launch(self) -> None:
        factories = self._extensions.gateway_factories()
        for extension in self._extensions.known.of("gateways"):
            await self._start(extension, lambda name=extension.name: factories[name](self._host, {}))  # type: ignore[misc] # bound now

    async def _start(self, extension: Extension, make: Callable[[], Gateway]) -> None:
        try:
            gateway = make()
            await gateway.launch()
        except Exception as error:  # noqa: BLE001 - foreign code
            self._extensions.refuse(extension, error)
        else:
            self._running.append(gateway)

    async def shutdown(self) -> None:
        while self._running:
            gateway = self._running.pop()
            try:
                await gateway.shutdown()
            except Exception as error:  # noqa: BLE001 - foreign code; the others close too
                self._exceptions.report(error, where=f"the gateway {gateway.name}")
