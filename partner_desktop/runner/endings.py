"""How a run ended: in one sentence for the person, and as the response that its record keeps."""

from __future__ import annotations

import errno
import json
import math
import os
import signal
from pathlib import Path

from partner_desktop.base.errors import ActionError, AskHumanError, TellMindError, TryAgainError
from partner_desktop.base.paths import display_path
from partner_desktop.base.spoken import sentence_of
from partner_desktop.base.text import cut
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.meta_action import RunnerResponse
from partner_desktop.runner.launch_spec import LaunchSpec, ProcessOutcome, StoppedBy
from partner_desktop.runner.sandbox import Limits


def not_started(number: int | None, program: str) -> ActionError:
    """Why a program could not be started; `number` is the errno."""
    name, reason = display_path(Path(program)), os.strerror(number or 0)
    if number == errno.ENOENT:
        return AskHumanError(sentence_of("ending.not_there", name=name))
    if number in (errno.EACCES, errno.EPERM):
        return AskHumanError(sentence_of("ending.may_not", name=name))
    if number == errno.ENOEXEC:
        return AskHumanError(sentence_of("ending.no_program", name=name))
    if number == errno.E2BIG:
        return TellMindError(sentence_of("ending.long_arguments", name=name))
    return TryAgainError(sentence_of("ending.not_started", name=name, reason=reason))


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
