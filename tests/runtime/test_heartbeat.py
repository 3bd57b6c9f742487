"""The loop's heartbeat rests while nothing happens, and is there when something does."""

from __future__ import annotations

import asyncio
import time

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.tasks import LIMIT_S
from tests.support import Watcher

pytestmark = pytest.mark.integration

#: In a second it beats fifty times, or once at most.
_AT_REST = 3
_PATIENCE_S = 60.0


async def beats_in_a_second(partner: Partner) -> int:
    partner.heartbeat.gaps_s.clear()
    over = asyncio.Event()
    asyncio.get_running_loop().call_later(1.0, over.set)
    await over.wait()
    return len(partner.heartbeat.gaps_s)


async def test_it_rests_and_still_notices_what_holds_the_loop_in_a_turn(
    partner: Partner, watcher: Watcher
) -> None:
    async with asyncio.timeout(_PATIENCE_S):
        while await beats_in_a_second(partner) > _AT_REST:
            pass
    gaps_s = partner.heartbeat.gaps_s
    gaps_s.clear()
    await partner.messages.send("hello", conversation_id=None)
    await watcher.done()
    async with asyncio.timeout(_PATIENCE_S):
        while len(gaps_s) < _AT_REST + 1:  # noqa: ASYNC110 - a beat has no event to wait for
            await asyncio.sleep(0)
    gaps_s.clear()
    time.sleep(4 * LIMIT_S)  # noqa: ASYNC251 - this is what should never happen
    async with asyncio.timeout(_PATIENCE_S):
        while not gaps_s:  # noqa: ASYNC110 - a beat has no event to wait for
            await asyncio.sleep(0)
    assert max(gaps_s) > LIMIT_S
