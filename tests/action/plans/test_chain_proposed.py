"""Several things asked for at once: what is missing is asked for, then one card shows all of it."""

from __future__ import annotations

import pytest

from partner_desktop.action.plans.plan_draft import StepDraft
from partner_desktop.action.questions import step_face
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import ProposalEvent, RunEvent
from partner_desktop.domain.evidence import Asked, Proposed, Withheld
from partner_desktop.domain.message import Role
from partner_desktop.domain.plan import CHAIN_KEY, StepInput
from partner_desktop.domain.run_facts import Risk
from partner_desktop.permission.request import ApprovalMode
from tests.action.plans.chain_room import ChainRoom

# Each has a Partner of its own: for the whole gate.
pytestmark = pytest.mark.integration


async def test_one_card_shows_all_steps_and_nothing_runs(chains: ChainRoom) -> None:
    upper = chains.draft("upper", text="hi")
    keep = chains.draft("keep", StepInput("text", upper.id), file="loud.txt")
    evidence = await chains.begin(upper, keep)
    assert isinstance(evidence, Proposed)
    card = evidence.action
    assert (card.key, card.title, card.status) == (CHAIN_KEY, "Upper → Keep", ActionStatus.WAITING)
    assert (card.number, card.risk) == (1, Risk.WRITE)
    assert card.waits_until is not None
    assert card.chain is not None
    first, second = card.chain.steps
    assert (first.id, second.id) == (upper.id, keep.id)
    assert second.params == {"file": str(chains.folder / "loud.txt")}
    assert [use.path for use in second.paths] == [str(chains.folder / "loud.txt")]
    assert second.feeds == (StepInput("text", upper.id),)
    assert not first.approved
    messages = await chains.partner.messages.list(chains.conversation_id)
    assert [(one.role, one.action_id) for one in messages] == [(Role.PARTNER, ""), (Role.ACTION, card.id)]
    [event] = [one for one in chains.watcher.events if isinstance(one, ProposalEvent)]
    assert event.action == card
    assert not any(isinstance(one, RunEvent) for one in chains.watcher.events)
    assert await chains.partner.audit.newest() == [], "nobody has decided anything"


async def test_a_gap_is_asked_for_by_its_step_and_the_answers_lead_to_the_card(chains: ChainRoom) -> None:
    asked = await chains.begin(
        chains.draft("upper"), chains.draft("count", file="nowhere.txt"), chains.draft("upper", text="end")
    )
    assert isinstance(asked, Asked)
    assert (asked.action.title, asked.param, asked.hint) == ("Upper", "text", "the text to shout")
    assert asked.action.chain is None, "the words look at it as at one ability"
    question = await chains.now(asked.action)
    assert (question.status, question.asked_param) == (ActionStatus.ASKING, "text")
    assert step_face(question) == asked.action
    asked = await chains.answer(asked, text="hello", times=2)
    assert isinstance(asked, Asked)
    assert (asked.action.title, asked.param) == ("Count", "file")
    assert "nowhere.txt" in asked.problem
    asked = await chains.answer(asked, file="nor.here")
    assert isinstance(asked, Asked)
    assert "nor.here" in asked.problem
    evidence = await chains.answer(asked, file="notes.txt")
    assert isinstance(evidence, Proposed)
    assert evidence.action.id == question.id
    assert evidence.action.chain is not None
    given = [step.params for step in evidence.action.chain.steps]
    path = str(chains.folder / "notes.txt")
    assert given == [{"text": "hello", "times": 2}, {"file": path}, {"text": "end"}]


async def test_a_value_of_another_type_is_asked_for_anew(chains: ChainRoom) -> None:
    asked = await chains.begin(chains.draft("upper", text="a", times="often"), chains.draft("upper", text=7))
    assert isinstance(asked, Asked)
    assert (asked.param, asked.action.params) == ("times", {"text": "a"})
    assert "often" in asked.problem
    asked = await chains.answer(asked, times=3)
    assert isinstance(asked, Asked)
    assert (asked.param, asked.action.params) == ("text", {})


