"""What a run needs around its start: the guard's options, the sandbox's command line, and the gate before it.

The gate holds a sandbox back until what it shows was compared. bwrap reads its filter of system calls when
all is mounted, right before it starts the command, and to its end. So the filter comes through a pipe, and
its last bytes when the mounts are right. A filter without them bwrap takes for damaged, and starts nothing:
also when Partner dies meanwhile.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import math
import os
import re
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from partner_desktop.runner.launch_spec import LaunchSpec, not_started
from partner_desktop.runner.launchers import interpreter
from partner_desktop.runner.mounts import HeldMounts
from partner_desktop.runner.sandbox import (
    Inherited,
    SandboxSpec,
    check_paths,
    hold_mounts,
    make_missing,
    program_of,
    remove_unused,
)

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


LINGER_S = 1.0
"""For what the command left behind, while it keeps the output open."""
_GUARD = Path(__file__).with_name("guard.py")


def guard_command(options: Mapping[str, int | str], command: Sequence[str]) -> list[str]:
    """A command line under the guard."""
    told = [f"--{name}={value}" for name, value in options.items()]
    return [interpreter(), "-I", "-S", "-B", str(_GUARD), *told, "--", *command]


def guard_options(spec: LaunchSpec, life: int) -> dict[str, int | str]:
    """The guard's own options; `life` is the descriptor whose closing ends the run."""
    options: dict[str, int | str] = {
        "life": life,
        "grace-ms": int(spec.grace_s * 1000),
        "linger-ms": int(LINGER_S * 1000),
        "leave": int(spec.hand_over),
    }
    if spec.sandbox is not None:
        limits = spec.sandbox.limits
        options |= {
            "wrappers": spec.sandbox.sandbox.wrappers,
            "processes": limits.processes,
            "memory": limits.memory_bytes,
            "folder": os.fspath(spec.sandbox.workspace),
            "folder-bytes": limits.workspace_bytes,
            "nice": 10,  # the guard must get its turn among all of a run's processes
            "rlimit-cpu": math.ceil(spec.timeout_s),
            "rlimit-data": limits.data_bytes,
            "rlimit-fsize": limits.file_bytes,
            "rlimit-nofile": limits.open_files,
            # 0 would not keep the kernel from handing the dump to a program: see core(5).
            "rlimit-core": 1,
        }
        if spec.sandbox.sandbox.cgroup:
            options |= {"cgroup": spec.sandbox.sandbox.cgroup, "tasks": limits.tasks}
    return options


def inside(
    box: SandboxSpec, argv: tuple[str, ...], stack: contextlib.ExitStack
) -> tuple[list[str], list[int], Gate]:
    """The command line in the sandbox, the descriptors it inherits, and the gate at which it waits.

    Raises:
        AskHumanError: It may not be started, or would show something else than was approved.
    """
    if not os.access(argv[0], os.X_OK):
        raise not_started(errno.EACCES if Path(argv[0]).exists() else errno.ENOENT, argv[0])
    check_paths(box)
    stack.callback(remove_unused, make_missing(box))
    program = program_of(box, argv[0])
    mounts = hold_mounts(box, program)
    stack.callback(mounts.close)
    gate = Gate(stack, box.sandbox.filter(box), mounts)
    files = {place: filled_pipe(stack, text)[0] for place, text in box.sandbox.files(box).items()}
    inherited = Inherited(files, gate.filter, gate.status)
    command = box.sandbox.command((program.path, *argv[1:]), box, mounts=mounts, inherited=inherited)
    return command, [*files.values(), gate.filter, gate.status], gate
