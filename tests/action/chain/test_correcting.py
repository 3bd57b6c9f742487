"""A mind's corrections are looked at before they count: what cannot be is said, and not done."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import ModelError
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import NoticeEvent
from partner_desktop.domain.intervention import Intervention, InterventionKind, NewStep
from partner_desktop.mind.chain_port import ChainVerdict, CorrectChain, JudgeChain
from tests.action.chain.running import ChainMind, Wanted, approved, ended, statuses
from tests.support import Watcher


class FallibleMind(ChainMind):
    """May fail where it is asked about chains."""

    failure: ModelError | None = None

    async def correct_chain(self, request: CorrectChain) -> tuple[Intervention, ...]:
        answer = await super().correct_chain(request)
        if self.failure is not None:
            raise self.failure
        return answer

    async def judge_chain(self, request: JudgeChain) -> ChainVerdict:
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
    mind.verdicts = [ChainVerdict(True)]
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
