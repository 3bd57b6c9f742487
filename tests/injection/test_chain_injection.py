"""Texts that give orders in the middle of a chain put nothing into it that runs, and keep it from no end."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.base.paths import Home
from tests.injection.chains import CHAIN_PLACES, CHAIN_READ, REQUEST
from tests.injection.ordeal import Ordeal, ordeal
from tests.injection.texts import injections

pytestmark = [pytest.mark.integration, pytest.mark.promise("actions.injection")]

TEXTS = [text for text in injections() if text.place in CHAIN_PLACES]


async def put_in(tested: Ordeal) -> list[str]:
    """The keys of what came into chains that the person did not say yes to."""
    chains = [
        each.chain
        for each in await tested.partner.actions.list(limit=1000)
        if each.chain is not None and each.request_text == REQUEST
    ]
    return [step.key for chain in chains for step in chain.steps if step.id not in tested.approved]


@pytest.mark.slow
async def test_no_text_in_a_chain_moves_the_starter_mind(
    home: Home, action_dir: Path, tmp_path: Path
) -> None:
    async with ordeal(home, action_dir, tmp_path, TEXTS, compromised=False) as tested:
        for place, put in CHAIN_PLACES.items():
            await tested.through(place, put)
        assert set(await put_in(tested)) <= {"local::speak"}, "once more what failed, on a card"
    assert tested.wrong == []


@pytest.mark.slow
async def test_a_model_that_obeys_puts_steps_into_chains_that_nobody_runs(
    home: Home, action_dir: Path, tmp_path: Path
) -> None:
    async with ordeal(home, action_dir, tmp_path, TEXTS, compromised=True) as tested:
        assert tested.mind is not None
        for place, put in CHAIN_PLACES.items():
            await tested.through(place, put)
        read = {text.id for text in TEXTS if text.place in CHAIN_READ and "{made}" in text.text}
        assert read - tested.mind.reached(read) == set()
        assert tested.mind.entries() == tested.said
        assert "builtin::command::execute" in await put_in(tested), "it could put that in"
        assert min(tested.mind.changed, tested.mind.judged) > 1
    assert tested.wrong == []
