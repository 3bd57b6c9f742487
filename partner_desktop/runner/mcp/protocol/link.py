"""Link: the task in which one connection lives, from the first byte to the last.

Contract: transport and session are entered and left in this one task, because the SDK's scopes ask for that;
a transport that breaks takes this task down and nobody else's. `opened` is settled when the server is ready
or could not be made so; `ended` when it was ready and broke. `close` may be called from any task; it asks the
task to leave and waits for it, bounded, whatever is cancelled meanwhile.

What the server asks of Partner meanwhile (the person, folders, a model's words) the SDK runs in a task of the
connection, or in the task of the call that it came with. Nothing that a server says here is followed: it is
shown, or given to whoever decides.
"""

from __future__ import annotations

import asyncio
import contextlib
from contextlib import AsyncExitStack
from typing import Literal

import mcp_types as types
from mcp import Client
from mcp.client.session import ClientRequestContext, IncomingMessage, SamplingFnT
from mcp.client.subscriptions import SubscriptionLost
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import FileUrl, ValidationError

from partner_desktop import __version__
from partner_desktop.base import log
from partner_desktop.base.errors import ActionError
from partner_desktop.base.ids import new_id
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.tasks import TaskSet, uninterrupted
from partner_desktop.domain.elicitation import Elicitation, ElicitationAnswer
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.mcp_server import ServerFailure, ServerStep
from partner_desktop.domain.schema_check import misfit
from partner_desktop.runner.mcp.port import (
    ConnectionHooks,
    ResolvedServer,
    SamplingRequest,
    ServerEndedError,
    ServerFacts,
)
from partner_desktop.runner.mcp.protocol.http import HttpTransport
from partner_desktop.runner.mcp.protocol.message_filter import MessageFilter
from partner_desktop.runner.mcp.protocol.oversize import Oversized
from partner_desktop.runner.mcp.protocol.server_offers import Listing
from partner_desktop.runner.mcp.protocol.stdio_transport import StdioTransport
from partner_desktop.runner.mcp.protocol.tool_calls import (
    RunningCall,
    RunningCalls,
    process_failure,
    protocol_failure,
)
from partner_desktop.runner.mcp.server_log import ServerLog, harmless_line, harmless_text

_log = log.area("mcp")

Mode = Literal["auto", "legacy"]

#: The transport's own bounds, and some more.
_CLOSE_TIMEOUT_S = 20.0
_LISTEN_AGAIN_S = 2.0
_SUBSCRIBE_TIMEOUT_S = 2.0


