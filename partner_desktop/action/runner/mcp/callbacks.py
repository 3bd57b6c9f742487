"""What a server asks of Partner while it is connected: the person, the granted folders, a model's words.

The SDK runs each in a task of the connection, or in the task of the call that it came with. Nothing that a
server says here is followed: it is shown, or given to whoever decides.
"""

from __future__ import annotations

import asyncio

import mcp_types as types
from mcp.client.session import ClientRequestContext, IncomingMessage, SamplingFnT
from pydantic import FileUrl, ValidationError

from partner_desktop.action.runner.mcp.calls import RunningCall, RunningCalls
from partner_desktop.action.runner.mcp.port import ConnectionHooks, SamplingRequest
from partner_desktop.action.runner.mcp.server_log import ServerLog, one_line, plain_text
from partner_desktop.action.schema_check import misfit
from partner_desktop.base.errors import ActionError
from partner_desktop.base.ids import new_id
from partner_desktop.domain.elicitation import Elicitation, ElicitationAnswer
from partner_desktop.domain.json_value import JsonObject

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
            message=plain_text(params.message, _MESSAGE_CHARACTERS),
            schema=dict(params.requested_schema) if isinstance(params, types.ElicitRequestFormParams) else {},
            url="" if form else one_line(getattr(params, "url", ""), _URL_CHARACTERS),
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
    return f"The answer does not fit the form: {one_line(found.message, 300)}."
