"""`command::*`: one command to its end, with what it prints told as it comes; and commands in the background.

Where no id is given the only command that fits is meant: of this conversation first, then of all. Which one a
card would end stands on it, and no other is ended by a yes to it.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
from pathlib import Path

from partner_desktop.abilities.builtin.registry import BuiltinCall, Builtins
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import AskHumanError, TellMindError, UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.text import cut
from partner_desktop.domain.command_session import CommandSession, SessionState, Stream
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, RunnerResponse
from partner_desktop.runner.process_launch import LaunchSpec, response_of
from partner_desktop.runner.script_process import run_process
from partner_desktop.runner.sessions.manager import CommandSessions

_TIMEOUT_S = 120.0
_SHORTEST_PREFIX = 4
_CANCEL = "builtin::command::cancel"
_READ_BYTES = 4096


class CommandBuiltins:
    """Speaks through the sessions of this Partner."""

    def __init__(self, sessions: CommandSessions, *, clock: Clock) -> None:
        self._sessions = sessions
        self._clock = clock

    def definitions(self) -> Builtins:
        return {
            "command::execute": _execute,
            "command::start": self._start,
            "command::overview": self._overview,
            "command::inspect": self._inspect,
            "command::read": self._read,
            "command::cancel": self._cancel,
        }

    async def _start(self, call: BuiltinCall) -> RunnerResponse:
        argv, folder = _argv_of(call), _folder_of(call)
        program = await _with_program(argv, folder)
        session = CommandSession(
            id=new_id(),
            description=call.text("desc") or shlex.join(argv),
            argv=argv,
            cwd=str(folder),
            conversation_id=call.conversation_id,
            action_id=call.action_id,
            state=SessionState.RUNNING,
            started_at=self._clock.now(),
        )
        limit = call.params.get("timeoutSeconds")
        timeout_s = float(limit) if isinstance(limit, int | float) else None
        await self._sessions.start(session, program, timeout_s=timeout_s)
        summary = sentence_of("commands.runs", command=cut(shlex.join(argv), 200))
        return RunnerResponse(ok=True, data={"summary": summary, "executionId": session.id})

    async def _overview(self, call: BuiltinCall) -> RunnerResponse:
        del call
        sessions = self._sessions.list()
        running = sum(session.state is SessionState.RUNNING for session in sessions)
        told = {0: "commands.none_run", 1: "commands.one_runs"}.get(running, "commands.some_run")
        summary = sentence_of(told, count=running)
        lines: list[Json] = [_line(session) for session in sessions]
        listed: JsonObject = {"commands": lines} if lines else {}
        return RunnerResponse(ok=True, data={"summary": summary, **listed})

    async def _inspect(self, call: BuiltinCall) -> RunnerResponse:
        session = self._meant(call)
        data: JsonObject = {"summary": _sentence(session), "executionId": session.id}
        data |= {"state": session.state.value, "exitCode": session.exit_code}
        for stream in _STREAMS:
            data[stream] = await self._sessions.excerpt(session.id, stream)
        return RunnerResponse(ok=True, data=data)

    async def _read(self, call: BuiltinCall) -> RunnerResponse:
        session = self._meant(call)
        stream: Stream = "stderr" if call.text("stream") == "stderr" else "stdout"
        found = await self._sessions.output(
            session.id, stream, offset=call.number("offset", 0), limit=call.number("limit", _READ_BYTES)
        )
        data: JsonObject = {"content": found.text, "nextOffset": found.next_offset, "eof": found.eof}
        if found.lost_bytes:
            data["lostBytes"] = found.lost_bytes
        return RunnerResponse(ok=True, data=data)

    async def prefill(self, info: MetaActionInfo, params: JsonObject, conversation_id: str) -> JsonObject:
        """The parameters of `cancel`, so that its card names the command.

        Raises:
            UsageError: None fits, or several do.
        """
        if info.key != _CANCEL:
            return params
        try:
            named = str(params.get("id") or "")
            session = self._found(named, conversation_id, running=True)
        except TellMindError as error:
            raise UsageError("common.told", text=error) from error
        return {"command": cut(shlex.join(session.argv), 200), "id": session.id}

    async def _cancel(self, call: BuiltinCall) -> RunnerResponse:
        if not call.text("id").strip():
            raise TellMindError("commands.which")
        session = self._meant(call, running=True)
        if session.state is not SessionState.RUNNING:
            return RunnerResponse(ok=True, data={"summary": _sentence(session), "executionId": session.id})
        await self._sessions.cancel(session.id)
        summary = sentence_of("commands.cancelled", command=cut(shlex.join(session.argv), 200))
        return RunnerResponse(ok=True, data={"summary": summary, "executionId": session.id})

    def _meant(self, call: BuiltinCall, *, running: bool = False) -> CommandSession:
        """The command that a call is about.

        Raises:
            TellMindError: None fits, or several do.
        """
        return self._found(call.text("id"), call.conversation_id, running=running)

    def _found(self, named: str, conversation_id: str, *, running: bool) -> CommandSession:
        named = named.strip()
        sessions = self._sessions.list()
        if named:
            found = [one for one in sessions if one.id == named or _begins(one.id, named)]
        else:
            fit = [one for one in sessions if not running or one.state is SessionState.RUNNING]
            found = [one for one in fit if one.conversation_id == conversation_id] or fit
        if len(found) == 1:
            return found[0]
        if not found:
            raise TellMindError("gone_in_background" if named else "commands.none_run", id=named[:80])
        which = "; ".join(f"{one.id} ({cut(shlex.join(one.argv), 60)})" for one in found)
        raise TellMindError("commands.say_which", count=len(found), commands=which)


_STREAMS: tuple[Stream, ...] = ("stdout", "stderr")


def _begins(session_id: str, named: str) -> bool:
    return len(named) >= _SHORTEST_PREFIX and session_id.startswith(named)


def _line(session: CommandSession) -> JsonObject:
    return {
        "command": cut(shlex.join(session.argv), 200),
        "state": session.state.value,
        "exitCode": session.exit_code,
        "printed": sentence_of("size.bytes", count=session.stdout_bytes + session.stderr_bytes),
        "executionId": session.id,
    }


def _sentence(session: CommandSession) -> str:
    command = cut(shlex.join(session.argv), 200)
    if session.state is SessionState.RUNNING:
        return sentence_of("commands.runs", command=command)
    if session.state is SessionState.ENDED:
        return sentence_of("commands.ended", command=command)
    return sentence_of("commands.ended_so", command=command, error=session.error)


async def _execute(call: BuiltinCall) -> RunnerResponse:
    folder = _folder_of(call)
    argv = await _with_program(_argv_of(call), folder)
    spec = LaunchSpec(argv=argv, timeout_s=_TIMEOUT_S, spill_dir=call.run_folder, cwd=folder)
    return response_of(await run_process(spec, on_output=call.on_output), sandboxed=False)


def _argv_of(call: BuiltinCall) -> tuple[str, ...]:
    """What was approved, word by word."""
    given = call.params["argv"]
    return tuple(str(part) for part in given) if isinstance(given, list) else ()


def _folder_of(call: BuiltinCall) -> Path:
    """Where it runs: the folder that was given, or where the person stands."""
    return Path(call.text("cwd") or call.cwd or Path.home())


async def _with_program(argv: tuple[str, ...], folder: Path) -> tuple[str, ...]:
    """The same with the program's own path.

    Raises:
        AskHumanError: There is no such program.
    """
    name = argv[0] if argv else ""
    # A name with a slash is relative to where the person stands, not to where Partner runs.
    named = str(folder / name) if os.sep in name else name
    program = await asyncio.to_thread(shutil.which, named) if named else None
    if program is None:
        raise AskHumanError("no_program", name=name)
    return (program, *argv[1:])
