"""A chain that is under way is changed by the person and by a mind: at once, and never past its end."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.intervention import Intervention, InterventionKind, NewStep
from partner_desktop.domain.plan import StepStatus
from tests.action.plans.running import (
    Wanted,
    approved,
    child_card,
    ended,
    go_on,
    lines,
    statuses,
    until_step,
)
from tests.model.engine import until
from tests.support import Watcher

pytestmark = [pytest.mark.promise("actions.intervene"), pytest.mark.integration]


def line(notes: Path, text: str) -> Wanted:
    return Wanted({"file": str(notes), "line": text})


def new(notes: Path, text: str) -> NewStep:
    return NewStep("local::mender", "mend it", {"file": str(notes), "line": text})


async def test_a_step_put_into_the_stage_that_runs_begins_at_once(
    partner: Partner, watcher: Watcher, notes: Path
) -> None:
    chain = await approved(partner, [[line(notes, "wait a")], [line(notes, "b")]])
    await until_step(watcher, chain.id, 1, lambda step: step.status is StepStatus.RUNNING)
    wish = Intervention(InterventionKind.INSERT, 1, (new(notes, "mended"),))
    result = await partner.actions.intervene(chain.id, [wish])
    assert (len(result.done), result.refused) == (1, ())
    card = await child_card(watcher, chain.id)
    assert statuses(await partner.actions.get(chain.id)) == ["running", "waiting", "planned"]
    await partner.actions.approve(card.id, scope="once")
    await until_step(watcher, chain.id, 2, lambda step: step.status is StepStatus.SUCCEEDED)
    assert "mended" in lines(notes), "it runs beside the first one, which has not ended"
    go_on(notes, "wait a")
    over = await ended(partner, watcher, chain.id)
    assert (over.status, lines(notes)[-1]) == (ActionStatus.SUCCEEDED, "b")
    assert sorted(lines(notes)) == ["b", "mended", "wait a"]
    with pytest.raises(UsageError, match="is not under way"):
        await partner.actions.intervene(chain.id, [wish])


async def test_later_stages_are_put_in_and_taken_out_and_what_runs_stays(
    partner: Partner, watcher: Watcher, notes: Path
) -> None:
    chain = await approved(partner, [[line(notes, "wait a")], [line(notes, "b")], [line(notes, "c")]])
    await until_step(watcher, chain.id, 1, lambda step: step.status is StepStatus.RUNNING)
    result = await partner.actions.intervene(
        chain.id,
        [
            Intervention(InterventionKind.DELETE, 2),
            Intervention(InterventionKind.DELETE, 1),
            Intervention(InterventionKind.APPEND, 0, (new(notes, "last"),)),
            Intervention(InterventionKind.APPEND, 0, (NewStep("local::nobody"),)),
        ],
    )
    assert (len(result.done), len(result.refused)) == (2, 2)
    go_on(notes, "wait a")
    card = await child_card(watcher, chain.id)
    assert lines(notes) == ["wait a", "c"]
    await partner.actions.approve(card.id, scope="once")
    over = await ended(partner, watcher, chain.id)
    assert (over.status, lines(notes)) == (ActionStatus.SUCCEEDED, ["wait a", "c", "last"])


async def test_a_step_that_is_taken_out_as_it_begins_does_not_run(
    partner: Partner, watcher: Watcher, notes: Path
) -> None:
    chain = await approved(partner, [[line(notes, "wait a")], [line(notes, "b")], [line(notes, "c")]])
    await until_step(watcher, chain.id, 1, lambda step: step.status is StepStatus.RUNNING)
    lock = partner._parts.actions.executor.settling(chain.conversation_id)
    async with lock:
        go_on(notes, "wait a")
        await until(lambda: bool(lock._waiters))  # the second is about to begin
        result = await partner.actions.intervene(chain.id, [Intervention(InterventionKind.DELETE, 2)])
    assert (len(result.done), result.refused) == (1, ())
    over = await ended(partner, watcher, chain.id)
    assert (over.status, lines(notes)) == (ActionStatus.SUCCEEDED, ["wait a", "c"])


async def test_a_cancel_ends_it_and_nothing_resumes_afterwards(
    partner: Partner, watcher: Watcher, notes: Path
) -> None:
    chain = await approved(partner, [[line(notes, "wait a")], [line(notes, "b")]])
    await until_step(watcher, chain.id, 1, lambda step: step.status is StepStatus.RUNNING)
    result = await partner.actions.intervene(
        chain.id,
        [
            Intervention(InterventionKind.CANCEL, reason="Enough"),
            Intervention(InterventionKind.APPEND, 0, (new(notes, "more"),)),
        ],
    )
    over = await ended(partner, watcher, chain.id)
    assert over.status is ActionStatus.CANCELLED
    assert (len(result.done), result.refused, result.action.status) == (1, (), ActionStatus.CANCELLED)
    assert statuses(over) == ["cancelled", "cancelled"]
    assert "b" not in lines(notes)
    with pytest.raises(UsageError):
        await partner.actions.intervene(chain.id, [Intervention(InterventionKind.REBUILD)])


async def test_a_rebuild_ends_what_runs_and_begins_anew_once_and_asks(
    partner: Partner, watcher: Watcher, notes: Path
) -> None:
    chain = await approved(partner, [[line(notes, "wait a")], [line(notes, "b")]])
    await until_step(watcher, chain.id, 1, lambda step: step.status is StepStatus.RUNNING)
    (first,) = await partner.actions.steps(chain.id)
    wish = Intervention(InterventionKind.REBUILD, steps=(new(notes, "anew"),))
    assert (await partner.actions.intervene(chain.id, [wish])).refused == ()
    card = await child_card(watcher, chain.id)
    assert (await partner.actions.get(first.id)).status is ActionStatus.CANCELLED
    assert len((await partner.actions.intervene(chain.id, [wish])).refused) == 1
    await partner.actions.approve(card.id, scope="once")
    over = await ended(partner, watcher, chain.id)
    assert over.status is ActionStatus.SUCCEEDED
    assert [each for each in lines(notes) if each != "wait a"] == ["anew"]
    assert statuses(over) == ["succeeded"]
