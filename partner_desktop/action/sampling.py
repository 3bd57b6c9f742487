"""Sampling: a server asks for words of a model, and the person decides.

Contract: a request becomes an action of its own, the hidden `builtin::mcp::sample`, proposed in the
conversation of the call that the server works on. It goes through the permission engine like any other; its
record keeps what was asked and what was answered. Without such a call, or after a no, the server gets an
error. When the call that it belongs to ends, a card that still waits is turned down.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress

from partner_desktop.abilities.builtin.registry import BuiltinCall, Builtins
from partner_desktop.action.event_publisher import EventPublisher
from partner_desktop.action.manual_actions import ManualActions
from partner_desktop.action.runs.executor import ActionExecutor
from partner_desktop.action.store import ActionStore
from partner_desktop.base.errors import AskHumanError, ModelError, TellMindError, UsageError
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.tasks import uninterrupted
from partner_desktop.capabilities import ModelCapability
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.evidence import Proposed, Started, Withheld
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import RunnerResponse
from partner_desktop.model.chat import ChatMessage, ChatPiece
from partner_desktop.runner.mcp.port import SamplingRequest
from partner_desktop.runtime.exchanges import ExchangeRegistry

KEY = "builtin::mcp::sample"
#: A question that no setting names: it is asked behind everything that the person waits for.
_QUESTION = "sample"


def can_sample(models: ModelCapability) -> bool:
    """Whether a model is there that could answer a server."""
    return bool(models.serves(_QUESTION))


class SamplingBuiltins:
    """`mcp::sample`: lets the model write what a server asks for."""

    def __init__(self, models: ModelCapability) -> None:
        self._models = models

    def definitions(self) -> Builtins:
        return {"mcp::sample": self._sample}

    async def _sample(self, call: BuiltinCall) -> RunnerResponse:
        return RunnerResponse(ok=True, stdout=await _words_of_model(self._models, call.params))


async def _words_of_model(models: ModelCapability, params: JsonObject) -> str:
    messages = [ChatMessage("system", str(params["system"]))] if params.get("system") else []
    said = params["messages"]
    messages += [
        _message(each) for each in (said if isinstance(said, list) else []) if isinstance(each, dict)
    ]
    most = params["max_tokens"]
    limit = most if isinstance(most, int) else 1
    text = ""
    try:
        pieces = models.call(_QUESTION, messages, trunk=0, turn=None, max_tokens=limit)
        async with aclosing(pieces):
            async for piece in pieces:
                if isinstance(piece, ChatPiece) and not piece.reasoning:
                    text += piece.text
    except ModelError as error:
        raise TellMindError("common.told", text=error) from error
    return text


def _message(said: JsonObject) -> ChatMessage:
    return ChatMessage("assistant" if said["role"] == "assistant" else "user", str(said["text"]))


class Sampler:
    """Proposes what servers ask for, and waits for what came of it."""

    def __init__(
        self,
        desk: ManualActions,
        executor: ActionExecutor,
        store: ActionStore,
        exchanges: ExchangeRegistry,
        publisher: EventPublisher,
    ) -> None:
        self._desk = desk
        self._executor = executor
        self._store = store
        self._exchanges = exchanges
        self._publisher = publisher

    async def sample(self, request: SamplingRequest) -> str:
        """The model's words, after the person's yes.

        Raises:
            ActionError: No call of the server is under way, the person said no, or the model failed.
        """
        exchange_id = self._executor.exchange_of(request.action_id)
        if not exchange_id:
            raise AskHumanError("acts.sample_of_no_call")
        ends, news = dict[str, ActionRecord](), asyncio.Event()

        def hear(record: ActionRecord) -> None:
            if record.key == KEY and record.status.ended:
                ends[record.id] = record
                news.set()

        unfollow = self._publisher.follow(hear)
        try:
            record = await self._propose(request, exchange_id)
            try:
                while record.id not in ends and not record.status.ended:
                    news.clear()
                    await news.wait()
            except asyncio.CancelledError:
                await uninterrupted(self._withdraw(record.id))
                raise
        finally:
            unfollow()
        ended = ends.get(record.id, record)
        if ended.status is not ActionStatus.SUCCEEDED:
            if ended.error:
                raise AskHumanError("common.told", text=ended.error)
            raise AskHumanError("acts.sample_refused")
        return ended.stdout

    async def _propose(self, request: SamplingRequest, exchange_id: str) -> ActionRecord:
        exchange = self._exchanges.open(request.conversation_id, exchange_id=exchange_id)
        params: JsonObject = {
            "server": request.server,
            "messages": [{"role": role, "text": text} for role, text in request.messages],
            "max_tokens": request.max_tokens,
        }
        if request.system:
            params["system"] = request.system
        text = sentence_of("acts.sample_asked", server=request.server)
        try:
            evidence = await self._desk.begin(KEY, params, exchange, text=text)
        except UsageError as error:
            raise AskHumanError("common.told", text=error) from error
        if not isinstance(evidence, Proposed | Started | Withheld):
            raise AskHumanError("acts.sample_unfit")
        return evidence.action

    async def _withdraw(self, action_id: str) -> None:
        record = await self._store.get(action_id)
        if record.status is ActionStatus.WAITING:
            with suppress(UsageError):  # an answer came first
                await self._executor.turn_down(record, sentence_of("acts.sample_over"))
        await self._executor.cancel(action_id, tell=False)
