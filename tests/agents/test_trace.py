"""The story agent, from the wish to the summary: the states, plans, calls and events of a known run."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest

from partner_desktop.agents.agent_builtins import summary_of
from partner_desktop.agents.declarations import UserInput
from partner_desktop.agents.process_events import GoalReached, PlanMade, ReadyToPlan, StepBegan, StepEnded
from partner_desktop.agents.process_state import ProcessStatus, process_words
from partner_desktop.agents.selection import (
    ACCEPTED,
    ChoiceRanking,
    MindRanker,
    RankedChoice,
    Selection,
)
from partner_desktop.agents.story_agent import REVIEWER, WRITER, ReviewedStory, Story, WriteAndReviewAgent
from partner_desktop.agents.writing_mind import CreateObject, GenerateText, ModelUse
from tests.agents.scripted import Bench, ScriptedWriter, on, reason_of_end

NAME = "WriteAndReviewAgent"
U, S, R = "it:UserInput", "it:Story", "it:ReviewedStory"
CRAFT, REVIEW = f"{NAME}.craft_story", f"{NAME}.review_story"
C_RAN, R_RAN = f"hasRun_{CRAFT}", f"hasRun_{REVIEW}"
WISH = UserInput("Tell me a story about a caterpillar")
STORY = Story("A caterpillar counted its legs and lost count.")


def world(true: str) -> dict[str, bool]:
    """The state in which just these hold."""
    names = {"U": U, "S": S, "R": R, "c": C_RAN, "r": R_RAN}
    return {key: letter in true for letter, key in names.items()}


@pytest.mark.promise("planning.trace")
async def test_the_story_agent_runs_as_the_trace_tells() -> None:
    writer = ScriptedWriter(
        [
            (ChoiceRanking((RankedChoice(NAME, 1.0),)), ModelUse("small", 459, 19)),
            (STORY, ModelUse("small", 300, 150)),
            ("It ends too soon.", ModelUse("large", 400, 80)),
        ]
    )
    bench = Bench(WriteAndReviewAgent, mind=writer)

    chosen = await Selection(bench.registry, MindRanker(writer)).agent_for(WISH.content)
    assert chosen.ranking == (RankedChoice(NAME, 1.0),)
    assert chosen.ranking[0].confidence > ACCEPTED
    (row,) = chosen.rows
    assert (row.prompt_tokens, row.output_tokens) == (459, 19)

    craft, review = bench.registry.get(NAME).actions
    assert craft.preconditions == {U: True, S: False, C_RAN: False}
    assert craft.effects == {S: True, C_RAN: True}
    assert review.preconditions == {U: True, S: True, R: False, R_RAN: False}
    assert review.effects == {R: True, R_RAN: True}

    process = await bench.processes.create(chosen.agent, WISH, spent=chosen.rows)
    assert re.fullmatch("[a-z]+_[a-z]+", process.name)
    assert all(part in words for part, words in zip(process.name.split("_"), process_words(), strict=True))
    boards: list[tuple[object, ...]] = []
    bench.processes.subscribe(
        lambda event: boards.append(process.board.entries) if isinstance(event, ReadyToPlan) else None
    )
    assert await on(process) is ProcessStatus.COMPLETED

    looks, plans = bench.heard(ReadyToPlan), bench.heard(PlanMade)
    assert [each.world for each in looks] == [world("U"), world("USc"), world("USRcr")]
    assert [each.unknown for each in looks] == [frozenset()] * 3
    reviewed = process.output
    assert isinstance(reviewed, ReviewedStory)
    assert boards == [(WISH,), (WISH, STORY), (WISH, STORY, reviewed)]
    assert process.board.get("it", object) == reviewed
    assert process.board.get("userInput", UserInput) == WISH

    assert [(each.steps, each.cost, each.net_value) for each in plans] == [
        ((CRAFT, REVIEW), 0.0, 0.0),
        ((REVIEW,), 0.0, 0.0),
    ]
    assert {each.goal for each in plans} == {REVIEW}
    assert [(each.action, each.inputs) for each in bench.heard(StepBegan)] == [
        (CRAFT, ("UserInput",)),
        (REVIEW, ("UserInput", "Story")),
    ]
    ranked, crafted, judged = writer.asked
    assert isinstance(ranked, CreateObject)
    assert isinstance(crafted, CreateObject)
    assert (crafted.options.temperature, crafted.persona) == (0.7, WRITER)
    assert isinstance(judged, GenerateText)
    assert (judged.options.temperature, judged.persona) == (None, REVIEWER)
    assert [each.name for each in fields(ReviewedStory)] == ["story", "review", "reviewer"]
    assert reviewed == ReviewedStory(STORY, "It ends too soon.", REVIEWER)

    assert [(each.action, each.end) for each in process.state.history] == [
        (CRAFT, "succeeded"),
        (REVIEW, "succeeded"),
    ]
    used = process.usage
    assert (used.calls, used.cost, used.tools, used.models) == (3, 0.0, (), ("small", "large"))

    step = ["StepBegan", "UsageNoted", "ObjectBound", "StepEnded"]
    assert [type(event).__name__ for event in bench.events] == [
        "ProcessCreated",
        "StatusChanged",
        *("ReadyToPlan", "PlanMade", *step) * 2,
        "ReadyToPlan",
        "GoalReached",
        "StatusChanged",
    ]
    assert [event.number for event in bench.events] == list(range(1, len(bench.events) + 1))
    assert [each.goal for each in bench.heard(GoalReached)] == [REVIEW]
    assert [each.record.attempts for each in bench.heard(StepEnded)] == [1, 1]

    shown = summary_of(process)
    parts = [WISH.content, "# Story", STORY.text, "# Review", "It ends too soon.", "# Reviewer", "Reviewer"]
    places = [shown.index(part) for part in [*parts, "small, large: 3 calls, 1159 + 249 tokens, $0.0000"]]
    assert places == sorted(places)


@pytest.mark.promise("planning.trace")
async def test_without_a_model_the_story_agent_says_what_it_cannot_write() -> None:
    process = await Bench(WriteAndReviewAgent).run(WriteAndReviewAgent, WISH)
    assert (process.status, reason_of_end(process)) == (ProcessStatus.FAILED, "agents.cannot_write")
    assert [(each.action, each.end, each.attempts) for each in process.state.history] == [
        (CRAFT, "failed", 1)
    ]
    assert "no model that could write this (Story)" in summary_of(process)
    assert process.output is None
