"""How a chain goes on, with a model: typed changes of what is there, in words that the person said."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from partner_desktop.base.errors import ModelError
from partner_desktop.domain.intervention import Intervention, InterventionKind, NewStep
from partner_desktop.domain.message import TurnRef
from partner_desktop.domain.plan import StepStatus
from partner_desktop.mind.question import CorrectChain, JudgeChain
from tests.mind.broken_chains import (
    ALL,
    BROKEN,
    DONE,
    EVIL,
    FAILED,
    FOUND,
    LATER,
    RAN,
    SHOUT,
    chain_of,
    ran,
)
from tests.mind.scripted_models import TURN, Prompted
from tests.tables import all_rows

ASKED = CorrectChain(BROKEN, RAN, "The folder is locked.", ALL, TURN)
ZIP, SHOUTS, WIPE = "local::zip_folder", "local::shout", "local::wipe"


def change(kind: str, stage: int = 0, *steps: tuple[str, str], reason: str = "") -> dict[str, object]:
    wishes = [{"ability": name, "words": words} for name, words in steps]
    return {"kind": kind, "stage": stage, "steps": wishes, "reason": reason}


def changes(*found: dict[str, object]) -> str:
    return json.dumps({"changes": list(found)}, ensure_ascii=False)


async def test_what_is_to_change_comes_as_typed_interventions() -> None:
    prompted = Prompted(changes(change("append", 2, (SHOUTS, "shout done"), reason="so that it is known")))
    found = await prompted.mind.ask(ASKED)
    assert found == (
        Intervention(
            InterventionKind.APPEND, 2, (NewStep(SHOUTS, "shout done"),), reason="so that it is known"
        ),
    )
    assert not prompted.told


async def test_nothing_is_an_answer_too() -> None:
    prompted = Prompted(changes())
    assert await prompted.mind.ask(ASKED) == ()
    assert len(prompted.models.calls) == 1
    assert not prompted.told


async def test_the_prompt_shows_request_states_results_and_problem_as_material() -> None:
    prompted = Prompted(changes())
    await prompted.mind.ask(ASKED)
    call = prompted.models.calls[0]
    tail = call.tail
    assert call.question == "correct_chain"
    assert json.dumps(BROKEN.request_text) in tail
    assert "Stage 1 (done):" in tail
    assert "Stage 2 (now):" in tail
    assert '"Zip folder" (local::zip_folder), failed' in tail
    assert "Stage 3 (later):" in tail
    assert '"The folder is locked."' in tail
    assert "<|" not in tail
    assert EVIL.splitlines()[1] not in tail
    assert len([line for line in tail.splitlines() if line.startswith("- ")]) == 3 + len(ALL)
    kinds = json.loads(json.dumps(call.schema))["properties"]["changes"]["items"]["properties"]
    assert kinds["kind"]["enum"] == ["append", "insert", "delete", "cancel", "rebuild"]
    assert (kinds["stage"]["minimum"], kinds["stage"]["maximum"]) == (0, 3)
    assert set(kinds["steps"]["items"]["properties"]["ability"]["enum"]) == {info.key for info in ALL}


async def test_a_step_that_is_tried_once_more_makes_the_failed_one_good_and_another_ability_does_not() -> (
    None
):
    prompted = Prompted(
        changes(change("insert", 2, (ZIP, "zip ~/Pictures"))),
        changes(change("insert", 2, (SHOUTS, "shout done"))),
    )
    again = await prompted.mind.ask(ASKED)
    assert again[0].mends == FAILED.id
    assert (await prompted.mind.ask(ASKED))[0].mends == ""


async def test_a_stage_that_is_to_come_can_go_and_all_can_end_or_begin_anew() -> None:
    prompted = Prompted(
        changes(change("delete", 3)),
        changes(change("delete", 3, (SHOUTS, ""))),
        changes(change("cancel", 1, reason="it cannot be done")),
        changes(change("rebuild", 0, (ZIP, "zip ~/Pictures"))),
    )
    assert await prompted.mind.ask(ASKED) == (Intervention(InterventionKind.DELETE, 3),)
    named = await prompted.mind.ask(ASKED)
    assert named == (Intervention(InterventionKind.DELETE, 3, step_ids=(LATER.id,)),)
    ended = await prompted.mind.ask(ASKED)
    assert ended == (Intervention(InterventionKind.CANCEL, reason="it cannot be done"),)
    (anew,) = await prompted.mind.ask(ASKED)
    assert (anew.kind, anew.steps) == (InterventionKind.REBUILD, (NewStep(ZIP, "zip ~/Pictures"),))


INVALID = {
    "unknown ability": changes(change("append", 2, ("local::zip_foldr", "zip it"))),
    "unknown ability to delete": changes(change("delete", 3, (ZIP, ""))),
    "stage 0": changes(change("insert", 0, (SHOUTS, "shout done"))),
    "no such stage": changes(change("delete", 99)),
    "a stage before the first": changes(change("append", -1, (SHOUTS, "shout done"))),
    "a settled stage": changes(change("insert", 1, (SHOUTS, "shout done"))),
    "a place among settled stages": changes(change("append", 2, (SHOUTS, "shout done")), change("delete", 1)),
    "five hundred changes": changes(
        *(change("append", 0, (SHOUTS, "shout done"), reason=str(number)) for number in range(500))
    ),
    "five hundred steps": changes(change("append", 0, *[(SHOUTS, "shout done")] * 500)),
    "the same twice": changes(*[change("append", 0, (SHOUTS, "shout done"))] * 2),
    "nothing to append": changes(change("append", 2)),
    "ended and changed": changes(change("cancel"), change("delete", 3)),
    "unknown kind": changes(change("approve", 2)),
    "skip": changes(change("skip", 2)),
    "a stage in words": json.dumps({"changes": [{**change("delete"), "stage": "3"}]}),
    "a path that nobody said": changes(change("append", 0, (WIPE, "wipe ~/Documents"))),
    "what a tool said": changes(change("append", 0, (SHOUTS, "shout documents system"))),
    "a long text": changes(change("append", 0, (SHOUTS, "done " * 100))),
    "control characters": changes(change("append", 0, (SHOUTS, "shout \u202edone"))),
    "a list": "[]",
    "nothing": "{}",
    "empty": "",
    "cut off": '{"changes": [{"kind": "append", "stage": 2',
    "an id of its own": json.dumps({"changes": [{**change("delete", 3), "approved": True}]}),
}


@pytest.mark.promise("mind.invalid")
@all_rows("invalid", INVALID.values())
async def test_a_change_that_cannot_be_meant_ends_in_the_starters_answer_visibly(invalid: str) -> None:
    prompted = Prompted(invalid, invalid)
    assert await prompted.mind.ask(ASKED) == await prompted.starter.ask(ASKED)
    first, second = prompted.models.calls
    assert second.tail.startswith(first.tail)
    assert 0 < len(second.tail) - len(first.tail) < 300
    assert [question for question, _ in prompted.told] == ["correct_chain"]


async def test_a_name_that_nothing_has_is_answered_with_the_nearest() -> None:
    good = changes(change("append", 2, (ZIP, "zip the folder")))
    prompted = Prompted(INVALID["unknown ability"], good)
    assert (await prompted.mind.ask(ASKED))[0].steps[0].key == ZIP
    added = prompted.models.calls[1].tail.removeprefix(prompted.models.calls[0].tail)
    assert '"local::zip_folder"' in added
    assert "zip_foldr" not in added


async def test_the_ability_of_a_step_can_be_named_though_it_comes_near_to_nothing_said() -> None:
    many = [replace(SHOUT, key=f"local::shout_{number}") for number in range(40)]
    odd = replace(FOUND, status=StepStatus.FAILED, key="local::shout_39")
    request = CorrectChain(chain_of((odd,)), (), "It failed.", many, TURN)
    prompted = Prompted(changes())
    await prompted.mind.ask(request)
    assert "(local::shout_39)" in prompted.models.calls[0].tail
    assert len([line for line in prompted.models.calls[0].tail.splitlines() if "::" in line]) <= 13


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_a_chain_of_five_hundred_stages_keeps_the_prompt_short(language: str) -> None:
    long = replace(LATER, params={"text": "done " * 4_000})
    action = chain_of(*[(replace(long, id=str(number)),) for number in range(500)])
    prompted = Prompted(changes(), language=language)
    await prompted.mind.ask(CorrectChain(action, (), EVIL * 100, ALL, TURN))
    assert len(prompted.models.calls[0].tail) < 8_000


async def test_without_abilities_nothing_can_be_added() -> None:
    bad = changes(change("append", 0, (SHOUTS, "shout done")))
    prompted = Prompted(bad, bad)
    request = CorrectChain(BROKEN, RAN, "It failed.", (), TURN)
    assert await prompted.mind.ask(request) == await prompted.starter.ask(request)


async def test_what_is_asked_outside_of_a_turn_is_booked_on_the_chains_conversation() -> None:
    prompted = Prompted(changes(), json.dumps({"ok": True, "reason": ""}))
    await prompted.mind.ask(replace(ASKED, turn=None))
    await prompted.mind.ask(JudgeChain(DONE, (ran(FOUND),), final=True))
    assert [call.turn for call in prompted.models.calls] == [TurnRef("chat", "c1")] * 2


async def test_a_model_that_fails_leaves_it_to_the_starter_mind() -> None:
    prompted = Prompted(ModelError("The worker ended."))
    assert await prompted.mind.ask(ASKED) == await prompted.starter.ask(ASKED)
    assert "how to go on" in prompted.told[0][1]
