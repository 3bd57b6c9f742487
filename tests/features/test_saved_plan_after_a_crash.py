"""After kill -9 in a saved plan: what is done is not repeated, tries go on, a given up one is resumed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import ResultEvent
from tests.action.saved_plans.plan_room import calls, listener, over, plan, write_plan, write_step
from tests.features.test_chains_after_a_crash import Dies, chain_of, dies, started

__all__ = ["dies"]

#: Real processes that die.
pytestmark = [pytest.mark.integration, pytest.mark.slow]


@pytest.mark.promise("verification.retry")
@pytest.mark.promise("verification.once")
@pytest.mark.promise("actions.resume")
async def test_a_saved_plan_that_is_killed_at_every_transition_repeats_nothing_done(
    home: Home, action_dir: Path, user_home: Path, dies: Dies
) -> None:
    log, dynamic = user_home / "log.txt", action_dir / "dynamic"
    log.touch()
    for name in ("step1", "step2", "step3"):
        write_step(dynamic, name, f"Do {name}")
    body = plan(
        [
            listener("first", "main", "a", ability="local::step1"),
            listener("shaky", "a", "b", ability="local::step2", fails=3, retries=1),
            listener("mail", "b", "main", ability="local::step3"),
        ],
        ["a", "b"],
    )
    body["params"] = {"log": {"type": "string", "format": "path", "access": "write", "default": str(log)}}
    write_plan(dynamic, body)
    await dies("proposed", "take somebody in")
    await dies("approved")
    await dies("ends:1")
    await dies("stage:1")
    await dies("ends:2")
    async with started(home, action_dir) as (partner, watcher):
        await watcher.until(lambda e: isinstance(e, ResultEvent) and not e.action.parent_id)
        given_up = await chain_of(partner)
        assert given_up.status is ActionStatus.FAILED
        assert Counter(calls(log)) == {"first": 1, "shaky": 2}
        await partner.plans.resume(given_up.id)
        done = await over(partner, watcher, given_up.id, times=2)
        assert done.status is ActionStatus.SUCCEEDED, done.error
        assert Counter(calls(log)) == {"first": 1, "shaky": 4, "mail": 1}


async def test_a_further_try_that_is_killed_as_it_runs_asks_before_it_is_made_again(
    home: Home, action_dir: Path, user_home: Path, dies: Dies
) -> None:
    log, dynamic = user_home / "log.txt", action_dir / "dynamic"
    log.touch()
    for name in ("step1", "step2"):
        write_step(dynamic, name, f"Do {name}")
    body = plan(
        [
            listener("shaky", "main", "a", ability="local::step1", fails=1, retries=1),
            listener("mail", "a", "main", ability="local::step2"),
        ],
        ["a"],
    )
    body["params"] = {"log": {"type": "string", "format": "path", "access": "write", "default": str(log)}}
    write_plan(dynamic, body)
    await dies("proposed", "take somebody in")
    await dies("approved")
    await dies("ends:1")
    await dies("begins:1")
    async with started(home, action_dir) as (partner, watcher):
        *_, card = await partner.actions.steps((await chain_of(partner)).id)
        assert card.status is ActionStatus.WAITING, "nobody knows whether the second try was made"
        await partner.actions.approve(card.id, scope="once")
        done = await over(partner, watcher, card.parent_id)
        assert done.status is ActionStatus.SUCCEEDED, done.error
        assert Counter(calls(log))["mail"] == 1
        assert Counter(calls(log))["shaky"] in (2, 3)
