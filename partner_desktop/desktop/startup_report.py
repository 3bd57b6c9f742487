"""For the benchmark: when the first picture stood, and how large the process is once everything is up.

`PARTNER_STARTUP_REPORT` names the file; with `PARTNER_STARTUP_QUIT` the window closes when it is complete.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

VARIABLE = "PARTNER_STARTUP_REPORT"
QUIT_VARIABLE = "PARTNER_STARTUP_QUIT"
_STATM = Path("/proc/self/statm")


class StartupReport:
    """Written at the first paint, and again with the memory when Partner is up; nothing without a file."""

    def __init__(self) -> None:
        self._target = os.environ.get(VARIABLE, "")
        self._first_paint_ns = 0

    @property
    def quits(self) -> bool:
        """Whether the window should close once the report is complete."""
        return bool(self._target) and bool(os.environ.get(QUIT_VARIABLE))

    def painted(self) -> None:
        """The first picture stands."""
        if self._target:
            self._first_paint_ns = time.monotonic_ns()
            self._write()

    def ready(self) -> None:
        if self._target:
            self._write()

    def _write(self) -> None:
        import json  # noqa: PLC0415 - only where a report is asked for

        report = {"first_paint_monotonic_ns": self._first_paint_ns, "rss_bytes": _rss_bytes()}
        Path(self._target).write_text(json.dumps(report), encoding="utf-8")


def _rss_bytes() -> int:
    """Resident pages times their size (proc(5)); 0 where there is no such file."""
    if not _STATM.exists():
        return 0
    return int(_STATM.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
