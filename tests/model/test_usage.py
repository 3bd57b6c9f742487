"""What calls cost: a row for each, however it ended; sums by conversation; nothing of it in anybody's way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from datetime import timedelta
from pathlib import Path

import pytest

from partner_desktop.base.clock import SystemClock
from partner_desktop.base.errors import ContextOverflowError, ModelError
from partner_desktop.base.trace import Scalar
from partner_desktop.domain.events import UsageEvent
from partner_desktop.domain.message import TurnRef
from partner_desktop.domain.model_call import CallTotals
from partner_desktop.model.chat import ChatMessage, ChatPiece
from partner_desktop.model.usage import TokenPace
from tests.model.engine import until
from tests.model.registries import Bench, registry_bench
from tests.support import FakeClock, Watcher

SETTINGS = """\
use = "priced"

[[endpoint]]
name = "priced"
base_url = "http://127.0.0.1:1/v1"
price_in = 0.5
price_out = 2

[[file]]
name = "free"
path = "f"

[[role]]
question = "extract_params"
model = "free"
"""


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    async with registry_bench(tmp_path, SystemClock(), SETTINGS) as one:
        await one.database.write(
            lambda db: db.execute(
                "INSERT INTO conversations (id, title, created_at, updated_at) VALUES ('c', '', '', '')"
            )
        )
        yield one


TURN = TurnRef("c", "t")


async def used(said: Watcher, number: int) -> UsageEvent:
    """The number-th call, once it is written down."""
    await said.until(lambda _: sum(isinstance(event, UsageEvent) for event in said.events) >= number)
    return [event for event in said.events if isinstance(event, UsageEvent)][number - 1]


async def test_every_call_is_a_row_with_its_price_and_the_conversation_has_a_sum(bench: Bench) -> None:
    await bench.ask(turn=TURN)
    await bench.ask("extract_params", turn=TURN)
    event = await used(bench.said, 2)
    assert (event.conversation_id, event.call.question) == ("c", "extract_params")
    reply, params = await bench.usage.calls("t")
    assert (reply.model, reply.question, reply.end) == ("priced", "reply", "stop")
    assert (reply.prompt_tokens, reply.reused_tokens, reply.output_tokens) == (120, 20, 2)
    assert (reply.evaluated_tokens, reply.context_tokens) == (100, 1000)
    assert reply.cost == pytest.approx((120 * 0.5 + 2 * 2) / 1_000_000)
    assert 0 < reply.first_token_ms <= reply.duration_ms
    assert params.cost is None
    assert event.totals == await bench.usage.totals("c") == CallTotals(2, 240, 40, 4, reply.cost)
    assert await bench.usage.totals("other") == CallTotals()


async def test_a_call_that_fails_and_one_that_is_left_are_booked_too(bench: Bench) -> None:
    model = bench.model("priced")
    model.fault = ModelError("The server is away.")
    with pytest.raises(ModelError):
        await bench.ask(turn=TURN)
    model.fault = ContextOverflowError("Too long.", prompt_tokens=9, context_tokens=8)
    with pytest.raises(ContextOverflowError):
        await bench.ask(turn=TURN)
    model.fault = None
    async with aclosing(
        bench.registry.call("reply", [ChatMessage("user", "x")], trunk=0, turn=TURN)
    ) as events:
        async for event in events:
            assert isinstance(event, ChatPiece)
            break
    model.gate.clear()
    task = asyncio.create_task(bench.ask(turn=TURN))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    await used(bench.said, 4)
    calls = await bench.usage.calls("t")
    assert [(call.end, call.output_tokens) for call in calls] == [
        ("failed", 2),
        ("failed", 2),
        ("cancelled", 1),
        ("cancelled", 0),
    ]


async def test_a_disk_that_refuses_costs_the_record_only(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    await bench.database.write(lambda db: db.execute("DROP TABLE model_calls"))
    assert await bench.ask(turn=TURN) == "Well, hello."
    await until(lambda: "was not written down" in caplog.text)
    assert not any(isinstance(event, UsageEvent) for event in bench.said.events)


async def test_what_was_booked_last_is_written_before_the_end(tmp_path: Path) -> None:
    async with registry_bench(tmp_path, SystemClock(), SETTINGS) as one:
        for _ in range(20):
            await one.ask()
    async with registry_bench(tmp_path, SystemClock(), SETTINGS) as again:
        assert (await again.usage.totals("")).calls == 20


async def test_a_call_of_a_conversation_that_is_gone_leaves_nothing(bench: Bench) -> None:
    await bench.ask(turn=TURN)
    await used(bench.said, 1)
    await bench.database.write(lambda db: db.execute("DELETE FROM conversations"))
    assert await bench.usage.calls("t") == []
    await bench.ask(turn=TURN)
    await used(bench.said, 2)
    assert await bench.usage.calls("t") == []


class Records:
    """A tracer that keeps what it is told."""

    def __init__(self) -> None:
        self.kept: list[tuple[str, dict[str, Scalar]]] = []

    def record(self, kind: str, /, **fields: Scalar) -> None:
        self.kept.append((kind, fields))


async def test_the_trace_gets_the_numbers_of_a_call_and_none_of_its_words(bench: Bench) -> None:
    traced = Records()
    bench.usage._tracer = traced
    await bench.ask(text="my secret", turn=TURN)
    ((kind, fields),) = traced.kept
    assert (kind, fields["turn"], fields["question"], fields["outcome"]) == (
        "model_call",
        "t",
        "reply",
        "stop",
    )
    assert (fields["prompt_tokens"], fields["reused_tokens"], fields["output_tokens"]) == (120, 20, 2)
    assert "secret" not in str(traced.kept)
    assert "hello" not in str(traced.kept)


def test_a_pace_is_measured_from_the_first_token_or_from_the_beginning_where_all_came_at_once() -> None:
    clock = FakeClock()
    one_by_one, at_once, single = TokenPace(clock), TokenPace(clock), TokenPace(clock)
    clock.move(timedelta(seconds=2))
    one_by_one.take(1)
    at_once.take(40)
    single.take(1)
    clock.move(timedelta(seconds=1))
    one_by_one.take(10)
    assert (one_by_one.tokens_per_s, at_once.tokens_per_s, single.tokens_per_s) == (10, 20, 0)
