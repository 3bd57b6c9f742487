"""Slots: a fair limit that follows the settings."""

from __future__ import annotations

import asyncio

from partner_desktop.runtime.agent_runtime import TurnSlots


class Counter:
    """How many hold a slot, and in which order they got it."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.slots = TurnSlots(lambda: self.limit)
        self.order: list[int] = []
        self.inside = 0
        self.ends = asyncio.Event()

    async def hold(self, number: int) -> None:
        async with self.slots.slot():
            self.order.append(number)
            self.inside += 1
            await self.ends.wait()
            self.inside -= 1


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_a_higher_limit_lets_in_who_waits_and_a_lower_one_ends_nobody() -> None:
    counter = Counter(1)
    tasks = [asyncio.create_task(counter.hold(number)) for number in range(4)]
    await settle()
    assert counter.order == [0]
    counter.limit = 3
    counter.slots.look()
    await settle()
    assert counter.order == [0, 1, 2]
    counter.limit = 1
    counter.slots.look()
    await settle()
    assert counter.inside == 3
    counter.ends.set()
    await asyncio.gather(*tasks)
    assert counter.order == [0, 1, 2, 3]


async def test_who_gives_up_at_the_door_takes_no_slot_away() -> None:
    counter = Counter(1)
    tasks = [asyncio.create_task(counter.hold(number)) for number in range(3)]
    await settle()
    tasks[1].cancel()  # while it waits
    tasks[0].cancel()  # this frees the slot for the third,
    await asyncio.sleep(0)
    tasks[2].cancel()  # which gives up in the moment in which it gets it
    await asyncio.gather(*tasks, return_exceptions=True)
    last = asyncio.create_task(counter.hold(9))
    await settle()
    assert counter.order[-1] == 9
    counter.ends.set()
    await last
