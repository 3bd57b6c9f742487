"""What Partner's own actions did to files is taken back, from the card, a command or the chat."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionRecord, ActionStatus, UndoState
from partner_desktop.domain.events import ConversationGoneEvent, ProposalEvent, ResultEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.message import Role
from partner_desktop.domain.run_facts import Risk
from tests.action.undo.working import Worker, tree_of

#: A Partner each.
pytestmark = pytest.mark.integration


async def test_what_partners_own_actions_did_is_taken_back(work: Worker, papers: Path, home: Home) -> None:
    (papers / "a.txt").write_text("one")
    (papers / "box").mkdir()
    (papers / "box" / "b.txt").write_text("two")
    (papers / "shelf").mkdir()
    os.utime(papers / "a.txt", ns=(1_600_000_000_000_000_001,) * 2)
    before = tree_of(papers)
    calls: tuple[tuple[str, JsonObject], ...] = (
        ("write", {"file": f"{papers}/a.txt", "text": "x", "overwrite": True}),
        ("write", {"file": f"{papers}/new.txt", "text": "x"}),
        ("append", {"file": f"{papers}/a.txt", "text": "x"}),
        ("make_folder", {"folder": f"{papers}/new"}),
        ("copy", {"source": f"{papers}/box", "target": f"{papers}/copy"}),
        ("move", {"source": f"{papers}/box", "target": f"{papers}/shelf"}),
        ("move", {"source": f"{papers}/a.txt", "target": f"{papers}/renamed.txt"}),
        ("trash", {"path": f"{papers}/box"}),
        ("trash", {"path": f"{papers}/a.txt"}),
    )
    for name, params in calls:
        record = await work.call(f"builtin::files::{name}", params)
        assert record.status is ActionStatus.SUCCEEDED, (name, record.error)
        assert tree_of(papers) != before, name
        assert record.undo is not None
        assert (record.undo.state, record.undo.note) == (UndoState.POSSIBLE, ""), name
        await work.partner.actions.undo("last")
        assert tree_of(papers) == before, name
    assert list(home.undo.iterdir()) == []


async def test_a_failed_action_that_changed_nothing_offers_no_undo(work: Worker, papers: Path) -> None:
    (papers / "a.txt").write_text("one")
    record = await work.call("builtin::files::write", {"file": f"{papers}/a.txt", "text": "x"})
    assert (record.status, record.undo) == (ActionStatus.FAILED, None)
    with pytest.raises(UsageError, match="can be undone"):
        await work.partner.actions.undo("last")


async def say(work: Worker, conversation_id: str, text: str) -> str:
    """Say it, and wait for the answer."""
    work.watcher.events.clear()
    await work.partner.messages.send(text, conversation_id=conversation_id)
    await work.watcher.done()
    messages = await work.partner.messages.list(conversation_id)
    return next(each.text for each in reversed(messages) if each.role is Role.PARTNER)


@pytest.mark.parametrize("words", ["undo that", "撤销"])
async def test_undo_in_the_chat_asks_names_the_files_and_does_it(
    work: Worker, papers: Path, words: str
) -> None:
    (papers / "a.txt").write_text("one")
    done = await work("open('a.txt', 'w').write('two')", papers)
    await say(work, done.conversation_id, words)
    proposal = proposed(work)
    assert proposal.key == "builtin::files::undo"
    assert (proposal.risk, proposal.grantable) == (Risk.WRITE, False)
    assert (proposal.params["what"], proposal.params["files"]) == ("Worker", "~/papers/a.txt")
    assert [use.path for use in proposal.paths] == [str(papers)]
    assert (papers / "a.txt").read_text() == "two"
    await work.partner.actions.approve(proposal.id, scope="once")
    await work.watcher.until(lambda event: isinstance(event, ResultEvent))
    assert (papers / "a.txt").read_text() == "one"
    undone = await work.partner.actions.get(proposal.id)
    assert (undone.status, undone.undo) == (ActionStatus.SUCCEEDED, None)


async def test_undo_in_the_chat_of_what_lies_in_the_home_itself_touches_only_that(
    work: Worker, user_home: Path
) -> None:
    (user_home / "a.txt").write_text("one")
    move: JsonObject = {"source": f"{user_home}/a.txt", "target": f"{user_home}/b.txt"}
    done = await work.call("builtin::files::move", move)
    await say(work, done.conversation_id, "undo that")
    proposal = proposed(work)
    assert {use.path for use in proposal.paths} <= {f"{user_home}/a.txt", f"{user_home}/b.txt"}
    await work.partner.actions.approve(proposal.id, scope="once")
    await work.watcher.until(lambda event: isinstance(event, ResultEvent))
    assert (user_home / "a.txt").read_text() == "one"
    assert not (user_home / "b.txt").exists()


async def test_undo_in_the_chat_with_nothing_to_undo_says_so(work: Worker, papers: Path) -> None:
    other = await work("open('a.txt', 'w').write('two')", papers)
    talk = await work.partner.conversations.create("Another")
    assert "Nothing was done to files here that can be undone." in await say(work, talk.id, "undo that")
    assert other.undo is not None
    assert (papers / "a.txt").exists()


def proposed(work: Worker) -> ActionRecord:
    event = next(event for event in work.watcher.events if isinstance(event, ProposalEvent))
    return event.action


async def test_a_conversation_that_is_erased_takes_its_copies_with_it(
    work: Worker, papers: Path, home: Home
) -> None:
    (papers / "a.txt").write_text("secret")
    record = await work("open('a.txt', 'w').write('two')", papers)
    assert any(path.read_bytes() == b"secret" for path in home.undo.glob("*/copies/*"))
    work.partner.conversations.deletion.undo_s = 0
    await work.partner.conversations.delete(record.conversation_id)
    await work.watcher.until(lambda event: isinstance(event, ConversationGoneEvent) and event.erased)
    assert list(home.undo.iterdir()) == []
    assert (papers / "a.txt").read_text() == "two"
    with pytest.raises(UsageError):
        await work.partner.actions.undo(record.id)


async def test_the_last_is_the_last_that_is_in_sight(work: Worker, papers: Path) -> None:
    await work("open('a.txt', 'w').write('one')", papers)
    newer = await work("open('b.txt', 'w').write('two')", papers)
    await work.partner.conversations.delete(newer.conversation_id)
    await work.partner.actions.undo("last")
    assert [path.name for path in papers.iterdir()] == ["b.txt"]


async def test_a_form_for_an_undo_shows_what_it_would_undo(work: Worker, papers: Path) -> None:
    talk = await work.partner.conversations.create("Papers")
    await work.partner.abilities.offer("builtin::files::undo", conversation_id=talk.id, text="Undo")
    (refused,) = await work.partner.actions.list()
    assert (refused.status, refused.error) == (
        ActionStatus.REJECTED,
        "Nothing was done to files here that can be undone.",
    )
    done = await work("open('a.txt', 'w').write('two')", papers)
    work.watcher.events.clear()
    await work.partner.abilities.offer(
        "builtin::files::undo", conversation_id=done.conversation_id, text="Undo"
    )
    card = proposed(work)
    assert (card.params["run"], card.params["files"]) == (done.id, "~/papers/a.txt")
    await work.partner.actions.approve(card.id, scope="once", params={**card.params, "run": "last"})
    ended = await work.watcher.until(lambda event: isinstance(event, ResultEvent))
    assert isinstance(ended, ResultEvent)
    assert "names no action to undo" in ended.action.error, "no card has shown which"
    assert (papers / "a.txt").exists()
