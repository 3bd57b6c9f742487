"""Plans that are computed of what abilities need and bring: asked for in words, planned again on the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import AbilitiesEvent, ProposalEvent, ReplyEvent
from partner_desktop.domain.intervention import (
    Intervention,
    InterventionKind,
    NewStep,
    PlanEdit,
    StepEdit,
)
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.plan import Plan, StepStatus
from tests.action.goals.talk_abilities import write
from tests.action.plans.running import child_card, ended, until_step
from tests.support import Watcher

# Whole stories: they belong to the whole gate.
pytestmark = pytest.mark.integration

EXTRACTS = 'inputs = { transcript = "Transcript" }\n# outputs = "TalkingPoints"'


async def proposed(partner: Partner, watcher: Watcher, text: str) -> ActionRecord:
    """The card that words lead to."""
    await partner.messages.send(text)
    found = await watcher.until(lambda event: isinstance(event, ProposalEvent))
    assert isinstance(found, ProposalEvent)
    return found.action


def plan_of(record: ActionRecord) -> Plan:
    assert record.chain is not None, record
    return record.chain


def keys(record: ActionRecord) -> list[str]:
    return [step.key.partition("::")[2] for step in plan_of(record).steps]


async def changed(watcher: Watcher, action_dir: Path, name: str, facts: str, param: str, code: str) -> None:
    """Write an ability anew, and wait until it is listed."""
    before = len(watcher.events)
    write(action_dir / "dynamic", name, name.replace("_", " ").capitalize(), facts, param, code)
    await watcher.until(lambda event: isinstance(event, AbilitiesEvent) and event in watcher.events[before:])


@pytest.mark.parametrize(
    ("words", "steps"),
    [
        ("I want a summary of ~/talk.txt", ["read_talk", "extract_points", "summarise_points"]),
        ("summarise the talking points of ~/talk.txt", ["read_talk", "extract_points", "summarise_points"]),
        ("translate the transcript of ~/talk.txt", ["read_talk", "translate_transcript"]),
        ("get me the talking points of ~/talk.txt", ["read_talk", "extract_points"]),
        ("I want the talking points of ~/talk.txt by mail", ["read_talk", "extract_points", "send_mail"]),
        ("mail me the talking points of ~/talk.txt", ["read_talk", "extract_points", "send_mail"]),
        ("给我一份 ~/talk.txt 的 summary", ["read_talk", "extract_points", "summarise_points"]),
    ],
)
async def test_words_for_a_goal_lead_to_the_cheapest_plan_under_one_yes(
    partner: Partner, watcher: Watcher, talk: Path, words: str, steps: list[str]
) -> None:
    card = await proposed(partner, watcher, words)
    assert keys(card) == steps
    assert plan_of(card).steps[0].params == {"file": str(talk)}
    await partner.actions.approve(card.id, scope="once")
    over = await ended(partner, watcher, card.id)
    assert over.status is ActionStatus.SUCCEEDED
    assert len([event for event in watcher.events if isinstance(event, ProposalEvent)]) == 1
    last = (await partner.actions.steps(card.id))[-1]
    told = [event.text for event in watcher.events if isinstance(event, ReplyEvent) and event.done][-1]
    assert told.removeprefix("```\n").startswith(last.stdout.strip()), (
        "the answer is what was wanted, and not all on the way there"
    )


async def test_each_step_says_why_it_is_there_and_what_another_way_would_cost(
    partner: Partner, watcher: Watcher
) -> None:
    first, second, third = plan_of(await proposed(partner, watcher, "I want a summary of ~/talk.txt")).steps
    assert first.reason is not None
    assert second.reason is not None
    assert third.reason is not None
    assert (first.reason.brings, first.reason.needed_by) == (("Transcript",), (second.id,))
    assert first.reason.is_only_way
    assert (second.reason.cost, second.reason.without, second.reason.total) == (1, 7, 3)
    assert (third.reason.brings, third.reason.needed_by) == (("Summary",), ())


@pytest.mark.parametrize(
    "words", ["I don't want a summary of ~/talk.txt", "no summary please", "how would I make a summary?"]
)
async def test_a_goal_that_nobody_asks_for_begins_nothing(
    partner: Partner, watcher: Watcher, words: str
) -> None:
    await partner.messages.send(words)
    await watcher.until(lambda event: isinstance(event, ReplyEvent) and event.done)
    assert await partner.actions.list() == []


async def test_words_that_no_step_does_anything_with_are_told(partner: Partner, watcher: Watcher) -> None:
    await proposed(partner, watcher, "I want a summary of ~/talk.txt in German")
    told = await watcher.until(lambda event: isinstance(event, ReplyEvent) and event.done)
    assert isinstance(told, ReplyEvent)
    assert "“german”" in told.text


@pytest.mark.parametrize(
    ("words", "unused"),
    [
        ("I want a summary of ~/talk.txt and ~/other.txt", "~/other.txt"),
        ("I want a total of ~/talk.txt", "~/talk.txt"),
    ],
)
async def test_a_path_that_no_step_is_given_is_told_and_asked_about(
    partner: Partner, watcher: Watcher, action_dir: Path, user_home: Path, words: str, unused: str
) -> None:
    (user_home / "other.txt").write_text("another")
    before = len(watcher.events)
    needs_nothing = '# /// partner\n# description = "Feed the cat"\n# outputs = "Total"\n# ///\nprint("7")\n'
    (action_dir / "dynamic" / "feed_cat.py").write_text(needs_nothing)
    await watcher.until(lambda event: isinstance(event, AbilitiesEvent) and event in watcher.events[before:])
    card = await proposed(partner, watcher, words)
    told = await watcher.until(lambda event: isinstance(event, ReplyEvent) and event.done)
    assert isinstance(told, ReplyEvent)
    assert f"I did not use “`{unused}`”" in told.text
    assert card.asks_first


async def test_what_is_only_to_be_shown_is_shown_by_a_computed_plan_too(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    facts = """inputs = { summary = "Summary" }
# effects = ["summary is published"]
# [params.dry_run]
# type = "boolean"
# default = false
# description = "only show it\""""
    text = f"""# /// partner
# description = "Publish a summary on the blog"
# {facts}
# [params.summary]
# type = "string"
# description = "the summary"
# ///
"""
    before = len(watcher.events)
    (action_dir / "dynamic" / "publish_summary.py").write_text(text)
    await watcher.until(lambda event: isinstance(event, AbilitiesEvent) and event in watcher.events[before:])
    words = "show me what would happen if you publish a summary of ~/talk.txt on the blog"
    last = plan_of(await proposed(partner, watcher, words)).steps[-1]
    assert (last.key, last.params) == ("local::publish_summary", {"dry_run": True})


