"""Conversations pinned, archived, in folders, read or not: through the Partner, over restarts, in files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import ConversationEvent, ConversationGoneEvent
from partner_desktop.domain.message import Conversation
from tests.support import HastyClock, Watcher

pytestmark = [pytest.mark.promise("desktop.conversations"), pytest.mark.integration]


async def talks(partner: Partner, watcher: Watcher, *texts: str) -> list[str]:
    """Conversations in which this was said and answered while they were looked at; their ids."""
    ids = []
    for text in texts:
        conversation = await partner.conversations.create()
        await partner.conversations.look_at(conversation.id)
        await partner.messages.send(text, conversation_id=conversation.id)
        await watcher.done()
        watcher.events.clear()
        ids.append(conversation.id)
    return ids


async def titles(partner: Partner, **asked: object) -> list[str]:
    return [one.title for one in await partner.conversations.list(**asked)]  # type: ignore[arg-type] # as asked


async def now(partner: Partner, conversation_id: str) -> Conversation:
    return await partner.conversations.get(conversation_id)


async def test_several_are_organized_at_once_for_all_who_listen_and_over_a_restart(
    partner: Partner, watcher: Watcher, home: Home, action_dir: Path
) -> None:
    one, two, three = await talks(partner, watcher, "hello one", "hello two", "hello three")
    before = {each.id: each for each in await partner.conversations.list()}
    await partner.conversations.organize([one, two], pinned=True, folder="  Trips \n 2026 ")
    told = [event for event in watcher.events if isinstance(event, ConversationEvent)]
    assert [(event.conversation.id, event.conversation.folder) for event in told] == [
        (one, "Trips 2026"),
        (two, "Trips 2026"),
    ]
    watcher.events.clear()
    await partner.conversations.organize([one, three], pinned=True, folder="TRIPS 2026")
    changed = [event for event in watcher.events if isinstance(event, ConversationEvent)]
    assert [event.conversation.id for event in changed] == [three], "nothing is told of what stays"
    assert (await now(partner, three)).folder == "Trips 2026"
    assert (await now(partner, one)).updated_at == before[one].updated_at
    assert [(each.name, each.count) for each in await partner.conversations.folders()] == [("Trips 2026", 3)]
    await partner.conversations.rename_folder("Trips 2026", "Travel")
    assert await titles(partner, folder="Travel") == ["hello three", "hello two", "hello one"]
    await partner.close()
    again = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    await again.launch()
    assert {(each.folder, each.pinned) for each in await again.conversations.list()} == {("Travel", True)}
    await again.conversations.rename_folder("Travel", "")
    assert await again.conversations.folders() == []
    with pytest.raises(UsageError, match="no folder"):
        await again.conversations.rename_folder("Travel", "Again")
    await again.close()


async def test_all_or_none_are_organized(partner: Partner, watcher: Watcher) -> None:
    (one,) = await talks(partner, watcher, "hello")
    for refused in (
        partner.conversations.organize([one, "f" * 32], pinned=True),
        partner.conversations.organize([one], pinned=True, folder="x" * 61),
        partner.conversations.delete_many([one, "f" * 32]),
    ):
        with pytest.raises(UsageError):
            await refused
    assert not (await now(partner, one)).pinned


async def test_the_archive_is_out_of_the_list_and_in_the_search_until_something_is_said(
    partner: Partner, watcher: Watcher
) -> None:
    one, _two = await talks(partner, watcher, "hello zebra", "hello horse")
    await partner.conversations.organize([one], archived=True)
    assert await titles(partner) == ["hello horse"]
    assert await titles(partner, archived=True) == ["hello zebra"]
    assert await titles(partner, archived=None, order="name") == ["hello horse", "hello zebra"]
    assert [hit.conversation.archived for hit in await partner.conversations.search("zebra")] == [True]
    assert await partner.conversations.search("zebra", archived=False) == []
    assert (await partner.conversations.find(one[:8])).id == one
    await partner.messages.send("hello again", conversation_id=one)
    await watcher.done()
    assert await titles(partner) == ["hello zebra", "hello horse"]


async def test_a_reply_that_nobody_looked_at_is_new_until_somebody_looks(
    partner: Partner, watcher: Watcher, home: Home, action_dir: Path
) -> None:
    one, two = await talks(partner, watcher, "hello", "hello there")
    assert {each.unread for each in await partner.conversations.list()} == {0}
    await partner.messages.send("what time is it", conversation_id=one)  # the other one is looked at
    await watcher.done()
    assert [(await now(partner, each)).unread for each in (one, two)] == [1, 0]
    await partner.conversations.look_at("")
    watcher.events.clear()
    await partner.messages.send("what time is it", conversation_id=one)
    await watcher.done()
    await partner.close()
    again = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    await again.launch()
    assert (await now(again, one)).unread == 2
    await again.conversations.look_at(one)
    assert (await now(again, one)).unread == 0
    await again.conversations.organize([one, two], unread=True)
    assert {each.unread for each in await again.conversations.list()} == {1}
    await again.close()


async def test_several_go_and_come_back_together(partner: Partner, watcher: Watcher) -> None:
    one, two, three = await talks(partner, watcher, "hello one", "hello two", "hello three")
    await partner.conversations.organize([one], pinned=True, folder="Kept")
    await partner.conversations.delete_many([one, two])
    gone = [event.conversation.id for event in watcher.events if isinstance(event, ConversationGoneEvent)]
    assert gone == [one, two]
    assert await titles(partner) == ["hello three"]
    await partner.conversations.restore_many([one, two])
    assert await titles(partner) == ["hello three", "hello two", "hello one"]
    assert (await now(partner, one)).folder == "Kept"
    partner.conversations.deletion.undo_s = 0.0
    watcher.events.clear()
    await partner.conversations.delete_many([one, two, three])
    await watcher.until(lambda event: isinstance(event, ConversationGoneEvent) and event.erased)
    with pytest.raises(UsageError):
        await partner.conversations.restore_many([one, two])


async def test_what_was_brought_back_meanwhile_is_not_erased_with_the_others(
    partner: Partner, watcher: Watcher
) -> None:
    one, two = await talks(partner, watcher, "hello one", "hello two")
    partner.conversations.deletion.undo_s = 0.2
    await partner.conversations.delete_many([one, two])
    await partner.conversations.restore(one)
    await watcher.until(lambda event: isinstance(event, ConversationGoneEvent) and event.erased)
    assert await titles(partner) == ["hello one"]


async def test_a_file_keeps_how_it_was_organized_and_an_older_one_has_nothing_of_it(
    partner: Partner, watcher: Watcher, tmp_path: Path
) -> None:
    (one,) = await talks(partner, watcher, "hello")
    await partner.conversations.organize([one], pinned=True, archived=True, folder="Trips")
    file = tmp_path / "one.json"
    await partner.conversations.export_to(one, file)
    came = await partner.conversations.import_from(file)
    found = await now(partner, came.id)
    assert (found.pinned, found.archived, found.folder, found.unread) == (True, True, "Trips", 0)
    document = json.loads(file.read_text())
    for name in ("pinned", "archived", "folder"):
        del document["conversation"][name]
    file.write_text(json.dumps(document))
    older = await partner.conversations.import_from(file)
    assert (older.pinned, older.archived, older.folder) == (False, False, "")


async def test_an_import_goes_into_the_folder_that_differs_in_capitals_only(
    partner: Partner, watcher: Watcher, tmp_path: Path
) -> None:
    (one,) = await talks(partner, watcher, "hello")
    await partner.conversations.organize([one], folder="Work")
    file = tmp_path / "one.json"
    await partner.conversations.export_to(one, file)
    await partner.conversations.rename_folder("Work", "work")
    came = await partner.conversations.import_from(file)
    assert came == await now(partner, came.id)
    assert [(each.name, each.count) for each in await partner.conversations.folders()] == [("work", 2)]


async def test_a_branch_is_in_the_folder_of_what_it_comes_from(partner: Partner, watcher: Watcher) -> None:
    (one,) = await talks(partner, watcher, "hello")
    await partner.conversations.organize([one], pinned=True, folder="Trips")
    last = (await partner.messages.list(one))[-1]
    branch = await partner.conversations.branch(last.id)
    assert (branch.folder, branch.pinned, branch.unread) == ("Trips", False, 0)
    assert await now(partner, branch.id) == branch
