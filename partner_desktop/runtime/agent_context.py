"""AgentContext: the small container. Parts are registered by hand, in one readable list, in app.py.

Contract: capabilities have exactly one implementation each; `validate` checks that before anything is
launched. Parts launch in the order they were added and shut down in reverse, each within a time limit;
one that raises or hangs never keeps the others from closing. A launch that fails closes what it opened.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol, TypeVar, cast

from partner_desktop.base import log
from partner_desktop.base.errors import PartnerError, WiringError
from partner_desktop.runtime.module import RunningModule

_log = log.area("lifecycle")

T = TypeVar("T")

#: Seconds that one part may take to shut down.
SHUTDOWN_TIMEOUT_S = 5.0


class Part(Protocol):
    """Something with a life: opened at launch, closed at shutdown."""

    async def launch(self) -> None: ...

    async def shutdown(self) -> None: ...


class AgentContext:
    """Parts, modules and capabilities of one Partner."""

    def __init__(self) -> None:
        self._parts: list[tuple[str, Part]] = []
        self._launched: list[tuple[str, Part]] = []
        self._modules: list[RunningModule] = []
        self._capabilities: dict[type, list[object]] = {}
        self._needs: list[tuple[str, type]] = []

    @property
    def modules(self) -> Sequence[RunningModule]:
        """Every module, in ascending order."""
        return sorted(self._modules, key=lambda module: module.order)

    def add_part(self, name: str, part: Part) -> None:
        """Append a part to the launch order."""
        self._parts.append((name, part))

    def add_module(self, module: RunningModule, *, needs: Sequence[type] = ()) -> None:
        """Register a module and the capabilities that it needs."""
        self._modules.append(module)
        self._needs.extend((module.name, need) for need in needs)

    def provide(self, protocol: type[T], implementation: T) -> None:
        """Register an implementation of a capability."""
        self._capabilities.setdefault(protocol, []).append(implementation)

    def capability(self, protocol: type[T]) -> T:
        """The one implementation of a capability.

        Raises:
            WiringError: There is none, or more than one.
        """
        found = self._capabilities.get(protocol, [])
        if len(found) != 1:
            names = " and ".join(type(item).__qualname__ for item in found) or "nothing"
            raise WiringError(f"{protocol.__name__} needs exactly one implementation; {names} provides it.")
        return cast("T", found[0])

    def validate(self) -> None:
        """Check names and capabilities before the launch.

        Raises:
            WiringError: Two modules share a name, a capability has two implementations (both are named),
                or one that is needed has none (who needs it is named).
        """
        names = [module.name for module in self._modules]
        for name in sorted({name for name in names if names.count(name) > 1}):
            raise WiringError(f"Two modules are called {name}; names must be unique.")
        for protocol in self._capabilities:
            self.capability(protocol)
        for who, protocol in self._needs:
            if protocol not in self._capabilities:
                raise WiringError(f"{who} needs {protocol.__name__}, which nothing provides.")

    async def launch(self) -> None:
        """Validate, then launch the parts in order.

        Raises:
            PartnerError: A part could not launch; what had been opened is closed again.
        """
        self.validate()
        for name, part in self._parts:
            try:
                await part.launch()
            except BaseException as error:
                _log.error("launch of %s failed: %s", name, error)
                await self.shutdown()
                if isinstance(error, PartnerError | asyncio.CancelledError) or not isinstance(
                    error, Exception
                ):
                    raise
                raise WiringError(f"{name} could not start: {error}") from error
            self._launched.append((name, part))

    async def shutdown(self) -> None:
        """Close what was launched, in reverse; idempotent."""
        while self._launched:
            name, part = self._launched.pop()
            try:
                await asyncio.wait_for(part.shutdown(), SHUTDOWN_TIMEOUT_S)
            except TimeoutError:
                _log.error("%s did not shut down within %s s", name, SHUTDOWN_TIMEOUT_S)
            except Exception:  # noqa: BLE001 - one failing part never keeps the others open
                _log.exception("shutdown of %s failed", name)
