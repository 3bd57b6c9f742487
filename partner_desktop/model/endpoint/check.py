"""What of an endpoint works: for the Test button, before it is saved.

Contract: nothing is kept, each step is bounded in time, and a step that an earlier one makes pointless is
left out. It never raises for what the server does.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import TypeVar

from partner_desktop.base.clock import Clock, SystemClock
from partner_desktop.base.errors import ModelError
from partner_desktop.base.messages import sentence_of
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.model_status import EndpointCheck, EndpointDraft, EndpointReport
from partner_desktop.model.chat import ChatEvent, ChatMessage, ChatPiece, ChatRequest, ChatUsage, Sampling
from partner_desktop.model.endpoint.address import tidy_address
from partner_desktop.model.endpoint.body import prepare
from partner_desktop.model.endpoint.chat_model import EndpointChatModel
from partner_desktop.model.endpoint.constraint import DialectMemory, constraint
from partner_desktop.model.endpoint.failure import EndpointError
from partner_desktop.model.settings import EndpointModel

STEP_S = 30.0
_CONNECT_S = 10.0
_NAME = re.compile(r"[^\s/\\][^/\\\n]{0,79}")
_HELLO = ChatRequest((ChatMessage("user", "Say hello."),), sampling=Sampling(temperature=0.0, max_tokens=256))
_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"ready": {"type": "boolean"}},
    "required": ["ready"],
    "additionalProperties": False,
}
_FORM = ChatRequest(
    (ChatMessage("user", 'Are you ready? Answer with the JSON object {"ready": true}.'),),
    sampling=Sampling(temperature=0.0, max_tokens=1024),
    schema=_SCHEMA,
)
_HELD = {
    "schema": "model.held_schema",
    "json": "model.held_json",
    "prompt": "model.held_prompt",
}

T = TypeVar("T")


async def check(
    draft: EndpointDraft, key: str, *, clock: Clock | None = None, step_s: float = STEP_S
) -> EndpointReport:
    """Try it out. `step_s`: the longest that one step may take."""
    try:
        address = tidy_address(draft.base_url)
    except ModelError as error:
        return EndpointReport((EndpointCheck("reachable", ok=False, sentence=str(error)),))
    settings = EndpointModel(
        name=draft.name if _NAME.fullmatch(draft.name) else "endpoint",
        base_url=address,
        model=draft.model,
        context_tokens=draft.context_tokens,
        connect_seconds=min(_CONNECT_S, step_s),
        answer_seconds=step_s,
    )
    clock = clock or SystemClock()

    async def given() -> str:
        return key

    model = EndpointChatModel(settings, key=given, clock=clock, dialects=DialectMemory(None, clock=clock))
    try:
        await prepare()
        return await _Examination(model, keyed=bool(key.strip()), step_s=step_s).report()
    finally:
        await model.shutdown()


class _Examination:
    def __init__(self, model: EndpointChatModel, *, keyed: bool, step_s: float) -> None:
        self._model, self._keyed, self._step_s = model, keyed, step_s
        self._checks: list[EndpointCheck] = []

    async def report(self) -> EndpointReport:
        for step in (self._look, self._say, self._structure):
            if not await step():
                break
        return EndpointReport(tuple(self._checks), self._model.listed)

    def _note(self, check: EndpointCheck) -> bool:
        self._checks.append(check)
        return check.ok

    async def _look(self) -> bool:
        error = await self._tried(self._model.load)
        where = self._model.status().where
        status = error.refusal.status if isinstance(error, EndpointError) else 0
        if error is None or status in (401, 403):
            self._note(
                EndpointCheck("reachable", ok=True, sentence=sentence_of("model.place_answers", place=where))
            )
        if error is None:
            return True
        if status in (401, 403):
            return self._note(EndpointCheck("key", ok=False, sentence=str(error)))
        if self._model.reached:
            self._note(
                EndpointCheck("reachable", ok=True, sentence=sentence_of("model.place_answers", place=where))
            )
            return self._note(EndpointCheck("model", ok=False, sentence=str(error)))
        return self._note(EndpointCheck("reachable", ok=False, sentence=str(error)))

    async def _say(self) -> bool:
        """The first word shows that key, model and stream are in order."""

        async def first_word() -> None:
            async with aclosing(self._model.chat(_HELLO)) as events:
                async for _ in events:
                    return

        error = await self._tried(first_word)
        refusal = error.refusal if isinstance(error, EndpointError) else None
        if refusal is not None and refusal.status in (401, 403):
            return self._note(EndpointCheck("key", ok=False, sentence=str(error)))
        key = sentence_of("model.key_taken") if self._keyed else sentence_of("model.no_key_needed")
        self._note(EndpointCheck("key", ok=True, sentence=key))
        if refusal is not None and (refusal.status == 404 or refusal.words.unknown_model):
            return self._note(EndpointCheck("model", ok=False, sentence=str(error)))
        status = self._model.status()
        note = f" {status.note}" if status.note else ""
        self._note(
            EndpointCheck(
                "model", ok=True, sentence=sentence_of("model.is_used", model=status.description, note=note)
            )
        )
        if error is not None:
            return self._note(EndpointCheck("stream", ok=False, sentence=str(error)))
        return self._note(EndpointCheck("stream", ok=True, sentence=sentence_of("model.answers_come")))

    async def _structure(self) -> bool:
        said: list[ChatEvent] = []

        async def answer() -> None:
            said.extend(await _all(self._model.chat(_FORM)))

        error = await self._tried(answer)
        if error is not None:
            return self._note(EndpointCheck("structured", ok=False, sentence=str(error)))
        text = "".join(event.text for event in said if isinstance(event, ChatPiece) and not event.reasoning)
        held = next((event.constrained for event in said if isinstance(event, ChatUsage)), "")
        form = await asyncio.to_thread(constraint, _SCHEMA)
        if form.answer(text) is None:
            sentence = sentence_of("model.not_held")
            return self._note(EndpointCheck("structured", ok=False, sentence=sentence))
        return self._note(
            EndpointCheck("structured", ok=True, sentence=sentence_of(_HELD.get(held, "model.it_worked")))
        )

    async def _tried(self, step: Callable[[], Awaitable[None]]) -> ModelError | None:
        try:
            async with asyncio.timeout(self._step_s):
                await step()
        except TimeoutError:
            where = self._model.status().where
            return ModelError("model.check_late", place=where, seconds=self._step_s)
        except ModelError as error:
            return error
        return None


async def _all(events: AsyncGenerator[ChatEvent, None]) -> list[ChatEvent]:
    async with aclosing(events):
        return [event async for event in events]
