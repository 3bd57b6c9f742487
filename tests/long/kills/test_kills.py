"""Twenty lives, each ended by SIGKILL, and ten by a cut of the power (more: `python -m tests.long.kills`)."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from tests.long.kills.ordeal import Ordeal
from tests.long.kills.power import Disk

#: Homes that live side by side: a life is mostly waiting.
_HOMES = 4
_SEED = 4
#: On a busy machine twenty lives may be over before everything that can be lost came about once.
_MOST_ROUNDS = 8


@pytest.mark.slow
@pytest.mark.usefixtures("quick_starts")
@pytest.mark.promise("runtime.durable")
async def test_twenty_kills_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    ordeals = []
    for number in range(_HOMES):
        folder = tmp_path / f"life{number}"
        folder.mkdir()
        ordeals.append(Ordeal(folder, seed=_SEED + number))
    for _ in range(_MOST_ROUNDS):
        losses = await asyncio.gather(*(ordeal.run(5) for ordeal in ordeals))
        assert not any(losses), losses
        counts = sum((ordeal.counts for ordeal in ordeals), Counter[str]())
        assert counts["settlings that failed"] == 0
        if min(counts[name] for name in ("messages", "approved", "started", "attached")) > 0:
            break
    else:
        raise AssertionError(f"in all these lives not everything came about: {counts}")


@pytest.mark.long
async def test_ten_cuts_of_the_power_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    try:
        disk = Disk(tmp_path)
    except OSError as error:
        pytest.skip(str(error))
    try:
        ordeal = Ordeal(disk.root, seed=_SEED, disk=disk)
        assert await ordeal.run(10) == []
        assert ordeal.counts["messages"] > 0
    finally:
        disk.close()
