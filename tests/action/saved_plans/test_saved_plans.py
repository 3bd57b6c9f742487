"""A plan.json is one ability: its steps are proposed together, run as its listeners say, and go on."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import AbilitiesEvent, ProposalEvent, ReplyEvent
from partner_desktop.domain.intervention import PlanEdit, StepEdit
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.plan import Plan
from partner_desktop.permission.request import ApprovalMode
from tests.action.plans.running import Wanted, approved
from tests.action.saved_plans.plan_room import (
    calls,
    listed,
    listener,
    over,
    plan,
    proposed,
    ran,
)
from tests.support import Watcher

pytestmark = pytest.mark.integration


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
    reply = await watcher.until(
        lambda e: isinstance(e, ReplyEvent) and e.done and "All 4 steps are done." in e.text
    )
    assert isinstance(reply, ReplyEvent)
    told = reply.text
    assert told.count("It was tried 4 times.") == 1
    assert "in place of" not in told
    assert "did not work" not in told
    again = plan_of(done)
    assert [again.number_of(step.id) for step in tries] == [again.number_of(tries[0].id)] * 4


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
    assert "no luck with shaky. Everything that is done stays done." in given_up.error
    assert (
        f"press “Resume” on its card, or call `partner-desktop plan resume {given_up.id[:8]}`"
        in given_up.error
    )
    assert "4 times" in given_up.error
    assert [calls(log).count(each) for each in ("first", "shaky", "mail")] == [1, 4, 0]
    await partner.plans.resume(given_up.id)
    done = await over(partner, watcher, given_up.id, times=2)
    assert done.status is ActionStatus.SUCCEEDED, done.error
    assert [calls(log).count(each) for each in ("first", "shaky", "mail")] == [1, 7, 1]


async def test_what_a_plan_has_for_a_failure_runs_only_then_and_the_failure_is_handled(
    partner: Partner, watcher: Watcher, dynamic: Path, log: Path, user_home: Path
) -> None:
    body = plan(
        [
            listener("try", "main", "a", fails=9, failure_output={"task_id": "way_out"}),
            listener("use", "a", "main"),
            listener("else", "way_out", "main"),
            listener("never", "spare", "main"),
            listener("fine", "main", "spare_ok", failure_output={"task_id": "spare"}),
        ],
        ["a", "way_out", "spare", "spare_ok"],
    )
    await listed(partner, watcher, dynamic, body)
    done = await ran(partner, watcher, {"log": str(log)}, user_home)
    assert done.status is ActionStatus.SUCCEEDED, done.error
    assert sorted(calls(log)) == ["else", "fine", "try"]
    passed_over = [step for step in plan_of(done).steps if step.unneeded]
    assert {step.status.value for step in passed_over} == {"skipped"}
    assert {step.error for step in passed_over} == {
        "It was not needed: what it waits for did not come to be."
    }


async def test_a_condition_looks_at_what_steps_told_as_it_comes_to_run(
    partner: Partner, watcher: Watcher, dynamic: Path, log: Path, user_home: Path
) -> None:
    who: JsonObject = {"$task": "a", "output": "who"}
    many: JsonObject = {"context": "a.number", "above": 1}
    body = plan(
        [
            listener("count", "main", "a", success_output={"task_id": "a", "context": {"who": "Ann"}}),
            listener("many", "a", "b", trigger_condition=many),
            listener("few", "a", "b", trigger_condition={"none": [many]}, line=who),
            listener("end", "b", "main"),
        ],
        ["a", "b"],
    )
    await listed(partner, watcher, dynamic, body)
    done = await ran(partner, watcher, {"log": str(log)}, user_home)
    assert done.status is ActionStatus.SUCCEEDED, done.error
    assert calls(log) == ["count", "Ann", "end"]


async def test_a_plan_that_never_reaches_its_main_task_is_no_success(
    partner: Partner, watcher: Watcher, dynamic: Path, log: Path, user_home: Path
) -> None:
    body = plan(
        [
            listener("one", "main", "a"),
            listener("two", "a", "main", trigger_condition={"context": "a.gone", "there": True}),
        ],
        ["a"],
    )
    await listed(partner, watcher, dynamic, body)
    done = await ran(partner, watcher, {"log": str(log)}, user_home)
    assert done.status is ActionStatus.FAILED
    assert done.error == "It came to its end, but “Note”, which was to complete it, did not."
    assert plan_of(done).checked == "", "it is told once"


async def test_a_step_is_not_put_before_what_it_waits_for_nor_left_without_it(
    partner: Partner, watcher: Watcher, dynamic: Path, log: Path, user_home: Path
) -> None:
    handler: JsonObject = {"task_id": "sorry", "context": {}}
    body = plan(
        [
            listener("one", "main", "a", failure_output=handler),
            listener("two", "a", "b"),
            listener("mend", "sorry", "b"),
            listener("end", "b", "main"),
        ],
        ["a", "b", "sorry"],
    )
    await listed(partner, watcher, dynamic, body)
    card = await proposed(partner, watcher, {"log": str(log)}, user_home)
    named = {str(step.params["line"]): StepEdit(step.id) for step in card.plan.steps}

    async def want(*stages: str) -> None:
        edit = PlanEdit(tuple(tuple(named[name] for name in stage.split()) for stage in stages))
        await partner.actions.edit_chain(card.id, edit)

    for stages, why in (
        (("one", "end", "two mend"), r"^Step \d, .*, waits for what step \d, .*, does, so that one must"),
        (("one two", "mend", "end"), "so that one must come before it"),
        (("one", "end"), "which would be gone"),
    ):
        with pytest.raises(UsageError, match=why):
            await want(*stages)
    await want("one", "two", "end")
    assert len((await partner.actions.get(card.id)).plan.steps) == 3, "what is for a failure may go"


async def test_several_failures_at_a_time_are_each_tried_again_and_told_together(
    partner: Partner, watcher: Watcher, dynamic: Path, log: Path, user_home: Path
) -> None:
    body = plan(
        [
            listener("left", "main", "a", fails=2, retries=2),
            listener("right", "main", "b", fails=9, retries=1),
            listener("third", "main", "c", fails=9, ability="local::stamp"),
            listener("end", "a, b, c", "main"),
        ],
        ["a", "b", "c"],
    )
    await listed(partner, watcher, dynamic, body)
    done = await ran(partner, watcher, {"log": str(log)}, user_home)
    assert done.status is ActionStatus.FAILED
    assert [calls(log).count(each) for each in ("left", "right", "third", "end")] == [3, 2, 1, 0]
    assert "“Note” failed 2 times: " in done.error
    assert "“Stamp” failed: " in done.error


@pytest.mark.parametrize(
    ("of_listener", "of_plan", "ability", "calls_made"),
    [
        ({}, {}, "local::note", 1),
        ({}, {}, "local::again", 4),
        ({}, {}, "local::peek", 1),
        ({}, {"retries": 1}, "local::again", 2),
        ({"retries": 2}, {"retries": 1}, "local::note", 3),
        ({"retries": 0}, {}, "local::again", 1),
    ],
)
async def test_how_often_it_is_tried_is_said_by_listener_plan_or_ability(
    partner: Partner,
    watcher: Watcher,
    dynamic: Path,
    log: Path,
    user_home: Path,
    of_listener: JsonObject,
    of_plan: JsonObject,
    ability: str,
    calls_made: int,
) -> None:
    body = plan([listener("one", "main", "main", fails=9, ability=ability, more=of_listener)], [], **of_plan)
    await listed(partner, watcher, dynamic, body)
    done = await ran(partner, watcher, {"log": str(log)}, user_home)
    assert done.status is ActionStatus.FAILED
    assert len(calls(log)) == calls_made


async def test_a_try_after_an_edit_asks_again(
    partner: Partner, watcher: Watcher, dynamic: Path, log: Path, user_home: Path
) -> None:
    body = plan([listener("one", "main", "a", fails=1), listener("two", "a", "main")], ["a"])
    await listed(partner, watcher, dynamic, body)
    given_up = await ran(partner, watcher, {"log": str(log)}, user_home)
    before = len(watcher.events)
    script = dynamic / "note.py"
    script.write_text(script.read_text() + "# edited\n")
    await watcher.until(lambda event: isinstance(event, AbilitiesEvent) and event in watcher.events[before:])
    await partner.plans.resume(given_up.id)
    card = await watcher.until(
        lambda event: isinstance(event, ProposalEvent) and event.action.parent_id == given_up.id
    )
    assert isinstance(card, ProposalEvent)
    assert calls(log) == ["one"], "the yes was to another script"
    await partner.actions.approve(card.action.id, scope="once")
    card = await watcher.until(
        lambda event: (
            isinstance(event, ProposalEvent)
            and event.action.parent_id == given_up.id
            and event.action.id != card.action.id
        )
    )
    assert isinstance(card, ProposalEvent)
    assert calls(log) == ["one", "one"]


@pytest.mark.parametrize("scope", ["denied", "succeeded", "waiting"])
async def test_only_what_failed_can_be_resumed(
    partner: Partner, watcher: Watcher, dynamic: Path, log: Path, user_home: Path, scope: str
) -> None:
    await listed(partner, watcher, dynamic, plan([listener("one", "main", "main")], []))
    card = await proposed(partner, watcher, {"log": str(log)}, user_home)
    if scope == "denied":
        await partner.actions.reject(card.id)
    elif scope == "succeeded":
        await partner.actions.approve(card.id, scope="once")
        await over(partner, watcher, card.id)
    with pytest.raises(UsageError, match="only a plan of several steps that failed can be resumed"):
        await partner.plans.resume(card.id)


async def test_what_was_imported_is_run_again_and_not_resumed(
    partner: Partner, watcher: Watcher, dynamic: Path, log: Path, user_home: Path
) -> None:
    await listed(partner, watcher, dynamic, plan([listener("one", "main", "main", fails=9)], []))
    done = await ran(partner, watcher, {"log": str(log)}, user_home)
    assert done.status is ActionStatus.FAILED
    file = user_home / "talk.json"
    await partner.conversations.export_to(done.conversation_id, file)
    await partner.conversations.import_from(file)
    imported = next(each for each in await partner.actions.list() if not each.exchange_id)
    with pytest.raises(UsageError, match="can be resumed"):
        await partner.plans.resume(imported.id)


async def test_where_no_ability_is_named_what_fits_of_the_owner_is_taken(
    partner: Partner, watcher: Watcher, dynamic: Path, log: Path, user_home: Path
) -> None:
    body = plan(
        [
            listener("one", "main", "a", ability="", owner="office", request="seal the letter for {log}"),
            listener("two", "a", "main", ability="", owner="Desk", request="say a line again"),
        ],
        ["a"],
    )
    await listed(partner, watcher, dynamic, body)
    card = await proposed(partner, watcher, {"log": str(log)}, user_home)
    assert [step.key for step in plan_of(card).steps] == ["local::seal", "local::again"]
    assert plan_of(card).steps[0].text == f"seal the letter for {log}"


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"ability": "local::gone"}, "In Take in, at its listener `one`: "),
        ({"ability": "", "owner": "nobody", "request": "do it"}, "nothing here belongs to “nobody”"),
        ({"ability": "", "owner": "office", "request": "xyzzy"}, "nothing of “office” fits “xyzzy”"),
        ({"ability": "local::take_in"}, "a plan cannot be a step of another one"),
    ],
)
async def test_what_a_plan_cannot_call_is_told_as_it_is_proposed(
    partner: Partner,
    watcher: Watcher,
    dynamic: Path,
    log: Path,
    user_home: Path,
    more: JsonObject,
    words: str,
) -> None:
    await listed(partner, watcher, dynamic, plan([listener("one", "main", "main", more=more)], []))
    await partner.abilities.run(
        "local::take_in", {"log": str(log)}, cwd=str(user_home), standing=ApprovalMode.ASK
    )
    await watcher.done()
    (record,) = await partner.actions.list()
    assert record.status is ActionStatus.REJECTED
    assert words in record.error


async def test_a_step_that_only_computes_is_marked_so(
    partner: Partner, watcher: Watcher, dynamic: Path, log: Path, user_home: Path
) -> None:
    body = plan([listener("one", "main", "a", listener_type="code"), listener("two", "a", "main")], ["a"])
    await listed(partner, watcher, dynamic, body)
    card = await proposed(partner, watcher, {"log": str(log)}, user_home)
    assert [step.computes for step in plan_of(card).steps] == [True, False]


async def test_more_steps_than_the_settings_allow_are_told(
    partner: Partner, watcher: Watcher, dynamic: Path, log: Path, user_home: Path
) -> None:
    names = [f"t{number}" for number in range(40)]
    body = plan([listener(name, "main", name) for name in names], names)
    await listed(partner, watcher, dynamic, body)
    await partner.abilities.run(
        "local::take_in", {"log": str(log)}, cwd=str(user_home), standing=ApprovalMode.ALL
    )
    await watcher.done()
    (record,) = await partner.actions.list()
    assert record.status is ActionStatus.REJECTED
    assert "takes 40 steps, and I take on 30" in record.error
    assert calls(log) == []


async def test_two_of_a_plan_on_one_card_do_not_meet(
    partner: Partner, watcher: Watcher, dynamic: Path, log: Path
) -> None:
    params: JsonObject = {
        "log": {"type": "string", "format": "path", "access": "write"},
        "line": {"type": "string"},
    }
    line: JsonObject = {"$param": "line"}
    body = plan(
        [
            listener("one", "main", "a", line=line),
            listener("two", "a", "main", line={"$task": "a", "output": "summary"}),
        ],
        ["a"],
        params=params,
    )
    await listed(partner, watcher, dynamic, body)
    wanted = [[Wanted({"log": str(log), "line": who}, "local::take_in")] for who in ("Ann", "Bob")]
    record = await approved(partner, wanted)
    done = await over(partner, watcher, record.id)
    assert done.status is ActionStatus.SUCCEEDED, done.error
    assert calls(log) == ["Ann", "did Ann", "Bob", "did Bob"]
    assert {step.task for step in plan_of(done).steps} == {"1:a", "1:main", "2:a", "2:main"}
