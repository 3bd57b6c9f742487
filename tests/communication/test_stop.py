"""Stop, down to the model: decoding ends, what was said stays, and the worker answers whoever is next."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from partner_desktop.base.paths import Home
from partner_desktop.domain.events import Event, ReplyEvent, UsageEvent
from partner_desktop.domain.message import MessageState
from partner_desktop.mind.question import ReplyRequest
from partner_desktop.model.chat import ChatMessage, ChatPiece
from tests.benchmarks.model_prefix import talk_with_model
from tests.communication.talk import Talk
from tests.model.engine import needs_engine
from tests.runtime.minds import ScriptedMind
from tests.support import WAIT_S, FakeClock

#: More than the tiny model writes while a test may wait.
FAR_TOO_MANY = 30_000


class Noon(FakeClock):
    """Always the same moment: with the likeliest token each time, the babble is the same, and endless."""

    def now(self) -> datetime:
        return datetime(2030, 1, 2, 12, tzinfo=UTC)


def is_reply_call(event: Event) -> bool:
    return isinstance(event, UsageEvent) and event.call.question == "reply"


@needs_engine
@pytest.mark.integration
@pytest.mark.promise("communication.stop")
async def test_stop_ends_decoding_keeps_what_was_said_and_the_worker_answers_the_next(tmp_path: Path) -> None:
    async with talk_with_model(
        tmp_path, context_tokens=65_536, answer_tokens=FAR_TOO_MANY, temperature=0, clock=Noon()
    ) as (talk, registry):
        turn = asyncio.create_task(talk.say("tell me a very long story"))
        await talk.watcher.until(
            lambda e: isinstance(e, ReplyEvent) and e.seq >= 20 and bool(e.content.strip())
        )
        turn.cancel()
        await asyncio.wait([turn])
        assert turn.cancelled()
        end = talk.replies()[-1]
        kept = await talk.answer()
        usage = await talk.watcher.until(is_reply_call)
        assert isinstance(usage, UsageEvent)
        assert usage.call.end == "cancelled"
        assert 0 < usage.call.output_tokens < FAR_TOO_MANY // 2
        assert usage.call.prompt_tokens > usage.call.trunk_tokens > 0
        assert usage.call.context_tokens == 65_536
        call = registry.call("judge", (ChatMessage("user", "next"),), trunk=0, turn=None, max_tokens=4)
        async with asyncio.timeout(WAIT_S), aclosing(call):
            pieces = [event async for event in call if isinstance(event, ChatPiece)]
    assert pieces, "the worker lives and has nothing else to do"
    assert (end.done, end.stopped, end.text) == (True, True, kept.text)
    assert kept.state is MessageState.STOPPED
    assert kept.text == "".join(event.content for event in talk.replies())
    assert kept.text


@pytest.mark.promise("communication.stop")
async def test_a_stop_between_two_pieces_reaches_the_mind_before_the_turn_is_over(
    home: Home, clock: FakeClock
) -> None:
    closed: list[bool] = []

    class EndlessMind(ScriptedMind):
        async def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
            del request
            try:
                while True:
                    yield "on and "
            finally:
                closed.append(True)

    async with Talk(home, EndlessMind(), clock=clock) as talk:
        turn = asyncio.create_task(talk.say("go on"))
        await talk.watcher.until(lambda e: isinstance(e, ReplyEvent) and e.seq == 3)
        turn.cancel()
        await asyncio.wait([turn])
        assert closed == [True]
        kept = await talk.answer()
    assert kept.state is MessageState.STOPPED
    assert kept.text.startswith("on and on and ")