class Link:
    """One attempt at a server, and the connection that comes of it."""

    def __init__(
        self, server: ResolvedServer, hooks: ConnectionHooks, server_log: ServerLog, *, mode: Mode
    ) -> None:
        loop = asyncio.get_running_loop()
        self._server, self._hooks, self.log, self._mode = server, hooks, server_log, mode
        self.oversized = Oversized()
        self.message_filter = MessageFilter(server_log.say)
        self.running = RunningCalls(self.oversized)
        self.step = ServerStep.SPAWN
        self.opened: asyncio.Future[ServerFacts] = loop.create_future()
        self.ended: asyncio.Future[ServerFailure] = loop.create_future()
        self._over = asyncio.Event()
        """Somebody wants to leave, or the server is lost."""
        self._left = False
        self._tasks = TaskSet(f"mcp {server.id}")
        self._transport = self._make_transport()
        self._task = self._tasks.start("connection", self._run())

    @property
    def upset_by_probe(self) -> bool:
        """Whether the process read what it was asked first, and ended: some old servers do that.

        One whose output has ended takes its time to end itself; that may come after the end of patience.
        """
        transport = self._transport
        return (
            self._mode == "auto"
            and self.step is ServerStep.HANDSHAKE
            and isinstance(transport, StdioTransport)
            and (transport.died or transport.closed_output)
            and transport.ended.done()
            and transport.ended.result().read_all
        )

    async def close(self) -> None:
        """Leave the connection; its process is gone afterwards."""
        self._left = True
        self._over.set()
        if not self.opened.done():
            self._task.cancel()
        await uninterrupted(self._gone())

    async def _gone(self) -> None:
        await asyncio.wait([self._task], timeout=_CLOSE_TIMEOUT_S)
        await self._tasks.close()
        await asyncio.to_thread(self.oversized.close)

    def _make_transport(self) -> StdioTransport | HttpTransport:
        server, kept, sift, told, lost = (
            self._server,
            self.oversized,
            self.message_filter,
            self.log,
            self._over.set,
        )
        if server.transport == "stdio":
            return StdioTransport(server, oversized=kept, message_filter=sift, server_log=told, lost=lost)
        return HttpTransport(
            server,
            oversized=kept,
            message_filter=sift,
            server_log=told,
            lost=lost,
            sign_in=self._hooks.sign_in,
        )

    async def _run(self) -> None:
        error: Exception | None = None
        try:
            async with AsyncExitStack() as stack:
                await self._open(stack)
                await self._over.wait()
        except Exception as raised:  # noqa: BLE001 - a background task's end: whoever waits is told
            error = raised
        finally:
            self._settle(error)

    async def _open(self, stack: AsyncExitStack) -> None:
        callbacks = Callbacks(self._server.id, self._hooks, self.running, self.log)
        self.client = Client(
            self._transport,
            mode=self._mode,
            cache=None,
            client_info=types.Implementation(name="partner-desktop", version=__version__),
            message_handler=callbacks.on_message,
            logging_callback=callbacks.on_log,
            log_level="info",
            elicitation_callback=callbacks.elicit,
            list_roots_callback=callbacks.roots,
            sampling_callback=callbacks.sampler(),
        )
        self.step = ServerStep.HANDSHAKE
        await stack.enter_async_context(self.client)
        self.step = ServerStep.LIST
        await self._ask_for_logs()
        await self._subscribe()
        self.listing = Listing(self.client, self._server, self.message_filter, self.log)
        facts = await self.listing.facts()
        self.step = ServerStep.RUN
        self.opened.set_result(facts)

    async def _ask_for_logs(self) -> None:
        """Servers of the handshake era log only when asked to."""
        can = self.client.server_capabilities
        if can.logging is None or self.client.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return
        request = types.SetLevelRequest(params=types.SetLevelRequestParams(level="info"))
        try:
            await self.client.session.send_request(request, types.EmptyResult)
        except (MCPError, ValidationError) as error:
            self.log.say(f"It cannot be asked for its log: {error}")

    async def _subscribe(self) -> None:
        """Newer servers tell of changes only to subscribers; before the listing, so that none is missed."""
        if self.client.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            return
        subscribed = asyncio.Event()
        task = self._tasks.start("changes", self._follow_changes(subscribed))
        task.add_done_callback(lambda _: subscribed.set())
        with contextlib.suppress(TimeoutError):  # it goes without
            await asyncio.wait_for(subscribed.wait(), _SUBSCRIBE_TIMEOUT_S)

    async def _follow_changes(self, subscribed: asyncio.Event) -> None:
        """Until the server wants no subscribers. A stream that broke may have hidden a change."""
        can = self.client.server_capabilities
        tools = bool(can.tools and can.tools.list_changed)
        prompts = bool(can.prompts and can.prompts.list_changed)
        resources = bool(can.resources and can.resources.list_changed)
        while tools or prompts or resources:
            try:
                async with self.client.listen(
                    tools_list_changed=tools, prompts_list_changed=prompts, resources_list_changed=resources
                ) as changes:
                    subscribed.set()
                    async for _ in changes:
                        pass  # `Callbacks.on_message` gets them, too
            except MCPError as error:
                self.log.say(f"Its changes cannot be followed: {error.error.message}")
                return
            except SubscriptionLost:
                pass
            await asyncio.sleep(_LISTEN_AGAIN_S)
            self._hooks.changed()

    def _settle(self, error: Exception | None) -> None:
        if not self.opened.done():
            failure = (
                self._failure(error)
                if error is not None
                else ServerFailure(self.step, sentence_of("servers.end.stopped"))
            )
            self.opened.set_exception(ServerEndedError(failure))
            self.opened.exception()  # nobody may be waiting any more
        elif not self._left and not self.ended.done():
            self.ended.set_result(self._failure(error))

    def _failure(self, error: Exception | None) -> ServerFailure:
        transport, stderr = self._transport, self.log.last
        if isinstance(transport, HttpTransport):
            return transport.failure(self.step, error)
        if transport.died:
            return process_failure(self._server, self.step, transport.ended.result(), stderr)
        if transport.closed_output:
            return ServerFailure(self.step, sentence_of("servers.end.closed_output"), stderr=stderr)
        known = error or RuntimeError(sentence_of("servers.end.no_reason"))
        return protocol_failure(self._server, self.step, known, stderr)


_MESSAGE_CHARACTERS = 4000
_URL_CHARACTERS = 2000
_SAMPLE_CHARACTERS = 100_000
#: More at once is a flood, not a conversation.
_QUESTIONS = 8
#: MCP's code for a request that the person refused.
_REFUSED = -1

_CHANGES = (
    types.ToolListChangedNotification,
    types.ResourceListChangedNotification,
    types.PromptListChangedNotification,
)


