"""What this machine tells of itself: the one door to psutil.

Blocking, for a thread. Imported with the first look, because no start-up should wait for psutil.
"""

from __future__ import annotations

import os
import platform
import time
from pathlib import Path

import psutil  # type: ignore[import-untyped] # has no types

from partner_desktop.perceive.system_sample import Battery, Usage


class ThisMachine:
    """A `Machine`: this one, its processors watched from now on. `home` lies on the disk that counts."""

    def __init__(self, home: Path) -> None:
        self._home = home
        try:
            self._since: tuple[float, float] | None = _processor_times()
        except (psutil.Error, OSError, RuntimeError):
            self._since = None  # it will not tell later either

    def system(self) -> str | None:
        return platform.system() or None

    def version(self) -> str | None:
        """The kernel's release, and the distribution's name where there is one."""
        release = platform.release()
        try:
            name = platform.freedesktop_os_release().get("PRETTY_NAME", "")
        except OSError:
            name = ""
        return f"{release} ({name})" if release and name else release or name or None

    def architecture(self) -> str | None:
        return platform.machine() or None

    def processors(self) -> int | None:
        found = psutil.cpu_count()
        return int(found) if found else None

    def uptime_s(self) -> float | None:
        passed = time.time() - psutil.boot_time()
        return float(passed) if passed >= 0 else None  # the clock was set back since the start

    def load(self) -> tuple[float, float, float] | None:
        """Not on Windows, where psutil makes the numbers up itself."""
        return os.getloadavg() if hasattr(os, "getloadavg") else None

    def cpu_percent(self) -> float | None:
        if self._since is None:
            return None
        busy_s, idle_s = (now - then for now, then in zip(_processor_times(), self._since, strict=True))
        # The time spent waiting for disks goes backwards now and then.
        return min(100.0, max(0.0, 100 * busy_s / (busy_s + idle_s))) if busy_s + idle_s > 0 else None

    def memory(self) -> Usage | None:
        """Used is what cannot be had: the rest is free, or would be freed."""
        memory = psutil.virtual_memory()
        return Usage(int(memory.total - memory.available), int(memory.total))

    def disk(self) -> Usage | None:
        there = next(path for path in (self._home, *self._home.parents) if path.exists())
        disk = psutil.disk_usage(str(there))
        return Usage(int(disk.used), int(disk.total))

    def battery(self) -> Battery | None:
        battery = psutil.sensors_battery()
        return Battery(float(battery.percent), battery.power_plugged) if battery is not None else None


def _processor_times() -> tuple[float, float]:
    """Seconds that all processors together have worked and rested; guests count among the users already."""
    times = psutil.cpu_times()
    idle_s = times.idle + getattr(times, "iowait", 0.0)
    guests_s = getattr(times, "guest", 0.0) + getattr(times, "guest_nice", 0.0)
    return sum(times) - guests_s - idle_s, idle_s