async def test_an_ability_that_went_while_the_question_was_open_ends_the_chain_with_the_reason(
    chains: ChainRoom,
) -> None:
    asked = await chains.begin(chains.draft("upper"), chains.draft("count", file="notes.txt"))
    await chains.partner.abilities.switch("local::count", on=False)
    ended = await chains.answer(asked, text="a")
    assert isinstance(ended, Withheld)
    assert ended.reason.startswith("Step 2, Count, cannot run: Count is switched off")
    now = await chains.now(ended.action)
    assert (now.status, now.error) == (ActionStatus.REJECTED, ended.reason)


async def test_an_ability_that_was_edited_while_the_question_was_open_is_taken_as_it_is_now(
    chains: ChainRoom,
) -> None:
    asked = await chains.begin(chains.draft("upper", times=2), chains.draft("upper", text="b"))
    await chains.edit("upper", lambda text: text.replace("# [params.times]", "# [params.often]"))
    evidence = await chains.answer(asked, text="a")
    assert isinstance(evidence, Proposed)
    assert evidence.action.chain is not None
    first = evidence.action.chain.steps[0]
    assert first.params == {"text": "a"}, "what was said of a parameter that is gone says nothing now"
    assert "often" in str(first.schema["properties"])


async def test_what_a_program_begins_is_refused_with_the_step_that_lacks_something_or_needs_a_yes(
    chains: ChainRoom,
) -> None:
    granted = ApprovalMode.GRANTED
    evidence = await chains.begin(chains.draft("upper", text="a"), chains.draft("keep"), standing=granted)
    assert isinstance(evidence, Withheld)
    assert evidence.reason == "Step 2, Keep, needs the parameter `file`, which is missing."
    evidence = await chains.begin(chains.draft("upper", text="a"), standing=granted)
    assert isinstance(evidence, Withheld)
    assert evidence.reason == "Step 1, Upper, may not run: it needs your yes first"
    evidence = await chains.begin(
        chains.draft("upper", text="a"), chains.draft("count", file="no.txt"), standing=granted
    )
    assert isinstance(evidence, Withheld)
    assert evidence.reason.startswith("Step 2, Count, cannot take this as its file: I can't find")


async def test_a_step_that_is_forbidden_turns_all_of_it_down_and_is_named(chains: ChainRoom) -> None:
    own = chains.partner.home.root / "partner.db"
    evidence = await chains.begin(chains.draft("upper", text="a"), chains.draft("count", file=str(own)))
    assert isinstance(evidence, Withheld)
    assert evidence.reason.startswith("Step 2, Count, may not run: ")
    assert evidence.reason.endswith("holds Partner's own data")
    assert evidence.action.status is ActionStatus.REJECTED
    [row] = await chains.partner.audit.newest()
    assert (row.action_key, row.outcome) == ("local::count", "deny"), "nothing else was decided"


async def test_what_can_be_no_chain_is_answered_in_words(chains: ChainRoom) -> None:
    one, two = chains.draft("upper", text="a"), chains.draft("keep", text="b", file="c.txt")
    fed = chains.fed
    cases: list[tuple[list[list[StepDraft]], str]] = [
        ([], "There is nothing to do in it."),
        ([[], []], "There is nothing to do in it."),
        ([[chains.draft("upper", text="a")] for _ in range(500)], "That takes 500 steps, and I take on 30"),
        ([[one], [one]], "stands in it twice"),
        ([[fed(one, "text", one.id)]], "Step 1, Upper, waits for `text` from itself."),
        ([[fed(one, "text", "nobody")]], "Step 1, Upper, waits for `text` from a step that is not there."),
        ([[fed(one, "text", two.id)], [two]], "from step 2, Keep, which does not come before it."),
        ([[one, fed(two, "text", one.id)]], "from step 1, Upper, which does not come before it."),
        ([[fed(one, "text", two.id)], [fed(two, "text", one.id)]], "which does not come before it."),
        ([[one], [fed(two, "shape", one.id)]], "Step 2, Keep, has no `shape` that another step could bring."),
    ]
    for stages, words in cases:
        evidence = await chains.begin(*stages)
        assert isinstance(evidence, Withheld)
        assert words in evidence.reason
        assert (await chains.now(evidence.action)).error == evidence.reason
    assert not any(isinstance(one, RunEvent) for one in chains.watcher.events)