class Callbacks:
    """Of one connection."""

    def __init__(
        self, server: str, hooks: ConnectionHooks, running: RunningCalls, server_log: ServerLog
    ) -> None:
        self._server, self._hooks, self._running, self._log = server, hooks, running, server_log
        self._open_questions = 0

    async def on_message(self, message: IncomingMessage) -> None:
        """For the SDK: whatever it does not handle itself."""
        if isinstance(message, _CHANGES):
            self._hooks.changed()

    async def on_log(self, params: types.LoggingMessageNotificationParams) -> None:
        """For the SDK: a log message."""
        text = params.data if isinstance(params.data, str) else repr(params.data)[:8000]
        self._log.say(f"[{params.level}] {f'{params.logger}: ' if params.logger else ''}{text}")

    async def roots(self, context: ClientRequestContext) -> types.ListRootsResult | types.ErrorData:
        """For the SDK: the folders that the person granted."""
        del context
        return types.ListRootsResult(
            roots=[types.Root(uri=FileUrl(path.as_uri()), name=path.name) for path in self._hooks.roots()]
        )

    async def elicit(
        self, context: ClientRequestContext, params: types.ElicitRequestParams
    ) -> types.ElicitResult | types.ErrorData:
        """For the SDK: a question to the person."""
        del context
        call = self._running.owner()
        if call is None or self._open_questions >= _QUESTIONS:
            why = "no call of it runs" if call is None else f"{_QUESTIONS} questions are open"
            self._log.say(f"Its question was not asked, because {why}: {params.message[:200]}")
            return types.ElicitResult(action="cancel")
        answer = ElicitationAnswer("cancel")
        self._open_questions += 1
        try:
            with call.question():
                answer = await self._hooks.ask(self._elicitation(params, call))
        finally:
            self._open_questions -= 1
        return await _result(params, answer)

    def _elicitation(self, params: types.ElicitRequestParams, call: RunningCall) -> Elicitation:
        form = isinstance(params, types.ElicitRequestFormParams)
        return Elicitation(
            id=new_id(),
            server=self._server,
            action_id=call.scope.action_id,
            conversation_id=call.scope.conversation_id,
            message=harmless_text(params.message, _MESSAGE_CHARACTERS),
            schema=dict(params.requested_schema) if isinstance(params, types.ElicitRequestFormParams) else {},
            url="" if form else harmless_line(getattr(params, "url", ""), _URL_CHARACTERS),
        )

    def sampler(self) -> SamplingFnT | None:
        """For the SDK: announced only while a model is there."""
        return self._sample if self._hooks.sample is not None else None

    async def _sample(
        self, context: ClientRequestContext, params: types.CreateMessageRequestParams
    ) -> types.CreateMessageResult | types.ErrorData:
        del context
        call = self._running.owner()
        if self._hooks.sample is None or call is None:
            return types.ErrorData(code=_REFUSED, message="Words are given only while a call runs.")
        if self._open_questions >= _QUESTIONS:
            return types.ErrorData(code=_REFUSED, message=f"{_QUESTIONS} questions are open already.")
        messages = _texts(params)
        if messages is None:
            return types.ErrorData(
                code=types.INVALID_PARAMS, message="Only texts can be sampled from, and not so long."
            )
        request = SamplingRequest(
            server=self._server,
            action_id=call.scope.action_id,
            conversation_id=call.scope.conversation_id,
            system=params.system_prompt or "",
            messages=messages,
            max_tokens=params.max_tokens,
        )
        text = ""
        self._open_questions += 1
        try:
            with call.question() as question:
                text = await self._hooks.sample(request)
        except ActionError as error:
            return types.ErrorData(code=_REFUSED, message=str(error))
        finally:
            self._open_questions -= 1
        if question.cancelled_caught:
            return types.ErrorData(code=_REFUSED, message="The call has ended.")
        return types.CreateMessageResult(
            role="assistant", content=types.TextContent(text=text), model="partner", stop_reason="endTurn"
        )


def _texts(params: types.CreateMessageRequestParams) -> tuple[tuple[str, str], ...] | None:
    """Role and text of each message; `None` if there is more than text, or too much of it."""
    found = []
    for message in params.messages:
        blocks = message.content_as_list
        texts = [block.text for block in blocks if isinstance(block, types.TextContent)]
        if len(texts) != len(blocks):
            return None
        found.append((str(message.role), "\n".join(texts)))
    too_long = sum(len(text) for _, text in found) + len(params.system_prompt or "") > _SAMPLE_CHARACTERS
    return None if too_long else tuple(found)


async def _result(
    params: types.ElicitRequestParams, answer: ElicitationAnswer
) -> types.ElicitResult | types.ErrorData:
    if answer.verdict != "accept" or isinstance(params, types.ElicitRequestURLParams):
        return types.ElicitResult(action=answer.verdict)
    problem = await asyncio.to_thread(_misfit, answer.content, params.requested_schema)
    if problem:
        return types.ErrorData(code=types.INVALID_PARAMS, message=problem)
    try:
        return types.ElicitResult.model_validate({"action": "accept", "content": answer.content})
    except ValidationError:
        return types.ErrorData(code=types.INVALID_PARAMS, message="The answer has parts inside of parts.")


def _misfit(content: JsonObject, schema: JsonObject) -> str:
    """Why an answer does not fit the form: a sentence; empty if it does. Off the loop."""
    found = misfit(schema, content, foreign=True)
    if found is None:
        return ""
    if found.of_schema:
        return "The form that was asked for is not a valid JSON Schema."
    return f"The answer does not fit the form: {harmless_line(found.message, 300)}."
