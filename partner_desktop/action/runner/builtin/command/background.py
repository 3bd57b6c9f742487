"""`command::start`, `inspect`, `read`, `cancel` and `overview`: commands in the background.

Where no id is given the only command that fits is meant: of this conversation first, then of all. Which one a
card would end stands on it, and no other is ended by a yes to it.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from partner_desktop.action.runner.builtin.command import background_infos as infos
from partner_desktop.action.runner.builtin.command.argv import folder_of, given_argv, with_program
from partner_desktop.action.runner.builtin.registry import BuiltinCall, BuiltinDefinition
from partner_desktop.action.runner.sessions.manager import CommandSessions
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import TellMindError, UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.text import cut
from partner_desktop.domain.command_session import CommandSession, SessionState, Stream
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, RunnerResponse

_SHORTEST_PREFIX = 4
_READ_BYTES = 4096


class BackgroundBuiltins:
    """Speaks through the sessions of this Partner."""

    def __init__(self, sessions: CommandSessions, *, clock: Clock) -> None:
        self._sessions = sessions
        self._clock = clock

    def definitions(self) -> Sequence[BuiltinDefinition]:
        return (
            BuiltinDefinition(infos.START, self._start),
            BuiltinDefinition(infos.OVERVIEW, self._overview),
            BuiltinDefinition(infos.INSPECT, self._inspect),
            BuiltinDefinition(infos.READ, self._read),
            BuiltinDefinition(infos.CANCEL, self._cancel),
        )

    async def _start(self, call: BuiltinCall) -> RunnerResponse:
        argv, folder = given_argv(call), folder_of(call)
        program = await with_program(argv, folder)
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
        summary = f"{cut(shlex.join(argv), 200)} runs in the background."
        return RunnerResponse(ok=True, data={"summary": summary, "executionId": session.id})

    async def _overview(self, call: BuiltinCall) -> RunnerResponse:
        del call
        sessions = self._sessions.list()
        running = sum(session.state is SessionState.RUNNING for session in sessions)
        summary = {0: "Nothing runs in the background.", 1: "1 command runs in the background."}.get(
            running, f"{running} commands run in the background."
        )
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
        if info.key != infos.CANCEL.key:
            return params
        try:
            named = str(params.get("id") or "")
            session = self._found(named, conversation_id, running=True)
        except TellMindError as error:
            raise UsageError(str(error)) from error
        return {"command": cut(shlex.join(session.argv), 200), "id": session.id}

    async def _cancel(self, call: BuiltinCall) -> RunnerResponse:
        if not call.text("id").strip():
            raise TellMindError("It is not said which command is to be ended; name its id.")
        session = self._meant(call, running=True)
        if session.state is not SessionState.RUNNING:
            return RunnerResponse(ok=True, data={"summary": _sentence(session), "executionId": session.id})
        await self._sessions.cancel(session.id)
        summary = f"{cut(shlex.join(session.argv), 200)} was ended, with everything that it had started."
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
            about = f"There is no command {named[:80]} in the background" if named else _NOTHING
            raise TellMindError(f"{about}.")
        which = "; ".join(f"{one.id} ({cut(shlex.join(one.argv), 60)})" for one in found)
        raise TellMindError(f"Say which of the {len(found)} commands by its id: {which}.")


_STREAMS: tuple[Stream, ...] = ("stdout", "stderr")
_NOTHING = "Nothing runs in the background"


def _begins(session_id: str, named: str) -> bool:
    return len(named) >= _SHORTEST_PREFIX and session_id.startswith(named)


def _line(session: CommandSession) -> JsonObject:
    return {
        "command": cut(shlex.join(session.argv), 200),
        "state": session.state.value,
        "exitCode": session.exit_code,
        "printed": f"{session.stdout_bytes + session.stderr_bytes} bytes",
        "executionId": session.id,
    }


def _sentence(session: CommandSession) -> str:
    command = cut(shlex.join(session.argv), 200)
    if session.state is SessionState.RUNNING:
        return f"{command} runs in the background."
    if session.state is SessionState.ENDED:
        return f"{command} has ended with exit code 0."
    return f"{command} has ended: {session.error}"
