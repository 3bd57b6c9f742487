"""What is switched off or edited while words are understood does not run as it was."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import ActionEvent, ProposalEvent, ReplyEvent, RunEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.permission.request import ApprovalMode
from tests.model.engine import until
from tests.support import UPPER_SCRIPT, Watcher

from .listing import put

# Whole stories, with processes or windows of their own: for the whole gate.
pytestmark = pytest.mark.integration


@asynccontextmanager
async def understood(partner: Partner, text: str) -> AsyncIterator[None]:
    """The words are understood, and what they begin waits for an answer that is being settled."""
    conversation = await partner.conversations.create()
    lock = partner._parts.actions.executor.settling(conversation.id)
    async with lock:
        await partner.messages.send(text, conversation_id=conversation.id)
        await until(lambda: bool(lock._waiters))
        yield


async def test_what_was_switched_off_meanwhile_does_not_run(partner: Partner, watcher: Watcher) -> None:
    async with understood(partner, "what time is it?"):
        await partner.abilities.switch("builtin::time", on=False)
    await watcher.done()
    assert not [event for event in watcher.events if isinstance(event, RunEvent)]
    assert any(event.text for event in watcher.events if isinstance(event, ReplyEvent) and event.done)
    assert await partner.actions.list() == []


async def test_what_was_edited_meanwhile_is_proposed_as_it_is_now(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    path = action_dir / "dynamic" / "upper.py"
    await put(watcher, path, UPPER_SCRIPT, "local::upper")
    async with understood(partner, 'shout "hi" in capital letters'):
        edited = UPPER_SCRIPT.replace("Shout a text", "Cry a text").replace("text.upper()", "text")
        await put(watcher, path, edited, "local::upper")
        [info] = [a.info for a in partner.abilities.list() if a.key == "local::upper"]
    card = await watcher.until(lambda event: isinstance(event, ProposalEvent))
    assert isinstance(card, ProposalEvent)
    assert info is not None
    assert (card.action.content_hash, card.action.description) == (info.content_hash, info.description)
    assert card.action.description.startswith("Cry")


#: Whether its parameter fits takes a while to tell.
HEAP = """\
# /// partner
# description = "Heap things up"
# [params.things]
# type = "array"
# uniqueItems = true
# description = "the things"
# ///
"""


@pytest.mark.slow
async def test_what_was_switched_off_while_its_arguments_were_looked_at_does_not_run(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await put(watcher, action_dir / "dynamic" / "heap.py", HEAP, "local::heap")
    things: JsonObject = {"things": [{"number": number} for number in range(1_500)]}
    beginning = asyncio.ensure_future(
        partner.abilities.run("local::heap", things, cwd="", standing=ApprovalMode.ALL, exchange_id="e")
    )
    while not await partner.actions.list():
        pass
    await partner.abilities.switch("local::heap", on=False)
    with pytest.raises(UsageError, match="is switched off"):
        await beginning
    assert not [event for event in watcher.events if isinstance(event, RunEvent)]
    assert [record.status for record in await partner.actions.list()] == [ActionStatus.FAILED]


async def test_a_parameter_that_an_edit_brought_is_asked_for(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    path = action_dir / "dynamic" / "upper.py"
    await put(watcher, path, UPPER_SCRIPT, "local::upper")
    async with understood(partner, 'shout "hi" in capital letters'):
        more = '# [params.times]\n# type = "integer"\n# description = "how often"\n# ///\nimport sys'
        await put(watcher, path, UPPER_SCRIPT.replace("# ///\nimport sys", more), "local::upper")
    asked = await watcher.until(lambda event: isinstance(event, ActionEvent))
    assert isinstance(asked, ActionEvent)
    assert asked.action.asked_param == "times"


async def test_a_form_of_what_was_switched_off_meanwhile_is_not_put_there(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await put(watcher, action_dir / "dynamic" / "upper.py", UPPER_SCRIPT, "local::upper")
    conversation = await partner.conversations.create()
    lock = partner._parts.actions.executor.settling(conversation.id)
    async with lock:
        offering = asyncio.ensure_future(
            partner.abilities.offer("local::upper", conversation_id=conversation.id, text="Run Upper")
        )
        await until(lambda: bool(lock._waiters))
        await partner.abilities.switch("local::upper", on=False)
    with pytest.raises(UsageError, match="is switched off"):
        await offering
    assert await partner.actions.list() == []


async def test_of_a_choice_only_what_is_still_on_is_offered(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    for name in ("one", "two"):
        script = UPPER_SCRIPT.replace("Shout", f"Shout {name}")
        await put(watcher, action_dir / "dynamic" / f"{name}.py", script, f"local::{name}")
    async with understood(partner, "make it loud"):
        await partner.abilities.switch("local::one", on=False)
    asked = await watcher.until(lambda event: isinstance(event, ActionEvent))
    assert isinstance(asked, ActionEvent)
    assert asked.action.status is ActionStatus.ASKING
    assert asked.action.options == ("local::two",)
