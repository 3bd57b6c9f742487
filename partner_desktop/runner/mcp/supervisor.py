"""Supervisor: one external server, from its configuration to its end, and on to its next start.

Contract: a server's life happens in one task, which opens the connection and closes it. `restart`,
`configure` and `switch` end that task and begin another, which waits until the old one has cleaned up; they
return at once. What a server offers stays listed for `GRACE_S` after it was ready, so that a restart takes
nothing off a card; whoever calls it meanwhile waits.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import ActionError, TryAgainError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import LazySentence, sentence_of
from partner_desktop.base.tasks import TaskSet
from partner_desktop.domain.mcp_server import ServerFailure, ServerPhase, ServerStatus, ServerStep
from partner_desktop.runner.mcp.plain_secrets import tokens_in
from partner_desktop.runner.mcp.port import (
    AsksFirstError,
    ConfiguredServer,
    Connect,
    Connection,
    ConnectionHooks,
    ResolvedServer,
    ServerConfig,
    ServerEndedError,
    ServerFacts,
)
from partner_desktop.runner.mcp.server_log import ServerLogFile
from partner_desktop.runner.mcp.sign_in.server_sign_in import ServerSignIn, SignInParts

#: Processes that are started at the same instant.
AT_ONCE = 8
#: After so long a start has done what makes it heavy, or hangs: the next one may begin.
_TURN_S = 0.5


class StartLimit:
    """Shared by all servers of a Partner."""

    def __init__(self) -> None:
        self._places = asyncio.Semaphore(AT_ONCE)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[Callable[[], None]]:
        """Wait for a place; what it gives lets go of it before the end of the block, as does time."""
        await self._places.acquire()
        held = True

        def let_go() -> None:
            nonlocal held
            if held:
                held = False
                self._places.release()

        timer = asyncio.get_running_loop().call_later(_TURN_S, let_go)
        try:
            yield let_go
        finally:
            timer.cancel()
            let_go()


_log = log.area("mcp")

#: Seconds for which a server that was ready is waited for.
GRACE_S = 10.0
#: Seconds beyond its own limit that a start is given to say itself why it failed.
_OVERTIME_S = 5.0
#: What holds of one phase alone.
_PAST: dict[str, Any] = {"retry_at": None, "question": None}
#: Seconds without a further change before a server is asked anew what it offers.
_QUIET_S = 0.05


@dataclass(frozen=True)
class ServerEnvironment:
    """What the servers of a Partner share."""

    check: Callable[[ServerConfig], Awaitable[None]]
    """Raises AsksFirstError where the person has not said yes to this start, ServerEndedError."""
    resolve: Callable[[ServerConfig], Awaitable[ResolvedServer]]
    """Raises ServerEndedError."""
    look_again: Callable[[], None]
    """Something may have been installed: `resolve` is to forget where programs were looked for."""
    load: Callable[[], Awaitable[Connect]]
    """Gives what opens connections; the first call loads the SDK."""
    hooks: Callable[[Callable[[], None]], ConnectionHooks]
    """Made for each start; takes what is to be called when a server says that its offers changed."""
    changed: Callable[[str], None]
    """Called with the id of a server whose status or offers are different now; returns at once."""
    logs: Path
    clock: Clock
    sign_in: SignInParts
    checks: StartLimit = field(default_factory=StartLimit)
    """So that the first ones start while the others are still looked at."""
    gate: StartLimit = field(default_factory=StartLimit)


class Supervisor:
    """One server. `begin` starts it; closed by whoever made it."""

    def __init__(self, configured: ConfiguredServer, environment: ServerEnvironment, *, on: bool) -> None:
        self._environment = environment
        self.configured = configured
        self._on = on
        self._backoff = Backoff()
        self._tasks = TaskSet(f"server {configured.config.id}")
        self._life: asyncio.Task[None] | None = None
        self._alone = asyncio.Lock()
        self._log = ServerLogFile(environment.logs, configured.config.id, clock=environment.clock)
        self._connection: Connection | None = None
        self._ready_at_s = 0.0
        self._ready_s = 0.0
        """How long it was ready, the last time it ended."""
        self._facts: ServerFacts | None = None
        self._lapse: asyncio.Task[None] | None = None
        self._moved = asyncio.Event()
        self._closed = False
        self._status = _first_status(configured)
        self.sign_in = ServerSignIn(
            configured.config.id,
            environment.sign_in,
            self._tasks,
            changed=self._show_sign_in,
            signed_in=self._signed_in,
        )

    # What others see.

    @property
    def config(self) -> ServerConfig:
        """What it runs by."""
        return self.configured.config

    @property
    def status(self) -> ServerStatus:
        """How it is now."""
        return self._status

    @property
    def facts(self) -> ServerFacts | None:
        """What it offers; `None` while that is not to be had."""
        return self._facts

    def log_text(self) -> str:
        """See `ServerLogFile.text`."""
        return self._log.text()

    async def connection(self) -> Connection:
        """The open connection; one that is gone for a moment is waited for.

        Raises:
            TryAgainError: The server does not run; the message says why.
        """
        while self._connection is None and self._facts is not None:
            await self._moved.wait()
        if self._connection is None:
            raise self._why_not()
        return self._connection

    async def settled(self) -> None:
        """Wait until it is ready, or has failed, waits for a yes, or is switched off."""
        while self._status.phase in (ServerPhase.CONFIGURED, ServerPhase.STARTING):
            await self._moved.wait()

    def _why_not(self) -> TryAgainError:
        name, phase, failure = self.config.id, self._status.phase, self._status.failure
        if self._closed:
            return TryAgainError("servers.not_there", name=name)
        if phase is ServerPhase.STOPPED:
            return TryAgainError("servers.switched_off", name=name)
        if phase is ServerPhase.WAITING and self._status.question is None:
            how = LazySentence("servers.how_to_sign_in", name=name)
            return TryAgainError("servers.wants_sign_in", name=name, how=how)
        if phase is ServerPhase.WAITING:
            how = LazySentence("servers.how_to_allow", name=name)
            return TryAgainError("servers.waits", name=name, how=how)
        if failure is None:
            return TryAgainError("servers.starting", name=name)
        return TryAgainError("servers.not_running", name=name, why=failure.message)

    # What others do.

    def begin(self) -> None:
        """Start it, or start it anew, whatever it was doing."""
        self._backoff.forget()
        self.sign_in.reset()
        self._status = replace(self._status, sign_in=None)
        self._let_go()
        halted = not self._on or self.config.disabled
        self._enter(ServerPhase.STOPPED if halted else ServerPhase.CONFIGURED, attempts=0)
        if self._life is not None:
            self._life.cancel()
        self._life = self._tasks.start("life", self._live(halted=halted))

    def configure(self, configured: ConfiguredServer) -> None:
        """Take another configuration over; one that runs the same only changes what is shown."""
        same = configured.config == self.config
        self.configured = configured
        fresh = _first_status(configured)
        self._status = replace(
            self._status,
            transport=fresh.transport,
            path=fresh.path,
            line=fresh.line,
            hints=fresh.hints,
            plain=fresh.plain,
            can_switch=fresh.can_switch,
        )
        if same:
            self._environment.changed(self.config.id)
            return
        self._status = replace(self._status, failure=None, shown="")
        self.begin()

    def switch(self, *, on: bool) -> None:
        """Stop it, or let it run."""
        if on != self._on:
            self._on = on
            self._status = replace(self._status, failure=None)
            self.begin()

    async def begin_sign_in(self) -> str:
        """Begin the sign-in of the person; the address of the page on which that is done.

        Raises:
            UsageError: It came to nothing before there was a page.
            ServerEndedError: Its configuration cannot be filled in.
        """
        return await self.sign_in.begin(await self._environment.resolve(self.config))

    async def sign_out(self) -> None:
        """Forget the sign-in, and begin anew without.

        Raises:
            ConfigError: The keyring may still hold the tokens.
        """
        try:
            await self.sign_in.forget()
        finally:
            if self._status.phase is not ServerPhase.STOPPED:
                self.begin()

    def _show_sign_in(self) -> None:
        self._status = replace(self._status, sign_in=self.sign_in.state)
        self._tell()

    def _signed_in(self, was_asked: bool) -> None:
        """What is ready and asked for it goes on, with the new tokens; else it may offer other things now."""
        ready = self._status.phase is ServerPhase.READY
        if self._status.phase is not ServerPhase.STOPPED and not (ready and was_asked):
            self.begin()

    def tell_roots(self) -> None:
        """The folders that the person granted are others now."""
        if self._connection is not None:
            self._tasks.start("roots", self._tell_roots(self._connection))

    async def _tell_roots(self, connection: Connection) -> None:
        try:
            await connection.tell_roots()
        except ActionError as error:
            _log.info("%s was not told of the folders: %s", self.config.id, error)

    async def close(self) -> None:
        """End it and its process; whoever waits for it hears that it is gone."""
        self._closed = True
        self._connection = None
        self._withdraw()
        self._tell()
        await self._tasks.close()
        await self._log.close()

    # Its life.

    async def _live(self, *, halted: bool) -> None:
        async with self._alone:
            await self._log.open()
            while not halted:
                try:
                    failure, ready_s = await self._one_run()
                except AsksFirstError as error:
                    self._enter(ServerPhase.WAITING, failure=None, attempts=0, question=error.question)
                    return
                if failure.signs_in:
                    self._enter(ServerPhase.WAITING, failure=None, attempts=0)
                    return
                delay_s = self._backoff.after(failure, ready_s=ready_s)
                attempts = self._backoff.attempts
                if delay_s is None:
                    self._enter(ServerPhase.FAILED, failure=failure, attempts=attempts)
                    return
                retry_at = self._environment.clock.now() + timedelta(seconds=delay_s)
                self._enter(ServerPhase.BACKING_OFF, failure=failure, attempts=attempts, retry_at=retry_at)
                await self._environment.clock.sleep(delay_s)

    async def _one_run(self) -> tuple[ServerFailure, float]:
        """From a start to its end: why it ended, and for how many seconds it was ready."""
        self._ready_s = 0.0
        try:
            failure = await self._start_and_follow()
        except ServerEndedError as error:
            failure = error.failure
        except AsksFirstError:
            raise
        except TimeoutError:
            limit_s = self.config.start_timeout_s
            sentence = sentence_of("servers.slow_start", seconds=limit_s)
            failure = ServerFailure(ServerStep.HANDSHAKE, sentence)
        except Exception:  # noqa: BLE001 - a background task's boundary: a server always has a phase
            _log.exception("the server %s failed inside Partner", self.config.id)
            sentence = sentence_of("servers.partner_failed")
            failure = ServerFailure(ServerStep.RUN, sentence, final=True)
        return failure, self._ready_s

    async def _start_and_follow(self) -> ServerFailure:
        news = asyncio.Event()
        async with AsyncExitStack() as stack:
            connection = await self._start(stack, news)
            self._ready(connection)
            listing = self._tasks.start("list", self._list_anew(connection, news))
            try:
                return await asyncio.shield(connection.ended)
            finally:
                listing.cancel()
                self._let_go()

    async def _start(self, stack: AsyncExitStack, news: asyncio.Event) -> Connection:
        environment = self._environment
        async with environment.checks.turn(), asyncio.timeout(self.config.start_timeout_s + _OVERTIME_S):
            await environment.check(self.config)
        connect = await environment.load()
        async with environment.gate.turn():
            self._enter(ServerPhase.STARTING, attempts=self._backoff.attempts)
            async with asyncio.timeout(self.config.start_timeout_s + _OVERTIME_S):
                resolved = await environment.resolve(self.config)
                self._status = replace(self._status, shown=resolved.shown)
                hooks = replace(environment.hooks(news.set), sign_in=self.sign_in)
                opening = connect(resolved, hooks, log=self._log.add)
                return await stack.enter_async_context(opening)

    def _ready(self, connection: Connection) -> None:
        self._connection = connection
        self._ready_at_s = self._environment.clock.monotonic_s()
        self._take(connection.facts)
        self._enter(ServerPhase.READY, failure=None, attempts=0)

    def _take(self, facts: ServerFacts) -> None:
        self._facts = facts
        self._status = replace(
            self._status,
            name=facts.name,
            instructions=facts.instructions,
            tools=len(facts.tools),
            resources=facts.resources,
            prompts=facts.prompts,
        )
        self._environment.changed(self.config.id)

    async def _list_anew(self, connection: Connection, news: asyncio.Event) -> None:
        while True:
            await news.wait()
            await asyncio.sleep(_QUIET_S)
            news.clear()
            try:
                self._take(await connection.relist())
            except (ActionError, ServerEndedError) as error:
                _log.info("%s could not be asked what it offers now: %s", self.config.id, error)

    # From phase to phase.

    def _enter(self, phase: ServerPhase, **changes: Any) -> None:  # noqa: ANN401 - fields of ServerStatus
        now = self._environment.clock.now()
        self._status = replace(self._status, phase=phase, since=now, **{**_PAST, **changes})
        if phase in (ServerPhase.FAILED, ServerPhase.WAITING, ServerPhase.STOPPED):
            self._withdraw()
        if self._lapse is not None and phase is ServerPhase.READY:
            self._lapse.cancel()
        self._tell()

    def _tell(self) -> None:
        moved, self._moved = self._moved, asyncio.Event()
        moved.set()
        self._environment.changed(self.config.id)

    def _let_go(self) -> None:
        """The connection is gone; what it offered is waited for a while."""
        if self._connection is None:
            return
        self._connection = None
        self._ready_s = self._environment.clock.monotonic_s() - self._ready_at_s
        if self._lapse is not None:
            self._lapse.cancel()
        self._lapse = self._tasks.start("grace", self._end_of_grace())

    async def _end_of_grace(self) -> None:
        await self._environment.clock.sleep(GRACE_S)
        self._withdraw()
        self._tell()

    def _withdraw(self) -> None:
        self._facts = None
        self._status = replace(self._status, tools=0, resources=(), prompts=())


def _first_status(configured: ConfiguredServer) -> ServerStatus:
    config = configured.config
    hints = configured.hints
    if config.disabled:
        hints = (*hints, sentence_of("servers.off_hint"))
    return ServerStatus(
        id=config.id,
        phase=ServerPhase.CONFIGURED,
        transport=config.transport,
        path=configured.path,
        line=configured.line,
        hints=hints,
        plain=tuple(dict.fromkeys(token.name for token in tokens_in(config))),
        can_switch=not config.disabled,
    )


#: Starts in a row that may fail before it is given up.
MOST_ATTEMPTS = 8
_LONGEST_S = 60.0
#: A server that was ready for so long has recovered: the next failure is a first one.
_RECOVERED_S = 60.0
#: Servers that ended together do not all come back at the same moment.
_JITTER = 0.25


class Backoff:
    """Counts the failures of one server. `chance`: from 0 to 1, anew with each call."""

    def __init__(self, *, chance: Callable[[], float] = random.random) -> None:
        self._chance = chance
        self.attempts = 0

    def forget(self) -> None:
        """Somebody changed something, or wants it tried anew."""
        self.attempts = 0

    def after(self, failure: ServerFailure, *, ready_s: float) -> float | None:
        """Seconds to wait before the next attempt; `None`: it is not tried again by itself.

        `ready_s`: how long it had been ready.
        """
        if ready_s >= _RECOVERED_S:
            self.attempts = 0
        self.attempts += 1
        if failure.final or failure.step is ServerStep.RESOLVE or self.attempts >= MOST_ATTEMPTS:
            return None
        delay_s = min(_LONGEST_S, 2.0 ** (self.attempts - 1))
        return delay_s * (1 + _JITTER * self._chance())
