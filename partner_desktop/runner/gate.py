"""Holds a sandbox back until what it shows was compared.

bwrap reads its filter of system calls when all is mounted, right before it starts the command, and to its
end. So the filter comes through a pipe, and its last bytes when the mounts are right. A filter without them
bwrap takes for damaged, and starts nothing: also when Partner dies meanwhile.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import select
import subprocess
import time

from partner_desktop.runner.mounts import HeldMounts

#: Less than an instruction, so that the filter is damaged without them.
_KEPT_BACK = 4
_LOOK_MS = 5


class Gate:
    """Of one sandbox. `stack` closes its descriptors with those of the run."""

    def __init__(self, stack: contextlib.ExitStack, calls: bytes, mounts: HeldMounts) -> None:
        self._mounts = mounts
        self._rest = calls[-_KEPT_BACK:]
        self._told = b""
        self.filter, self.wait_fd = os.pipe()
        stack.callback(os.close, self.filter)
        stack.callback(self._close)
        # Of one page, it can be written to again only when what is in it was read.
        fcntl.fcntl(self.wait_fd, fcntl.F_SETPIPE_SZ, len(calls))
        os.write(self.wait_fd, calls[:-_KEPT_BACK])
        self._status, self.status = filled_pipe(stack)
        self._is_open = False

    @property
    def passed(self) -> bool:
        """Whether the command was let in, and ended."""
        return self._is_open and b'"exit-code"' in self.report()

    def open(self) -> None:
        """To be called when `wait_fd` can be written to: the sandbox stands, and waits.

        Raises:
            AskHumanError: It shows something else than it should, or cannot be looked at.
        """
        found = re.search(rb'"child-pid"\s*:\s*(\d+)', self.report())
        self._mounts.check(f"/proc/{int(found[1])}/root" if found is not None else "/proc/0/root")
        self._mounts.close()  # a run may take hours, and descriptors are few
        with contextlib.suppress(BrokenPipeError):  # it has ended
            os.write(self.wait_fd, self._rest)
        self._close()
        self._is_open = True

    def wait(self, timeout_s: float, process: subprocess.Popen[bytes]) -> None:
        """Wait until it can be opened, and open it; it stays closed for a sandbox that ends before.

        Raises:
            AskHumanError: As `open`.
            TimeoutExpired: Neither came.
        """
        poller = select.poll()
        poller.register(self.wait_fd, select.POLLOUT)
        due = time.monotonic() + timeout_s
        while process.poll() is None:
            if poller.poll(_LOOK_MS):
                self.open()
                return
            if time.monotonic() > due:
                raise subprocess.TimeoutExpired(process.args, timeout_s)

    def report(self) -> bytes:
        """What the sandbox has reported so far."""
        with contextlib.suppress(BlockingIOError):
            self._told += os.read(self._status, 4096)
        return self._told

    def _close(self) -> None:
        if self.wait_fd >= 0:
            os.close(self.wait_fd)
            self.wait_fd = -1


def filled_pipe(stack: contextlib.ExitStack, filled: bytes | None = None) -> tuple[int, int]:
    """A pipe, closed with `stack`; with content it is filled and its writing end closed already."""
    reader, writer = os.pipe()
    stack.callback(os.close, reader)
    os.set_blocking(reader, filled is not None)
    if filled is None:
        stack.callback(os.close, writer)
    else:
        os.write(writer, filled)
        os.close(writer)
    return reader, writer
