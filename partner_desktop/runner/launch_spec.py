"""What is asked of a process run, and what comes back."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.command_session import Stream
from partner_desktop.runner.sandbox import SandboxSpec

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
