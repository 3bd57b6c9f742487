"""“Stop”, said in the chat while something runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.ids import new_id
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import AbilitiesEvent, OutputEvent, ReplyEvent
from partner_desktop.domain.message import Role
from partner_desktop.permission.request import ApprovalMode
from tests.support import Watcher

# Whole stories: they belong to the whole gate.
pytestmark = pytest.mark.integration

# Says that it began, then waits until somebody ends it.
LULL = """\
# /// partner
# description = "{description}"
# ///
import signal
print("under way", flush=True)
signal.pause()
"""


async def under_way(
    partner: Partner,
    watcher: Watcher,
    action_dir: Path,
    name: str,
    description: str,
    conversation: str | None = None,
) -> ActionRecord:
    """A run that goes on until it is ended."""
    (action_dir / "dynamic" / f"{name}.py").write_text(LULL.format(description=description))
    await watcher.until(
        lambda e: isinstance(e, AbilitiesEvent) and any(a.key == f"local::{name}" for a in e.changed)
    )
    watcher.events.clear()
    exchange_id = new_id()
    await partner.messages.send(
        description, conversation_id=conversation, standing=ApprovalMode.ALL, exchange_id=exchange_id
    )
    event = await watcher.until(lambda e: isinstance(e, OutputEvent) and e.exchange_id == exchange_id)
    assert isinstance(event, OutputEvent)
    return await partner.actions.get(event.action_id)


async def said(partner: Partner, watcher: Watcher, text: str, conversation: str) -> str:
    """What is answered to a message."""
    watcher.events.clear()
    exchange_id = new_id()
    await partner.messages.send(text, conversation_id=conversation, exchange_id=exchange_id)
    await watcher.done(exchange_id)
    return "\n".join(e.text for e in watcher.events if isinstance(e, ReplyEvent) and e.done)


async def test_stop_ends_the_one_thing_that_runs_and_says_so_once(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    run = await under_way(partner, watcher, action_dir, "lull", "watch the birds")
    answer = await said(partner, watcher, "stop", run.conversation_id)
    assert (await partner.actions.get(run.id)).status is ActionStatus.CANCELLED
    assert answer.startswith("**Lull** was stopped.")
    await said(partner, watcher, "good morning", run.conversation_id)
    told = [m for m in await partner.messages.list(run.conversation_id) if m.role is Role.PARTNER]
    assert len(told) == 3, "that it began, that it was ended, and the greeting: nothing tells it again"


async def test_of_several_that_run_stop_asks_which_and_a_number_tells(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    birds = await under_way(partner, watcher, action_dir, "lull", "watch the birds")
    clouds = await under_way(
        partner, watcher, action_dir, "drift", "count passing clouds", birds.conversation_id
    )
    answer = await said(partner, watcher, "stop it", birds.conversation_id)
    assert "1. **" in answer, answer
    assert "stop the first" in answer
    assert (await partner.actions.get(birds.id)).status is ActionStatus.RUNNING
    await said(partner, watcher, "stop the second", birds.conversation_id)
    assert (await partner.actions.get(clouds.id)).status is ActionStatus.CANCELLED
    assert (await partner.actions.get(birds.id)).status is ActionStatus.RUNNING
    await said(partner, watcher, "停", birds.conversation_id)
    assert (await partner.actions.get(birds.id)).status is ActionStatus.CANCELLED


async def test_no_ends_nothing_that_runs(partner: Partner, watcher: Watcher, action_dir: Path) -> None:
    run = await under_way(partner, watcher, action_dir, "lull", "watch the birds")
    await said(partner, watcher, "no", run.conversation_id)
    assert (await partner.actions.get(run.id)).status is ActionStatus.RUNNING
