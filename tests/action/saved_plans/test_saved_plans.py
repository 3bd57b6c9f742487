"""A plan.json is one ability: its steps are proposed together, run as its listeners say, and go on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.plan import Plan
from tests.action.saved_plans.plan_room import (
    calls,
    listed,
    listener,
    over,
    plan,
    proposed,
    ran,
    write_steps,
)
from tests.support import HastyClock, Watcher

pytestmark = pytest.mark.integration


@pytest.fixture
async def partner(home: Home, action_dir: Path) -> AsyncIterator[Partner]:
    write_steps(action_dir / "dynamic")
    one = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    await one.launch()
    try:
        yield one
    finally:
        await one.close()


@pytest.fixture
def dynamic(action_dir: Path) -> Path:
    return action_dir / "dynamic"


@pytest.fixture
def log(user_home: Path) -> Path:
    path = user_home / "log.txt"
    path.touch()
    return path


def plan_of(record: ActionRecord) -> Plan:
    assert record.chain is not None, record
    return record.chain


async def test_a_saved_plan_is_one_ability_whose_steps_are_on_one_card(
    partner: Partner, watcher: Watcher, dynamic: Path, log: Path, user_home: Path
) -> None:
    body = plan(
        [
            listener("one", "main", "a"),
            listener("two", "a", "b"),
            listener("three", "a", "c", line={"$task": "a", "output": "summary"}),
            listener("four", "b, c", "main"),
        ],
        ["a", "b", "c"],
    )
    await listed(partner, watcher, dynamic, body)
    card = await proposed(partner, watcher, {"log": str(log)}, user_home)
    assert card.status is ActionStatus.WAITING
    assert card.title == "Take in"
    chain = plan_of(card)
    assert [[step.text for step in stage.steps] for stage in chain.stages] == [
        ["Note"],
        ["Note", "Note"],
        ["Note"],
    ]
    assert (chain.saved_key, chain.main_task) == ("local::take_in", "main")
    assert chain.arguments == {"log": str(log)}
    await partner.actions.approve(card.id, scope="once")
    done = await over(partner, watcher, card.id)
    assert done.status is ActionStatus.SUCCEEDED, done.error
    assert sorted(calls(log)) == ["did one", "four", "one", "two"]
    assert (calls(log)[0], calls(log)[-1]) == ("one", "four")


@pytest.mark.promise("verification.once")
async def test_two_triggers_at_once_run_a_listener_once(
    partner: Partner, watcher: Watcher, dynamic: Path, log: Path, user_home: Path
) -> None:
    body = plan(
        [
            listener("left", "main", "a"),
            listener("right", "main", "b"),
            listener("same", "main", "b"),
            listener("mail", ["a", "b"], "main"),
        ],
        ["a", "b"],
    )
    await listed(partner, watcher, dynamic, body)
    done = await ran(partner, watcher, {"log": str(log)}, user_home)
    assert done.status is ActionStatus.SUCCEEDED, done.error
    assert sorted(calls(log)) == ["left", "mail", "right", "same"], (
        "b was reached twice, and the mail left once"
    )


@pytest.mark.promise("verification.retry")
async def test_three_failures_make_four_calls_and_one_of_each_other(
    partner: Partner, watcher: Watcher, dynamic: Path, log: Path, user_home: Path
) -> None:
    body = plan(
        [
            listener("first", "main", "a"),
            listener("shaky", "a", "b", fails=3, retries=3),
            listener("beside", "a", "c"),
            listener("mail", "b, c", "main"),
        ],
        ["a", "b", "c"],
    )
    await listed(partner, watcher, dynamic, body)
    done = await ran(partner, watcher, {"log": str(log)}, user_home)
    assert done.status is ActionStatus.SUCCEEDED, done.error
    assert [calls(log).count(each) for each in ("first", "shaky", "beside", "mail")] == [1, 4, 1, 1]
    tries = [step for step in plan_of(done).steps if step.task == "b"]
    assert [step.status.value for step in tries] == ["failed"] * 3 + ["succeeded"]
    assert {step.origin for step in tries[1:]} == {"retry"}


@pytest.mark.promise("verification.retry")
async def test_what_was_given_up_goes_on_and_repeats_nothing_done(
    partner: Partner, watcher: Watcher, dynamic: Path, log: Path, user_home: Path
) -> None:
    body = plan(
        [
            listener("first", "main", "a"),
            listener("shaky", "a", "b", fails=6, retries=3),
            listener("mail", "b", "main"),
        ],
        ["a", "b"],
    )
    await listed(partner, watcher, dynamic, body)
    given_up = await ran(partner, watcher, {"log": str(log)}, user_home)
    assert given_up.status is ActionStatus.FAILED
    assert f"plan resume {given_up.id}" in given_up.error
    assert "4 times" in given_up.error
    assert [calls(log).count(each) for each in ("first", "shaky", "mail")] == [1, 4, 0]
    await partner.plans.resume(given_up.id)
    done = await over(partner, watcher, given_up.id, times=2)
    assert done.status is ActionStatus.SUCCEEDED, done.error
    assert [calls(log).count(each) for each in ("first", "shaky", "mail")] == [1, 7, 1]
