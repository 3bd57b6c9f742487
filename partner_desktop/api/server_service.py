"""ServerService: external MCP servers, what they ask, and what is kept for them."""

from __future__ import annotations

from collections.abc import Sequence

from partner_desktop.abilities.catalog import AbilityCatalog
from partner_desktop.base.operation import Caller, operation
from partner_desktop.domain.elicitation import Elicitation, ElicitationAnswer
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.mcp_server import ServerStatus
from partner_desktop.domain.meta_action import RunnerResponse
from partner_desktop.runner.mcp.configuration.secrets import ServerSecrets
from partner_desktop.runner.mcp.manager import McpServers
from partner_desktop.runner.mcp.server_import import ServerImport

#: Seconds for which a question about all servers waits for those that are just starting.
_START_WAIT_S = 10.0
#: Locations that are no servers.
_OUR_OWN = frozenset({"local", "builtin", "origin"})


class ServerService:
    """Speaks for the manager of the servers and for what stands around it."""

    def __init__(
        self,
        manager: McpServers,
        catalog: AbilityCatalog,
        server_import: ServerImport,
        secrets: ServerSecrets,
    ) -> None:
        self._manager = manager
        self._catalog = catalog
        self._server_import = server_import
        self._secrets = secrets

    @operation(Caller.ATTACHED)
    def list(self) -> Sequence[ServerStatus]:
        """Every configured server, by name."""
        return self._manager.statuses()

    @operation(Caller.ATTACHED)
    async def settled(self) -> None:
        """Wait for the servers that are starting, but not for long: one that hangs is starting still.

        What the others offer is listed then.
        """
        await self._catalog.arrived(limit_s=_START_WAIT_S)

    @operation(Caller.ATTACHED)
    async def status(self, server_id: str) -> ServerStatus:
        """How one is, once it is not just starting.

        Raises:
            UsageError: There is no such server.
        """
        await self.settled()
        return await self._manager.status(server_id)

    @operation(Caller.ATTACHED)
    async def location_settled(self, key: str) -> None:
        """Wait until the server that a key names, if it names one, is ready or is not to be had."""
        location = key.partition("::")[0]
        if location not in _OUR_OWN:
            await self._manager.one_settled(location)
            await self._catalog.refresh()

    @operation(Caller.ATTACHED)
    async def restart(self, server_id: str) -> None:
        """Begin it anew, now, whatever it was doing; returns once that is under way.

        Raises:
            UsageError: There is no such server, or it is switched off.
        """
        await self._manager.restart(server_id)

    @operation(Caller.ATTACHED)
    async def switch(self, server_id: str, *, on: bool) -> None:
        """Stop a server for good, or let it run again; kept over restarts.

        Raises:
            UsageError: There is no such server, or its own file switches it off.
        """
        await self._manager.switch(server_id, on=on)

    @operation(Caller.ATTACHED)
    async def allow(self, server_id: str, *, shown_hash: str) -> None:
        """Say yes to what a server would start and get, as `ServerStatus.question` says it; it starts.

        `shown_hash` is that of the question which the person saw.

        Raises:
            UsageError: It asks nothing (any more), or something else by now.
            ConfigError: It could not be kept whom a secret is for.
        """
        await self._manager.allow(server_id, shown_hash=shown_hash)

    @operation(Caller.ATTACHED)
    async def sign_in(self, server_id: str) -> str:
        """Begin to sign in to a remote server; the address of the page, for the browser of who asked.

        `ServerStatus.sign_in` says how it goes on. Where one is under way already, its page comes again.

        Raises:
            UsageError: There is no such server, nobody signs in to it, or it came to nothing.
        """
        return await self._manager.sign_in(server_id)

    @operation(Caller.ATTACHED)
    async def sign_in_settled(self, server_id: str) -> None:
        """Wait until no sign-in to a server is under way, and the server has begun with what came of it.

        Raises:
            UsageError: There is no such server.
        """
        await self._manager.sign_in_settled(server_id)
        await self._catalog.refresh()

    @operation(Caller.ATTACHED)
    async def cancel_sign_in(self, server_id: str) -> None:
        """Give up the sign-in that is under way, if one is.

        Raises:
            UsageError: There is no such server.
        """
        await self._manager.cancel_sign_in(server_id)

    @operation(Caller.ATTACHED)
    async def sign_out(self, server_id: str) -> None:
        """Forget the sign-in to a server, here and, as far as that can be told, there; also to a removed one.

        Raises:
            UsageError: There is no such server, and nothing was kept of one.
            ConfigError: The keyring may still hold the tokens.
        """
        await self._manager.sign_out(server_id)

    @operation(Caller.ATTACHED)
    async def log(self, server_id: str) -> str:
        """What it wrote to stderr and told as log messages, newest last, at most 64 KiB.

        Raises:
            UsageError: There is no such server.
        """
        return await self._manager.log_text(server_id)

    @operation()
    async def read_resource(self, server_id: str, uri: str) -> RunnerResponse:
        """What a server has under an address.

        Raises:
            UsageError: There is no such server, or it is not ready.
            ActionError: It could not be read.
        """
        return await self._manager.read_resource(server_id, uri)

    @operation()
    async def get_prompt(self, server_id: str, name: str, arguments: JsonObject) -> RunnerResponse:
        """A prompt of a server, filled in.

        Raises:
            UsageError: There is no such server, or it is not ready.
            ActionError: It could not be made.
        """
        return await self._manager.get_prompt(server_id, name, arguments)

    @operation()
    async def keep_secret(self, name: str, value: str, *, server_id: str = "") -> str:
        """Keep what `${keyring:name}` stands for; says where it is. The servers that wait for it start.

        It is for `server_id` and for where that one goes now; any other that names it asks the person.

        Raises:
            ConfigError: It could not be kept.
        """
        holder = await self._manager.holder(server_id)
        where = await self._secrets.keep(name, value, holder=holder)
        self._manager.secret_kept(name)
        return where

    @operation()
    async def add(self, text: str, name: str, *, allow: bool = False) -> str:
        """Write a configuration into `mcp/`, under a name that is free; says in a sentence where.

        `allow`: the person wrote it themselves, which is the yes to what it starts; a file from elsewhere
        asks. `name`: of the file, and of a server that stands alone in the text. The servers are listed when
        this returns; they start behind it.

        Raises:
            UsageError: The text configures no server, not in a form that is read, or one whose name is taken.
        """
        return await self._server_import.take(text, name, allow=allow)

    @operation(Caller.ATTACHED)
    async def move_secrets(self, server_id: str) -> str:
        """Move what stands in a server's file as plain text, and seems to be a secret, to the keyring.

        Says what was moved; `ServerStatus.plain` names it before.

        Raises:
            UsageError: There is none, or the file cannot be changed.
            ConfigError: The keyring does not take it; nothing was changed.
        """
        return await self._server_import.move_tokens(server_id)

    @operation(Caller.ATTACHED)
    def elicitations(self) -> Sequence[Elicitation]:
        """The open questions of servers, oldest first."""
        return self._manager.elicitations.open()

    def asks_nobody(self, exchange_id: str) -> None:
        """Whoever begins this exchange cannot be asked anything: a server's question is cancelled in it."""
        self._manager.elicitations.nobody_in(exchange_id)

    @operation(Caller.ATTACHED)
    async def answer(self, elicitation_id: str, answer: ElicitationAnswer) -> None:
        """The person answered a server's question.

        Raises:
            UsageError: The question is not open (any more), or the answer does not fit its schema.
        """
        await self._manager.elicitations.answer(elicitation_id, answer)
