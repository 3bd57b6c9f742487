"""Twenty lives under input, each ended by SIGKILL (`python -m tests.long.kills` does two hundred)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.long.kills.ordeal import Ordeal

#: Found by hand to hit runs, approvals and attached commands alike.
_SEED = 4


@pytest.mark.slow
@pytest.mark.promise("runtime.durable")
async def test_twenty_kills_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    ordeal = Ordeal(tmp_path, seed=_SEED)
    losses = await ordeal.run(20)
    assert not losses, losses
    assert ordeal.counts["settlings that failed"] == 0
    assert min(ordeal.counts[name] for name in ("messages", "approved", "started", "attached")) > 0, (
        ordeal.counts
    )
