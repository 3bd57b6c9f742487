"""What was read once is not read again: prompts, worker and counts are the real ones, the model is tiny."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.model_prefix import LIMIT, TURNS, talk_with_model, turns
from tests.model.engine import needs_engine

pytestmark = [needs_engine, pytest.mark.integration]


@pytest.mark.promise("model.prefix")
@pytest.mark.slow
async def test_over_fifty_turns_a_turn_reads_what_was_appended_and_its_tails_and_nothing_else(
    tmp_path: Path,
) -> None:
    async with talk_with_model(tmp_path) as (talk, registry):
        for number in range(3):
            talk.abilities.add(f"early{number}")
        found = await turns(talk, registry, count=TURNS // 2)
        talk.abilities.add("late")  # rides in the tail: the prefix stays as it is
        talk.abilities.drop("zip")
        found += await turns(talk, registry, count=TURNS // 2, after=found)
    assert len(found) == TURNS
    for turn in found:
        assert turn.evaluated <= LIMIT * turn.allowed
    whole = sum(call.prompt_tokens for turn in found for call in turn.calls)
    assert sum(turn.evaluated for turn in found) < whole / 3
