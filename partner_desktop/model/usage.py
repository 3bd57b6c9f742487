"""UsageBook: what every call of a model cost, however it ended.

Contract: booking never waits and never fails: a disk that refuses costs the record only. What was booked is
written in order, before `shutdown` returns. Numbers and names only; what was said is nowhere here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import astuple

from partner_desktop.base import log
from partner_desktop.base.errors import StorageError
from partner_desktop.base.operation import Caller, operation
from partner_desktop.base.tasks import TaskSet
from partner_desktop.base.trace import NullTracer, Tracer
from partner_desktop.domain.decoder import decoded
from partner_desktop.domain.events import Event, UsageEvent
from partner_desktop.domain.model_call import CallTotals, ModelCall
from partner_desktop.storage.database import Connection, Database, Row

_log = log.area("model")

#: Seconds that the last records may take to be written at the end.
_CLOSE_S = 3.0
#: Calls of one turn, or of a page; more help nobody.
_MOST_CALLS = 1_000

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

    def book(self, call: ModelCall) -> None:
        """Write a call down, in the background."""
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
