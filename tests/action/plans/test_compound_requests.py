"""Compound requests: several things said in one breath become one action with its stages in order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from partner_desktop.action.turns.dependencies import MOST_PARTS
from partner_desktop.action.turns.request_drafts import in_bounds
from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import AbilitiesEvent
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.language.clauses import begins_with_joint, may_be_compound
from partner_desktop.mind.question import EvaluateIntent, IntentEvaluation, Intents, RankedAbility
from tests.action.plans.asking import Desk, desk_of, stages

# Whole stories: they belong to the whole gate.
pytestmark = pytest.mark.integration


@pytest.fixture
async def desk(home: Home, action_dir: Path, user_home: Path) -> AsyncIterator[Desk]:
    (user_home / "Pictures").mkdir()
    (user_home / "notes.txt").write_text("one two")
    one = desk_of(home, action_dir)
    await one.partner.launch()
    try:
        yield one
    finally:
        await one.partner.close()


@pytest.mark.promise("actions.extract")
@pytest.mark.parametrize(
    "words",
    [
        "find duplicates in ~/Pictures and then zip the folder",
        "find the duplicates in ~/Pictures; zip it",
        "zip ~/Pictures after you have found the duplicates in it",
        "查找 ~/Pictures 里的 duplicates，然后 zip 这个文件夹",
    ],
)
async def test_a_compound_request_becomes_one_action_with_its_stages_in_order(
    desk: Desk, words: str, user_home: Path
) -> None:
    await desk.say(words)
    action, chain = await desk.only(), await desk.chain()
    assert action.status is ActionStatus.WAITING
    assert action.request_text == words
    assert [[step.key for step in stage.steps] for stage in chain.stages] == [
        ["local::find_duplicates"],
        ["local::zip_folder"],
    ]
    assert {str(step.params["folder"]) for step in chain.steps} == {str(user_home / "Pictures")}


@pytest.mark.promise("actions.extract")
async def test_what_a_step_brings_is_on_the_card_as_what_it_is(desk: Desk, user_home: Path) -> None:
    await desk.say("find duplicates in ~/Pictures, write the result to found.txt and count the words in it")
    chain = await desk.chain()
    found, written, *_ = chain.steps
    assert written.params["file"] == str(user_home / "found.txt")
    assert [(feed.param, feed.step) for feed in written.feeds] == [("text", found.id)]


@pytest.mark.promise("actions.gate")
async def test_only_words_that_may_ask_for_several_things_are_put_to_be_cut(desk: Desk) -> None:
    for text in (
        "hello, how are you?",
        "thanks, and bye",
        "my sister plays the violin, and my brother sings",
    ):
        await desk.say(text)
    await desk.say("zip ~/Pictures")
    await desk.say('shout "you, and you; then them"')
    assert desk.mind.put == []
    await desk.say("zip ~/Pictures and find duplicates in it")
    assert len(desk.mind.put) == 1, "the count means something"


async def test_the_parts_are_looked_at_together(desk: Desk) -> None:
    desk.mind.cut = stages("find duplicates in ~/Pictures", "zip ~/Pictures", "shout done")
    desk.mind.gate = asyncio.Barrier(3)  # each waits until the others have been asked about
    await desk.say("find duplicates in ~/Pictures, zip it, shout done")
    assert len((await desk.chain()).steps) == 3


@pytest.mark.parametrize(
    ("first", "then"),
    [
        # What comes later is no place that was named before.
        ("zip the folder", "find duplicates in ~/Pictures"),
        # A file is no folder.
        ("read ~/notes.txt", "zip whatever folder"),
    ],
)
async def test_a_step_borrows_no_path_that_was_not_said_for_it(desk: Desk, first: str, then: str) -> None:
    desk.mind.cut = stages(first, then)
    await desk.say(f"{first} and then {then}")
    asked = await desk.only()
    assert (asked.status, asked.asked_param) == (ActionStatus.ASKING, "folder")
    zipped = next(step for step in (await desk.chain()).steps if step.key == "local::zip_folder")
    assert (zipped.params.get("folder"), zipped.feeds) == (None, ())


# What does not fit is never dropped without a word.


async def test_a_part_that_nothing_does_is_named_and_the_rest_is_proposed(desk: Desk) -> None:
    desk.mind.cut = stages("find duplicates in ~/Pictures", "dance the tango", "zip the folder")
    answer = await desk.say("find duplicates in ~/Pictures, dance the tango and zip the folder")
    assert [step.title for step in (await desk.chain()).steps] == ["Find duplicates", "Zip folder"]
    assert answer.startswith("I left out “dance the tango”: nothing here does that.")


async def test_one_part_that_fits_is_what_it_would_be_alone(desk: Desk, user_home: Path) -> None:
    desk.mind.cut = stages("dance the tango", "zip ~/Pictures")
    answer = await desk.say("dance the tango and then zip ~/Pictures")
    action = await desk.only()
    assert (action.key, action.chain) == ("local::zip_folder", None)
    assert action.params["folder"] == str(user_home / "Pictures")
    assert answer.startswith("I left out “dance the tango”: nothing here does that.")


@pytest.mark.logs_errors
async def test_a_part_that_cannot_be_looked_at_is_told_and_loses_no_other(desk: Desk) -> None:
    desk.mind.cut = stages("find duplicates in ~/Pictures", "zip it", "shout done")
    desk.mind.breaks = "zip it"
    await desk.say("find duplicates in ~/Pictures, zip it, shout done")
    assert [step.title for step in (await desk.chain()).steps] == ["Find duplicates", "Shout"]
    assert desk.errors() == ["“zip it” was left out: The model is not there."]


@pytest.mark.parametrize(("second", "kept"), [(0.8, 2), (0.9, 1)])
async def test_of_two_that_fit_alike_only_one_that_is_ahead_is_taken(
    desk: Desk, second: float, kept: int
) -> None:
    def tie(request: EvaluateIntent) -> IntentEvaluation | None:
        if request.text != "pack it":
            return None
        ties = tuple(info for info in request.abilities if info.name in ("zip_folder", "shout"))
        ranked = tuple(RankedAbility(info, score) for info, score in zip(ties, (0.9, second), strict=True))
        return IntentEvaluation(None, ranked, ties)

    desk.mind.cut, desk.mind.instead = stages("find duplicates in ~/Pictures", "pack it"), tie
    answer = await desk.say("find duplicates in ~/Pictures and pack it")
    action = await desk.only()
    assert len(action.chain.steps if action.chain else [action]) == kept
    assert kept == 2 or "I left out “pack it”" in answer


async def test_an_ability_that_nobody_knows_is_left_out_with_the_nearest(desk: Desk) -> None:
    unknown = MetaActionInfo("local::zip_foldr", Route.MCP, "made up")
    desk.mind.cut = stages("find duplicates in ~/Pictures", "squeeze it")
    desk.mind.instead = lambda request: (
        IntentEvaluation(unknown, (RankedAbility(unknown, 1.0),)) if request.text == "squeeze it" else None
    )
    answer = await desk.say("find duplicates in ~/Pictures and squeeze it")
    assert (await desk.only()).key == "local::find_duplicates"
    assert "I left out “squeeze it”: nothing here does quite that. The nearest: **Zip folder**" in answer


# Answers of a mind that are none.


@pytest.mark.logs_errors
async def test_a_mind_that_sees_hundreds_of_parts_is_answered_in_words(desk: Desk) -> None:
    desk.mind.cut = stages(*(f"zip ~/Pictures {number}" for number in range(500)))
    await desk.say("find duplicates in ~/Pictures and zip it")
    assert await desk.partner.actions.list() == []
    assert desk.errors() == [
        "That is 500 things at once, and I do 50 in one go at most. Ask for fewer at a time."
    ]
    assert len(desk.mind.evaluated) == 1, "no part of it was looked at"


async def test_empty_and_repeated_parts_are_one_request(desk: Desk) -> None:
    desk.mind.cut = lambda text: Intents(
        ((), ("  ",), ("zip ~/Pictures", "Zip  ~/Pictures"), ("zip ~/Pictures",))
    )
    await desk.say("zip ~/Pictures and zip ~/Pictures")
    assert (await desk.only()).key == "local::zip_folder"


async def test_a_part_beyond_reason_is_named_in_short_and_looked_at_by_nobody(desk: Desk) -> None:
    desk.mind.cut = stages("zip ~/Pictures", "tango " * 20_000)
    answer = await desk.say("zip ~/Pictures and dance the tango")
    assert (await desk.only()).key == "local::zip_folder"
    assert max(map(len, desk.mind.evaluated)) < 100
    assert "I left out “tango tango" in answer
    assert len(answer) < 400


def test_bounds_are_kept_to_the_last_part() -> None:
    most = Intents(tuple((str(number),) for number in range(MOST_PARTS)))
    assert in_bounds(most) == most
    with pytest.raises(UsageError):
        in_bounds(Intents((*most.stages, ("one more",))))


# What is asked for, and what comes in pieces.


async def test_what_is_said_for_one_step_when_asked_holds_for_the_next(desk: Desk, user_home: Path) -> None:
    answer = await desk.say("find duplicates and then zip the folder")
    assert "the folder to search" in answer
    asked = await desk.only()
    assert (asked.status, asked.asked_param) == (ActionStatus.ASKING, "folder")
    await desk.say("~/Pictures")
    assert (await desk.only()).status is ActionStatus.WAITING
    assert {step.params["folder"] for step in (await desk.chain()).steps} == {str(user_home / "Pictures")}


async def test_a_question_of_a_chain_is_called_off_by_a_no(desk: Desk) -> None:
    await desk.say("find duplicates and then zip the folder")
    await desk.say("no")
    assert (await desk.only()).status is ActionStatus.REJECTED


@pytest.mark.parametrize(
    ("text", "compound"),
    [
        ("zip it", False),
        ("count the words in notes.txt", False),
        ("shout 'one, two'", False),
        ("zip a and b", True),
        ("Zip it. Count it", True),
        ("zip it\ncount it", True),
        ("压缩并统计", True),
        ("压缩文件夹。统计字数", True),
        ("x" * 5_000 + " and y", False),
    ],
)
def test_words_that_may_ask_for_several_things(text: str, compound: bool) -> None:
    assert may_be_compound(text) is compound


@pytest.mark.parametrize(
    ("text", "on"),
    [
        ("and then zip it", True),
        ("Then zip it", True),
        ("然后压缩", True),
        ("zip it", False),
        ("再见", False),
    ],
)
def test_words_that_go_on_with_what_was_said(text: str, on: bool) -> None:
    assert begins_with_joint(text) is on


@pytest.mark.parametrize(
    ("words", "key", "left_out"),
    [
        (
            "find duplicates in ~/Pictures and zip the folder if there are any",
            "find_duplicates",
            "zip the folder if there are any",
        ),
    ],
)
async def test_a_condition_is_left_out_in_the_open_and_what_hung_on_it_asks(
    desk: Desk, words: str, key: str, left_out: str
) -> None:
    told = await desk.say(words)
    assert f"I left out “{left_out}”: I cannot make anything depend on that" in told.replace("`", "")
    action = await desk.only()
    assert (action.key, action.status) == (f"local::{key}", ActionStatus.WAITING)


@pytest.mark.parametrize(
    ("words", "condition"),
    [
        ("if ~/Pictures has duplicates then zip it", "if ~/Pictures has duplicates"),
        ("zip ~/Pictures if there are duplicates in it", "if there are duplicates in it"),
    ],
)
async def test_what_hangs_on_a_condition_as_a_whole_is_not_proposed(
    desk: Desk, words: str, condition: str
) -> None:
    told = (await desk.say(words)).replace("`", "")
    assert f"I can't make anything depend on “{condition}”, so I did nothing." in told
    assert "say “zip ~/Pictures”" in told
    assert not await desk.partner.actions.list()


@pytest.mark.parametrize(
    "words",
    ["zip ~/Pictures, if you don't mind", 'shout "if it rains we stay" in capital letters', "zip ~/Pictures"],
)
async def test_what_is_no_condition_of_the_request_is_not_said_to_be_left_out(desk: Desk, words: str) -> None:
    assert "left out" not in await desk.say(words)


@pytest.mark.parametrize(
    ("words", "folders"),
    [
        ("find duplicates in ~/Pictures and ~/Music, then zip them", ["Pictures", "Music"] * 2),
        ("find duplicates in ~/Pictures and ~/Music and then zip both folders", ["Pictures", "Music"] * 2),
        ("find duplicates in ~/Pictures and ~/Music, then zip ~/Music", ["Pictures", "Music", "Music"]),
        ("find duplicates in ~/Pictures and then zip them", ["Pictures"] * 2),
    ],
)
async def test_what_is_said_of_several_folders_is_a_step_for_each(
    desk: Desk, user_home: Path, words: str, folders: list[str]
) -> None:
    (user_home / "Music").mkdir()
    await desk.say(words)
    chain = await desk.chain()
    assert [Path(str(step.params["folder"])).name for step in chain.steps] == folders
    assert len({step.id for step in chain.steps}) == len(folders)


async def test_a_step_that_is_gone_is_left_out_by_the_words_that_are_named_for_it(desk: Desk) -> None:
    await desk.say("find duplicates in ~/Pictures and then zip the folder")
    desk.watcher.events.clear()
    (desk.partner.action_dir / "dynamic" / "zip_folder.py").unlink()
    await desk.watcher.until(lambda event: isinstance(event, AbilitiesEvent))
    assert "or say “leave out step 2”" in await desk.say("yes")
    await desk.say("leave out step 2")
    assert [step.key for step in (await desk.chain()).steps] == ["local::find_duplicates"]
    await desk.say("yes")
    assert (await desk.partner.actions.list())[-1].status in (ActionStatus.RUNNING, ActionStatus.SUCCEEDED)
