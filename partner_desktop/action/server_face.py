"""The part of the app's public face that is about external MCP servers; `app.Partner` inherits it."""

from __future__ import annotations

from collections.abc import Sequence

from partner_desktop.domain.elicitation import Elicitation, ElicitationAnswer
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.mcp_server import ServerStatus
from partner_desktop.domain.meta_action import RunnerResponse


class ServerFace:
    """Whoever inherits builds the parts."""

    def servers(self) -> Sequence[ServerStatus]:
        """Every configured server, by name."""
        return ()

    async def restart_server(self, server_id: str) -> None:
        """Begin it anew, now, whatever it was doing; returns once that is under way.

        Raises:
            UsageError: There is no such server, or it is switched off.
        """
        raise NotImplementedError

    async def switch_server(self, server_id: str, *, on: bool) -> None:
        """Stop a server for good, or let it run again; kept over restarts.

        Raises:
            UsageError: There is no such server, or its own file switches it off.
        """
        raise NotImplementedError

    async def server_log(self, server_id: str) -> str:
        """What it wrote to stderr and told as log messages, newest last, at most 64 KiB.

        Raises:
            UsageError: There is no such server.
        """
        raise NotImplementedError

    async def read_resource(self, server_id: str, uri: str) -> RunnerResponse:
        """What a server has under an address.

        Raises:
            UsageError: There is no such server, or it is not ready.
            ActionError: It could not be read.
        """
        raise NotImplementedError

    async def get_prompt(self, server_id: str, name: str, arguments: JsonObject) -> RunnerResponse:
        """A prompt of a server, filled in.

        Raises:
            UsageError: There is no such server, or it is not ready.
            ActionError: It could not be made.
        """
        raise NotImplementedError

    async def keep_server_secret(self, name: str, value: str) -> str:
        """Keep what `${keyring:name}` stands for; says where it is. The servers that wait for it start.

        Raises:
            ConfigError: It could not be kept.
        """
        raise NotImplementedError

    async def add_server_config(self, text: str, name: str) -> str:
        """Write a server's configuration into `mcp/`, under a name that is free; says in a sentence where.

        Raises:
            UsageError: The text configures no server, or not in a form that is read.
        """
        raise NotImplementedError

    def elicitations(self) -> Sequence[Elicitation]:
        """The open questions of servers, oldest first."""
        return ()

    async def answer_elicitation(self, elicitation_id: str, answer: ElicitationAnswer) -> None:
        """The person answered a server's question.

        Raises:
            UsageError: The question is not open (any more), or the answer does not fit its schema.
        """
        raise NotImplementedError
