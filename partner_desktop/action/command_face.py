"""The part of the public face that is about commands: what runs in the background, what runs print."""

from __future__ import annotations

from collections.abc import Sequence

from partner_desktop.base.errors import UsageError
from partner_desktop.domain.command_session import CommandSession, SessionOutput, Stream


class CommandFace:
    """Whoever inherits builds the parts."""

    def command_sessions(self) -> Sequence[CommandSession]:
        """The commands in the background, newest first; ended ones for ten minutes."""
        return ()

    async def session_output(
        self, session_id: str, stream: Stream, *, offset: int, limit: int = 4096
    ) -> SessionOutput:
        """A piece of what a command printed, from a byte on; a negative offset counts from the end.

        Raises:
            UsageError: There is no such command.
        """
        raise UsageError(f"There is no command {session_id} in the background.")

    async def cancel_session(self, session_id: str) -> None:
        """End a command and everything it started; returns when it is gone.

        Raises:
            UsageError: There is no such command.
        """
        raise UsageError(f"There is no command {session_id} in the background.")

    def output_so_far(self, action_id: str) -> dict[Stream, str]:
        """The end of what a run under way has printed, for a card that comes into view."""
        return {}
