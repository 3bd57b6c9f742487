"""A home that was written before single actions and chains became plans: all of it reads as it did.

`home_before_plans.tar.gz` was made by the program as it was before: what was said, done, undone, refused and
asked is in it, and two runs that `kill -9` cut off, one of them a step.
"""

from __future__ import annotations

import tarfile
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionRecord, ActionStatus, UndoState
from partner_desktop.domain.events import ResultEvent
from partner_desktop.domain.plan import StepStatus
from tests.support import FakeClock, Watcher

pytestmark = pytest.mark.integration

_HOME = Path(__file__).with_name("home_before_plans.tar.gz")
#: While what waited there still waits.
_THEN = datetime(2026, 11, 27, 10, 12, tzinfo=UTC)

SHOUTING = "0f170d27e20c4f6795651f82a2bafab5"
MOVED = "4b94202a24e84be5a4e6e101a5e3a17f"
TAKEN_BACK = "1e05674f5024485fbec638f3e6617479"
TWO_STEPS = "2833f93e391548e0a82fb863bf35c3b6"
WAITS = "792d4a250a554ac2ab1056b100b5afcd"
CUT_OFF = "199d51285f8a4677b056c18c0fa71c58"
CUT_OFF_STEPS = "d98c45bf009840c1aa352278efb0a661"

_ENDS = {
    "d897fa3e7d9f49f1890d7d1114741e5f": "asking",
    MOVED: "succeeded",
    "175286ddf6044d279209be73b007a0a5": "failed",
    "e2b1159fc4ca40808dec72215d4c415d": "rejected",
    TWO_STEPS: "succeeded",
    WAITS: "waiting",
    SHOUTING: "asking",
    TAKEN_BACK: "succeeded",
    CUT_OFF_STEPS: "running",
    "bc0a8949b8354280a34664d2c68b26b6": "interrupted",
    CUT_OFF: "interrupted",
}


@pytest.fixture
async def before(home: Home) -> AsyncIterator[tuple[Partner, Watcher]]:
    with tarfile.open(_HOME) as archive:
        archive.extractall(home.root, filter="data")
    partner, watcher = Partner(home, home.root / "action", meaning=False, clock=FakeClock(_THEN)), Watcher()
    partner.subscribe(watcher)
    await partner.launch()
    yield partner, watcher
    await partner.close()


async def one(partner: Partner, action_id: str) -> ActionRecord:
    return next(record for record in await partner.actions.list(limit=100) if record.id == action_id)


async def test_everything_stands_where_it_stood(before: tuple[Partner, Watcher]) -> None:
    partner, _ = before
    found = {record.id: record for record in await partner.actions.list(limit=100) if not record.parent_id}
    assert {action_id: record.status.value for action_id, record in found.items()} == _ENDS
    assert found[MOVED].params == {
        "source": "/gone/user/Downloads/notes.txt",
        "target": "/gone/user/Documents/notes.txt",
    }
    undo = {action_id: record.undo.state for action_id, record in found.items() if record.undo}
    assert undo[TAKEN_BACK] is UndoState.DONE
    assert found[WAITS].number == 1
    for action_id in (MOVED, TWO_STEPS, TAKEN_BACK, CUT_OFF):
        kinds = [entry.kind for entry in await partner.audit.of_action(action_id)]
        assert {"run", "result"} <= set(kinds), action_id


async def test_the_steps_of_a_chain_are_read_with_what_came_of_them(before: tuple[Partner, Watcher]) -> None:
    partner, _ = before
    done = await one(partner, TWO_STEPS)
    assert done.chain is not None
    assert [step.status for step in done.chain.steps] == [StepStatus.SUCCEEDED] * 2
    runs = await partner.actions.steps(TWO_STEPS)
    assert [run.key for run in runs] == ["builtin::list_folder", "builtin::files::move"]
    assert {run.id for run in runs} == {step.id for step in done.chain.steps}


async def test_an_open_question_of_then_takes_its_answer_now(before: tuple[Partner, Watcher]) -> None:
    partner, watcher = before
    question = await one(partner, SHOUTING)
    await partner.messages.send("hello", conversation_id=question.conversation_id)
    await watcher.until(lambda event: event.type == "proposal" and "hello" in str(event))
    asked = await one(partner, SHOUTING)
    assert (asked.status, asked.params) == (ActionStatus.WAITING, {"word": "hello"})
    await partner.actions.approve(SHOUTING, scope="once")
    await watcher.until(lambda event: isinstance(event, ResultEvent) and event.action.id == SHOUTING)
    assert (await one(partner, SHOUTING)).stdout.strip() == "hello!"


async def test_a_card_of_then_runs_only_what_it_shows(before: tuple[Partner, Watcher]) -> None:
    partner, _ = before
    with pytest.raises(UsageError):  # the letter that it copies is not on this machine
        await partner.actions.approve(WAITS, scope="once")
    await partner.actions.reject(WAITS)
    assert (await one(partner, WAITS)).status is ActionStatus.REJECTED


async def test_a_step_that_was_cut_off_then_asks_now(before: tuple[Partner, Watcher]) -> None:
    partner, watcher = before
    cut_off, card = await partner.actions.steps(CUT_OFF_STEPS)
    assert (cut_off.status, card.status) == (ActionStatus.INTERRUPTED, ActionStatus.WAITING)
    await partner.actions.reject(card.id)
    await watcher.until(lambda event: isinstance(event, ResultEvent) and event.action.id == CUT_OFF_STEPS)
    assert (await one(partner, CUT_OFF_STEPS)).status.ended
