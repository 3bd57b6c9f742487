"""UsageBook: what every call of a model cost, however it ended.

Contract: booking never waits and never fails: a disk that refuses costs the record only. What was booked is
written in order, before `shutdown` returns. Numbers and names only; what was said is nowhere here.

`CallMeter` is one call while it runs, and what it came to.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import astuple, field
from datetime import datetime

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import StorageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.operation import Caller, operation
from partner_desktop.base.tasks import TaskSet
from partner_desktop.base.trace import NullTracer, Tracer
from partner_desktop.domain.decoder import decoded
from partner_desktop.domain.events import Event, UsageEvent
from partner_desktop.domain.message import TurnRef
from partner_desktop.domain.model_call import CallEnd, CallTotals, ModelCall
from partner_desktop.model.chat import ChatEvent, ChatPiece, ChatUsage
from partner_desktop.storage.database import Connection, Database, Row

_log = log.area("model")

#: Seconds that the last records may take to be written at the end.
_CLOSE_S = 3.0
#: Calls of one turn, or of a page; more help nobody.
_MOST_CALLS = 1_000
#: Calls that tell how long one usually takes, and those among which they are looked for.
_USUAL, _LOOKED_THROUGH = 20, 2_000

_COLUMNS = (
    "id, at, model, question, conversation_id, turn_id, prompt_tokens, reused_tokens, output_tokens, "
    "trunk_tokens, context_tokens, first_token_ms, duration_ms, ended, cost"
)


class UsageBook:
    """A part of the AgentContext, closed after the models and before the database."""

    def __init__(
        self, database: Database, *, publish: Callable[[Event], None], tracer: Tracer | None = None
    ) -> None:
        self._database = database
        self._publish = publish
        self._tracer: Tracer = tracer or NullTracer()
        self._tasks = TaskSet("usage")
        self._writing: set[asyncio.Task[None]] = set()
        self._order = asyncio.Lock()

    async def launch(self) -> None:
        """Nothing."""

    async def shutdown(self) -> None:
        """Write what was booked; bounded in time."""
        if self._writing:
            await asyncio.wait(self._writing, timeout=_CLOSE_S)
        await self._tasks.close()

    def book(self, call: ModelCall, *, constrained: str = "") -> None:
        """Write a call down, in the background. By what its answer was held to a form, the trace tells."""
        self._tracer.record(
            "model_call",
            turn=call.turn_id,
            conversation=call.conversation_id,
            model=call.model,
            question=call.question,
            prompt_tokens=call.prompt_tokens,
            reused_tokens=call.reused_tokens,
            trunk_tokens=call.trunk_tokens,
            output_tokens=call.output_tokens,
            context_tokens=call.context_tokens,
            first_token_ms=round(call.first_token_ms, 3),
            duration_ms=round(call.duration_ms, 3),
            constrained=constrained or None,
            outcome=call.end,
        )
        try:
            task = self._tasks.start("record", self._record(call))
        except RuntimeError:
            return  # everything is closed already: the end of the app cut this call off
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)

    async def _record(self, call: ModelCall) -> None:
        async with self._order:
            try:
                totals = await self._database.write(lambda db: _insert(db, call))
            except StorageError as error:
                _log.warning("the cost of a call was not written down: %s", error)
                return
        self._publish(UsageEvent(conversation_id=call.conversation_id, call=call, totals=totals))

    @operation(Caller.ATTACHED)
    async def calls(self, turn_id: str) -> list[ModelCall]:
        """The calls of a turn, in the order in which they ended.

        Raises:
            StorageError: They cannot be read.
        """
        rows = await self._database.rows(
            f"SELECT {_COLUMNS} FROM model_calls WHERE turn_id = ? ORDER BY position LIMIT ?",  # noqa: S608 - names
            (turn_id, _MOST_CALLS),
        )
        return [_call_of(row) for row in rows]

    @operation(Caller.ATTACHED)
    async def totals(self, conversation_id: str) -> CallTotals:
        """All calls of a conversation together.

        Raises:
            StorageError: They cannot be read.
        """
        return await self._database.read(lambda db: _totals(db, conversation_id))

    async def usual_ms(self, question: str, model: str) -> float:
        """What the last calls of a model with a question have taken on average; 0 where there were none.

        Raises:
            StorageError: It cannot be read.
        """
        row = await self._database.row(
            "SELECT coalesce(avg(duration_ms), 0) FROM (SELECT duration_ms FROM model_calls "
            "WHERE question = ? AND model = ? AND ended = 'stop' "
            "AND position > (SELECT max(position) FROM model_calls) - ? "
            "ORDER BY position DESC LIMIT ?)",
            (question, model, _LOOKED_THROUGH, _USUAL),
        )
        return float(row[0])

    async def tokens_of(self, turn_id: str) -> int:
        """What models read and wrote for a turn.

        Raises:
            StorageError: It cannot be read.
        """
        row = await self._database.row(
            "SELECT coalesce(sum(prompt_tokens + output_tokens), 0) FROM model_calls WHERE turn_id = ?",
            (turn_id,),
        )
        return int(row[0])


def _insert(db: Connection, call: ModelCall) -> CallTotals:
    """A call of a conversation that was erased meanwhile is not kept."""
    values = list(astuple(call))
    values[1] = call.at.isoformat()
    values[4] = call.conversation_id or None
    marks = ", ".join("?" * len(values))
    db.execute(
        f"INSERT INTO model_calls ({_COLUMNS}) SELECT {marks} "  # noqa: S608 - names and question marks
        "WHERE ? = '' OR EXISTS (SELECT 1 FROM conversations WHERE id = ?)",
        (*values, call.conversation_id, call.conversation_id),
    )
    return _totals(db, call.conversation_id)


def _totals(db: Connection, conversation_id: str) -> CallTotals:
    row = db.execute(
        "SELECT count(*), total(prompt_tokens), total(reused_tokens), total(output_tokens), sum(cost) "
        "FROM model_calls WHERE conversation_id IS ?",
        (conversation_id or None,),
    ).fetchone()
    return CallTotals(int(row[0]), int(row[1]), int(row[2]), int(row[3]), row[4])


def _call_of(row: Row) -> ModelCall:
    return decoded(ModelCall, dict(row), end=row["ended"])


_PRICED_TOKENS = 1_000_000


@dataclass(frozen=True)
class Prices:
    """Of a million tokens; `None`: none is set."""

    prompt: float | None = None
    answer: float | None = None

    def cost(self, prompt_tokens: int, answer_tokens: int) -> float | None:
        """What so many cost; `None` where no price is set."""
        if self.prompt is None and self.answer is None:
            return None
        spent = prompt_tokens * (self.prompt or 0.0) + answer_tokens * (self.answer or 0.0)
        return spent / _PRICED_TOKENS


@dataclass
class CallMeter:
    """Sees every event of a call; `end` is what it is until something else is known."""

    model: str
    question: str
    turn: TurnRef | None
    prices: Prices
    clock: Clock
    end: CallEnd = "cancelled"
    usage: ChatUsage = field(default_factory=ChatUsage)
    at: datetime = field(init=False)
    pace: TokenPace = field(init=False)

    def __post_init__(self) -> None:
        self.at, self.pace = self.clock.now(), TokenPace(self.clock)

    def take(self, event: ChatEvent) -> None:
        """The next event."""
        if isinstance(event, ChatPiece) and event.unseen:
            return
        if isinstance(event, ChatPiece):
            self.pace.take(event.tokens)
            self.usage = event.known or self.usage
        else:
            self.usage, self.end = event, event.end

    def call(self) -> ModelCall:
        """The record, once it is over."""
        used = self.usage
        written = used.output_tokens or self.pace.tokens
        return ModelCall(
            id=new_id(),
            at=self.at,
            model=self.model,
            question=self.question,
            conversation_id=self.turn.conversation_id if self.turn else "",
            turn_id=self.turn.turn_id if self.turn else "",
            prompt_tokens=used.prompt_tokens,
            reused_tokens=used.reused_tokens,
            output_tokens=written,
            trunk_tokens=used.trunk_tokens,
            context_tokens=used.context_tokens,
            first_token_ms=self.pace.first_ms,
            duration_ms=self.pace.total_ms,
            end=self.end,
            cost=self.prices.cost(used.prompt_tokens, written),
        )


class TokenPace:
    """Tokens by time, from the first on."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._begun_s = clock.monotonic_s()
        self._first_s: float | None = None
        self._last_s = self._begun_s
        self._first_tokens = 0
        self._told = 0
        self.tokens = 0
        """All that came."""

    def take(self, tokens: int) -> None:
        """So many more came just now."""
        self._last_s = self._clock.monotonic_s()
        if self._first_s is None:
            self._first_s, self._first_tokens = self._last_s, tokens
        self.tokens += tokens

    def fresh(self) -> int:
        """How many came since this was asked the last time."""
        told, self._told = self._told, self.tokens
        return self.tokens - told

    @property
    def first_ms(self) -> float:
        """Until the first token; 0 where none came."""
        return 0.0 if self._first_s is None else 1000 * (self._first_s - self._begun_s)

    @property
    def total_ms(self) -> float:
        """Until now."""
        return 1000 * (self._clock.monotonic_s() - self._begun_s)

    @property
    def tokens_per_s(self) -> float:
        """After the first; since the beginning where all came at once; 0 where nothing was measured."""
        if self._first_s is None:
            return 0.0
        at_once = self.tokens == self._first_tokens > 1
        begun_s, before = (self._begun_s, 0) if at_once else (self._first_s, self._first_tokens)
        span_s = self._last_s - begun_s
        return (self.tokens - before) / span_s if span_s > 0 else 0.0
