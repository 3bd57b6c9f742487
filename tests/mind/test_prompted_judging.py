"""Whether a chain does what was asked: a model may doubt, and never call something done that is not."""

from __future__ import annotations

import json

import pytest

from partner_desktop.mind.question import JudgeChain, PlanVerdict
from tests.mind.broken_chains import BROKEN, DONE, EVIL, FOUND, RAN, ran
from tests.mind.scripted_models import TURN, Prompted

RESULT = (ran(FOUND, stdout=EVIL),)


def judged(*, final: bool = True) -> JudgeChain:
    return JudgeChain(DONE, RESULT, final, TURN)


def says(*, ok: bool, reason: str = "") -> str:
    return json.dumps({"ok": ok, "reason": reason})


async def test_what_failed_is_never_done_and_costs_no_call() -> None:
    prompted = Prompted()
    request = JudgeChain(BROKEN, RAN, True, TURN)
    verdict = await prompted.mind.ask(request)
    assert not verdict.ok
    assert verdict == await prompted.starter.ask(request)
    assert prompted.models.calls == []


async def test_a_model_may_doubt_what_looks_well() -> None:
    prompted = Prompted(says(ok=False, reason="The folder\n was not zipped."))
    verdict = await prompted.mind.ask(judged())
    assert verdict == PlanVerdict(ok=False, reason="The folder was not zipped.")


async def test_what_a_model_finds_well_too_is_the_starters_verdict() -> None:
    prompted = Prompted(says(ok=True, reason="All is done."))
    assert await prompted.mind.ask(judged()) == await prompted.starter.ask(judged())


async def test_under_way_and_at_the_end_it_is_asked_otherwise_and_results_are_material() -> None:
    prompted = Prompted(says(ok=True), says(ok=True))
    await prompted.mind.ask(judged(final=True))
    await prompted.mind.ask(judged(final=False))
    first, second = (call.tail for call in prompted.models.calls)
    assert "Is everything done" in first
    assert "under way" in second
    assert "<|" not in first + second
    assert "brought" in first


async def test_before_anything_ran_nothing_is_asked() -> None:
    prompted = Prompted()
    request = JudgeChain(DONE, (), False, TURN)
    assert await prompted.mind.ask(request) == await prompted.starter.ask(request)
    assert prompted.models.calls == []


@pytest.mark.promise("mind.invalid")
@pytest.mark.parametrize(
    "invalid",
    [
        "",
        "{}",
        '{"ok": "yes", "reason": ""}',
        says(ok=False),
        says(ok=False, reason="no " * 200),
        '{"ok": tr',
    ],
)
async def test_an_unusable_verdict_ends_in_the_starters_visibly(invalid: str) -> None:
    prompted = Prompted(invalid, invalid)
    assert await prompted.mind.ask(judged()) == await prompted.starter.ask(judged())
    assert [question for question, _ in prompted.told] == ["judge_chain"]
