"""What ran is kept as one ability: a plan.json that is found by words and runs again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import AbilitiesEvent, DoneEvent, ProposalEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.plan_save import PlanSaveDraft
from partner_desktop.permission.request import ApprovalMode
from tests.action.plans.running import Wanted, approved
from tests.action.saved_plans.plan_room import calls, listed, listener, over, plan, proposed, ran
from tests.support import Watcher

pytestmark = pytest.mark.integration


async def chain(partner: Partner, watcher: Watcher, log: Path) -> ActionRecord:
    """Two stages, of which the second is given something by the first."""
    first = Wanted({"log": str(log), "line": "Ann"}, "local::note")
    second = Wanted({"log": str(log)}, "local::stamp", feeds={"line": first.id})
    record = await approved(partner, [[first], [second]], text="onboard Ann")
    return await over(partner, watcher, record.id)


def named(draft: PlanSaveDraft, names: dict[tuple[int, str], str]) -> PlanSaveDraft:
    arguments = tuple(
        replace(each, name=names[each.number, each.param]) if (each.number, each.param) in names else each
        for each in draft.arguments
    )
    return replace(draft, arguments=arguments)


@pytest.mark.promise("planning.saved")
async def test_an_approved_chain_is_kept_and_runs_again_by_words_as_one_ability(
    partner: Partner, watcher: Watcher, action_dir: Path, log: Path, user_home: Path
) -> None:
    done = await chain(partner, watcher, log)
    assert done.status is ActionStatus.SUCCEEDED, done.error
    draft = await partner.plans.saveable(done.id)
    assert [(each.number, each.param, each.name, each.proposed) for each in draft.arguments] == [
        (1, "log", "log", True),
        (1, "line", "line", True),
        (2, "log", "log", True),
    ]
    assert (draft.name, draft.aliases) == ("onboard", ("onboard",))
    key = await partner.plans.save(done.id, named(draft, {(1, "line"): "person"}))
    assert key == "local::onboard"
    file = action_dir / "dynamic" / "onboard" / "plan.json"
    body = json.loads(file.read_text())
    assert body["listeners"][1]["params"]["line"] == {"$task": "step-1"}
    assert body["listeners"][0]["params"]["line"] == {"$param": "person"}
    assert [path.name for path in file.parent.parent.iterdir() if path.name.startswith(".")] == []
    card = await proposed(partner, watcher, {"log": str(log), "person": "Bob"}, user_home, key)
    await partner.actions.approve(card.id, scope="once")
    again = await over(partner, watcher, card.id)
    assert again.status is ActionStatus.SUCCEEDED, again.error
    names = [line for line in calls(log) if not line.startswith("Number")]
    assert names == ["Ann", "did Ann", "Bob", "did Bob"]


@pytest.mark.parametrize(
    ("fails", "text", "proposed"),
    [
        (2, "onboard Ann", False),
        (2, "onboard Ann 2 times", True),
        (2, "onboard Ann 12 times", False),
        (0, "onboard Ann 0 times", False),
    ],
)
async def test_what_was_said_is_proposed_as_a_parameter_and_what_is_not_chosen_stays(
    partner: Partner, watcher: Watcher, action_dir: Path, log: Path, fails: int, text: str, proposed: bool
) -> None:
    log.write_text("Ann\nAnn\n")
    first = Wanted({"log": str(log), "line": "Ann", "fails": fails}, "local::note")
    second = Wanted({"log": str(log), "line": "Bob"}, "local::stamp")
    record = await approved(partner, [[first], [second]], text=text)
    done = await over(partner, watcher, record.id)
    assert done.status is ActionStatus.SUCCEEDED, done.error
    draft = await partner.plans.saveable(done.id)
    told = {(each.number, each.param): (each.name, each.proposed) for each in draft.arguments}
    assert told[1, "fails"] == ("fails", proposed)
    assert told[2, "line"] == ("line_2", True), "another value has another name"
    kept = tuple(replace(each, proposed=each.name != "line_2") for each in draft.arguments)
    await partner.plans.save(done.id, replace(draft, name="onboard", arguments=kept))
    body = json.loads((action_dir / "dynamic" / "onboard" / "plan.json").read_text())
    assert body["listeners"][1]["params"]["line"] == "Bob"
    assert [*body["params"]["properties"]] == ["log", "line", "fails"]


@pytest.mark.promise("planning.saved")
async def test_a_kept_plan_is_meant_by_words_and_what_it_lacks_is_asked_for(
    partner: Partner, watcher: Watcher, log: Path
) -> None:
    done = await chain(partner, watcher, log)
    draft = named(await partner.plans.saveable(done.id), {(1, "line"): "person"})
    await partner.plans.save(done.id, draft)
    said = await partner.messages.send("onboard Bob")
    await watcher.until(lambda e: isinstance(e, DoneEvent) and e.conversation_id == said.conversation_id)
    record = (await partner.actions.list())[0]
    assert (record.status, record.asked_param) == (ActionStatus.ASKING, "log")
    await partner.messages.send("~/log.txt", conversation_id=said.conversation_id)
    await watcher.until(lambda e: isinstance(e, ProposalEvent) and e.action.id == record.id)
    record = await partner.actions.get(record.id)
    assert record.status is ActionStatus.WAITING
    assert record.plan.saved_key == "local::onboard"
    assert record.plan.arguments == {"log": str(log), "person": "Bob"}


async def test_a_single_action_and_a_saved_plan_can_be_kept_under_names_that_are_free(
    partner: Partner, watcher: Watcher, action_dir: Path, log: Path, user_home: Path
) -> None:
    await partner.abilities.run(
        "local::note", {"log": str(log), "line": "x"}, cwd=str(user_home), standing=ApprovalMode.ALL
    )
    await watcher.done()
    (alone,) = await partner.actions.list()
    draft = replace(await partner.plans.saveable(alone.id), name="note")
    assert await partner.plans.save(alone.id, draft) == "local::note_2"
    dynamic = action_dir / "dynamic"
    listeners = [
        listener("one", "main", "a", fails=2, retries=2),
        listener("passed", "a", "b", trigger_condition={"context": "a.gone", "there": True}),
        listener("two", "a", "main"),
    ]
    await listed(partner, watcher, dynamic, plan(listeners, ["a", "b"]))
    done = await ran(partner, watcher, {"log": str(log)}, user_home)
    assert done.status is ActionStatus.SUCCEEDED, done.error
    key = await partner.plans.save(done.id, replace(await partner.plans.saveable(done.id), name="again"))
    body = json.loads((dynamic / "again_2" / "plan.json").read_text())
    assert key == "local::again_2"
    assert [each["ability"] for each in body["listeners"]] == ["local::note", "local::note"]
    assert body["listeners"][0]["retries"] == 2


async def test_what_never_succeeded_is_not_kept(
    partner: Partner, watcher: Watcher, action_dir: Path, log: Path, user_home: Path
) -> None:
    await listed(
        partner, watcher, action_dir / "dynamic", plan([listener("one", "main", "main", fails=9)], [])
    )
    given_up = await ran(partner, watcher, {"log": str(log)}, user_home)
    with pytest.raises(UsageError, match="nothing of it has succeeded"):
        await partner.plans.saveable(given_up.id)


async def test_a_plan_that_is_broken_by_an_edit_says_where_and_the_last_good_one_stays(
    partner: Partner, watcher: Watcher, action_dir: Path, log: Path, user_home: Path
) -> None:
    dynamic = action_dir / "dynamic"
    body = plan([listener("one", "main", "a"), listener("two", "a", "main")], ["a"])
    await listed(partner, watcher, dynamic, body)
    file = dynamic / "take_in" / "plan.json"
    good = next(each for each in partner.abilities.list() if each.key == "local::take_in")
    assert good.script == file
    assert '"listener_id": "one"' in await partner.abilities.source("local::take_in")
    before = len(watcher.events)
    file.write_text(file.read_text().replace('"trigger_task_id": "a"', '"trigger_task_id": "b"'))
    await watcher.until(lambda e: isinstance(e, AbilitiesEvent) and e in watcher.events[before:])
    broken = next(each for each in partner.abilities.list() if each.key == "local::take_in")
    assert broken.fault is not None
    assert broken.fault.path == file
    line = file.read_text().splitlines()[(broken.fault.line or 0) - 1]
    assert '"trigger_task_id": "b"' in line
    assert "at `/listeners/1/trigger_task_id`: there is no task `b`" in broken.fault.message
    assert broken.info == good.info
    before = len(watcher.events)
    file.write_text(file.read_text().replace('"trigger_task_id": "b"', '"trigger_task_id": "main"'))
    await watcher.until(lambda e: isinstance(e, AbilitiesEvent) and e in watcher.events[before:])
    mended = next(each for each in partner.abilities.list() if each.key == "local::take_in")
    assert mended.info is not None
    assert good.info is not None
    assert mended.fault is None
    assert mended.info.content_hash != good.info.content_hash
    card = await proposed(partner, watcher, {"log": str(log)}, user_home)
    assert [len(stage.steps) for stage in card.plan.stages] == [2]


async def test_of_a_saved_plan_that_ran_only_what_it_was_called_with_is_asked_again(
    partner: Partner, watcher: Watcher, action_dir: Path, log: Path, user_home: Path
) -> None:
    first = listener("one", "main", "a", line={"$param": "person"})
    second = listener("two", "a", "main", line="a fixed line", request="Welcome {person}")
    place: JsonObject = {"type": "string", "format": "path", "access": "write"}
    usual: JsonObject = {**place, "default": "~/notes.txt"}
    params: JsonObject = {"log": place, "person": {"type": "string"}, "beside": usual}
    third = listener("three", "main", "a", more={"params": {"log": {"$param": "beside"}, "line": "x"}})
    body = plan([first, second, third], ["a"], params=params)
    await listed(partner, watcher, action_dir / "dynamic", body)
    done = await ran(partner, watcher, {"log": str(log), "person": "Ann"}, user_home)
    draft = await partner.plans.saveable(done.id)
    proposed = {(each.number, each.param): each.name for each in draft.arguments if each.proposed}
    of_log = {(number, "log"): "log" for number in (1, 3)}
    assert proposed == {**of_log, (1, "line"): "person"}, "what stands in the plan stays"
    assert draft.aliases == (), "the words that ask for it are those of the plan that is there"
    key = await partner.plans.save(done.id, replace(draft, name="again"))
    kept = json.loads((action_dir / "dynamic" / key.removeprefix("local::") / "plan.json").read_text())
    assert kept["listeners"][2]["request"] == "Welcome {person}"


async def test_a_form_of_a_plan_leads_to_its_card(
    partner: Partner, watcher: Watcher, action_dir: Path, log: Path
) -> None:
    body = plan([listener("one", "main", "main")], [])
    await listed(partner, watcher, action_dir / "dynamic", body)
    conversation = await partner.conversations.create("forms")
    await partner.abilities.offer("local::take_in", conversation_id=conversation.id, text="take somebody in")
    form = await watcher.until(lambda e: isinstance(e, ProposalEvent))
    assert isinstance(form, ProposalEvent)
    assert (form.action.key, form.action.chain) == ("local::take_in", None)
    await partner.actions.approve(form.action.id, scope="once", params={"log": str(log)})
    card = await partner.actions.get(form.action.id)
    assert card.status is ActionStatus.WAITING, "its steps were not seen yet"
    assert [step.params["log"] for step in card.plan.steps] == [str(log)]
    assert calls(log) == []
    await partner.actions.approve(card.id, scope="once")
    done = await over(partner, watcher, card.id)
    assert done.status is ActionStatus.SUCCEEDED, done.error


async def test_a_description_of_a_plan_is_edited_in_its_file(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    dynamic = action_dir / "dynamic"
    await listed(partner, watcher, dynamic, plan([listener("one", "main", "main")], []))
    draft = replace(await partner.abilities.draft("local::take_in"), description="Welcome somebody")
    assert await partner.abilities.describe("local::take_in", draft) == "local::take_in"
    body = json.loads((dynamic / "take_in" / "plan.json").read_text())
    assert (body["description"], len(body["listeners"])) == ("Welcome somebody", 1)
    assert not (dynamic / "take_in" / "desc.json").exists()


async def test_a_plan_that_ran_is_run_again_as_it_is_now(
    partner: Partner, watcher: Watcher, action_dir: Path, log: Path, user_home: Path
) -> None:
    dynamic = action_dir / "dynamic"
    await listed(partner, watcher, dynamic, plan([listener("one", "main", "main")], []))
    done = await ran(partner, watcher, {"log": str(log)}, user_home)
    await listed(partner, watcher, dynamic, plan([listener("other", "main", "main")], []))
    before = len(watcher.events)
    await partner.actions.run_again(done.id)
    card = await watcher.until(lambda e: isinstance(e, ProposalEvent) and e in watcher.events[before:])
    assert isinstance(card, ProposalEvent)
    assert [step.params["line"] for step in card.action.plan.steps] == ["other"]
