"""`intervention::acquire_intervention`: a question to the person; the answer is the result.

Contract: the question lives no longer than its run. What comes back says which of three it was: an answer, a
no to answering, or a question that timed out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from partner_desktop.action.runner.builtin.registry import BuiltinCall, Builtins
from partner_desktop.base.errors import UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.elicitation import Elicitation, ElicitationAnswer
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import RunnerResponse

_DEFAULT_S = 300
_ANSWER: JsonObject = {
    "type": "object",
    "properties": {"answer": {"type": "string", "minLength": 1, "title": "Your answer"}},
    "required": ["answer"],
}


class Asks(Protocol):
    """Puts questions to the person. `runner/mcp/elicitations.py` has this face."""

    def during(self, action_id: str) -> AbstractContextManager[None]: ...

    async def ask(self, elicitation: Elicitation) -> ElicitationAnswer: ...


class Actions(Protocol):
    """The actions by their ids. `action/store.py` has this face."""

    async def get(self, action_id: str) -> ActionRecord: ...


class AcquiringBuiltins:
    """`asks` and `actions` are asked for with each call: they are built after the list of builtins."""

    def __init__(self, asks: Callable[[], Asks], actions: Callable[[], Actions]) -> None:
        self._asks = asks
        self._actions = actions

    def definitions(self) -> Builtins:
        return {"intervention::acquire_intervention": self._acquire}

    async def _acquire(self, call: BuiltinCall) -> RunnerResponse:
        question = Elicitation(
            id=new_id(),
            server="",
            action_id=await self._card(call),
            conversation_id=call.conversation_id,
            message=await self._words(call),
            schema=_ANSWER,
        )
        wait_s = call.number("timeout", _DEFAULT_S)
        asks = self._asks()
        try:
            with asks.during(question.action_id):
                async with asyncio.timeout(wait_s):
                    answer = await asks.ask(question)
        except TimeoutError:
            return RunnerResponse(
                ok=False, error=f"The question timed out: no answer within {_span(wait_s)}."
            )
        return _result(answer)

    async def _card(self, call: BuiltinCall) -> str:
        """Whose card shows the question: a step of a chain has none of its own."""
        return (await self._actions().get(call.action_id)).parent_id or call.action_id

    async def _words(self, call: BuiltinCall) -> str:
        """The question, and what it is about where that is an action of this conversation."""
        try:
            about = await self._actions().get(call.text("actionId")) if call.text("actionId") else None
        except UsageError:
            about = None
        if about is None or about.conversation_id != call.conversation_id:
            return call.text("demand")
        return f"{about.title}: {call.text('demand')}"


def _result(answer: ElicitationAnswer) -> RunnerResponse:
    if answer.verdict != "accept":
        return RunnerResponse(ok=False, error="The question was not answered: the person declined.")
    said = str(answer.content.get("answer", ""))
    return RunnerResponse(ok=True, data={"summary": f"The answer is: {said}", "answer": said})


def _span(seconds: int) -> str:
    if seconds < 120:
        return f"{seconds} second{'' if seconds == 1 else 's'}"
    return f"{seconds // 60} minutes"
