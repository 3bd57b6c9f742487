"""The part of the public face that is about commands: what runs in the background, what runs print."""

from __future__ import annotations

from collections.abc import Sequence

from partner_desktop.action.executor import ActionExecutor
from partner_desktop.action.runner.sessions.manager import CommandSessions
from partner_desktop.domain.command_session import CommandSession, SessionOutput, Stream


class CommandFace:
    """Whoever inherits builds the parts."""

    _executor: ActionExecutor
    _sessions: CommandSessions

    def command_sessions(self) -> Sequence[CommandSession]:
        """The commands in the background, newest first; ended ones for ten minutes."""
        return self._sessions.all()

    async def session_output(
        self, session_id: str, stream: Stream, *, offset: int, limit: int = 4096
    ) -> SessionOutput:
        """A piece of what a command printed, from a byte on; a negative offset counts from the end.

        Raises:
            UsageError: There is no such command.
        """
        return await self._sessions.output(session_id, stream, offset=offset, limit=limit)

    async def cancel_session(self, session_id: str) -> None:
        """End a command and everything it started; returns when it is gone.

        Raises:
            UsageError: There is no such command.
        """
        await self._sessions.cancel(session_id)

    def output_so_far(self, action_id: str) -> dict[Stream, str]:
        """The end of what a run under way has printed, for a card that comes into view."""
        return self._executor.printed.so_far(action_id)
