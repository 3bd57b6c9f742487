"""What the guard of a server's process tells (see `guard.py`), and what that means."""

from __future__ import annotations

import contextlib
import os
import signal
from dataclasses import dataclass


@dataclass(frozen=True)
class ProcessEnd:
    """How a server's process ended."""

    exit_code: int | None = None
    signal: int | None = None
    errno: int | None = None
    """It could not be started."""
    folder_missing: bool = False
    read_all: bool = False
    """It took everything that it was sent out of its stdin."""


class GuardReport:
    """Its lines so far."""

    def __init__(self) -> None:
        self._told = b""

    def feed(self, data: bytes) -> None:
        """Take what it said."""
        self._told += data

    @property
    def ended(self) -> bool:
        """Whether the command came to an end, or never began."""
        return bool(self._facts().keys() & {"exit", "signal", "errno"})

    def end(self, *, read_all: bool) -> ProcessEnd:
        """How it ended, as far as was told."""
        facts = self._facts()
        code, number, errno = (
            int(facts[name]) if name in facts else None for name in ("exit", "signal", "errno")
        )
        return ProcessEnd(code, number, errno, read_all=read_all)

    def kill_group(self) -> None:
        """For when the guard itself cannot do it."""
        pid = self._facts().get("pid")
        if pid is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(int(pid), signal.SIGKILL)

    def _facts(self) -> dict[str, str]:
        words = [line.partition(b" ") for line in self._told.split(b"\n")[:-1]]
        return {name.decode(): value.decode() for name, _, value in words}
