"""What failed its check is offered to be done again, and nothing is done by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import ActionEvent, ProposalEvent, ResultEvent
from partner_desktop.domain.intervention import Intervention, InterventionKind, NewStep, PlanEdit, StepEdit
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.permission.request import ApprovalMode
from tests.action.plans.running import approved, ended
from tests.action.verification.conftest import Ran
from tests.action.verification.people_abilities import (
    OPEN,
    add,
    hired,
    make_people,
    people_in,
    trust,
    verdicts,
    verification_of,
)
from tests.support import Watcher

pytestmark = pytest.mark.integration

#: Says that it did it, and does it from the second time on.
FORGETS = (
    OPEN
    + """\
mark = pathlib.Path(given["mark"])
if mark.read_text():
    db.execute("INSERT OR REPLACE INTO people VALUES (?, ?)", (given["employee_id"], given["employee_name"]))
mark.write_text("once")
print(json.dumps({"employee_id": given["employee_id"]}))
"""
)
PERSON = ("employee_id", "employee_name")


async def offered(watcher: Watcher, plan: ActionRecord) -> ActionRecord:
    """The card that offers to mend a plan."""

    def is_it(event: object) -> bool:
        if not isinstance(event, ActionEvent) or event.action.id != plan.id:
            return False
        return event.action.verification is not None and bool(event.action.verification.repair)

    found = await watcher.until(is_it)
    assert isinstance(found, ActionEvent)
    assert found.action.verification is not None
    repair = found.action.verification.repair
    card = await watcher.until(lambda e: isinstance(e, ProposalEvent) and e.action.id == repair)
    assert isinstance(card, ProposalEvent)
    return card.action


@pytest.mark.promise("verification.repair")
async def test_a_failed_step_is_offered_again_with_the_arguments_it_ran_with(
    partner: Partner, watcher: Watcher, scripts: Path, trusted: Path, user_home: Path
) -> None:
    mark = user_home / "mark"
    mark.write_text("")
    await add(watcher, scripts, "hire_slowly", FORGETS, owner="hr", params=PERSON, writes=("db", "mark"))
    slow = hired(trusted, key="hire_slowly")
    slow.params["mark"] = str(mark)
    plan = await approved(partner, [[hired(trusted, "E8", "Cy Poe")], [slow]])
    card = await offered(watcher, plan)
    plan = await ended(partner, watcher, plan.id)
    assert verdicts(plan) == ["verified", "failed"]
    assert card.status is ActionStatus.WAITING
    assert [(step.key, step.params, step.mends) for step in card.plan.steps] == [
        ("local::hire_slowly", slow.params, slow.id)
    ]
    assert [row[0] for row in people_in(trusted)] == ["E1", "E8"], "nothing is written by itself"
    assert (await partner.plans.repair(plan.id)).id == card.id, "no second card while one waits"
    await partner.plans.verify(plan.id)
    waiting = [each for each in await partner.actions.list() if each.status is ActionStatus.WAITING]
    assert [each.id for each in waiting] == [card.id]
    await partner.actions.approve(card.id, scope="once")
    mended = await ended(partner, watcher, card.id)
    assert verdicts(mended) == ["verified"]
    again = await watcher.until(
        lambda e: (
            isinstance(e, ActionEvent)
            and e.action.id == plan.id
            and e.action.verification is not None
            and [each.status.value for each in e.action.verification.verdicts] == ["verified", "verified"]
            and e.action.verification.ended_at is not None
        )
    )
    assert isinstance(again, ActionEvent)
    assert people_in(trusted) == [("E1", "Bob Ray"), ("E7", "Ann Lee"), ("E8", "Cy Poe")]


async def test_a_single_action_that_fails_its_check_is_offered_again(
    partner: Partner, watcher: Watcher, trusted: Path
) -> None:
    await trust(partner, watcher, "local::hire_employee", hired(trusted).params, scope="always")
    record = next(each for each in await partner.actions.list() if each.key == "local::hire_employee")
    with pytest.raises(UsageError, match="Nothing of Hire employee failed"):
        await partner.plans.repair(record.id)
    make_people(trusted, ("E7", "Somebody Else"))
    checked = await partner.plans.verify(record.id)
    card = await partner.actions.get(verification_of(checked).repair)
    (step,) = card.plan.steps
    assert (card.status, step.params) == (ActionStatus.WAITING, record.params), "it asks whatever is allowed"
    anew = StepEdit(step.id, {**step.params, "employee_name": "Ann Leigh"})
    await partner.actions.edit_chain(card.id, PlanEdit(((anew,),)))
    assert (await partner.plans.repair(record.id)).id == card.id, "no second card, however it was changed"
    assert verification_of(await partner.plans.verify(record.id)).repair == card.id
    await partner.actions.approve(card.id, scope="once")
    await ended(partner, watcher, card.id)
    found = await watcher.until(
        lambda e: (
            isinstance(e, ActionEvent)
            and e.action.id == record.id
            and e.action.verification is not None
            and e.action.verification.overall == "verified"
            and e.action.verification.ended_at is not None
        )
    )
    assert isinstance(found, ActionEvent)
    assert found.action.data == record.data, "what it did itself stays in its record"


@pytest.mark.parametrize("by_change", [False, True])
async def test_cancelling_a_plan_ends_its_check_at_once(
    partner: Partner, watcher: Watcher, scripts: Path, people: Path, by_change: bool
) -> None:
    hangs = 'time.sleep(0 if given["employee_id"] == "E1" else 600)\nprint("{}")\n'
    await add(watcher, scripts, "query_employee", hangs, owner="hr", looks=True)
    await trust(partner, watcher, "local::query_employee", {"employee_id": "E1", "db": str(people)})
    plan = await approved(partner, [[hired(people)]])
    await watcher.until(
        lambda e: isinstance(e, ActionEvent) and e.action.id == plan.id and e.action.verification is not None
    )
    more = Intervention(InterventionKind.APPEND, steps=(NewStep("local::hire_employee", "hire"),))
    with pytest.raises(UsageError, match="not under way"):
        await partner.actions.intervene(plan.id, [more])
    if by_change:
        await partner.actions.intervene(plan.id, [Intervention(InterventionKind.CANCEL)])
    else:
        await partner.actions.cancel(plan.id)
    over = await partner.actions.get(plan.id)
    assert over.status is ActionStatus.CANCELLED
    assert over.verification is not None
    assert over.verification.ended_at is not None
    assert over.plan.steps[0].status == "succeeded", "what was done was done"


@pytest.mark.promise("verification.once")
async def test_a_plan_is_checked_once(watcher: Watcher, ran: Ran, trusted: Path) -> None:
    plan = await ran(hired(trusted))
    begun = {
        event.action.verification.begun_at
        for event in watcher.events
        if isinstance(event, ActionEvent | ResultEvent)
        and event.action.id == plan.id
        and event.action.verification is not None
    }
    assert len(begun) == 1


async def test_the_outcome_for_the_turns_to_come_has_what_was_found(
    partner: Partner, ran: Ran, trusted: Path
) -> None:
    plan = await ran(hired(trusted))
    standing = partner._parts.core.workspace.standing(scope=plan.conversation_id)
    (block,) = [each.block for each in standing if each.block.source == plan.id]
    assert '"planner_verification": "completed"' in block.full
    assert "Checked: it is as it should be." in block.compact


async def test_of_a_computed_plan_what_rests_on_the_failed_step_is_done_again_too(
    partner: Partner, watcher: Watcher, scripts: Path, user_home: Path
) -> None:
    code = 'pathlib.Path(given["file"]).write_text("four")\n'
    code += 'print(json.dumps({"path": given["file"], "size": 40}))\n'
    await add(watcher, scripts, "draft_it", code, facts='outputs = "Draft"', params=(), writes=("file",))
    code = 'pathlib.Path(given["site"]).write_text(str(given["draft"]))\nprint("done")\n'
    facts = 'inputs = { draft = "Draft" }\n# effects = ["it is published"]'
    await add(watcher, scripts, "publish_it", code, facts=facts, params=("draft",), writes=("site",))
    have: JsonObject = {"file": str(user_home / "draft.txt"), "site": str(user_home / "site.txt")}
    await partner.plans.run(["it is published"], cwd=str(user_home), standing=ApprovalMode.ASK, have=have)
    found = await watcher.until(lambda e: isinstance(e, ProposalEvent))
    assert isinstance(found, ProposalEvent)
    await partner.actions.approve(found.action.id, scope="once")
    card = await offered(watcher, found.action)
    plan = await partner.actions.get(found.action.id)
    assert verdicts(plan) == ["failed", "verified"]
    first, second = card.plan.steps
    assert (first.key, first.params) == ("local::draft_it", {"file": have["file"]})
    assert (second.key, second.params) == ("local::publish_it", {"site": have["site"]})
    assert [(feed.param, feed.step) for feed in second.feeds] == [("draft", first.id)]
