"""A saved plan that was given up is resumed after another start of Partner."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from tests.action.saved_plans.plan_room import calls, listener, over, plan, ran, write_plan, write_steps
from tests.support import HastyClock, Watcher

pytestmark = pytest.mark.integration


@asynccontextmanager
async def started(home: Home, action_dir: Path, watcher: Watcher) -> AsyncIterator[Partner]:
    one = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    one.subscribe(watcher)
    await one.launch()
    try:
        yield one
    finally:
        await one.close()


@pytest.mark.promise("verification.retry")
async def test_a_plan_that_was_given_up_is_resumed_after_another_start(
    home: Home, action_dir: Path, user_home: Path
) -> None:
    log, watcher = user_home / "log.txt", Watcher()
    log.touch()
    write_steps(action_dir / "dynamic")
    body = plan(
        [
            listener("first", "main", "a"),
            listener("shaky", "a", "b", fails=3, retries=1),
            listener("mail", "b", "main"),
        ],
        ["a", "b"],
    )
    write_plan(action_dir / "dynamic", body)
    async with started(home, action_dir, watcher) as partner:
        given_up = await ran(partner, watcher, {"log": str(log)}, user_home)
    async with started(home, action_dir, watcher) as partner:
        await partner.plans.resume(given_up.id)
        done = await over(partner, watcher, given_up.id, times=2)
    assert done.status is ActionStatus.SUCCEEDED, done.error
    assert [calls(log).count(each) for each in ("first", "shaky", "mail")] == [1, 4, 1]
