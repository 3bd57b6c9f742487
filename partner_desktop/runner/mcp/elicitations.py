"""Elicitations: the open questions of servers, each bound to the run that waits for its answer.

Contract: a question lives no longer than its run, and no longer than a card: when the run ends or is
cancelled, or nobody answers in time, whoever waits for the answer is told `cancel`, and an event takes the
question away. Where nobody could be asked it is cancelled at once, which is said. Nothing a server asks is
answered by anybody but the person.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import LazySentence, sentence_of
from partner_desktop.base.recent import Recent
from partner_desktop.domain.elicitation import CANCELLED, Elicitation, ElicitationAnswer
from partner_desktop.domain.events import ElicitationEvent, Event, NoticeEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.schema_check import misfit

_log = log.area("mcp")

#: Questions of one run that may be open at once.
_MOST_AT_ONCE = 5
#: Exchanges of which it is known that nobody in them can be asked; the oldest are over long since.
_MOST_MUTE = 1_000


@dataclass(frozen=True)
class _Open:
    elicitation: Elicitation
    answer: asyncio.Future[ElicitationAnswer]


class Elicitations:
    """Used on the loop. `exchange_of` gives the exchange of a running action, for the events' address.

    `patience` is how long an answer is waited for, with a reminder when only `reminder` of it is left;
    `in_window`: there is a window, which shows every question.
    """

    def __init__(
        self,
        publish: Callable[[Event], None],
        exchange_of: Callable[[str], str],
        *,
        clock: Clock,
        patience: timedelta,
        reminder: timedelta,
        in_window: bool,
    ) -> None:
        self._publish = publish
        self._exchange_of = exchange_of
        self._clock = clock
        self._patience, self._reminder = patience, reminder
        self._in_window = in_window
        self._mute: Recent[str, None] = Recent(_MOST_MUTE)
        self._open: dict[str, _Open] = {}
        self._runs: dict[str, int] = {}

    def open(self) -> Sequence[Elicitation]:
        """Oldest first."""
        return tuple(each.elicitation for each in self._open.values())

    def nobody_in(self, exchange_id: str) -> None:
        """Whoever began this exchange cannot be asked anything."""
        self._mute[exchange_id] = None

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
        """Put a question to the person and wait, for as long as the run and a person's patience last."""
        run = elicitation.action_id
        if run not in self._runs or len(self._of(run)) >= _MOST_AT_ONCE or elicitation.id in self._open:
            _log.info("a question of %s was not put: no call waits for it", elicitation.server)
            return CANCELLED
        if not self._in_window and self._exchange_of(run) in self._mute:
            self._tell(elicitation, is_open=False)
            self._say(elicitation, LazySentence("servers.nobody_here"))
            return CANCELLED
        answer: asyncio.Future[ElicitationAnswer] = asyncio.get_running_loop().create_future()
        self._open[elicitation.id] = _Open(elicitation, answer)
        self._tell(elicitation, is_open=True)
        try:
            await self._wait(answer, self._patience - self._reminder)
            if not answer.done():
                left = self._reminder.total_seconds() / 60
                self._say(elicitation, LazySentence("servers.still_waits", minutes=left))
                await self._wait(answer, self._reminder)
            if not answer.done():
                self._say(elicitation, LazySentence("servers.nobody_answered"))
                answer.set_result(CANCELLED)
            return answer.result()
        finally:
            self._close(elicitation)

    async def _wait(self, answer: asyncio.Future[ElicitationAnswer], limit: timedelta) -> None:
        pause = asyncio.get_running_loop().create_task(
            self._clock.sleep(limit.total_seconds()), name="elicitation patience"
        )
        either: set[asyncio.Future[Any]] = {answer, pause}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            pause.cancel()
            await asyncio.wait({pause})

    async def answer(self, elicitation_id: str, answer: ElicitationAnswer) -> None:
        """The person answered.

        Raises:
            UsageError: The question is not open (any more), or the answer does not fit its schema.
        """
        asked = self._required(elicitation_id).elicitation
        if answer.verdict == "accept" and asked.schema:
            problem = await asyncio.to_thread(_misfit, asked.schema, answer.content)
            if problem is not None:
                raise problem
        future = self._required(elicitation_id).answer  # it may have gone while that was looked at
        future.set_result(answer)

    def _required(self, elicitation_id: str) -> _Open:
        found = self._open.get(elicitation_id)
        if found is None or found.answer.done():
            raise UsageError("servers.question_over")
        return found

    def _close(self, elicitation: Elicitation) -> None:
        if self._open.pop(elicitation.id, None) is not None:
            self._tell(elicitation, is_open=False)

    def _say(self, elicitation: Elicitation, what: LazySentence) -> None:
        """A sentence about a question, with its words."""
        asks = sentence_of(
            "servers.asks" if elicitation.server else "servers.a_question", name=elicitation.server
        )
        self._publish(
            NoticeEvent(
                conversation_id=elicitation.conversation_id,
                exchange_id=self._exchange_of(elicitation.action_id),
                title=asks,
                text=sentence_of("servers.asked", what=what, asks=asks, message=elicitation.message),
                about=f"elicitation:{elicitation.id}",
            )
        )

    def _tell(self, elicitation: Elicitation, *, is_open: bool) -> None:
        self._publish(
            ElicitationEvent(
                conversation_id=elicitation.conversation_id,
                exchange_id=self._exchange_of(elicitation.action_id),
                elicitation=elicitation,
                open=is_open,
            )
        )


def _misfit(schema: JsonObject, content: JsonObject) -> UsageError | None:
    """Why an answer does not fit; `None` when it does. Off the loop."""
    found = misfit(schema, content, formats=True, foreign=True)
    if found is None:
        return None
    if found.of_schema:
        return UsageError("servers.answer_schema", reason=found.message)
    if found.param:
        return UsageError("servers.answer_unfit_at", name=found.param, reason=found.message)
    return UsageError("servers.answer_unfit", reason=found.message)
