"""What is asked of a process run, what it needs around its start, and how it ended.

Around its start: the guard's options, the sandbox's command line, and the gate, which holds a sandbox back
until what it shows was compared. bwrap reads its filter of system calls when all is mounted, right before it
starts the command, and to its end. So the filter comes through a pipe, and its last bytes when the mounts are
right. A filter without them bwrap takes for damaged, and starts nothing: also when Partner dies meanwhile.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import math
import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from partner_desktop.base.errors import ActionError, AskHumanError, TellMindError, TryAgainError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.paths import display_path
from partner_desktop.base.text import cut
from partner_desktop.domain.command_session import Stream
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.meta_action import RunnerResponse
from partner_desktop.runner.launchers import interpreter
from partner_desktop.runner.mounts import HeldMounts
from partner_desktop.runner.sandbox import (
    Inherited,
    Limits,
    SandboxSpec,
    check_paths,
    hold_mounts,
    make_missing,
    program_of,
    remove_unused,
)

_PASSED_ON = (
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR",
    "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS",
)  # fmt: skip

StoppedBy = Literal["timeout", "flood", "forks", "memory", "disk", "cancel"]


@dataclass(frozen=True)
class OutputLimits:
    """How much of the output is kept where, in bytes."""

    stdout_bytes: int = 64 * 1024
    """Inline; a quarter of it from the end."""
    stderr_bytes: int = 16 * 1024
    """Inline; three quarters of it from the end."""
    spill_bytes: int = 16 * 1024**2
    """Of each stream on disk; with 0 nothing is put there."""
    flood_bytes: int = 64 * 1024**2
    """Both together; past it the run is stopped. 0: it may print for ever."""


@dataclass(frozen=True)
class LaunchSpec:
    """One command to run."""

    argv: tuple[str, ...]
    """The program first, absolute when sandboxed."""
    spill_dir: Path
    """Where `stdout.txt` and `stderr.txt` go when they are too long to keep inline; made when needed."""
    stdin: bytes = b""
    cwd: str | Path = ""
    """Without a sandbox; the home folder by default. In the sandbox it is the workspace."""
    env: Mapping[str, str] | None = None
    """Without a sandbox: all of it, `plain_environment()` by default. In one: see `SandboxSpec.env`."""
    timeout_s: float = 120.0
    """`math.inf`: it may take for ever."""
    grace_s: float = 0.5
    """Between SIGTERM and SIGKILL when its time is up, and with `polite` also when it is cancelled."""
    polite: bool = False
    """A cancel asks it to end first. Without it everything is killed at once."""
    sandbox: SandboxSpec | None = None
    output: OutputLimits = OutputLimits()
    prepare: Callable[[], None] | None = None
    """What is to be looked at or made before it starts, off the loop; an ActionError of it ends the run."""
    on_bytes: Callable[[Stream, bytes], None] | None = None
    """Gets every piece of output as it came, on the run's own thread."""
    finish: Callable[[], None] | None = None
    """What is to be noted once nothing of it runs any more, however it ended; off the loop."""
    tidy: Callable[[], None] | None = None
    """What is to be cleared away after it, when nobody waits for it any more: a disk that syncs takes
    milliseconds to remove a folder. Partner's end may come before it."""
    hand_over: bool = False
    """The command hands something to a program that shall live on (`xdg-open`): nothing is killed, output
    is not kept, and what still runs after `timeout_s` counts as done. Not with a sandbox."""

    def __post_init__(self) -> None:
        if self.hand_over and self.sandbox is not None:
            raise ValueError("what is handed over cannot be held in a sandbox")


