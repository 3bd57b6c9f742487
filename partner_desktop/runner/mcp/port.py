"""What supervisor, route and connection say to each other; free of `mcp`, which loads slowly.

A connection lives in one task: whoever opens it closes it. Calls may come from any task of the loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import field
from pathlib import Path
from typing import Literal, Protocol

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.elicitation import Elicitation, ElicitationAnswer
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.mcp_server import ServerFailure, ServerPrompt, ServerResource, StartQuestion
from partner_desktop.domain.meta_action import MetaActionInfo, RunnerResponse
from partner_desktop.runner.call import RunScope
from partner_desktop.runner.mcp.configuration.secrets import KnownSecrets
from partner_desktop.runner.mcp.sign_in.sign_in_record import SignInRecord

Transport = Literal["stdio", "http", "sse"]

#: Seconds that a call may take, and a start, where the configuration does not say.
CALL_TIMEOUT_S = 120.0
START_TIMEOUT_S = 30.0


@dataclass(frozen=True)
class OAuthClient:
    """What a configuration says of the client that signs in, where Partner does not register one itself."""

    client_id: str = ""
    client_secret: str = field(default="", repr=False)
    metadata_url: str = ""
    """A document that describes the client, and is its id where a server takes that."""
    callback_port: int = 0
    """Where the browser comes back to, for a client that was registered with one port; 0: any."""
    scopes: tuple[str, ...] = ()
    """To ask for, in place of what the server proposes."""


@dataclass(frozen=True)
class ServerConfig:
    """As written: `${env:NAME}` and `${keyring:NAME}` still stand in it. Two that are equal run the same."""

    id: str
    transport: Transport
    command: str = ""
    args: tuple[str, ...] = field(default=(), repr=False)
    env: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    cwd: str = ""
    folder: str = ""
    """Where its file lies: relative paths are relative to it, and without `cwd` the process begins here."""
    url: str = field(default="", repr=False)
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    timeout_s: float = CALL_TIMEOUT_S
    start_timeout_s: float = START_TIMEOUT_S
    disabled: bool = False
    """Switched off in the file itself, or by the file's name."""
    insecure: bool = False
    """Whether its secrets may go over the net unencrypted, to an address that begins with http://."""
    oauth: OAuthClient | None = field(default=None, repr=False)
    legacy: bool = False
    """Whether it is spoken to by the protocol of before 2026, whatever it may know."""


@dataclass(frozen=True)
class ConfiguredServer:
    """A configuration and where it stands."""

    config: ServerConfig
    path: Path
    line: int | None = None
    hints: tuple[str, ...] = ()


@dataclass(frozen=True)
class ResolvedServer:
    """A configuration with everything filled in, ready to be started. Never logged, never shown."""

    id: str
    transport: Transport
    shown: str
    """The command line as resolved, or the address, without secrets."""
    program: Path | None = None
    args: tuple[str, ...] = field(default=(), repr=False)
    env: dict[str, str] = field(default_factory=dict, repr=False)
    """The whole environment of the process."""
    cwd: Path | None = None
    held: tuple[str, ...] = field(default=(), repr=False)
    """What the program and the files named in the arguments hold; looked at for an outline alone."""
    url: str = field(default="", repr=False)
    headers: dict[str, str] = field(default_factory=dict, repr=False)
    oauth: OAuthClient | None = field(default=None, repr=False)
    legacy: bool = False
    timeout_s: float = CALL_TIMEOUT_S
    start_timeout_s: float = START_TIMEOUT_S
    secrets: KnownSecrets = field(default_factory=KnownSecrets, repr=False)
    """What must stand in nothing that is kept or shown."""


@dataclass(frozen=True)
class ServerFacts:
    """What a server says of itself once it is ready. `tools` are complete descriptions: key, schema, hash."""

    name: str
    instructions: str
    tools: tuple[MetaActionInfo, ...]
    resources: tuple[ServerResource, ...] = ()
    prompts: tuple[ServerPrompt, ...] = ()


