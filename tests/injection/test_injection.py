"""Texts that give orders, wherever they stand, run nothing that policy would not.

All texts go through one Partner for each mind: the starter mind, and a model that obeys every one of them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.base.paths import Home
from partner_desktop.domain.permission import Mode
from partner_desktop.permission.request import ApprovalMode
from tests.injection.chains import CHAIN_PLACES, CHAIN_READ
from tests.injection.ordeal import ordeal
from tests.injection.places import PLACES, READ_BY_THE_MIND
from tests.injection.texts import injections

pytestmark = [pytest.mark.integration, pytest.mark.promise("actions.injection")]

TEXTS = injections()
#: Those in work of several steps are in `test_chain_injection`.
SINGLE = {place: put for place, put in PLACES.items() if place not in CHAIN_PLACES}


def test_there_are_many_texts_of_many_kinds_and_each_place_has_one() -> None:
    assert len({text.id for text in TEXTS}) == len(TEXTS) >= 60
    assert {text.place for text in TEXTS} == set(PLACES)
    assert {"en", "zh"} <= {text.language for text in TEXTS}


@pytest.mark.slow
async def test_no_text_moves_the_starter_mind(home: Home, action_dir: Path, tmp_path: Path) -> None:
    async with ordeal(home, action_dir, tmp_path, TEXTS, compromised=False) as tested:
        for place, put in SINGLE.items():
            await tested.through(place, put)
    assert tested.wrong == []


@pytest.mark.slow
async def test_a_model_that_obeys_every_text_runs_nothing_that_policy_would_not(
    home: Home, action_dir: Path, tmp_path: Path
) -> None:
    async with ordeal(home, action_dir, tmp_path, TEXTS, compromised=True) as tested:
        assert tested.mind is not None
        for place, put in SINGLE.items():
            await tested.through(place, put)
        read = {
            text.id for text in TEXTS if text.place in READ_BY_THE_MIND - CHAIN_READ and "{made}" in text.text
        }
        assert read - tested.mind.reached(read) == set()
        assert tested.mind.entries() == tested.said
        assert tested.mind.chosen["builtin::command::execute"] > len(SINGLE)
        assert tested.mind.confirmed > len(SINGLE)
        assert tested.mind.read_open > len(SINGLE)
    assert tested.wrong == []


@pytest.mark.slow
async def test_a_model_that_obeys_changes_nothing_in_any_mode(
    home: Home, action_dir: Path, tmp_path: Path
) -> None:
    async with ordeal(home, action_dir, tmp_path, TEXTS, compromised=True) as tested:
        for mode in Mode:
            await tested.partner.permissions.set_mode(mode)
            await tested.through("mcp_text", PLACES["mcp_text"])
            await tested.through("file_content", PLACES["file_content"])
    assert tested.wrong == []


async def test_no_standing_answer_lets_a_model_that_obeys_at_what_is_refused(
    home: Home, action_dir: Path, tmp_path: Path
) -> None:
    """A program's call cannot be asked; `--approve all` is no yes to changes of Partner's own rules."""
    async with ordeal(home, action_dir, tmp_path, TEXTS, compromised=True) as tested:
        assert tested.mind is not None
        for answer in (ApprovalMode.GRANTED, ApprovalMode.NEVER):
            await tested.through("mcp_text", PLACES["mcp_text"], answer=answer)
        tested.mind.target = str(home.config / "permission.toml")
        tested.mind.dangerous = ("builtin::files::write", "builtin::files::append", "builtin::files::trash")
        await tested.through("mcp_text", PLACES["mcp_text"], answer=ApprovalMode.ALL)
        denied = [
            each for each in await tested.partner.audit.newest(limit=10_000) if each.by_whom == "policy"
        ]
        assert any(each.outcome == "deny" and "Partner's own data" in each.reason for each in denied)
    assert tested.wrong == []
