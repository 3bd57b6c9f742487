"""What a scripted Partner says about runs: what they print, what they leave, what is born and tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from partner_desktop.domain.command_session import CommandSession, SessionOutput, SessionState, Stream
from partner_desktop.domain.events import Event, OutputEvent, SessionEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import RunnerResponse


class FakeRuns:
    """`FakePartner` inherits it; what was asked stands in its `asked`."""

    asked: list[tuple[object, ...]]
    tried: RunnerResponse = RunnerResponse(ok=True, stdout="tried\n", exit_code=0, sandboxed=True)

    @cached_property
    def printed(self) -> dict[str, dict[Stream, str]]:
        """What runs have printed so far."""
        return {}

    @cached_property
    def known_sessions(self) -> dict[str, CommandSession]:
        return {}

    @cached_property
    def session_texts(self) -> dict[tuple[str, Stream], bytes]:
        return {}

    def deliver(self, *events: Event) -> None:
        raise NotImplementedError

    # What a test does.

    def print(self, action_id: str, text: str, stream: Stream = "stdout") -> None:
        """A run prints, and everyone hears."""
        so_far = self.printed.setdefault(action_id, {})
        so_far[stream] = so_far.get(stream, "") + text
        self.deliver(OutputEvent(conversation_id="c1", action_id=action_id, stream=stream, text=text))

    def show_session(self, session: CommandSession, *, gone: bool = False) -> None:
        """A command is as it is now, and everyone hears."""
        self.known_sessions[session.id] = session
        self.deliver(SessionEvent(conversation_id=session.conversation_id, session=session, gone=gone))

    def print_in_session(self, session_id: str, text: str, stream: Stream = "stdout") -> None:
        """A command prints, and everyone hears."""
        key = (session_id, stream)
        self.session_texts[key] = self.session_texts.get(key, b"") + text.encode()
        amounts = {f"{stream}_bytes": len(self.session_texts[key])}
        self.show_session(replace(self.known_sessions[session_id], **amounts))  # type: ignore[arg-type] # ints

    # What the window asks.

    async def try_out(self, action_id: str, *, params: JsonObject | None = None) -> RunnerResponse:
        self.asked.append(("try_out", action_id, params))
        return self.tried

    def output_so_far(self, action_id: str) -> dict[Stream, str]:
        return dict(self.printed.get(action_id, {}))

    def command_sessions(self) -> Sequence[CommandSession]:
        return list(self.known_sessions.values())

    async def session_output(
        self, session_id: str, stream: Stream, *, offset: int, limit: int = 4096
    ) -> SessionOutput:
        self.asked.append(("session_output", session_id, stream, offset))
        whole = self.session_texts.get((session_id, stream), b"")
        piece = whole[offset : offset + limit]
        end = offset + len(piece)
        ended = self.known_sessions[session_id].state is not SessionState.RUNNING
        return SessionOutput(piece.decode(errors="replace"), end, eof=ended and end == len(whole))
