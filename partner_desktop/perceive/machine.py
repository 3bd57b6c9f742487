"""What a machine can be asked, and asking it everything at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.perceive.system_sample import Battery, SystemSample, Usage

_log = log.area("perceive")

T = TypeVar("T")


class Machine(Protocol):
    """Each figure by itself; it may be `None`, or raise anything."""

    def system(self) -> str | None: ...

    def version(self) -> str | None: ...

    def architecture(self) -> str | None: ...

    def processors(self) -> int | None: ...

    def uptime_s(self) -> float | None: ...

    def load(self) -> tuple[float, float, float] | None: ...

    def cpu_percent(self) -> float | None: ...

    def memory(self) -> Usage | None: ...

    def disk(self) -> Usage | None: ...

    def battery(self) -> Battery | None: ...


def take_sample(machine: Machine, *, clock: Clock) -> SystemSample:
    """Ask for every figure. Blocks; what the machine lacks or refuses is `None`, and nothing raises."""
    return SystemSample(
        at=clock.now(),
        system=_tried(machine.system),
        version=_tried(machine.version),
        architecture=_tried(machine.architecture),
        processors=_tried(machine.processors),
        uptime_s=_tried(machine.uptime_s),
        load=_tried(machine.load),
        cpu_percent=_tried(machine.cpu_percent),
        memory=_tried(machine.memory),
        disk=_tried(machine.disk),
        battery=_tried(machine.battery),
    )


def _tried(ask: Callable[[], T | None]) -> T | None:
    try:
        return ask()
    except Exception as error:  # noqa: BLE001 - platforms refuse in their own ways; the figure is then not there
        _log.info("this machine does not tell its %s (%s)", ask.__name__, error)
        return None
