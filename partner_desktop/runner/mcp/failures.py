"""Why a server did not start, or ended: one sentence for the person."""

from __future__ import annotations

import os
import signal

import mcp_types as types
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from partner_desktop.base.paths import display_path
from partner_desktop.domain.mcp_server import ServerFailure, ServerStep
from partner_desktop.runner.launch_spec import not_started
from partner_desktop.runner.mcp.config import ResolvedServer
from partner_desktop.runner.mcp.server_log import harmless_line
from partner_desktop.runner.mcp.server_process import ProcessEnd

_DOING = {
    ServerStep.RESOLVE: "while it was looked for",
    ServerStep.SPAWN: "while it was starting",
    ServerStep.HANDSHAKE: "before it had introduced itself",
    ServerStep.LIST: "while it was asked what it offers",
    ServerStep.RUN: "while it was in use",
}


def process_failure(
    server: ResolvedServer, step: ServerStep, end: ProcessEnd, stderr: tuple[str, ...]
) -> ServerFailure:
    """A process that could not be started, or that ended."""
    if end.errno is not None:
        return ServerFailure(ServerStep.SPAWN, _not_started(server, end), stderr=stderr, final=True)
    said = f": {stderr[-1]}" if stderr else "."
    if end.signal is not None:
        known = end.signal in signal.Signals.__members__.values()
        name = signal.Signals(end.signal).name if known else str(end.signal)
        message = f"It was ended by the signal {name} {_DOING[step]}{said}"
    elif end.exit_code is not None:
        message = f"It ended with exit code {end.exit_code} {_DOING[step]}{said}"
    else:
        message = f"It was ended from outside {_DOING[step]}{said}"
    return ServerFailure(step, harmless_line(message, 500), exit_code=end.exit_code, stderr=stderr)


def _not_started(server: ResolvedServer, end: ProcessEnd) -> str:
    if end.folder_missing and server.cwd is not None:
        return f"Its working folder {display_path(server.cwd)} is not there; make it, or change `cwd`."
    return str(not_started(end.errno, os.fspath(server.program or "")))


def start_timed_out(server: ResolvedServer, step: ServerStep, stderr: tuple[str, ...]) -> ServerFailure:
    """A start that took too long."""
    waited = {
        ServerStep.SPAWN: "It could not be reached",
        ServerStep.LIST: "It did not say what it offers",
    }.get(step, "It did not answer")
    message = (
        f"{waited} within {server.start_timeout_s:g} s; if it needs longer to start, give it a longer start"
        " time-out in its configuration."
    )
    return ServerFailure(step, message, stderr=stderr)


def protocol_failure(
    server: ResolvedServer, step: ServerStep, error: Exception, stderr: tuple[str, ...]
) -> ServerFailure:
    """A server that answers, but not as it must."""
    error = _telling(error)
    if isinstance(error, MCPError):
        message = f"It refused {_DOING[step].removeprefix('while it was ')}: {error.error.message}"
        if step is ServerStep.HANDSHAKE:
            message = f"It refused the connection: {error.error.message}"
        if error.error.code == types.CONNECTION_CLOSED:
            message = f"The connection broke {_DOING[step]}."
        if error.error.code == types.PARSE_ERROR:  # the SDK's own words quote the whole answer
            message = f"Its answer does not follow the protocol {_DOING[step]}: it is no valid JSON."
    elif isinstance(error, ValidationError):
        message = f"Its answer does not follow the protocol {_DOING[step]}: {error.errors()[0]['msg']}."
    else:
        message = f"The connection broke {_DOING[step]}: {str(error) or type(error).__name__}."
    return ServerFailure(step, harmless_line(server.secrets.masked(message), 500), stderr=stderr)


def _telling(error: Exception) -> Exception:
    """What a group of errors is about: a group itself only says how many they are."""
    causes = [each for each in causes_of(error) if isinstance(each, Exception)]
    told = [each for each in causes if not isinstance(each, BaseExceptionGroup)]
    known = (each for each in told if isinstance(each, MCPError | ValidationError))
    return next(known, told[0] if told else error)


def causes_of(error: BaseException | None) -> list[BaseException]:
    """The error, and what it came of, groups included."""
    found: list[BaseException] = []
    pending = [error]
    while pending and len(found) < 100:
        each = pending.pop()
        if each is None or each in found:
            continue
        found.append(each)
        pending += [each.__cause__, each.__context__]
        if isinstance(each, BaseExceptionGroup):
            pending += each.exceptions
    return found