async def test_words_beside_what_is_asked_for_are_not_taken_for_what_a_step_brings(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    facts = 'inputs = { rest = "Transcript" }\n# outputs = "Song"'
    await changed(watcher, action_dir, "sing_transcript", facts, "rest", 'print("la " + given)')
    card = await proposed(partner, watcher, "sing the transcript of ~/talk.txt")
    assert keys(card) == ["read_talk", "sing_transcript"]


async def test_what_is_said_itself_is_not_computed(partner: Partner, watcher: Watcher) -> None:
    await partner.messages.send('extract the main points of "one thing. another thing."')
    found = await watcher.until(lambda event: isinstance(event, ReplyEvent) and event.done)
    assert isinstance(found, ReplyEvent)
    records = await partner.actions.list()
    assert [record.key for record in records] == ["local::extract_points"]


@pytest.mark.promise("planning.replan")
async def test_a_step_that_fails_is_routed_round_and_the_card_says_why(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    code = 'sys.exit("the pencil broke")'
    await changed(watcher, action_dir, "extract_points", EXTRACTS, "transcript", code)
    card = await proposed(partner, watcher, "I want a summary of ~/talk.txt")
    await partner.actions.approve(card.id, scope="once")
    other = await child_card(watcher, card.id)
    assert other.key == "local::skim_talk", "nobody has approved it yet"
    now = await partner.actions.get(card.id)
    (change,) = plan_of(now).changes
    assert change.kind == "reroute"
    assert "“Skim talk” will do it instead" in change.text
    assert change.after == plan_of(now).steps[1].id
    assert "the pencil broke" in change.text
    await partner.actions.approve(other.id, scope="once")
    over = await ended(partner, watcher, card.id)
    assert over.status is ActionStatus.SUCCEEDED, over.error
    assert keys(over) == ["read_talk", "extract_points", "skim_talk", "summarise_points"]
    assert [step.status for step in plan_of(over).steps] == ["succeeded", "failed", "succeeded", "succeeded"]
    failed, skimmed = plan_of(over).steps[1:3]
    assert skimmed.mends == failed.id
    last = (await partner.actions.steps(card.id))[-1]
    assert last.stdout.strip() == "In short: skimmed We"
    told = [event.text for event in watcher.events if isinstance(event, ReplyEvent) and event.done][-1]
    assert "the pencil broke" in told


@pytest.mark.promise("planning.replan")
async def test_a_step_that_brings_nothing_is_routed_round_too(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await changed(watcher, action_dir, "extract_points", EXTRACTS, "transcript", "pass")
    card = await proposed(partner, watcher, "I want a summary of ~/talk.txt")
    await partner.actions.approve(card.id, scope="once")
    other = await child_card(watcher, card.id)
    assert other.key == "local::skim_talk"
    (change,) = plan_of(await partner.actions.get(card.id)).changes
    assert "“Extract points” brought no TalkingPoints" in change.text


@pytest.mark.promise("planning.replan")
async def test_what_turns_out_to_be_so_already_is_not_done(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    facts = (
        'inputs = { points = "TalkingPoints" }\n# outputs = "Summary"\n# preconditions = ["spell checked"]'
    )
    await changed(watcher, action_dir, "summarise_points", facts, "points", 'print("short")')
    checks = 'inputs = { points = "TalkingPoints" }\n# effects = ["spell checked"]'
    await changed(watcher, action_dir, "check_spelling", checks, "points", 'print("ok")')
    finds = 'print(json.dumps({"result": "- a", "conditions": {"spell checked": True}}))'
    senses = EXTRACTS + '\n# senses = "spell checked"'
    await changed(watcher, action_dir, "extract_points", senses, "transcript", finds)
    card = await proposed(partner, watcher, "I want a summary of ~/talk.txt")
    assert keys(card) == ["read_talk", "extract_points", "check_spelling", "summarise_points"]
    await partner.actions.approve(card.id, scope="once")
    over = await ended(partner, watcher, card.id)
    assert keys(over) == ["read_talk", "extract_points", "summarise_points"]
    assert over.status is ActionStatus.SUCCEEDED, over.error
    (change,) = plan_of(over).changes
    assert "“Check spelling” will not be done" in change.text
    assert change.removed == ("Check spelling",)
    assert change.after == plan_of(over).steps[1].id


@pytest.mark.parametrize("fails", [False, True])
async def test_what_is_pinned_stays_though_a_planner_would_do_without_it(
    partner: Partner, watcher: Watcher, action_dir: Path, fails: bool
) -> None:
    facts = (
        'inputs = { points = "TalkingPoints" }\n# outputs = "Summary"\n# preconditions = ["spell checked"]'
    )
    await changed(watcher, action_dir, "summarise_points", facts, "points", 'print("short")')
    checks = 'inputs = { points = "TalkingPoints" }\n# effects = ["spell checked"]'
    await changed(watcher, action_dir, "check_spelling", checks, "points", 'print("ok")')
    finds = 'print(json.dumps({"result": "- a", "conditions": {"spell checked": True}}))'
    senses = EXTRACTS + '\n# senses = "spell checked"'
    code = 'sys.exit("the pencil broke")' if fails else finds
    await changed(watcher, action_dir, "extract_points", senses, "transcript", code)
    skims = EXTRACTS + '\n# effects = ["spell checked"]\n# cost = 9'
    await changed(watcher, action_dir, "skim_talk", skims, "transcript", 'print("- skimmed")')
    card = await proposed(partner, watcher, "I want a summary of ~/talk.txt")
    pinned = plan_of(card).steps[2]
    assert pinned.key == "local::check_spelling"
    edit = PlanEdit(
        tuple((StepEdit(each.id, pinned=each == pinned or None),) for each in plan_of(card).steps)
    )
    await partner.actions.edit_chain(card.id, edit)
    shown = await partner.actions.get(card.id)
    assert [step.pinned for step in plan_of(shown).steps] == [False, False, True, False]
    assert plan_of(shown).goal, "it is still the planner's"
    await partner.actions.approve(card.id, scope="once")
    if not fails:
        over = await ended(partner, watcher, card.id)
        assert keys(over) == ["read_talk", "extract_points", "check_spelling", "summarise_points"]
        return
    await child_card(watcher, card.id)
    now = await partner.actions.get(card.id)
    assert keys(now) == ["read_talk", "extract_points", "skim_talk", "summarise_points", "check_spelling"]
    assert "“Check spelling” will not be done" not in plan_of(now).changes[0].text


async def test_nothing_is_put_in_the_place_of_a_pinned_step(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    code = 'sys.exit("the pencil broke")'
    await changed(watcher, action_dir, "extract_points", EXTRACTS, "transcript", code)
    card = await proposed(partner, watcher, "I want a summary of ~/talk.txt")
    edit = PlanEdit(tuple((StepEdit(each.id, pinned=True),) for each in plan_of(card).steps))
    await partner.actions.edit_chain(card.id, edit)
    await partner.actions.approve(card.id, scope="once")
    over = await ended(partner, watcher, card.id)
    assert over.status is ActionStatus.FAILED
    assert not plan_of(over).changes


@pytest.mark.parametrize("senses", ["", '\n# senses = "mail is sent"'])
async def test_what_a_result_says_reaches_no_goal_and_counts_only_of_what_it_is_there_to_find_out(
    partner: Partner, watcher: Watcher, action_dir: Path, senses: str
) -> None:
    claims = 'print(json.dumps({"result": "- a", "conditions": {"mail is sent": True}}))'
    await changed(watcher, action_dir, "extract_points", EXTRACTS + senses, "transcript", claims)
    card = await proposed(partner, watcher, "mail me the talking points of ~/talk.txt")
    await partner.actions.approve(card.id, scope="once")
    over = await ended(partner, watcher, card.id)
    assert keys(over) == ["read_talk", "extract_points", "send_mail"]
    assert [step.status for step in plan_of(over).steps] == ["succeeded"] * 3


async def test_a_file_that_one_step_reads_is_no_place_for_another_to_write(
    partner: Partner, watcher: Watcher, action_dir: Path, talk: Path
) -> None:
    facts = 'inputs = { points = "TalkingPoints" }\n# effects = ["points are kept"]'
    text = (action_dir / "dynamic" / "summarise_points.py").read_text()
    target = ["[params.target]", 'type = "string"', 'format = "path"', 'access = "write"']
    lines = [*target, 'default = "~/kept.txt"', "[params.points]"]
    keeps = text.replace('inputs = { points = "TalkingPoints" }\n# outputs = "Summary"', facts)
    keeps = keeps.replace("# [params.points]", "\n".join(f"# {line}" for line in lines))
    (action_dir / "dynamic" / "keep_points.py").write_text(keeps)
    await watcher.until(lambda event: "local::keep_points" in {one.key for one in partner.abilities.list()})
    found = await partner.plans.compute(["points are kept"], have={"file": str(talk)})
    last = found.stages[-1][0]
    assert (last.key, last.params, last.missing) == ("local::keep_points", {}, ())
    await partner.messages.send("I want the points are kept of ~/talk.txt")
    await watcher.until(lambda event: isinstance(event, ReplyEvent) and event.done)
    (record,) = await partner.actions.list()
    assert not any("talk.txt" in str(step.params.get("target")) for step in plan_of(record).steps)


async def test_run_again_is_the_plan_that_was_asked_for(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await changed(watcher, action_dir, "extract_points", EXTRACTS, "transcript", 'sys.exit("torn")')
    card = await proposed(partner, watcher, "I want a summary of ~/talk.txt")
    await partner.actions.approve(card.id, scope="once")
    other = await child_card(watcher, card.id)
    await partner.actions.approve(other.id, scope="once")
    first = await ended(partner, watcher, card.id)
    substitute = plan_of(first).steps[2]
    assert substitute.reason is not None
    assert substitute.reason.needed_by == (plan_of(first).steps[3].id,), "and it says for whom it is there"
    await partner.actions.run_again(card.id)
    again = (await partner.actions.list())[0]
    assert keys(again) == ["read_talk", "extract_points", "summarise_points"]
    assert plan_of(again).goal == plan_of(first).goal
    read, extract, summarise = plan_of(again).steps
    assert [feed.step for feed in (*extract.feeds, *summarise.feeds)] == [read.id, extract.id]


async def test_where_no_other_way_is_known_a_failure_is_one(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await changed(
        watcher, action_dir, "read_talk", 'outputs = "Transcript"', "file", 'sys.exit("it is torn")'
    )
    card = await proposed(partner, watcher, "I want a summary of ~/talk.txt")
    await partner.actions.approve(card.id, scope="once")
    over = await ended(partner, watcher, card.id)
    assert over.status is ActionStatus.FAILED
    assert not [change for change in plan_of(over).changes if change.kind == "reroute"]


async def test_steps_that_all_succeed_and_do_not_reach_the_goal_are_a_failure(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    facts = 'inputs = { points = "TalkingPoints" }\n# outputs = "Summary"'
    await changed(watcher, action_dir, "summarise_points", facts, "points", "pass")
    card = await proposed(partner, watcher, "I want a summary of ~/talk.txt")
    await partner.actions.approve(card.id, scope="once")
    over = await ended(partner, watcher, card.id)
    assert {step.status for step in plan_of(over).steps} == {"succeeded"}
    assert over.status is ActionStatus.FAILED
    assert "“Summarise points” brought no Summary" in over.error


async def test_what_a_person_said_no_to_is_not_had_by_another_way(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await changed(watcher, action_dir, "extract_points", EXTRACTS, "transcript", 'sys.exit("torn")')
    await changed(
        watcher, action_dir, "guess_points", EXTRACTS + "\n# cost = 9", "transcript", 'print("- x")'
    )
    card = await proposed(partner, watcher, "I want a summary of ~/talk.txt")
    await partner.actions.approve(card.id, scope="once")
    other = await child_card(watcher, card.id)
    await partner.actions.reject(other.id)
    over = await ended(partner, watcher, card.id)
    assert over.status is ActionStatus.FAILED
    assert "guess_points" not in keys(over)


async def test_what_the_person_puts_in_on_the_way_stays(
    partner: Partner, watcher: Watcher, action_dir: Path, talk: Path
) -> None:
    waits = 'while "The end" not in open(given).read(): time.sleep(0.01)\nprint("talk")'
    await changed(watcher, action_dir, "read_talk", 'outputs = "Transcript"', "file", waits)
    card = await proposed(partner, watcher, "I want a summary of ~/talk.txt")
    await partner.actions.approve(card.id, scope="once")
    await until_step(watcher, card.id, 1, lambda step: step.status is StepStatus.RUNNING)
    await partner.actions.intervene(
        card.id, [Intervention(InterventionKind.APPEND, steps=(NewStep("builtin::time"),))]
    )
    with talk.open("a") as file:
        file.write("The end")
    over = await ended(partner, watcher, card.id)
    assert keys(over) == ["read_talk", "extract_points", "summarise_points", "time"]
    assert over.status is ActionStatus.SUCCEEDED, over.error


async def test_a_plan_that_the_person_changed_is_not_put_back(partner: Partner, watcher: Watcher) -> None:
    card = await proposed(partner, watcher, "I want a summary of ~/talk.txt")
    first, second, _third = plan_of(card).steps
    edit = PlanEdit(((StepEdit(first.id),), (StepEdit(second.id),)))
    await partner.actions.edit_chain(card.id, edit)
    assert plan_of(await partner.actions.get(card.id)).goal == {}


async def test_a_plan_by_name_is_shown_before_anything_is_begun(partner: Partner, talk: Path) -> None:
    found = await partner.plans.compute(["Summary"], have={"file": str(talk)})
    assert [[step.key for step in stage] for stage in found.stages] == [
        ["local::read_talk"],
        ["local::extract_points"],
        ["local::summarise_points"],
    ]
    assert found.cost == 3
    assert found.stages[0][0].params == {"file": str(talk)}
    assert await partner.actions.list() == []


@pytest.mark.parametrize(
    ("have", "told"),
    [
        ({"fle": "x"}, "Nothing here is known as “fle”"),
        ({"Transcript": True}, "“Transcript” is a type: say which one is there"),
    ],
)
async def test_what_is_there_is_known_here(partner: Partner, have: dict[str, Json], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        await partner.plans.compute(["Summary"], have=have)


async def test_a_goal_and_its_contrary_are_no_goal(partner: Partner) -> None:
    with pytest.raises(UsageError, match="wanted, and wanted not to be so"):
        await partner.plans.compute(["Summary", "!Summary"])


@pytest.mark.parametrize(
    ("goal", "told"),
    [
        ("Summry", "Nothing here is known as “Summry”; is Summary meant?"),
        ("NumberTable", "Nothing here brings “NumberTable”."),
        ("Total", "Nothing here brings “NumberTable”, which Sum of numbers needs."),
        ("a poem about rain", "nothing that can be had here comes near"),
        ("!Summary", "That is so already"),
        ("x" * 500, "Nothing here is known as “xxx"),
    ],
)
async def test_a_goal_that_cannot_be_is_told_why(partner: Partner, goal: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        await partner.plans.compute([goal])
