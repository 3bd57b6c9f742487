"""A mind's corrections are looked at before they count: what cannot be is said, and not done."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import ModelError
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import NoticeEvent, ProposalEvent, ResultEvent
from partner_desktop.domain.intervention import Intervention, InterventionKind, NewStep
from partner_desktop.domain.plan import StepStatus
from partner_desktop.mind.question import CorrectChain, JudgeChain, PlanVerdict
from tests.action.listing import gone
from tests.action.plans.running import ChainMind, Wanted, approved, ended, go_on, statuses, until_step
from tests.support import Watcher

pytestmark = pytest.mark.integration


class FallibleMind(ChainMind):
    """May fail where it is asked about chains."""

    failure: ModelError | None = None

    async def correct_chain(self, request: CorrectChain) -> tuple[Intervention, ...]:
        answer = await super().correct_chain(request)
        if self.failure is not None:
            raise self.failure
        return answer

    async def judge_chain(self, request: JudgeChain) -> PlanVerdict:
        if self.failure is not None:
            raise self.failure
        return await super().judge_chain(request)


@pytest.fixture
def mind() -> FallibleMind:
    return FallibleMind()


def append(*keys: str) -> tuple[Intervention, ...]:
    steps = tuple(NewStep(key, "weigh it", {"thought": "gold"}) for key in keys)
    return (Intervention(InterventionKind.APPEND, 0, steps),)


async def gone_wrong(partner: Partner, watcher: Watcher, notes: Path) -> ActionRecord:
    """A chain whose only step failed, when it is over."""
    await partner.config.set("permission", ("mode",), "autonomous")
    chain = await approved(partner, [[Wanted({"file": str(notes), "line": "fail"})]])
    return await ended(partner, watcher, chain.id)


def notices(watcher: Watcher) -> list[str]:
    return [event.text for event in watcher.events if isinstance(event, NoticeEvent)]


async def test_a_name_that_nothing_has_is_answered_with_the_nearest_and_corrected(
    partner: Partner, watcher: Watcher, notes: Path, mind: FallibleMind
) -> None:
    mind.corrections = [append("local::wiegh"), append("local::weigh")]
    mind.verdicts = [PlanVerdict(True)]
    over = await gone_wrong(partner, watcher, notes)
    first, second = mind.corrected
    assert "There is no ability `local::wiegh`. The nearest are local::weigh" in second.problem
    assert second.problem.startswith(first.problem)
    assert len(first.abilities) <= 13, "a mind is shown the nearest, not all"
    assert "local::scribe" in {info.key for info in first.abilities}, "those of the chain are among them"
    assert over.chain is not None
    assert [step.key for step in over.chain.steps] == ["local::scribe", "local::weigh"]
    assert notices(watcher) == []


async def test_a_name_that_is_wrong_twice_is_dropped_and_said(
    partner: Partner, watcher: Watcher, notes: Path, mind: FallibleMind
) -> None:
    mind.corrections = [append("local::wiegh"), append("local::wiegh")]
    over = await gone_wrong(partner, watcher, notes)
    assert statuses(over) == ["failed"]
    (told,) = set(notices(watcher))
    assert told.startswith("A correction was dropped: There is no ability `local::wiegh`.")


async def test_five_hundred_steps_are_dropped_and_said(
    partner: Partner, watcher: Watcher, notes: Path, mind: FallibleMind
) -> None:
    mind.corrections = [append(*["local::weigh"] * 500)]
    over = await gone_wrong(partner, watcher, notes)
    assert statuses(over) == ["failed"]
    assert notices(watcher)[0] == (
        "A correction was dropped: 500 steps are more than the 30 that a chain may have."
    )


async def test_a_mind_that_fails_changes_nothing_and_the_outcomes_are_the_verdict(
    partner: Partner, watcher: Watcher, notes: Path, mind: FallibleMind
) -> None:
    mind.corrections = [append("local::weigh")]
    mind.failure = ModelError("The model is gone.")
    over = await gone_wrong(partner, watcher, notes)
    assert (over.status, statuses(over)) == (ActionStatus.FAILED, ["failed"])
    assert over.chain is not None
    assert (
        over.chain.checked
        == "It could not be checked, its steps were taken as they ended: The model is gone."
    )
    assert notices(watcher)[0] == "No correction was found: The model is gone."


async def test_without_a_verdict_a_step_that_could_not_even_be_called_is_no_success(
    partner: Partner, watcher: Watcher, notes: Path, mind: FallibleMind, action_dir: Path
) -> None:
    stages = [[Wanted({"file": str(notes), "line": "wait a"})], [Wanted({"thought": "x"}, "local::weigh")]]
    chain = await approved(partner, stages)
    await until_step(watcher, chain.id, 1, lambda step: step.status is StepStatus.RUNNING)
    (action_dir / "dynamic" / "weigh.py").unlink()
    await watcher.until(gone("local::weigh"))
    mind.failure = ModelError("The model is gone.")
    go_on(notes, "wait a")
    over = await ended(partner, watcher, chain.id)
    assert (over.status, statuses(over)) == (ActionStatus.FAILED, ["succeeded", "failed"])


class Insatiable(ChainMind):
    """Never content, and always wants more."""

    async def correct_chain(self, request: CorrectChain) -> tuple[Intervention, ...]:
        self.corrected.append(request)
        thoughts = [f"{len(self.corrected)} {number}" for number in range(4)]
        steps = [NewStep("local::weigh", params={"thought": thought}) for thought in thoughts]
        failing = NewStep("local::scribe", params={"file": "nowhere", "line": f"fail {thoughts[0]}"})
        return tuple(Intervention(InterventionKind.APPEND, 0, (step, failing)) for step in steps)

    async def judge_chain(self, request: JudgeChain) -> PlanVerdict:
        self.judged.append(request)
        return PlanVerdict(ok=False, reason="More.")


@pytest.mark.parametrize("mind", [Insatiable()])
async def test_a_mind_that_always_wants_more_comes_to_an_end(
    partner: Partner, watcher: Watcher, notes: Path, mind: Insatiable
) -> None:
    await partner.config.set("permission", ("mode",), "autonomous")
    await partner.config.set("action", ("chain", "corrections"), 2)
    chain = await approved(partner, [[Wanted({"file": str(notes), "line": "fail"})]])
    asked = 0
    while not (await partner.actions.get(chain.id)).status.ended:
        found = await watcher.until(
            lambda event: (
                (isinstance(event, ProposalEvent) and event.action.parent_id == chain.id)
                or (isinstance(event, ResultEvent) and event.action.id == chain.id)
            )
        )
        watcher.events.clear()
        if isinstance(found, ProposalEvent):
            asked += 1
            await partner.actions.reject(found.action.id)
    over = await partner.actions.get(chain.id)
    assert over.status is ActionStatus.FAILED
    assert over.chain is not None
    assert (len(mind.corrected), over.chain.corrections) == (2, 2)
    assert len(over.chain.steps) <= 30
    assert asked
