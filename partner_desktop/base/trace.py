"""Tracing: what happened in a turn, as plain records. Parts speak to this port; a writer stands behind it.

Contract: `record` never blocks and never raises, and is called on the loop. The writer adds the time and
the turn (`current_turn`) and the span (`current_span`) that the caller runs in; a field `turn` goes before
them. What the person wrote is never traced: names, counts, ids and times only.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count
from time import perf_counter
from typing import Protocol, TypeAlias

#: The whole id of the turn that runs in this task; empty outside of turns.
current_turn: ContextVar[str] = ContextVar("current_turn", default="")
#: The conversation that this task works for; empty: none. Tasks inherit it.
current_conversation: ContextVar[str] = ContextVar("current_conversation", default="")
#: The number of the innermost span around this code; 0 outside of all. Tasks inherit it.
current_span: ContextVar[int] = ContextVar("current_span", default=0)

Scalar: TypeAlias = str | int | float | bool | None


class Tracer(Protocol):
    """Takes records of a kind: `turn`, `module`, `mind`, `workspace`, `error` and what parts add."""

    def record(self, kind: str, /, **fields: Scalar) -> None: ...


class NullTracer:
    """Forgets everything."""

    def record(self, kind: str, /, **fields: Scalar) -> None:
        pass


_numbers = count(1)


@contextmanager
def span(tracer: Tracer, kind: str, /, **fields: Scalar) -> Iterator[None]:
    """Record `kind` when the block ends: `duration_ms`, and `outcome` ok, cancelled or the error's type.

    `span` is its number, unique in this process: what is recorded inside of the block names it as `within`.
    """
    outer, number = current_span.get(), next(_numbers)
    current_span.set(number)
    begun = perf_counter()
    outcome = "cancelled"
    try:
        yield
        outcome = "ok"
    except Exception as error:
        outcome = type(error).__name__
        raise
    finally:
        took_ms = round((perf_counter() - begun) * 1000, 3)
        current_span.set(outer)
        tracer.record(kind, **fields, span=number, duration_ms=took_ms, outcome=outcome)
