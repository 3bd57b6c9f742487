"""Words on a chain that waits or runs, with a model: what is to be otherwise, and never a yes."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.intervention import Intervention, InterventionKind, NewStep
from partner_desktop.domain.plan import StepStatus
from partner_desktop.mind.question import ReadIntervention, WordedIntervention
from partner_desktop.mind.starter.mind import StarterMind
from tests.mind.broken_chains import ALL, EVIL, FAILED, FOUND, LATER, chain_of
from tests.mind.scripted_models import TURN, Prompted
from tests.mind.test_prompted_changes import SHOUTS, WIPE, ZIP, change
from tests.runtime.minds import starter_with
from tests.tables import all_rows

READY = replace(FAILED, status=StepStatus.PLANNED, error="", id="zip")
CHAIN = replace(chain_of((replace(FOUND, status=StepStatus.PLANNED),), (READY,)), status=ActionStatus.WAITING)
OTHER = replace(chain_of((LATER,)), id="c2", title=EVIL, request_text="shout done")
#: Its steps share words with what is plainly a yes, or mere talk.
RUNS = chain_of((READY, replace(READY, id="run", title="Run it", text="make me run and smile")))
#: It says what it wants in no plain phrase.
WORDS = "hm, I would feel better if the zip came out of it"


def silent() -> StarterMind:
    """It reads nothing out of the words, so that the model is asked."""

    async def read(_: ReadIntervention) -> None:
        return None

    return starter_with(ReadIntervention.answered_by(read))


def asked(text: str = WORDS, *chains: object) -> ReadIntervention:
    return ReadIntervention(text, chains or (CHAIN,), ALL, TURN)  # type: ignore[arg-type] # the tests' own


def wants(chain: int, *changes: dict[str, object]) -> str:
    return json.dumps({"chain": chain, "changes": list(changes)}, ensure_ascii=False)


async def test_words_about_a_step_are_read_by_the_model() -> None:
    prompted = Prompted(wants(1, change("delete", 2)), starter=silent())
    found = await prompted.mind.ask(asked())
    assert found == WordedIntervention("c1", (Intervention(InterventionKind.DELETE, 2),))
    call = prompted.models.calls[0]
    assert call.question == "read_intervention"
    assert "Work 1:" in call.tail
    assert not prompted.told


async def test_the_work_that_is_meant_is_told_by_its_number() -> None:
    prompted = Prompted(wants(2, change("cancel", 0)), starter=silent())
    found = await prompted.mind.ask(asked("I would feel better without shouting", CHAIN, OTHER))
    assert found is not None
    assert found.action_id == "c2"
    assert "<|" not in prompted.models.calls[0].tail


async def test_something_more_comes_in_the_persons_own_words() -> None:
    text = "it would be good to also have it shout hello afterwards"
    prompted = Prompted(wants(1, change("append", 0, (SHOUTS, "shout hello"))), starter=silent())
    found = await prompted.mind.ask(asked(text))
    assert found is not None
    assert found.interventions[0].steps == (NewStep(SHOUTS, "shout hello"),)


@pytest.mark.parametrize(
    "text",
    [
        *("hello", "yes", "yes please", "no", "好的", "thanks", "run it", "make me smile"),
        *("what is the capital of Peru", "zip " * 200),
    ],
)
async def test_what_is_plain_or_about_something_else_costs_no_call(text: str) -> None:
    prompted = Prompted(starter=silent())
    assert await prompted.mind.ask(asked(text, RUNS)) is None
    assert prompted.models.calls == []


async def test_what_the_starter_mind_reads_needs_no_model() -> None:
    async def read(_: ReadIntervention) -> WordedIntervention:
        return WordedIntervention("c1", (Intervention(InterventionKind.CANCEL),))

    prompted = Prompted(starter=starter_with(ReadIntervention.answered_by(read)))
    found = await prompted.mind.ask(asked())
    assert found == WordedIntervention("c1", (Intervention(InterventionKind.CANCEL),))
    assert prompted.models.calls == []


async def test_without_a_chain_nothing_is_asked() -> None:
    prompted = Prompted()
    assert await prompted.mind.ask(ReadIntervention(WORDS, (), ALL, TURN)) is None
    assert prompted.models.calls == []


@pytest.mark.parametrize("answer", [wants(0), wants(0, change("delete", 2)), wants(1)])
async def test_words_that_the_model_takes_for_something_else_change_nothing(answer: str) -> None:
    prompted = Prompted(answer, starter=silent())
    assert await prompted.mind.ask(asked()) is None
    assert not prompted.told


INVALID = {
    "an approval": wants(1, change("approve", 1)),
    "no such work": wants(9, change("delete", 2)),
    "work before the first": wants(-1, change("delete", 2)),
    "no such stage": wants(1, change("delete", 3)),
    "a step that nobody asked for": wants(1, change("append", 0, (WIPE, "wipe ~/Pictures"))),
    "a path that nobody said": wants(1, change("append", 0, (ZIP, "zip ~/Documents"))),
    "unknown ability": wants(1, change("append", 0, ("local::zip", "zip ~/Pictures"))),
    "an end that nobody asked for": wants(1, change("cancel", 0)),
    "a new beginning that nobody asked for": wants(1, change("rebuild", 0)),
    "five hundred": wants(1, *(change("delete", 2) for _ in range(500))),
    "a word for a number": '{"chain": "one", "changes": []}',
    "nothing": "{}",
    "empty": "",
    "cut off": '{"chain": 1, "changes": [',
}


@pytest.mark.promise("mind.invalid")
@all_rows("invalid", INVALID.values())
async def test_what_words_cannot_mean_changes_nothing_and_is_told(invalid: str) -> None:
    prompted = Prompted(invalid, invalid, starter=silent())
    assert await prompted.mind.ask(asked()) is None
    assert [question for question, _ in prompted.told] == ["read_intervention"]


async def test_what_the_person_says_not_to_do_is_not_added() -> None:
    text = "please don't shout done after that"
    bad = wants(1, change("append", 0, (SHOUTS, "shout done")))
    prompted = Prompted(bad, bad, starter=silent())
    assert await prompted.mind.ask(asked(text)) is None
    assert prompted.told


@pytest.mark.parametrize("kind", ["delete", "cancel", "rebuild", "append"])
@pytest.mark.parametrize("text", ["which zip does it not drop or start over?", "它不会取消还是重新打包？"])
async def test_a_question_about_the_steps_changes_nothing(text: str, kind: str) -> None:
    bad = wants(1, change(kind, 2, *([(ZIP, "zip")] if kind == "append" else [])))
    prompted = Prompted(bad, bad, starter=silent())
    assert await prompted.mind.ask(asked(text)) is None
