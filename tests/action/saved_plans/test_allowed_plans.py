"""A yes to a saved plan that reaches further: one grant, for this plan, its scripts and its arguments."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import AbilitiesEvent, ActionEvent, ResultEvent
from partner_desktop.domain.intervention import PlanEdit, StepEdit
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.permission.request import ApprovalMode
from tests.action.plans.running import child_card
from tests.action.saved_plans.plan_room import (
    calls,
    listed,
    listener,
    over,
    plan,
    proposed,
)
from tests.support import Watcher

pytestmark = pytest.mark.integration


def body(line: str = "two") -> JsonObject:
    return plan(
        [
            listener("one", "main", "a", fails=1, retries=1),
            listener("two", "a", "main", line=line, ability="local::stamp"),
        ],
        ["a"],
    )


async def allowed(partner: Partner, watcher: Watcher, dynamic: Path, log: Path, cwd: Path) -> ActionRecord:
    """The plan ran once, under a yes that reaches further."""
    await listed(partner, watcher, dynamic, body())
    card = await proposed(partner, watcher, {"log": str(log)}, cwd)
    assert card.grantable
    await partner.actions.approve(card.id, scope="always")
    done = await over(partner, watcher, card.id)
    assert done.status is ActionStatus.SUCCEEDED, done.error
    return done


async def asks(partner: Partner, watcher: Watcher, params: JsonObject, cwd: Path) -> bool:
    """Whether a further run asks; where it does not, it is over then."""
    before = {record.id for record in await partner.actions.list()}
    await partner.abilities.run("local::take_in", params, cwd=str(cwd), standing=ApprovalMode.ASK)
    (record,) = [each for each in await partner.actions.list() if each.id not in before]
    await watcher.done(record.exchange_id)
    return (await partner.actions.get(record.id)).status is ActionStatus.WAITING


async def edited(watcher: Watcher, path: Path, text: str) -> None:
    before = len(watcher.events)
    path.write_text(text)
    await watcher.until(lambda e: isinstance(e, AbilitiesEvent) and e in watcher.events[before:])


async def test_just_this_again_needs_no_question_and_tries_again_as_ever(
    partner: Partner, watcher: Watcher, dynamic: Path, log: Path, user_home: Path
) -> None:
    await allowed(partner, watcher, dynamic, log, user_home)
    log.write_text("")
    assert not await asks(partner, watcher, {"log": str(log)}, user_home)
    assert calls(log) == ["one", "one", "two"]
    (grant,) = (await partner.permissions.list()).grants
    assert (grant.action_key, grant.scope, grant.current) == ("local::take_in", "always", True)
    other = user_home / "other.txt"
    other.touch()
    assert await asks(partner, watcher, {"log": str(other)}, user_home), "other arguments are another thing"
    log.write_text("")
    await partner.abilities.run(
        "local::take_in", {"log": str(log)}, cwd=str(user_home), standing=ApprovalMode.NEVER, exchange_id="no"
    )
    await watcher.done("no")
    assert calls(log) == [], "approvals are switched off"


@pytest.mark.parametrize("what", ["plan", "script"])
async def test_an_edit_of_the_plan_or_of_a_script_asks_again(
    partner: Partner, watcher: Watcher, dynamic: Path, log: Path, user_home: Path, what: str
) -> None:
    await allowed(partner, watcher, dynamic, log, user_home)
    if what == "plan":
        await listed(partner, watcher, dynamic, body("three"))
    else:
        script = dynamic / "stamp.py"
        await edited(watcher, script, script.read_text() + "# edited\n")
    (grant,) = (await partner.permissions.list()).grants
    assert not grant.current, "the list says why it asks again"
    assert await asks(partner, watcher, {"log": str(log)}, user_home)
    card = next(each for each in await partner.actions.list() if each.status is ActionStatus.WAITING)
    assert card.was_allowed


async def test_what_was_taken_back_asks_again(
    partner: Partner, watcher: Watcher, dynamic: Path, log: Path, user_home: Path
) -> None:
    await allowed(partner, watcher, dynamic, log, user_home)
    (grant,) = (await partner.permissions.list()).grants
    await partner.permissions.revoke(grant.id)
    assert await asks(partner, watcher, {"log": str(log)}, user_home)


async def test_a_rule_that_denies_one_of_its_steps_wins(
    partner: Partner, watcher: Watcher, dynamic: Path, log: Path, user_home: Path
) -> None:
    await allowed(partner, watcher, dynamic, log, user_home)
    await partner.permissions.deny("local::stamp")
    log.write_text("")
    await partner.abilities.run(
        "local::take_in", {"log": str(log)}, cwd=str(user_home), standing=ApprovalMode.ASK
    )
    await watcher.until(
        lambda e: isinstance(e, ActionEvent | ResultEvent) and e.action.status is ActionStatus.REJECTED
    )
    assert calls(log) == []


async def test_a_card_that_was_changed_is_another_thing_than_the_plan(
    partner: Partner, watcher: Watcher, dynamic: Path, log: Path, user_home: Path
) -> None:
    await listed(partner, watcher, dynamic, body())
    card = await proposed(partner, watcher, {"log": str(log)}, user_home)
    first, second = card.plan.steps
    changed = StepEdit(second.id, {**second.params, "line": "changed"})
    await partner.actions.edit_chain(card.id, PlanEdit(((StepEdit(first.id),), (changed,))))
    await partner.actions.approve(card.id, scope="always")
    done = await over(partner, watcher, card.id)
    assert done.status is ActionStatus.SUCCEEDED, done.error
    assert await asks(partner, watcher, {"log": str(log)}, user_home)


async def test_a_plan_with_a_step_that_asks_each_time_can_be_allowed_once_only(
    partner: Partner, watcher: Watcher, dynamic: Path, log: Path, user_home: Path
) -> None:
    command = listener("one", "main", "main", ability="builtin::command::execute")
    command["params"] = {"argv": ["echo", "hello"]}
    await listed(partner, watcher, dynamic, plan([command], []))
    card = await proposed(partner, watcher, {"log": str(log)}, user_home)
    assert not card.grantable
    with pytest.raises(UsageError, match="once only"):
        await partner.actions.approve(card.id, scope="always")


async def test_what_rested_on_a_grant_that_was_taken_back_asks_when_it_is_resumed(
    partner: Partner, watcher: Watcher, dynamic: Path, log: Path, user_home: Path
) -> None:
    steps = [listener("one", "main", "a"), listener("two", "a", "main", fails=2)]
    await listed(partner, watcher, dynamic, plan(steps, ["a"]))
    log.write_text("two\ntwo\n")
    card = await proposed(partner, watcher, {"log": str(log)}, user_home)
    await partner.actions.approve(card.id, scope="always")
    await over(partner, watcher, card.id)
    log.write_text("")
    assert not await asks(partner, watcher, {"log": str(log)}, user_home)
    failed = (await partner.actions.list())[0]
    assert (failed.status, calls(log)) == (ActionStatus.FAILED, ["one", "two"])
    await partner.plans.resume(failed.id)
    await over(partner, watcher, failed.id, times=2)
    assert calls(log) == ["one", "two", "two"], "the grant is there: it goes on under it"
    (grant,) = (await partner.permissions.list()).grants
    await partner.permissions.revoke(grant.id)
    await partner.plans.resume(failed.id)
    step = await child_card(watcher, failed.id)
    assert calls(log) == ["one", "two", "two"]
    await partner.actions.approve(step.id, scope="once")
    done = await over(partner, watcher, failed.id, times=3)
    assert (done.status, calls(log)) == (ActionStatus.SUCCEEDED, ["one", "two", "two", "two"])
