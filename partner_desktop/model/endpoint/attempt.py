"""One call that is under way: a few tries until it is heard, then its deltas, each in time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager

from partner_desktop.base.clock import Clock
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.model.endpoint.failure import EndpointError, Place, broken, silent
from partner_desktop.model.endpoint.reading import Delta, Reader
from partner_desktop.model.endpoint.wire_port import Answer, Wire

TRIES = 3
FIRST_PAUSE_S = 0.5
#: A server that wants to be left alone longer is not waited for.
LONGEST_PAUSE_S = 20.0
#: After its last word an answer may still tell what it cost, and after that it should end, so that the
#: connection can be used again; not every server does.
_AFTERWORD_S = 5.0
_END_S = 0.1


async def heard(wire: Wire, body: JsonObject, *, clock: Clock, patient: bool) -> Answer:
    """The head of the answer. What may pass is tried again; from here on nothing is.

    A server that has failed three times over the same question in another form is not given so much patience.

    Raises:
        ModelError: It was refused, or not reached.
    """
    for number in range(1, TRIES + 1):
        try:
            return await wire.post("/chat/completions", body)
        except EndpointError as error:
            pause_s = error.refusal.wait_s or FIRST_PAUSE_S * 2 ** (number - 1)
            hopeless = error.refusal.status == 500 and not patient
            if hopeless or not error.again or number == TRIES or pause_s > LONGEST_PAUSE_S:
                raise
        await clock.sleep(pause_s)
    raise AssertionError("the last try returns or raises")


@asynccontextmanager
async def answered(
    wire: Wire, body: JsonObject, reader: Reader, *, clock: Clock, answer_s: float, patient: bool = True
) -> AsyncIterator[AsyncGenerator[Delta, None]]:
    """The deltas of an answer; leaving closes the connection, wherever it was left."""
    answer = await heard(wire, body, clock=clock, patient=patient)
    try:
        async with (
            aclosing(answer.bytes()) as chunks,
            aclosing(reader.deltas(chunks)) as deltas,
            aclosing(_in_time(deltas, reader.place, answer_s=answer_s)) as timed,
        ):
            yield timed
    finally:
        await answer.close()


async def _in_time(
    deltas: AsyncGenerator[Delta, None], place: Place, *, answer_s: float
) -> AsyncGenerator[Delta, None]:
    """Each delta in time. What a server sends to keep the line open is no word.

    Raises:
        EndpointError: It fell silent, or ended before its answer did.
    """
    delta = await _next(deltas, place, answer_s=answer_s, begun=False)
    finished = False
    while delta is not None:
        finished = finished or delta.last or bool(delta.finish)
        last = delta.last
        yield delta
        if finished:
            delta = await _afterword(deltas, limit_s=_END_S if last else min(answer_s, _AFTERWORD_S))
        else:
            delta = await _next(deltas, place, answer_s=answer_s, begun=True)
    if not finished:
        raise broken(place, "broke its answer off")


async def _next(
    deltas: AsyncGenerator[Delta, None], place: Place, *, answer_s: float, begun: bool
) -> Delta | None:
    try:
        async with asyncio.timeout(answer_s):
            return await anext(deltas, None)
    except TimeoutError:
        raise silent(place, answer_s=answer_s, begun=begun) from None


async def _afterword(deltas: AsyncGenerator[Delta, None], *, limit_s: float) -> Delta | None:
    """What comes after the answer is whole: welcome, and no reason to fail."""
    try:
        async with asyncio.timeout(limit_s):
            return await anext(deltas, None)
    except (TimeoutError, EndpointError):
        return None