@dataclass(frozen=True)
class ProcessOutcome:
    """How a run ended."""

    exit_code: int | None
    """`None` if a signal ended it."""
    signal: int | None
    stdout: str
    """UTF-8, undecodable bytes replaced, without control characters and terminal colours; shortened."""
    stderr: str
    truncated: bool
    """Something of stdout was left out of the text."""
    stdout_path: Path | None
    """The output as it came, up to `OutputLimits.spill_bytes`; only when it is truncated."""
    stderr_path: Path | None
    """The same of stderr, when its text was shortened."""
    undecodable: bool
    """Some bytes of stdout were not UTF-8."""
    stopped_by: StoppedBy | None
    error: str
    """One sentence for the person; empty when the exit code is 0."""
    duration_ms: int


def plain_environment() -> dict[str, str]:
    """What a run without sandbox inherits: the session's basics, not the variables that carry secrets."""
    passed = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    passed |= {name: value for name, value in os.environ.items() if name.startswith(("LC_", "XDG_"))}
    passed.setdefault("PATH", os.defpath)
    return passed | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1"}


def not_started(number: int | None, program: str) -> ActionError:
    """Why a program could not be started; `number` is the errno."""
    name, reason = display_path(Path(program)), os.strerror(number or 0)
    if number == errno.ENOENT:
        return AskHumanError("ending.not_there", name=name)
    if number in (errno.EACCES, errno.EPERM):
        return AskHumanError("ending.may_not", name=name)
    if number == errno.ENOEXEC:
        return AskHumanError("ending.no_program", name=name)
    if number == errno.E2BIG:
        return TellMindError("ending.long_arguments", name=name)
    return TryAgainError("ending.not_started", name=name, reason=reason)


def ending_sentence(
    spec: LaunchSpec, stopped_by: StoppedBy | None, code: int | None, number: int | None, stderr: str
) -> str:
    """What the person is told; empty on success."""
    if stopped_by is None:
        return _ending(spec, code, number, stderr)
    if stopped_by == "cancel":
        return sentence_of("ending.cancelled")
    limits = spec.sandbox.limits if spec.sandbox is not None else Limits()
    sizes = {
        "flood": spec.output.flood_bytes,
        "memory": limits.memory_bytes,
        "disk": limits.workspace_bytes,
    }
    return sentence_of(
        f"ending.{stopped_by}",
        seconds=f"{spec.timeout_s:g}",
        count=limits.processes,
        size=_size(sizes.get(stopped_by, 0)),
    )


def _ending(spec: LaunchSpec, code: int | None, number: int | None, stderr: str) -> str:
    if number == signal.SIGXCPU:
        return sentence_of("ending.processor", seconds=math.ceil(spec.timeout_s))
    if number is not None:
        known = number in signal.Signals.__members__.values()
        return sentence_of("ending.signal", signal=signal.Signals(number).name if known else number)
    if code is None:
        return sentence_of("ending.outside")
    if code == 0:
        return ""
    said = last_line(stderr)
    return sentence_of("ending.code_said" if said else "ending.code", code=code, said=said)


def last_line(text: str) -> str:
    """The last line that says something, shortened."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return cut(lines[-1], 200) if lines else ""


def _size(count: int) -> str:
    for unit, name in ((1024**3, "GiB"), (1024**2, "MiB"), (1024, "KiB")):
        if count >= unit:
            return f"{count / unit:g} {name}"
    return sentence_of("size.bytes", count=count)


def response_of(outcome: ProcessOutcome, *, sandboxed: bool) -> RunnerResponse:
    """What the record keeps of a run."""
    return RunnerResponse(
        ok=outcome.exit_code == 0 and outcome.stopped_by is None,
        stdout=outcome.stdout,
        stderr=outcome.stderr,
        data=None if outcome.truncated else parsed_output(outcome.stdout),
        exit_code=outcome.exit_code,
        duration_ms=outcome.duration_ms,
        error=outcome.error,
        truncated=outcome.truncated,
        stdout_path=outcome.stdout_path,
        stderr_path=outcome.stderr_path,
        sandboxed=sandboxed,
    )


def parsed_output(text: str) -> Json:
    """The text as JSON, if it is an object or a list; `None` otherwise."""
    text = text.strip()
    if not text.startswith(("{", "[")):
        return None
    try:
        found: Json = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found


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
