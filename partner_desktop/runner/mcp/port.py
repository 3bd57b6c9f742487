"""What supervisor, route and connection say to each other; free of `mcp`, which loads slowly.

A connection lives in one task: whoever opens it closes it. Calls may come from any task of the loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager, nullcontext
from pathlib import Path
from typing import Protocol

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.action import RunFile
from partner_desktop.domain.command_session import Stream
from partner_desktop.domain.elicitation import Elicitation, ElicitationAnswer
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.mcp_server import ServerFailure, ServerPrompt, ServerResource, StartQuestion
from partner_desktop.domain.meta_action import MetaActionInfo, RunnerResponse
from partner_desktop.domain.run_facts import PathUse
from partner_desktop.runner.mcp.config import ResolvedServer


@dataclass(frozen=True)
class RunScope:
    """Whose call it is, and where its outputs go."""

    action_id: str
    conversation_id: str
    folder: Path
    """The run's own folder; made by whoever writes into it first."""
    paths: tuple[PathUse, ...] = ()
    """What the run may touch, resolved and approved. Only what runs here can be held to it."""
    held: bool = False
    """Whether the decision was for a run in the sandbox: then it runs there or not at all."""
    approved: str = ""
    """`content_hash` of the ability that was approved; empty: whatever the tool is by now."""
    timeout_s: float | None = None
    """How long a server may take to answer; `None`: as its configuration says."""
    on_progress: Callable[[float, float | None, str], None] = lambda done, total, message: None
    on_output: Callable[[Stream, str], None] = lambda stream, text: None
    """What a process of this machine prints, as it comes, made fit to show."""
    on_left: Callable[[tuple[RunFile, ...]], None] = lambda files: None
    """The files that a script left in its workspace; called in the run's own thread, when it has ended."""
    asking: Callable[[], AbstractContextManager[None]] = nullcontext
    """Around a question to the person: meanwhile the time of the run stands still."""


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
class ConnectionHooks:
    """What a server may ask of Partner while it is connected."""

    changed: Callable[[], None]
    """Its tools, resources or prompts are different now."""
    ask: Callable[[Elicitation], Awaitable[ElicitationAnswer]]
    roots: Callable[[], Sequence[Path]]
    """The folders that the person granted."""
    sample: Callable[[SamplingRequest], Awaitable[str]] | None = None
    """`None` while no chat model is loaded: then sampling is not announced. Raises ActionError for a no."""


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


class Connect(Protocol):
    """Opens connections; `connection.connect` is the real one.

    Entering raises ServerEndedError within `resolved.start_timeout_s`; `log` takes each line that the server
    writes to stderr, and each log message that it sends.
    """

    def __call__(
        self, resolved: ResolvedServer, hooks: ConnectionHooks, *, log: Callable[[str], None]
    ) -> AbstractAsyncContextManager[Connection]: ...


class ToolCaller(Protocol):
    """Who answers for the location of an external server: the manager of the servers."""

    async def call_tool(
        self, location: str, tool: str, params: JsonObject, *, scope: RunScope
    ) -> RunnerResponse: ...

    def is_remote(self, location: str) -> bool:
        """Whether the server is reached by an address: it is not a process of the person's own."""
        ...
