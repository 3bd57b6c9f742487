"""Elicitations: the open questions of servers, each bound to the run that waits for its answer.

Contract: a question lives no longer than its run: when that ends or is cancelled, whoever waits for the
answer is told `cancel`, and an event takes the question away. Nothing a server asks is answered by anybody
but the person.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from partner_desktop.action.schema_check import misfit
from partner_desktop.base import log
from partner_desktop.base.errors import UsageError
from partner_desktop.domain.elicitation import Elicitation, ElicitationAnswer
from partner_desktop.domain.events import ElicitationEvent, Event
from partner_desktop.domain.json_value import JsonObject

_log = log.area("mcp")

#: Questions of one run that may be open at once.
_MOST_AT_ONCE = 5

CANCELLED = ElicitationAnswer("cancel")


@dataclass(frozen=True)
class _Open:
    elicitation: Elicitation
    answer: asyncio.Future[ElicitationAnswer]


class Elicitations:
    """Used on the loop. `exchange_of` gives the exchange of a running action, for the events' address."""

    def __init__(self, publish: Callable[[Event], None], exchange_of: Callable[[str], str]) -> None:
        self._publish = publish
        self._exchange_of = exchange_of
        self._open: dict[str, _Open] = {}
        self._runs: dict[str, int] = {}

    def open(self) -> Sequence[Elicitation]:
        """Oldest first."""
        return tuple(each.elicitation for each in self._open.values())

    @contextmanager
    def during(self, action_id: str) -> Iterator[None]:
        """A call of this run is under way; what it still asks at the end is taken back."""
        self._runs[action_id] = self._runs.get(action_id, 0) + 1
        try:
            yield
        finally:
            self._runs[action_id] -= 1
            if not self._runs[action_id]:
                del self._runs[action_id]
                self._take_back(action_id)

    def _take_back(self, action_id: str) -> None:
        for each in self._of(action_id):
            if not each.answer.done():
                each.answer.set_result(CANCELLED)
            self._close(each.elicitation)

    def _of(self, action_id: str) -> list[_Open]:
        return [each for each in self._open.values() if each.elicitation.action_id == action_id]

    async def ask(self, elicitation: Elicitation) -> ElicitationAnswer:
        """Put a question to the person and wait, for as long as the run waits."""
        run = elicitation.action_id
        if run not in self._runs or len(self._of(run)) >= _MOST_AT_ONCE or elicitation.id in self._open:
            _log.info("a question of %s was not put: no call waits for it", elicitation.server)
            return CANCELLED
        answer: asyncio.Future[ElicitationAnswer] = asyncio.get_running_loop().create_future()
        self._open[elicitation.id] = _Open(elicitation, answer)
        self._tell(elicitation, is_open=True)
        try:
            return await answer
        finally:
            self._close(elicitation)

    async def answer(self, elicitation_id: str, answer: ElicitationAnswer) -> None:
        """The person answered.

        Raises:
            UsageError: The question is not open (any more), or the answer does not fit its schema.
        """
        asked = self._required(elicitation_id).elicitation
        if answer.verdict == "accept" and asked.schema:
            problem = await asyncio.to_thread(_misfit, asked.schema, answer.content)
            if problem:
                raise UsageError(problem)
        future = self._required(elicitation_id).answer  # it may have gone while that was looked at
        future.set_result(answer)

    def _required(self, elicitation_id: str) -> _Open:
        found = self._open.get(elicitation_id)
        if found is None or found.answer.done():
            raise UsageError("This question is not open any more; the action that asked it has ended.")
        return found

    def _close(self, elicitation: Elicitation) -> None:
        if self._open.pop(elicitation.id, None) is not None:
            self._tell(elicitation, is_open=False)

    def _tell(self, elicitation: Elicitation, *, is_open: bool) -> None:
        self._publish(
            ElicitationEvent(
                conversation_id=elicitation.conversation_id,
                exchange_id=self._exchange_of(elicitation.action_id),
                elicitation=elicitation,
                open=is_open,
            )
        )


def _misfit(schema: JsonObject, content: JsonObject) -> str:
    """Why an answer does not fit; empty when it does. Off the loop."""
    found = misfit(schema, content, formats=True, foreign=True)
    if found is None:
        return ""
    if found.of_schema:
        return f"The server describes the answer wrongly: {found.message}. Decline, or cancel the action."
    where = f"`{found.param}`: " if found.param else ""
    return f"The answer does not fit: {where}{found.message}."
