"""What a plan did is checked before it is closed: by who owns its abilities, with looks alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import ActionEvent, ReplyEvent
from tests.action.verification.conftest import Ran
from tests.action.verification.people_abilities import hired, verdict, verdicts
from tests.support import Watcher

pytestmark = pytest.mark.integration


@pytest.mark.promise("verification.once")
@pytest.mark.promise("verification.executed")
async def test_each_step_of_one_owner_is_read_back_and_the_reply_says_so(
    partner: Partner, watcher: Watcher, ran: Ran, trusted: Path
) -> None:
    plan = await ran(hired(trusted), hired(trusted, "E8", "Cy Poe"))
    assert verdicts(plan) == ["verified", "verified"]
    one = verdict(plan)
    assert (one.owner, one.abilities) == ("hr", ("local::query_employee",))
    (record,) = [fact for fact in one.facts if fact.kind == "record"]
    assert (record.subject, record.holds, record.ability) == ("E7", True, "local::query_employee")
    begun = [
        event.action
        for event in watcher.events
        if isinstance(event, ActionEvent) and event.action.id == plan.id and event.action.verification
    ]
    assert [len(each.verification.verdicts) for each in begun if each.verification] == [0, 1, 2, 2]
    assert {each.status for each in begun} == {ActionStatus.RUNNING}
    told = [event.text for event in watcher.events if isinstance(event, ReplyEvent) and event.done][-1]
    assert told.endswith("Checked: all 2 steps are as they should be.")
    assert all(action.key != "local::query_employee" for action in await partner.actions.steps(plan.id))
