"""How a run ended: in one sentence for the person, and as the response that its record keeps."""

from __future__ import annotations

import errno
import json
import math
import os
import signal
from pathlib import Path

from partner_desktop.action.runner.launch_spec import LaunchSpec, ProcessOutcome, StoppedBy
from partner_desktop.action.runner.sandbox import Limits
from partner_desktop.base.errors import ActionError, AskHumanError, TellMindError, TryAgainError
from partner_desktop.base.paths import display_path
from partner_desktop.base.text import cut
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.meta_action import RunnerResponse


def not_started(number: int | None, program: str) -> ActionError:
    """Why a program could not be started; `number` is the errno."""
    name, reason = display_path(Path(program)), os.strerror(number or 0)
    if number == errno.ENOENT:
        return AskHumanError(f"{name} is not there, or the program that its first line names is not.")
    if number in (errno.EACCES, errno.EPERM):
        return AskHumanError(f"{name} may not be run; make it executable if it should be (chmod +x).")
    if number == errno.ENOEXEC:
        return AskHumanError(f"{name} is not a program that this system can run.")
    if number == errno.E2BIG:
        return TellMindError(
            f"The arguments for {name} are too long; put the text into a file and name that."
        )
    return TryAgainError(f"{name} could not be started: {reason}.")


def ending_sentence(
    spec: LaunchSpec, stopped_by: StoppedBy | None, code: int | None, number: int | None, stderr: str
) -> str:
    """What the person is told; empty on success."""
    if stopped_by is None:
        return _ending(spec, code, number, stderr)
    if stopped_by == "cancel":
        return "It was cancelled."
    limits = spec.sandbox.limits if spec.sandbox is not None else Limits()
    did: dict[StoppedBy, str] = {
        "timeout": f"ran longer than {spec.timeout_s:g} s",
        "flood": f"printed more than {_size(spec.output.flood_bytes)}",
        "forks": f"started more than {limits.processes} processes",
        "memory": f"used more than {_size(limits.memory_bytes)} of memory",
        "disk": f"put more than {_size(limits.workspace_bytes)} into its workspace",
    }
    return f"It {did[stopped_by]}, so I stopped it."


def _ending(spec: LaunchSpec, code: int | None, number: int | None, stderr: str) -> str:
    if number == signal.SIGXCPU:
        return f"It used more than {math.ceil(spec.timeout_s)} s of processor time, so it was stopped."
    if number is not None:
        known = number in signal.Signals.__members__.values()
        return f"It was ended by the signal {signal.Signals(number).name if known else number}."
    if code is None:
        return "It was ended from outside before it was done."
    if code == 0:
        return ""
    said = last_line(stderr)
    return f"It ended with exit code {code}: {said}" if said else f"It ended with exit code {code}."


def last_line(text: str) -> str:
    """The last line that says something, shortened."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return cut(lines[-1], 200) if lines else ""


def _size(count: int) -> str:
    for unit, name in ((1024**3, "GiB"), (1024**2, "MiB"), (1024, "KiB")):
        if count >= unit:
            return f"{count / unit:g} {name}"
    return f"{count} bytes"


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
