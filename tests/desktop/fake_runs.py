"""What a scripted Partner says about runs: what they print, what they leave, what is born and tried."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from partner_desktop.domain.command_session import CommandSession, SessionOutput, Stream
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import RunnerResponse


class FakeRuns:
    """`FakePartner` inherits it; what was asked stands in its `asked`."""

    asked: list[tuple[object, ...]]

    async def try_out(self, action_id: str, *, params: JsonObject | None = None) -> RunnerResponse:
        self.asked.append(("try_out", action_id, params))
        return RunnerResponse(ok=True, stdout="tried\n", exit_code=0, sandboxed=True)

    async def restore_ability(self, key: str) -> str:
        self.asked.append(("restore_ability", key))
        return key

    def output_so_far(self, action_id: str) -> dict[Stream, str]:
        return {}

    def command_sessions(self) -> Sequence[CommandSession]:
        return ()

    async def session_output(
        self, session_id: str, stream: Stream, *, offset: int, limit: int = 4096
    ) -> SessionOutput:
        self.asked.append(("session_output", session_id, stream, offset))
        return SessionOutput("", 0, eof=True)

    async def cancel_session(self, session_id: str) -> None:
        self.asked.append(("cancel_session", session_id))

    async def undo(self, action_id: str) -> str:
        self.asked.append(("undo", action_id))
        return "It is as it was."

    async def keep_files(self, action_id: str, folder: Path) -> str:
        self.asked.append(("keep_files", action_id, folder))
        return "They are kept."
