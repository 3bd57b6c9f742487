"""A server is the owner of its tools: those that only look tell, where the person has allowed just that."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.domain.events import ProposalEvent, ResultEvent
from tests.action.mcp.serving import until_listed, write
from tests.action.plans.running import Wanted
from tests.action.verification.conftest import Ran
from tests.action.verification.people_abilities import verdict, verdicts
from tests.support import Trusting, Watcher

pytestmark = pytest.mark.integration


def added(person_id: str, name: str) -> Wanted:
    return Wanted({"person_id": person_id, "person_name": name}, key="people::add_person")


@pytest.mark.promise("verification.readonly")
async def test_a_servers_look_is_called_under_a_grant_and_not_without(
    partner: Partner, watcher: Watcher, ran: Ran, action_dir: Path
) -> None:
    person = Trusting(partner)
    server = Path(__file__).with_name("people_server.py")
    write(action_dir, "people.json", {"people": {"command": sys.executable, "args": [str(server)]}})
    await until_listed(partner, watcher, "people::add_person", "people::find_person")
    await person.settled()
    found = verdict(await ran(added("P1", "Ann Lee")))
    assert (found.owner, found.status, found.abilities) == ("people", "unable", ("people::find_person",))
    assert found.reason.endswith("would have to ask you first.")
    conversation = await partner.conversations.create("grant")
    exchange = partner._parts.core.exchanges.open(conversation.id)
    before = len(watcher.events)
    await partner._parts.actions.desk.begin("people::find_person", {"person_id": "P1"}, exchange, text="find")
    card = await watcher.until(lambda e: isinstance(e, ProposalEvent) and e in watcher.events[before:])
    assert isinstance(card, ProposalEvent)
    await partner.actions.approve(card.action.id, scope="everywhere")
    await watcher.until(lambda e: isinstance(e, ResultEvent) and e.action.id == card.action.id)
    plan = await ran(added("P2", "Cy Poe"), added("P3", "Xen Lie"), added("P4", "Long Ann"))
    assert verdicts(plan) == ["verified", "failed", "unable"]
    assert verdict(plan, 3).reason.endswith("more than anybody can read.")
    assert [fact.ability for fact in verdict(plan, 2).facts] == ["people::find_person"]
