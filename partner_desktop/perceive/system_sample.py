"""The state of the machine at one moment; what it cannot tell is `None`, and is said so.

Its moments are said as a person says them, in the local time zone: the date, the weekday, how long ago.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta, tzinfo
from typing import Protocol, TypeVar

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.late_dataclass import dataclass

NOT_AVAILABLE = "not available"
_GIB = 1024**3


@dataclass(frozen=True)
class Usage:
    """Of a store of bytes: memory, or a disk."""

    used_bytes: int
    total_bytes: int

    @property
    def percent(self) -> float:
        return 100 * self.used_bytes / self.total_bytes if self.total_bytes else 0.0


@dataclass(frozen=True)
class Battery:
    """`plugged` is `None` where the machine does not tell."""

    percent: float
    plugged: bool | None


@dataclass(frozen=True, kw_only=True)
class SystemSample:
    """`cpu_percent` is of all processors together, 0 to 100; `load` over 1, 5 and 15 minutes."""

    at: datetime
    system: str | None = None
    version: str | None = None
    architecture: str | None = None
    processors: int | None = None
    uptime_s: float | None = None
    load: tuple[float, float, float] | None = None
    cpu_percent: float | None = None
    memory: Usage | None = None
    disk: Usage | None = None
    battery: Battery | None = None

    def full(self) -> str:
        """Every figure, one line each."""
        return "\n".join(
            f"{label}: {value or NOT_AVAILABLE}"
            for label, value in (
                ("os", self.system),
                ("os_version", self.version),
                ("architecture", self.architecture),
                ("uptime", duration(self.uptime_s) if self.uptime_s is not None else None),
                ("load_average", self._load()),
                ("cpu", _percent(self.cpu_percent)),
                ("memory", _usage(self.memory)),
                ("disk_of_home", _usage(self.disk)),
                ("battery", self._battery()),
                ("measured_at", self.at.astimezone().isoformat(timespec="seconds")),
            )
        )

    def compact(self) -> str:
        """The figures that change, in one line."""
        return ", ".join(
            f"{label} {value or NOT_AVAILABLE}"
            for label, value in (
                ("cpu", _percent(self.cpu_percent)),
                ("memory", _percent(self.memory.percent if self.memory else None)),
                ("disk", _percent(self.disk.percent if self.disk else None)),
                ("battery", self._battery()),
            )
        )

    def abstract(self) -> str:
        """The busiest that there is to say."""
        return f"cpu {_percent(self.cpu_percent) or NOT_AVAILABLE}"

    def _load(self) -> str | None:
        if self.load is None:
            return None
        figures = ", ".join(f"{value:.2f}" for value in self.load)
        return f"{figures} ({self.processors} processors)" if self.processors else figures

    def _battery(self) -> str | None:
        if self.battery is None:
            return None
        plugged = {True: ", plugged in", False: ", on battery power", None: ""}[self.battery.plugged]
        return f"{self.battery.percent:.0f} %{plugged}"


def _percent(value: float | None) -> str | None:
    return f"{value:.0f} %" if value is not None else None


def _usage(usage: Usage | None) -> str | None:
    if usage is None:
        return None
    return f"{usage.used_bytes / _GIB:.1f} of {usage.total_bytes / _GIB:.1f} GiB used ({usage.percent:.0f} %)"


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


_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
#: Up to this many seconds "in the future" two moments are the same: messages of two conversations overlap.
_OVERLAP = timedelta(seconds=60)
#: From how many seconds on a unit is counted in, the longest first.
_UNITS = (
    (2 * 365 * _DAY, 365 * _DAY, "year"),
    (61 * _DAY, 30 * _DAY, "month"),
    (14 * _DAY, 7 * _DAY, "week"),
    (_DAY, _DAY, "day"),
    (_HOUR, _HOUR, "hour"),
    (_MINUTE, _MINUTE, "minute"),
)


def in_words(at: datetime, *, zone: tzinfo | None = None) -> str:
    """`Saturday, 21 November 2026, 07:02 (CET, UTC+01:00)`; `zone`: the machine's own by default."""
    local = at.astimezone(zone)
    offset = f"{local:%z}"
    return (
        f"{local:%A}, {local.day} {local:%B %Y}, {local:%H:%M} "
        f"({local.tzname()}, UTC{offset[:3]}:{offset[3:5]})"
    )


def iso(at: datetime, *, zone: tzinfo | None = None) -> str:
    """For machines: ISO 8601 with the local offset, to the second."""
    return at.astimezone(zone).isoformat(timespec="seconds")


def gap(earlier: datetime, now: datetime) -> str | None:
    """`3 days ago`; `None` where the clock must have been set back since."""
    passed = now - earlier
    if passed < -_OVERLAP:
        return None
    seconds = max(0, int(passed.total_seconds()))
    for least, unit, name in _UNITS:
        if seconds >= least:
            number = seconds // unit
            return f"{number} {name}{'' if number == 1 else 's'} ago"
    return "just now"


def duration(seconds: float) -> str:
    """`3 days 4 hours`: the two largest units."""
    rest, parts = int(seconds), []
    for unit, name in ((_DAY, "day"), (_HOUR, "hour"), (_MINUTE, "minute")):
        number, rest = divmod(rest, unit)
        if number:
            parts.append(f"{number} {name}{'' if number == 1 else 's'}")
    return " ".join(parts[:2]) or "less than a minute"
