"""Whatever is wished for: it is refused in a sentence, or what holds for every chain still holds."""

from __future__ import annotations

from dataclasses import replace

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from partner_desktop.action.corrections.plan_edit import changed
from partner_desktop.base.errors import UsageError
from partner_desktop.domain.intervention import Intervention, InterventionKind
from partner_desktop.domain.plan import Plan, Stage, Step, StepInput, StepStatus
from tests.action.plans.made import NOW, step

_ENDED = [status for status in StepStatus if status.ended]
#: Those that are refused for more than one reason come more often.
_KINDS = [*InterventionKind, InterventionKind.INSERT, InterventionKind.DELETE, InterventionKind.DELETE]
_LIVE = [StepStatus.PLANNED, StepStatus.WAITING, StepStatus.RUNNING, *_ENDED]


@st.composite
def chains(draw: st.DrawFn) -> Plan:
    """A chain as a run has it: settled stages, perhaps one under way, and those to come."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=5))
    at = draw(st.integers(0, len(sizes)))
    stages: list[Stage] = []
    earlier: list[Step] = []
    for place, size in enumerate(sizes):
        status = _ENDED if place < at else _LIVE if place == at else [StepStatus.PLANNED]
        made: list[Step] = []
        for number in range(size):
            one = step(f"{place}-{number}", draw(st.sampled_from(status)))
            if draw(st.booleans()) and earlier:
                one = replace(one, feeds=(StepInput("path", draw(st.sampled_from(earlier)).id),))
            failed = [each for each in earlier if each.status is StepStatus.FAILED]
            if draw(st.booleans()) and failed:
                one = replace(one, mends=draw(st.sampled_from(failed)).id)
            made.append(one)
        stages.append(Stage(tuple(made)))
        earlier += made
    return Plan(tuple(stages), at=at, rebuilt=draw(st.sampled_from([False, False, True])))


@st.composite
def wishes(draw: st.DrawFn) -> tuple[Plan, Intervention, list[Step]]:
    of = draw(chains())
    kind = draw(st.sampled_from(_KINDS))
    ids = [each.id for each in of.steps]
    stages = len(of.stages)
    comes = kind in (InterventionKind.APPEND, InterventionKind.INSERT)
    wish = Intervention(
        kind,
        stage=draw(st.sampled_from([*range(stages + 1), *range(1, stages + 1), -1, stages + 1])),
        step_ids=tuple(draw(st.lists(st.sampled_from(ids[::-1]), max_size=3))),
        mends=draw(st.sampled_from(["", "", "", "gone", *ids])),
        reason=draw(st.text(max_size=20)),
    )
    needs = st.sampled_from(["", "", "", "gone", *ids])
    new = st.builds(step, st.sampled_from(["New-1", "New-2", "New-3", ids[0]]), needs=needs)
    return of, wish, draw(st.lists(new, min_size=int(comes), max_size=3, unique_by=lambda one: one.id))


@pytest.mark.integration
@settings(deadline=None, max_examples=300)
@given(wishes())
def test_a_wish_is_refused_in_a_sentence_or_what_holds_for_chains_still_holds(
    wished: tuple[Plan, Intervention, list[Step]],
) -> None:
    before, wish, new = wished
    as_it_was = (before.stages, before.changes, tuple(new))
    most = 12
    try:
        result = changed(before, wish, new, most_steps=most, by="person", now=NOW)
    except UsageError as refused:
        told, result = str(refused), before
    else:
        told = result.changes[-1].text
    finally:
        assert (before.stages, before.changes, tuple(new)) == as_it_was, "nothing that was given is changed"
    assert told.endswith(".")
    if result is before:
        return
    if wish.kind is not InterventionKind.REBUILD:
        assert result.stages[: before.at] == before.stages[: before.at], "what is settled stays"
        assert result.at == before.at
        kept = [each.id for each in result.steps if before.step(each.id) is not None]
        assert kept == [each.id for each in before.steps if each.id in kept], "the order is kept"
        begun = [each for each in before.steps if each.status not in (StepStatus.PLANNED, StepStatus.WAITING)]
        assert all(result.step(each.id) == each for each in begun), "what has begun stays"
    ids = [each.id for each in result.steps]
    assert len(set(ids)) == len(ids), "no id is there twice"
    assert len(ids) <= max(most, len(before.steps))
    earlier: set[str] = set()
    for stage in result.stages:
        assert all(feed.step in earlier for each in stage.steps for feed in each.feeds)
        earlier |= {each.id for each in stage.steps}
    assert result.changes[:-1] == before.changes
    assert not any(each.approved for each in result.steps if each.title.startswith("New"))
