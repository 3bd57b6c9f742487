"""From the end of a process to a RunnerResponse: exit 0 is success, stdout the result, JSON if it parses."""

from __future__ import annotations

import json

from partner_desktop.action.runner.launch_spec import ProcessOutcome
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.meta_action import RunnerResponse


def response_of(outcome: ProcessOutcome, *, sandboxed: bool) -> RunnerResponse:
    """What the record keeps of a run."""
    return RunnerResponse(
        ok=outcome.exit_code == 0 and outcome.stopped_by is None,
        stdout=outcome.stdout,
        stderr=outcome.stderr,
        data=None if outcome.truncated else parsed(outcome.stdout),
        exit_code=outcome.exit_code,
        duration_ms=outcome.duration_ms,
        error=outcome.error,
        truncated=outcome.truncated,
        stdout_path=outcome.stdout_path,
        stderr_path=outcome.stderr_path,
        sandboxed=sandboxed,
    )


def parsed(text: str) -> Json:
    """The text as JSON, if it is an object or a list; `None` otherwise."""
    text = text.strip()
    if not text.startswith(("{", "[")):
        return None
    try:
        found: Json = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found
