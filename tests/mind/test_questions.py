"""A new question is one type and one answerer: what stands around the minds need not know of it."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from partner_desktop.base.errors import WiringError
from partner_desktop.base.trace import Scalar
from partner_desktop.domain.message import TurnRef
from partner_desktop.mind.answerers import Answerers, SwitchingMind, TracedMind
from partner_desktop.mind.question import Counts, Mind, PickAbility, Question, ReadSelfTalk
from tests.mind.scripted_models import TURN, Prompted
from tests.runtime.minds import starter_with


@dataclass(frozen=True)
class CountGuests(Question[int]):
    """How many guests does the text speak of?"""

    text: str
    turn: TurnRef | None = None

    def counts(self) -> Counts:
        return {"characters": len(self.text)}

    def counts_of(self, answer: int) -> Counts:
        return {"guests": answer}


async def count_guests(question: CountGuests) -> int:
    return question.text.count("guest")


class KeptTraces:
    """A tracer that keeps what it is given."""

    def __init__(self) -> None:
        self.records: list[dict[str, Scalar]] = []

    def record(self, kind: str, /, **fields: Scalar) -> None:
        fields.pop("duration_ms")
        self.records.append({"kind": kind, **fields})


ASKED = CountGuests("a guest and a guest", TURN)


@pytest.mark.parametrize("model", ["", "small"], ids=["starter", "model"])
async def test_a_question_that_one_mind_answers_is_answered_through_all_that_stand_around_it(
    model: str,
) -> None:
    prompted, tracer = Prompted(starter=starter_with(CountGuests.answered_by(count_guests))), KeptTraces()
    prompted.models.model = model
    switching = SwitchingMind(lambda: prompted.starter, lambda _: prompted.mind, prompted.models)
    mind: Mind = TracedMind(switching, tracer)
    assert await mind.ask(ASKED) == 2
    assert tracer.records == [
        {
            "kind": "mind",
            "question": "count_guests",
            "mind": model or "starter",
            "outcome": "ok",
            "characters": 19,
            "guests": 2,
        }
    ]
    assert prompted.models.calls == []


async def test_a_mind_that_knows_more_answers_before_the_one_behind_it() -> None:
    prompted = Prompted(starter=starter_with(CountGuests.answered_by(count_guests)))

    async def doubled(question: CountGuests) -> int:
        return 2 * await prompted.starter.ask(question)

    prompted.mind.add(CountGuests.answered_by(doubled))
    assert await prompted.mind.ask(ASKED) == 4
    assert await prompted.starter.ask(ASKED) == 2


async def test_a_question_that_nobody_answers_says_which_and_whose_row_is_missing() -> None:
    with pytest.raises(WiringError, match=r"count_guests.*tests\.mind\.test_questions\.CountGuests"):
        await Prompted().mind.ask(ASKED)


async def test_a_question_that_a_mind_may_leave_is_answered_with_nothing() -> None:
    assert await Answerers().ask(ReadSelfTalk("who made you?")) is None


async def test_a_failing_answer_is_traced_by_what_was_asked_and_the_kind_of_the_error() -> None:
    async def fail(_: CountGuests) -> int:
        raise ValueError("a guest's name")

    tracer = KeptTraces()
    with pytest.raises(ValueError, match="name"):
        await TracedMind(starter_with(CountGuests.answered_by(fail)), tracer).ask(ASKED)
    (record,) = tracer.records
    assert (record["outcome"], record["characters"]) == ("ValueError", 19)
    assert "guests" not in record


async def test_a_row_or_an_answer_of_another_type_than_the_questions_is_an_error_of_types() -> None:
    # A comment that ignores nothing is an error too: these hold the type checker to it.
    table = Answerers(CountGuests.answered_by(count_guests))
    table.add(PickAbility.answered_by(count_guests))  # type: ignore[arg-type]
    words: str = await table.ask(ASKED)  # type: ignore[arg-type]
    assert not isinstance(words, str)