class ServerEndedError(Exception):
    """A start or a run came to its end; `failure` says why."""

    def __init__(self, failure: ServerFailure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class AsksFirstError(Exception):
    """A start waits for the person's yes."""

    def __init__(self, question: StartQuestion) -> None:
        super().__init__(question.sentence)
        self.question = question


@dataclass(frozen=True)
class SamplingRequest:
    """A server asks for words of a model."""

    server: str
    action_id: str
    conversation_id: str
    system: str
    messages: tuple[tuple[str, str], ...]
    """Role (`user` or `assistant`) and text."""
    max_tokens: int


@dataclass(frozen=True)
class Challenge:
    """With what a server refused a request: it wants a sign-in, or one with more rights."""

    status: int = 401
    header: str = ""
    """Its `WWW-Authenticate`."""


class SignInDoor(Protocol):
    """What a connection knows of the sign-in to its server, and says of it. It never asks the person."""

    renewal: asyncio.Lock
    """Held by whoever renews the tokens: a refresh token is often good for one use."""

    async def record(self, url: str) -> SignInRecord | None:
        """What was kept for exactly this address; the first call asks the keyring."""
        ...

    async def renewed(self, before: SignInRecord, after: SignInRecord) -> None:
        """It was renewed, or is over: then it has no tokens. Nothing where `before` is not the newest."""
        ...

    def asked(self, challenge: Challenge) -> None:
        """The server refuses until the person signs in."""
        ...


@dataclass(frozen=True)
class ConnectionHooks:
    """What a server may ask of Partner while it is connected."""

    changed: Callable[[], None]
    """Its tools, resources or prompts are different now."""
    ask: Callable[[Elicitation], Awaitable[ElicitationAnswer]]
    roots: Callable[[], Sequence[Path]]
    """The folders that the person granted."""
    sample: Callable[[SamplingRequest], Awaitable[str]] | None = None
    """`None` while no chat model is loaded: then sampling is not announced. Raises ActionError for a no."""
    sign_in: SignInDoor | None = None


class Connection(Protocol):
    """One open connection. `ended` is done when it broke, with the reason."""

    @property
    def facts(self) -> ServerFacts: ...

    @property
    def ended(self) -> asyncio.Future[ServerFailure]: ...

    async def relist(self) -> ServerFacts:
        """Ask anew what it offers."""
        ...

    async def call(self, tool: str, params: JsonObject, *, scope: RunScope) -> RunnerResponse:
        """Call a tool; a tool's own failure is a response, too.

        Raises:
            ActionError: The call could not be made, or no answer came in time.
        """
        ...

    async def read_resource(self, uri: str, *, scope: RunScope) -> RunnerResponse: ...

    async def get_prompt(self, name: str, arguments: JsonObject, *, scope: RunScope) -> RunnerResponse: ...

    async def tell_roots(self) -> None:
        """The folders that `ConnectionHooks.roots` gives are others now.

        Raises:
            ActionError: The server could not be told.
        """
        ...


class SignInError(Exception):
    """A sign-in came to nothing; the text is a sentence for the person."""


class Authorize(Protocol):
    """Signs the person in; `protocol.authorization.authorize` is the real one.

    `show` is called once, with the address of the page on which they sign in. Whoever awaits it may cancel it
    at any time. Raises SignInError.
    """

    async def __call__(
        self,
        server: ResolvedServer,
        challenge: Challenge,
        before: SignInRecord | None,
        *,
        show: Callable[[str], None],
    ) -> SignInRecord: ...


class Revoke(Protocol):
    """Tells the authorization server that tokens are used no more; `protocol.authorization.revoke`."""

    async def __call__(self, record: SignInRecord) -> None: ...


class Connect(Protocol):
    """Opens connections; `connection.connect` is the real one.

    Entering raises ServerEndedError within `resolved.start_timeout_s`; `log` takes each line that the server
    writes to stderr, and each log message that it sends.
    """

    def __call__(
        self, resolved: ResolvedServer, hooks: ConnectionHooks, *, log: Callable[[str], None]
    ) -> AbstractAsyncContextManager[Connection]: ...
