"""Tracing: what happened in a turn, as plain records. Parts speak to this port; a writer stands behind it.

Contract: `record` never blocks and never raises, and is called on the loop. The writer adds the time and
the turn (`current_turn`) that the caller runs in. What the person wrote is never traced: names, counts, ids
and times only.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter
from typing import Protocol, TypeAlias

#: The whole id of the turn that runs in this task; empty outside of turns.
current_turn: ContextVar[str] = ContextVar("current_turn", default="")

Scalar: TypeAlias = str | int | float | bool | None


class Tracer(Protocol):
    """Takes records of a kind: `turn`, `module`, `mind`, `workspace`, `error` and what parts add."""

    def record(self, kind: str, /, **fields: Scalar) -> None: ...


class NullTracer:
    """Forgets everything."""

    def record(self, kind: str, /, **fields: Scalar) -> None:
        pass


@contextmanager
def span(tracer: Tracer, kind: str, /, **fields: Scalar) -> Iterator[None]:
    """Record `kind` when the block ends: `duration_ms`, and `outcome` ok, cancelled or the error's type."""
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
        tracer.record(kind, **fields, duration_ms=took_ms, outcome=outcome)
