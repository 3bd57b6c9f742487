"""A place that a script declares for every run, and that is a link: a yes was to where it led then."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import ProposalEvent, ResultEvent
from partner_desktop.domain.permission import Effect, Rule
from partner_desktop.domain.run_facts import PathUse
from tests.support import Watcher

from .listing import by_key, put

pytestmark = pytest.mark.integration

LIST = """\
# /// partner
# description = "Frobnicate the inbox"
# aliases = ["frobnicate"]
# [permissions]
# read = ["~/papers/inbox"]
# ///
print("done")
"""


@pytest.fixture
async def inbox(watcher: Watcher, action_dir: Path, user_home: Path) -> Path:
    """A link to a folder, in the place that a listed script declares."""
    for name in ("papers", "letters", ".ssh"):
        (user_home / name).mkdir()
    link = user_home / "papers" / "inbox"
    link.symlink_to(user_home / "letters")
    await put(watcher, action_dir / "dynamic" / "frob.py", LIST, "local::frob")
    return link


async def comes_of_it(partner: Partner, watcher: Watcher) -> ProposalEvent | ResultEvent:
    """What a wish for it leads to: a question, or a run."""
    watcher.events.clear()
    message = await partner.messages.send("frobnicate", conversation_id=None)
    said = next(event for event in watcher.events if getattr(event, "message", None) == message)
    done = await watcher.done(said.exchange_id)
    events = [event for event in watcher.events if event.exchange_id == done.exchange_id]
    return [event for event in events if isinstance(event, ProposalEvent | ResultEvent)][-1]


async def test_a_grant_ends_where_the_place_leads_elsewhere(
    partner: Partner, watcher: Watcher, inbox: Path, user_home: Path
) -> None:
    card = await comes_of_it(partner, watcher)
    assert card.action.paths == (PathUse("", str(user_home / "letters"), "read"),)
    await partner.actions.approve(card.action.id, scope="always")
    await watcher.until(lambda event: isinstance(event, ResultEvent))
    assert isinstance(await comes_of_it(partner, watcher), ResultEvent)
    inbox.unlink()
    inbox.symlink_to(user_home / ".ssh")
    card = await comes_of_it(partner, watcher)
    assert isinstance(card, ProposalEvent), "nobody said yes to the keys"
    assert card.action.paths == (PathUse("", str(user_home / ".ssh"), "read"),)
    await partner.actions.reject(card.action.id)


async def test_a_rule_opens_no_place_that_leads_elsewhere_than_it_says(
    partner: Partner, watcher: Watcher, inbox: Path, user_home: Path
) -> None:
    info = by_key(partner, "local::frob").info
    assert info is not None
    await partner.permissions.save_rule(Rule(Effect.ALLOW, "local::frob", info.content_hash))
    card = await comes_of_it(partner, watcher)
    assert isinstance(card, ProposalEvent), "it leads to letters, which the script does not name"
    await partner.actions.reject(card.action.id)
    inbox.unlink()
    inbox.mkdir()
    ran = await comes_of_it(partner, watcher)
    assert isinstance(ran, ResultEvent)
    assert ran.action.status is ActionStatus.SUCCEEDED
