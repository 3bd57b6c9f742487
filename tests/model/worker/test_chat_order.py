"""Answers that are given up, and answers that give way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped] # has no types
import pytest

from partner_desktop.model.worker.frames import (
    Cancel,
    Failure,
    Load,
    Loading,
    Piece,
    Ping,
    Pong,
    Written,
)
from tests.model.engine import needs_engine
from tests.model.worker.talk import Talk, chat_of, text_of
from tests.support import WAIT_S

pytestmark = [pytest.mark.integration, needs_engine]

#: Of about 14,000 tokens: some seconds for the slow model.
_ENDLESS = "All work and no play makes Jack a dull boy. " * 320
_CANCELLED = "It was cancelled."


@pytest.mark.promise("model.cancel")
def test_a_prompt_is_given_up_in_the_midst_of_reading_and_the_next_answer_is_right(
    talk: Talk, slow: Path
) -> None:
    talk.hear()
    talk.load(slow)
    fresh, _ = talk.chat(chat_of(1, "Hello?", max_tokens=16))
    before_s = _computed_s(talk)
    talk.say(chat_of(2, _ENDLESS))
    while _computed_s(talk) < before_s + 0.5:  # a batch takes half of that
        talk.ask(Ping(id=3))
    talk.say(Cancel(id=2))
    assert talk.hear() == Failure(id=2, kind="cancelled", message=_CANCELLED)
    assert _computed_s(talk) < before_s + 4.0, "all of it takes more than ten seconds"
    begun = talk.ask(chat_of(4, _ENDLESS[:100], max_tokens=1))
    assert isinstance(begun, Written)
    assert begun.reused_tokens > 100, "it had been begun"
    again, _ = talk.chat(chat_of(5, "Hello?", max_tokens=16))
    assert again == fresh


def _computed_s(talk: Talk) -> float:
    """How long the worker has computed so far."""
    times = psutil.Process(talk.process.pid).cpu_times()
    return float(times.user + times.system)


@pytest.mark.promise("model.cancel")
def test_an_answer_is_given_up_between_two_tokens_and_the_next_is_right(talk: Talk, tiny: Path) -> None:
    talk.hear()
    talk.load(tiny)
    fresh, _ = talk.chat(chat_of(1, "Hello?", max_tokens=40))
    for number in range(2, 6):
        talk.say(chat_of(number, "Write a book.", temperature=1.0, seed=number, max_tokens=3000))
        assert isinstance(talk.hear(), Piece)
        talk.say(Cancel(id=number))
        heard = talk.hear_all(number)
        assert heard[-1] == Failure(id=number, kind="cancelled", message=_CANCELLED)
        assert len(text_of(heard, number)) < 2500
    assert talk.chat(chat_of(9, "Hello?", max_tokens=40))[0] == fresh


@pytest.mark.promise("model.cancel")
def test_what_only_waits_is_given_up_before_those_that_it_waited_for(talk: Talk, slow: Path) -> None:
    talk.hear()
    talk.load(slow)
    talk.say(chat_of(1, _ENDLESS, max_tokens=4), chat_of(2, "later"), Cancel(id=2))
    assert talk.hear() == Failure(id=2, kind="cancelled", message=_CANCELLED)


def test_a_more_urgent_answer_goes_first_and_the_other_goes_on_as_if_nothing_had_been(
    talk: Talk, tiny: Path
) -> None:
    talk.hear()
    talk.load(tiny)
    # The likeliest token each time: chance would follow the last bits of numbers, and those differ with the
    # pieces that a prompt is read in.
    slow_one: dict[str, Any] = {"temperature": 0.0, "seed": 3, "max_tokens": 600}
    alone, end = talk.chat(chat_of(1, "Write a book.", **slow_one))
    assert end.output_tokens > 100
    quick, _ = talk.chat(chat_of(2, "Hello?", max_tokens=30))
    talk.say(chat_of(3, "Write a book.", **slow_one, rank=2))
    assert isinstance(talk.hear(), Piece)
    talk.say(chat_of(4, "Hello?", max_tokens=30, rank=2), chat_of(5, "Hello?", max_tokens=30, rank=0))
    heard = talk.hear_all(4)
    ends = [reply.id for reply in heard if isinstance(reply, Written)]
    assert ends == [5, 3, 4]
    assert text_of(heard, 5) == text_of(heard, 4) == quick
    assert alone.endswith(text_of(heard, 3)[-50:])
    assert len(alone) - 2 <= len(text_of(heard, 3)) <= len(alone)


def test_a_ping_is_answered_while_a_prompt_is_read(talk: Talk, slow: Path) -> None:
    talk.hear()
    talk.load(slow)
    talk.say(chat_of(1, _ENDLESS))
    for number in (2, 3):
        talk.say(Ping(id=number))
        assert talk.hear() == Pong(id=number)
    assert talk.process.stdin is not None
    talk.process.stdin.close()
    assert talk.process.wait(WAIT_S) == 0, "and the app's end is the worker's, in the midst of a batch"


def test_the_apps_end_ends_a_load_at_once(talk: Talk, slow: Path) -> None:
    talk.hear()
    talk.say(Load(id=0, path=str(slow), kind="chat", context_tokens=0, threads=1))
    assert isinstance(talk.hear(), Loading)
    assert talk.process.stdin is not None
    talk.process.stdin.close()
    assert talk.process.wait(WAIT_S) == 0


def test_another_model_ends_the_answers_of_the_one_before(talk: Talk, tiny: Path, slow: Path) -> None:
    talk.hear()
    talk.load(tiny)
    talk.say(chat_of(1, "Write a book.", temperature=1.0, seed=3, max_tokens=3000, rank=3))
    assert isinstance(talk.hear(), Piece)
    talk.say(Load(id=2, path=str(slow), kind="chat", context_tokens=512, threads=1))
    heard = talk.hear_all(1)
    assert heard[-1] == Failure(
        id=1, kind="request", message="The model was unloaded in the midst of the answer."
    )
    assert talk.chat(chat_of(3, "Hello?"))[1].reused_tokens == 0
