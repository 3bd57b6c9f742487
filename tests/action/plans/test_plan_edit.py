"""What an intervention makes of a chain, and which it refuses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from partner_desktop.action.corrections.plan_edit import changed
from partner_desktop.base.errors import UsageError
from partner_desktop.domain.intervention import Intervention, InterventionKind, NewStep
from partner_desktop.domain.plan import Plan, Stage, Step, StepStatus
from tests.action.plans.made import NOW, chain, names, step

K, S = InterventionKind, StepStatus


def after(before: Plan, wish: Intervention, *steps: Step, most: int = 30) -> Plan:
    return changed(before, wish, steps, most_steps=most, by="mind", now=NOW)


def refusal(before: Plan, wish: Intervention, *steps: Step, most: int = 30) -> str:
    with pytest.raises(UsageError) as refused:
        after(before, wish, *steps, most=most)
    return str(refused.value)


def live() -> Plan:
    """The first stage is done, the second runs, the third is to come."""
    first = [step("Find", S.SUCCEEDED)]
    return chain(first, [step("Zip", S.RUNNING), step("List")], [step("Send", needs="Zip")], at=1)


def test_append_makes_a_stage_of_its_own_after_the_one_that_is_named() -> None:
    result = after(live(), Intervention(K.APPEND, stage=2, reason="it was asked for."), step("Check"))
    assert names(result) == [["Find"], ["Zip", "List"], ["Check"], ["Send"]]
    assert result.at == 1
    (change,) = result.changes
    assert (change.kind, change.by, change.at) == ("append", "mind", NOW)
    assert change.text == "“Check” came in as step 4: it was asked for."


def test_append_without_a_stage_is_at_the_end() -> None:
    assert names(after(live(), Intervention(K.APPEND), step("Check")))[3:] == [["Check"]]


def test_append_never_comes_before_the_stage_that_runs() -> None:
    result = after(live(), Intervention(K.APPEND, stage=1), step("Check"))
    assert names(result) == [["Find"], ["Zip", "List"], ["Check"], ["Send"]]


def test_append_comes_before_a_stage_that_has_not_begun() -> None:
    before = chain([step("Find", S.FAILED)], [step("Zip")], at=1)
    result = after(before, Intervention(K.APPEND, stage=1, mends="Find"), step("Look"))
    assert names(result) == [["Find"], ["Look"], ["Zip"]]
    assert result.steps[1].mends == "Find"
    assert not result.steps[1].approved, "nobody has said yes to what comes in"


def test_append_after_all_is_done_gives_it_something_to_do() -> None:
    result = after(chain([step("Find", S.SUCCEEDED)], at=1), Intervention(K.APPEND), step("Check"))
    assert names(result) == [["Find"], ["Check"]]
    assert result.at == 1


def test_insert_joins_the_stage_that_runs_or_a_later_one_and_no_settled_one() -> None:
    assert names(after(live(), Intervention(K.INSERT, stage=2), step("Check")))[1] == ["Zip", "List", "Check"]
    assert names(after(live(), Intervention(K.INSERT, stage=3), step("Check")))[2] == ["Send", "Check"]
    assert refusal(live(), Intervention(K.INSERT, stage=1), step("Check")) == (
        "Stage 1 is done; nothing can be put into it any more."
    )
    assert refusal(live(), Intervention(K.INSERT, stage=4), step("Check")) == (
        "There is no stage 4; there are 3."
    )


def test_what_needs_a_later_step_is_refused() -> None:
    told = refusal(live(), Intervention(K.INSERT, stage=2), step("Check", needs="Send"))
    assert told == "“Check” would begin before what it needs is there."


def test_delete_takes_out_what_is_to_come_and_nothing_that_has_begun() -> None:
    before = chain([step("Find", S.RUNNING)], [step("Zip"), step("List")], [step("Send")])
    assert names(after(before, Intervention(K.DELETE, step_ids=("List",)))) == [["Find"], ["Zip"], ["Send"]]
    assert names(after(before, Intervention(K.DELETE, stage=2))) == [["Find"], ["Send"]]
    assert refusal(before, Intervention(K.DELETE, stage=1)) == (
        "“Find” has begun already; only what is to come can be taken out."
    )


def test_a_step_whose_result_others_need_is_not_taken_out_alone() -> None:
    before = chain([step("Find", S.RUNNING)], [step("Zip")], [step("Send", needs="Zip")])
    told = refusal(before, Intervention(K.DELETE, step_ids=("Zip",)))
    assert told == "“Zip” cannot go without “Send”, which needs what it brings."
    assert names(after(before, Intervention(K.DELETE, step_ids=("Zip", "Send")))) == [["Find"]]


def test_cancel_ends_every_step_that_has_not_run_and_nothing_goes_on_after_it() -> None:
    result = after(live(), Intervention(K.CANCEL))
    assert [each.status for each in result.steps] == [S.SUCCEEDED, S.RUNNING, S.CANCELLED, S.CANCELLED]
    for kind in K:
        told = refusal(result, Intervention(kind), step("Check"))
        assert told == "It was cancelled; nothing of it can be changed any more."


def test_rebuild_begins_anew_with_the_same_steps_once() -> None:
    before = chain(
        [step("Find", S.FAILED)],
        [step("Look", S.SUCCEEDED, mends="Find")],
        [step("Zip", S.FAILED, needs="Look")],
        at=3,
    )
    result = after(before, Intervention(K.REBUILD))
    assert [each.title for each in result.steps] == ["Find", "Zip"], "what only mended is not needed again"
    assert not {each.id for each in result.steps} & {each.id for each in before.steps}
    assert result.steps[1].feeds[0].step == result.steps[0].id
    assert {each.status for each in result.steps} == {S.PLANNED}
    assert not any(each.approved for each in result.steps), "the yes was to one run"
    assert result.at == 0
    assert refusal(result, Intervention(K.REBUILD)) == ("It began anew once already; that is done only once.")


def test_rebuild_keeps_which_of_several_outputs_is_meant() -> None:
    before = chain([step("Split", S.SUCCEEDED)], [step("Tell", S.SUCCEEDED, needs="Split")], at=2)
    split, tell = before.steps
    tell = replace(tell, feeds=tuple(replace(feed, output="public") for feed in tell.feeds))
    before = replace(before, stages=(Stage((split,)), Stage((tell,))))
    assert [feed.output for feed in after(before, Intervention(K.REBUILD)).steps[1].feeds] == ["public"]


def test_what_is_put_in_or_taken_out_ends_planning_towards_a_goal() -> None:
    before = replace(live(), goal={"have:Summary": True})
    assert after(before, Intervention(K.APPEND), step("Check")).goal == {}
    assert after(before, Intervention(K.REBUILD)).goal == before.goal


def test_rebuild_takes_the_steps_that_are_given_as_its_stages() -> None:
    result = after(live(), Intervention(K.REBUILD), step("Look"), step("Pack", needs="Look"))
    assert names(result) == [["Look"], ["Pack"]]


def test_more_steps_than_the_budget_are_refused() -> None:
    told = refusal(live(), Intervention(K.APPEND), step("Check"), step("Tell"), most=5)
    assert told == "It would have 6 steps; 5 is the most."


def test_what_is_no_wish_at_all_is_refused_in_a_sentence() -> None:
    assert refusal(live(), Intervention(K.APPEND)) == "No step was named that is to come in."
    assert refusal(live(), Intervention(K.APPEND, stage=9), step("Check")) == (
        "There is no stage 9; there are 3."
    )
    assert refusal(live(), Intervention(K.APPEND, mends="Find"), step("Check")) == (
        "The step that is to be made good has not failed."
    )
    assert refusal(live(), Intervention(K.DELETE, step_ids=("Gone",))) == (
        "A step that is to be taken out is not there (any more)."
    )
    assert refusal(live(), Intervention(K.APPEND), step("Zip")) == (
        "A step that is to come in is there already."
    )
    assert refusal(chain([step("Find")]), Intervention(K.DELETE, stage=1)) == (
        "Nothing would be left of it; cancel it instead."
    )


def test_a_mind_takes_no_pinned_step_out_and_puts_none_in_its_place() -> None:
    first, send = replace(step("Find", S.FAILED), pinned=True), replace(step("Send"), pinned=True)
    before = chain([first], [step("Zip")], [send])
    told = "“{}” is pinned: it stays."
    assert refusal(before, Intervention(K.DELETE, step_ids=("Send",))) == told.format("Send")
    assert refusal(before, Intervention(K.DELETE, stage=3)) == told.format("Send")
    assert refusal(before, Intervention(K.APPEND, mends="Find"), step("Look")) == told.format("Find")
    anew = Intervention(K.REBUILD, steps=(NewStep("local::look", "look"),))
    assert refusal(before, anew, step("Look")) == told.format("Find")
    assert len(after(before, Intervention(K.REBUILD)).steps) == 3, "the same steps come again"
    assert names(after(before, Intervention(K.DELETE, stage=2))) == [["Find"], ["Send"]]
    person = changed(before, Intervention(K.DELETE, stage=3), (), most_steps=9, by="person", now=NOW)
    assert names(person) == [["Find"], ["Zip"]]


def test_a_change_keeps_what_it_took_out_and_where_that_stood() -> None:
    before = chain([step("Find", S.SUCCEEDED)], [step("Zip")], [step("List")], [step("Send")], at=1)
    (change,) = after(before, Intervention(K.DELETE, step_ids=("Zip", "List"))).changes
    assert (change.removed, change.after) == (("Zip", "List"), "Find")
    (change,) = after(before, Intervention(K.APPEND), step("Check")).changes
    assert change.removed == ()
    (change,) = after(before, Intervention(K.REBUILD)).changes
    assert change.removed == (), "the same comes again"
