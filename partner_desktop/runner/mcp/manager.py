"""McpServers: all external MCP servers of a Partner. An AbilitySource.

Contract: what lies in `mcp/` is compared with what runs; a difference touches the servers that differ and no
others. `launch` returns at once: servers start in the background, and one that fails or hangs is its own
supervisor's business. `shutdown` ends all of them in parallel.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from partner_desktop.base.errors import AskHumanError, TellMindError, TryAgainError, UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.messages import LazySentence, sentence_of, sentences_joined
from partner_desktop.base.tasks import TaskSet
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.events import Event, NoticeEvent, ServersEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.mcp_server import SERVER_KEYS, ServerPhase, ServerStatus, StartQuestion
from partner_desktop.domain.meta_action import RunnerResponse
from partner_desktop.files.watch import FolderWatch
from partner_desktop.runner.ability_content import SwitchStore
from partner_desktop.runner.call import RunScope
from partner_desktop.runner.mcp.configuration.descriptions import Offers, Override
from partner_desktop.runner.mcp.configuration.folder import McpFolder, McpScan
from partner_desktop.runner.mcp.configuration.secrets import SecretHolder
from partner_desktop.runner.mcp.consent import StartConsent
from partner_desktop.runner.mcp.elicitations import Elicitations
from partner_desktop.runner.mcp.port import ConfiguredServer, Connection, ServerEndedError
from partner_desktop.runner.mcp.sign_in.server_sign_in import ServerSignIn
from partner_desktop.runner.mcp.supervisor import ServerEnvironment, Supervisor


class McpServers:
    """A part of the AgentContext. `scratch`: where what was read by hand lies."""

    def __init__(
        self,
        folder: McpFolder,
        environment: Callable[[Callable[[str], None]], ServerEnvironment],
        elicitations: Elicitations,
        consent: StartConsent,
        *,
        switches: SwitchStore,
        publish: Callable[[Event], None],
        scratch: Path,
    ) -> None:
        self._folder = folder
        self._environment = environment(self._touch)
        self.elicitations = elicitations
        self.consent = consent
        self._switches = switches
        self._publish = publish
        self._scratch = scratch
        self._supervisors: dict[str, Supervisor] = {}
        self._leaving: set[Supervisor] = set()
        self._overrides: dict[str, Override] = {}
        self._faults: tuple[Ability, ...] = ()
        self._offers = Offers()
        self._watch = FolderWatch(folder.watched, self.refresh)
        self._tasks = TaskSet("servers")
        self._scanning = asyncio.Lock()
        self._looked = asyncio.Event()
        self._listeners: list[Callable[[], None]] = []
        self._touched: set[str] = set()
        self._asked: dict[str, StartQuestion | None] = {}
        self._telling = False

    # Life.

    async def launch(self) -> None:
        """Watch the folder; the first look at it, and every start, happens behind this."""
        await self._watch.launch()
        self._tasks.start("first look", self.refresh())

    async def shutdown(self) -> None:
        """End all of them, in parallel and bounded in time."""
        await self._watch.shutdown()
        await self._tasks.close()
        await asyncio.gather(*(each.close() for each in (*self._supervisors.values(), *self._leaving)))

    async def refresh(self) -> None:
        """Compare the folder with what is known."""
        try:
            async with self._scanning:
                scan = await asyncio.to_thread(self._folder.scan)
                await self.consent.adopt(scan.servers.values())
                self._take(scan, await self._switches.off())
        finally:
            self._looked.set()  # who waits for the first look does not wait for one that failed

    def _take(self, scan: McpScan, off: frozenset[str]) -> None:
        for name in [name for name in self._supervisors if name not in scan.servers]:
            self._part_with(name)
        for name, configured in scan.servers.items():
            known = self._supervisors.get(name)
            if known is None:
                made = Supervisor(configured, self._environment, on=SERVER_KEYS + name not in off)
                self._supervisors[name] = made
                made.begin()
            elif known.configured != configured:
                known.configure(configured)
        if (scan.faults, scan.descriptions) != (self._faults, self._overrides):
            described = {key.partition("::")[0] for key in self._overrides.keys() | scan.descriptions.keys()}
            self._faults, self._overrides = scan.faults, dict(scan.descriptions)
            for name in described & self._supervisors.keys():
                self._touch(name)
            self._tell_listeners()

    def _part_with(self, name: str) -> None:
        gone = self._supervisors.pop(name)
        self._offers.forget(name)
        self._leaving.add(gone)
        self._tasks.start(f"close {name}", self._close(gone))
        self._touch(name)

    async def _close(self, gone: Supervisor) -> None:
        """Cut off by the shutdown, it is closed there."""
        await gone.close()
        self._leaving.discard(gone)

    # AbilitySource.

    def abilities(self) -> Sequence[Ability]:
        """What the servers offer now, and the files that are broken."""
        found = list(self._faults)
        for _name, each in sorted(self._supervisors.items()):
            found += self._offers.of(each.config, each.facts, self._overrides)
        return found

    async def arriving(self) -> Sequence[str]:
        """See `AbilitySource.arriving`."""
        await self._looked.wait()
        starting = (ServerPhase.CONFIGURED, ServerPhase.STARTING)
        statuses = [each.status for each in self._supervisors.values()]
        return [one.id for one in statuses if one.phase in starting and not one.attempts]

    def on_change(self, tell: Callable[[], None]) -> None:
        """See `AbilitySource.on_change`."""
        self._listeners.append(tell)

    def _tell_listeners(self) -> None:
        for tell in self._listeners:
            tell()

    def _touch(self, name: str) -> None:
        """Say what is different once the loop comes round, however much changed until then."""
        self._touched.add(name)
        if not self._telling:
            self._telling = True
            asyncio.get_running_loop().call_soon(self._tell)

    def _tell(self) -> None:
        self._telling = False
        touched, self._touched = self._touched, set()
        here = {name: self._status(name) for name in touched if name in self._supervisors}
        removed = tuple(sorted(touched - here.keys()))
        self._publish(ServersEvent(changed=tuple(here[name] for name in sorted(here)), removed=removed))
        for status in here.values():
            self._tell_question(status)
        self._tell_listeners()

    def _tell_question(self, status: ServerStatus) -> None:
        """Say once that a server waits for a yes."""
        question = status.question
        asked, self._asked[status.id] = self._asked.get(status.id), question
        if question is not None and question != asked:
            how = LazySentence("servers.how_to_allow", name=status.id)
            title = sentence_of("servers.waits_for_yes", name=status.id)
            text = sentences_joined((question.sentence, LazySentence("servers.to_do_so", how=how)))
            self._publish(NoticeEvent(title=title, text=text, level="warning", about=f"server {status.id}"))

    # Calls.

    async def call_tool(
        self, location: str, tool: str, params: JsonObject, *, scope: RunScope
    ) -> RunnerResponse:
        """Call a tool of a server; one that is gone for a moment is waited for.

        Raises:
            ActionError: There is no such server, it does not run, or no answer came.
        """
        supervisor = self._supervisors.get(location)
        if supervisor is None:
            raise TellMindError("servers.gone", name=location)
        with self.elicitations.during(scope.action_id):
            connection = await supervisor.connection()
            self._check(supervisor, f"{location}::{tool}", scope.approved)
            return await connection.call(tool, params, scope=scope)

    def _check(self, supervisor: Supervisor, key: str, approved: str) -> None:
        """A server that was away may have come back with another tool under the same name."""
        offered = self._offers.of(supervisor.config, supervisor.facts, self._overrides)
        info = next((each.info for each in offered if each.key == key), None)
        if info is None:
            raise TellMindError("servers.not_offered", name=supervisor.config.id, key=key)
        if approved and info.content_hash != approved:
            raise AskHumanError("servers.not_approved", title=info.title)

    def is_remote(self, location: str) -> bool:
        """Whether the server is reached by an address: it is not a process of the person's own."""
        supervisor = self._supervisors.get(location)
        return supervisor is not None and supervisor.config.transport != "stdio"

    # What a person asks.

    def statuses(self) -> Sequence[ServerStatus]:
        """Every configured server, by name."""
        return tuple(self._status(name) for name in sorted(self._supervisors))

    async def status(self, server_id: str) -> ServerStatus:
        """One of them.

        Raises:
            UsageError: There is no such server.
        """
        await self._required(server_id)
        return self._status(server_id)

    def _status(self, name: str) -> ServerStatus:
        """With what is odd about the descriptions of its tools."""
        supervisor = self._supervisors[name]
        if supervisor.status.phase is not ServerPhase.READY or supervisor.facts is None:
            return supervisor.status
        offered = {tool.key for tool in supervisor.facts.tools}
        unused = [
            each.unused_hint(frozenset(self._supervisors))
            for key, each in self._overrides.items()
            if key.partition("::")[0] == name and key not in offered
        ]
        return replace(supervisor.status, hints=(*supervisor.status.hints, *unused))

    async def settled(self, *, limit_s: float) -> None:
        """Wait until every server is ready, has failed, asks or is off, but no longer than `limit_s`."""
        try:
            async with asyncio.timeout(limit_s):
                await self._looked.wait()
                for each in list(self._supervisors.values()):
                    await each.settled()
        except TimeoutError:
            return  # who still starts is shown as starting

    async def one_settled(self, name: str) -> None:
        """Wait for one server, as long as its own limit lets it start; there may be none of that name."""
        await self._looked.wait()
        supervisor = self._supervisors.get(name)
        if supervisor is not None:
            await supervisor.settled()

    async def restart(self, name: str) -> None:
        """Begin a server anew.

        Raises:
            UsageError: There is no such server, or it is switched off.
        """
        supervisor = await self._required(name)
        if supervisor.status.phase is ServerPhase.STOPPED:
            raise UsageError("servers.off", name=name)
        self._environment.look_again()
        supervisor.begin()

    async def switch(self, name: str, *, on: bool) -> None:
        """Stop a server or let it run; on disk when this returns.

        Raises:
            UsageError: There is no such server, or its own file switches it off.
        """
        supervisor = await self._required(name)
        if not supervisor.status.can_switch:
            raise UsageError("servers.off_in_file", name=name)
        if not on and supervisor.status.question is not None:
            await self.consent.refuse(supervisor.config)
        await self._switches.set(SERVER_KEYS + name, on=on)
        (await self._required(name)).switch(on=on)

    async def allow(self, name: str, *, shown_hash: str) -> None:
        """The person said yes to what a server asks, as it was shown; it starts.

        Raises:
            UsageError: It asks nothing (any more), or something else.
            ConfigError: It could not be kept whom a secret is for.
        """
        supervisor = await self._required(name)
        question = supervisor.status.question
        if question is None:
            raise UsageError("servers.no_question", name=name)
        if shown_hash != question.shown_hash:
            raise UsageError("servers.start_changed", name=name)
        try:
            await self.consent.allow(supervisor.config, question)
        except ServerEndedError as error:
            raise UsageError("common.told", text=error) from error
        finally:
            supervisor.begin()  # what is another by now is asked about anew

    async def sign_in(self, name: str) -> str:
        """Begin the sign-in of the person; the address of the page for their browser.

        Raises:
            UsageError: There is no such server, nobody signs in to it, or it came to nothing.
        """
        supervisor = await self._required(name)
        config, status = supervisor.config, supervisor.status
        if config.transport == "stdio" or any(key.lower() == "authorization" for key, _ in config.headers):
            raise UsageError("servers.no_sign_in", name=name)
        if status.phase is ServerPhase.STOPPED:
            raise UsageError("servers.off", name=name)
        if status.question is not None:
            how = LazySentence("servers.how_to_allow", name=name)
            raise UsageError("servers.waits", name=name, how=how)
        try:
            return await supervisor.begin_sign_in()
        except ServerEndedError as error:
            raise UsageError("common.told", text=error) from error

    async def sign_in_settled(self, name: str) -> None:
        """Wait until no sign-in to it is under way, and what came of that is in use.

        Raises:
            UsageError: There is no such server.
        """
        supervisor = await self._required(name)
        await supervisor.sign_in.settled()
        await supervisor.settled()

    async def cancel_sign_in(self, name: str) -> None:
        """Give up the sign-in that is under way.

        Raises:
            UsageError: There is no such server.
        """
        (await self._required(name)).sign_in.cancel()

    async def sign_out(self, name: str) -> None:
        """Forget the sign-in to a server, here and there; also to one that is configured no more.

        Raises:
            UsageError: There is no such server, and nothing was kept of one.
            ConfigError: The keyring may still hold the tokens.
        """
        await self._looked.wait()
        supervisor = self._supervisors.get(name)
        if supervisor is not None:
            await supervisor.sign_out()
            return
        left = ServerSignIn(
            name, self._environment.sign_in, self._tasks, changed=lambda: None, signed_in=lambda _: None
        )
        if not await left.forget():
            await self._required(name)

    async def beside(self, name: str) -> tuple[Path, list[ConfiguredServer]]:
        """The file that configures a server, and all servers of it.

        Raises:
            UsageError: There is no such server.
        """
        path = (await self._required(name)).configured.path
        found = [each.configured for each in self._supervisors.values()]
        return path, [each for each in found if each.path == path]

    async def holder(self, name: str) -> SecretHolder | None:
        """As whom a server gets secrets; `None` where there is none, or it cannot be started."""
        supervisor = self._supervisors.get(name)
        if supervisor is None:
            return None
        try:
            return await self.consent.holder(supervisor.config)
        except ServerEndedError:
            return None

    async def log_text(self, name: str) -> str:
        """What a server wrote.

        Raises:
            UsageError: There is no such server.
        """
        return (await self._required(name)).log_text()

    async def read_resource(self, name: str, uri: str) -> RunnerResponse:
        """What a server has under an address.

        Raises:
            UsageError: There is no such server, or it does not run.
            ActionError: It could not be read.
        """
        connection = await self._connection(name)
        return await connection.read_resource(uri, scope=self._scope())

    async def get_prompt(self, name: str, prompt: str, arguments: JsonObject) -> RunnerResponse:
        """A prompt of a server, filled in.

        Raises:
            UsageError: There is no such server, or it does not run.
            ActionError: It could not be made.
        """
        connection = await self._connection(name)
        return await connection.get_prompt(prompt, arguments, scope=self._scope())

    def secret_kept(self, secret: str) -> None:
        """Start the servers that wait for it."""
        for each in self._supervisors.values():
            failure = each.status.failure
            if failure is not None and secret in failure.needs:
                each.begin()

    def tell_roots(self) -> None:
        """The folders that the person granted are others now."""
        for each in self._supervisors.values():
            each.tell_roots()

    async def _connection(self, name: str) -> Connection:
        try:
            return await (await self._required(name)).connection()
        except TryAgainError as error:
            raise UsageError("common.told", text=error) from error

    def _scope(self) -> RunScope:
        return RunScope(action_id="", conversation_id="", folder=self._scratch / new_id())

    async def _required(self, name: str) -> Supervisor:
        """One by its name, which a command that became the host just now may say before the first look."""
        await self._looked.wait()
        found = self._supervisors.get(name)
        if found is None:
            known = ", ".join(sorted(self._supervisors)) or LazySentence("servers.none")
            raise UsageError("servers.no_such", name=name, known=known)
        return found
