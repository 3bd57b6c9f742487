"""Whole conversations through the Partner: rename, delete and bring back, erase, export, import."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import (
    AbilitiesEvent,
    ConversationEvent,
    ConversationGoneEvent,
    Event,
    ProposalEvent,
    ResultEvent,
    RunEvent,
    TurnEvent,
)
from partner_desktop.domain.message import Role
from partner_desktop.runtime.conversations.importer import is_conversation_file
from tests.support import HastyClock, Watcher

pytestmark = [pytest.mark.promise("desktop.conversations"), pytest.mark.integration]

#: No other word of the tests begins like this one.
RARE = "xylozzquartzite"

SLEEPER = """\
# /// partner
# description = "Wait for the bus"
# ///
import time
print("waiting", flush=True)
time.sleep(600)
"""


async def said(partner: Partner, watcher: Watcher, text: str) -> str:
    """Say something in a new conversation, to its end; the conversation's id."""
    watcher.events.clear()
    message = await partner.messages.send(text, conversation_id=None)
    await watcher.done()
    return message.conversation_id


async def titles(partner: Partner) -> list[str]:
    return [each.title for each in await partner.conversations.list()]


def gone(*, erased: bool) -> Callable[[Event], bool]:
    return lambda event: isinstance(event, ConversationGoneEvent) and event.erased is erased


async def erased(partner: Partner, watcher: Watcher, conversation_id: str) -> None:
    """Delete, and wait until it cannot be brought back."""
    partner.conversations.deletion.undo_s = 0.0
    await partner.conversations.delete(conversation_id)
    await watcher.until(gone(erased=True))


async def test_a_title_is_changed_for_all_and_stays(
    partner: Partner, watcher: Watcher, home: Home, action_dir: Path
) -> None:
    one = await said(partner, watcher, "hello there")
    assert await titles(partner) == ["hello there"]
    watcher.events.clear()
    await partner.conversations.rename(one, "  Small \n talk ")
    (event,) = watcher.events
    assert isinstance(event, ConversationEvent)
    assert event.conversation.title == "Small talk"
    await partner.messages.send("what time is it", conversation_id=one)
    await watcher.done()
    assert [hit.conversation.id for hit in await partner.conversations.search("small")] == [one]
    await partner.close()
    again = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    await again.launch()
    assert await titles(again) == ["Small talk"]
    await again.close()


@pytest.mark.parametrize("title", ["", "  \n ", "x" * 201])
async def test_a_title_that_is_none_is_refused(partner: Partner, watcher: Watcher, title: str) -> None:
    one = await said(partner, watcher, "hello")
    with pytest.raises(UsageError, match="title"):
        await partner.conversations.rename(one, title)
    assert await titles(partner) == ["hello"]


async def test_a_deleted_conversation_is_out_of_sight_and_comes_back_whole(
    partner: Partner, watcher: Watcher
) -> None:
    one = await said(partner, watcher, f"hello {RARE}")
    before = await partner.messages.list(one)
    watcher.events.clear()
    await partner.conversations.delete(one)
    (event,) = watcher.events
    assert isinstance(event, ConversationGoneEvent)
    assert (event.conversation.title, event.erased) == (f"hello {RARE}", False)
    assert await partner.conversations.list() == []
    assert await partner.conversations.search(RARE) == []
    for refused in (
        partner.messages.send("hello?", conversation_id=one),
        partner.conversations.rename(one, "still here"),
        partner.conversations.delete(one),
        partner.conversations.export_to(one, Path("nowhere.json"), kind="json"),
    ):
        with pytest.raises(UsageError, match="deleted"):
            await refused
    watcher.events.clear()
    await partner.conversations.restore(one)
    assert [event.type for event in watcher.events] == ["conversation"]
    assert await titles(partner) == [f"hello {RARE}"]
    assert await partner.messages.list(one) == before
    assert len(await partner.conversations.search(RARE)) == 1
    with pytest.raises(UsageError, match="no longer"):
        await partner.conversations.restore(one)


def traces(home: Home) -> list[str]:
    """The files of the database in which the rare word stands, whole or in part, in any case."""
    piece = RARE[4:].encode()
    return [path.name for path in home.root.glob("partner.db*") if piece in path.read_bytes().lower()]


async def test_after_the_undo_time_nothing_of_the_texts_is_left_in_the_file(
    partner: Partner, watcher: Watcher, home: Home, shout: Path
) -> None:
    assert shout.exists()
    kept = await said(partner, watcher, "hello friend")
    one = await said(partner, watcher, f'shout "{RARE}" in capital letters')
    (action,) = await partner.actions.list()
    await partner.actions.approve(action.id, scope="once")
    await watcher.until(lambda event: isinstance(event, ResultEvent))
    await watcher.done(action.exchange_id)
    assert RARE.upper() in (await partner.actions.get(action.id)).stdout
    await partner.conversations.rename(one, f"{RARE} again")
    audited = await partner.audit.newest(action="upper")
    assert traces(home)
    await erased(partner, watcher, one)
    assert traces(home) == []
    database = sqlite3.connect(home.database)
    assert database.execute("SELECT DISTINCT conversation_id FROM messages").fetchall() == [(kept,)]
    assert database.execute("SELECT count(*) FROM actions").fetchone() == (0,)
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()
    assert await partner.audit.newest(action="upper") == audited, "what was decided and run stays on record"
    assert len(await partner.conversations.search("friend")) == 1
    with pytest.raises(UsageError, match="no longer"):
        await partner.conversations.restore(one)


async def test_what_was_deleted_is_erased_when_partner_closes(
    partner: Partner, watcher: Watcher, home: Home
) -> None:
    one = await said(partner, watcher, f"hello {RARE}")
    await partner.conversations.delete(one)
    assert traces(home)
    await partner.close()
    assert traces(home) == []


async def test_what_a_crash_left_deleted_is_erased_at_the_next_start(
    partner: Partner, watcher: Watcher, home: Home, action_dir: Path
) -> None:
    one = await said(partner, watcher, f"hello {RARE}")
    await partner.close()
    database = sqlite3.connect(home.database)  # as a process that was killed leaves it
    database.execute("UPDATE conversations SET deleted_at = '2030-01-01' WHERE id = ?", (one,))
    database.commit()
    database.close()
    again, heard = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock()), Watcher()
    again.subscribe(heard)
    await again.launch()
    with pytest.raises(UsageError):
        await again.conversations.restore(one)
    await heard.until(gone(erased=True))
    assert traces(home) == []
    await again.close()


async def test_deleting_stops_what_runs_and_its_card_comes_back_as_stopped(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    (action_dir / "dynamic" / "bus.py").write_text(SLEEPER)
    await watcher.until(lambda e: isinstance(e, AbilitiesEvent) and any(a.usable for a in e.changed))
    one = await said(partner, watcher, "wait for the bus")
    (action,) = await partner.actions.list()
    watcher.events.clear()
    await partner.actions.approve(action.id, scope="once")
    await watcher.until(lambda event: isinstance(event, RunEvent))
    await partner.conversations.delete(one)
    assert await partner.actions.list() == []
    await partner.conversations.restore(one)
    (back,) = await partner.actions.list()
    assert back.status is ActionStatus.CANCELLED
    begun = [event for event in watcher.events if isinstance(event, TurnEvent) and event.state == "started"]
    assert not begun, "nobody is told of what was stopped in a conversation that is gone"


@pytest.mark.usefixtures("shout")
async def test_what_waits_cannot_be_approved_while_deleted_and_waits_again_when_back(
    partner: Partner, watcher: Watcher
) -> None:
    one = await said(partner, watcher, 'shout "good morning" in capital letters')
    (action,) = await partner.actions.list()
    await partner.conversations.delete(one)
    with pytest.raises(UsageError):
        await partner.actions.approve(action.id, scope="once")
    await partner.conversations.restore(one)
    await partner.actions.approve(action.id, scope="once")
    await watcher.until(lambda e: isinstance(e, ResultEvent) and e.action.status is ActionStatus.SUCCEEDED)


@pytest.fixture
async def exported(partner: Partner, watcher: Watcher, shout: Path, tmp_path: Path) -> Path:
    """The JSON of a conversation with a finished and a waiting action, and its Markdown beside it."""
    assert shout.exists()
    one = await said(partner, watcher, 'shout "good ```morning```" in capital letters')
    (action,) = await partner.actions.list()
    await partner.actions.approve(action.id, scope="once")
    await watcher.until(lambda event: isinstance(event, ResultEvent))
    await watcher.done(action.exchange_id)
    watcher.events.clear()
    await partner.messages.send('shout "早上好" in capital letters', conversation_id=one)
    proposal = await watcher.until(lambda event: isinstance(event, ProposalEvent))
    await watcher.done(proposal.exchange_id)
    await partner.conversations.rename(one, "Loud | <words>")
    await partner.conversations.export_to(one, tmp_path / "talk.json", kind="json")
    await partner.conversations.export_to(one, tmp_path / "talk.md", kind="markdown")
    return tmp_path / "talk.json"


async def test_markdown_is_readable(exported: Path) -> None:
    text = exported.with_suffix(".md").read_text(encoding="utf-8")
    assert text.startswith("# Loud | <words>\n")
    assert "## You · 20" in text
    assert "## Partner · 20" in text
    assert "<summary>Upper · succeeded · 20" in text
    assert "<summary>Upper · waiting · 20" in text
    assert '"text": "good ```morning```"' in text
    assert "````text" in text or "````\nGOOD ```MORNING```\n````" in text, (
        "the block is not ended by its text"
    )
    assert "早上好" in text
    assert text.count("<details>") == text.count("</details>") == 2


async def test_json_holds_everything_and_names_its_version(exported: Path, partner: Partner) -> None:
    body = json.loads(exported.read_text(encoding="utf-8"))
    assert (body["format"], body["version"]) == ("partner-desktop.conversation", 1)
    assert body["conversation"]["title"] == "Loud | <words>"
    (conversation,) = await partner.conversations.list()
    messages = await partner.messages.list(conversation.id)
    assert [(m["role"], m["text"]) for m in body["messages"]] == [(m.role.value, m.text) for m in messages]
    assert [a["status"] for a in body["actions"]] == ["succeeded", "waiting"]
    assert body["actions"][0]["stdout"] == "GOOD ```MORNING```\n"


async def test_an_exported_conversation_comes_back_as_history(
    exported: Path, partner: Partner, watcher: Watcher
) -> None:
    (original,) = await partner.conversations.list()
    watcher.events.clear()
    taken = await partner.conversations.import_from(exported)
    assert [event.type for event in watcher.events] == ["conversation"]
    assert taken.id != original.id
    assert (taken.title, taken.updated_at) == (original.title, original.updated_at)
    assert taken in await partner.conversations.list()
    old, new = await partner.messages.list(original.id), await partner.messages.list(taken.id)
    said = [(m.role, m.text, m.created_at, m.state, m.source) for m in old]
    assert [(m.role, m.text, m.created_at, m.state, m.source) for m in new] == said
    assert not {m.id for m in old} & {m.id for m in new}
    cards = [await partner.actions.get(m.action_id) for m in new if m.role is Role.ACTION]
    assert [card.status for card in cards] == [ActionStatus.SUCCEEDED, ActionStatus.REJECTED]
    assert cards[0].stdout == "GOOD ```MORNING```\n"
    for card in cards:
        with pytest.raises(UsageError, match="settled"):
            await partner.actions.approve(card.id, scope="once")
    assert len(await partner.conversations.search("早上")) == 2


async def test_importing_what_was_exported_and_exporting_it_again_gives_the_same(
    exported: Path, partner: Partner, tmp_path: Path
) -> None:
    taken = await partner.conversations.import_from(exported)
    await partner.conversations.export_to(taken.id, tmp_path / "again.json", kind="json")

    def content(path: Path) -> Any:
        body = json.loads(path.read_text(encoding="utf-8"))
        del body["exported_at"]
        for item in [*body["messages"], *body["actions"]]:
            for name in ("id", "action_id", "source_path", "cwd", "stdout_path", "status", "asked_param"):
                item.pop(name, None)
        return body

    assert content(tmp_path / "again.json") == content(exported)


SPEAKERS = (
    '{"text": "Shall we paint?", "speaker": "Caroline <3"}',
    '{"text": "Gladly.", "speaker": "Melanie"}',
)


async def test_who_spoke_in_a_chat_from_elsewhere_goes_out_and_comes_back(
    partner: Partner, watcher: Watcher, tmp_path: Path
) -> None:
    (tmp_path / "chat.jsonl").write_text("\n".join(SPEAKERS), encoding="utf-8")
    begun = await partner.memory.import_from(tmp_path / "chat.jsonl")
    assert [one async for one in partner.memory.follow_import(begun.id)][-1].chats == 1
    (chat,) = await partner.conversations.list()
    await partner.conversations.export_to(chat.id, tmp_path / "talk.md", kind="markdown")
    text = (tmp_path / "talk.md").read_text(encoding="utf-8")
    assert "## Caroline &lt;3 · 20" in text
    assert "## Melanie · 20" in text
    assert "## You" not in text
    await partner.conversations.export_to(chat.id, tmp_path / "talk.json", kind="json")
    taken = await partner.conversations.import_from(tmp_path / "talk.json")
    said = [(each.speaker, each.text) for each in await partner.messages.list(taken.id)]
    assert said == [("Caroline <3", "Shall we paint?"), ("Melanie", "Gladly.")]


@pytest.mark.parametrize(
    ("speaker", "kept"),
    [
        ("  Eve\n\tof  Ulm\x00 ", "Eve of Ulm"),
        ("half \ud83d", "half ?"),
        ("n" * 9_000, "n" * 200),
        ("", ""),
    ],
)
async def test_a_speaker_in_a_file_is_a_name_of_one_line(
    partner: Partner, tmp_path: Path, speaker: str, kept: str
) -> None:
    at = "2026-03-01T18:20:00+01:00"
    body = {
        "format": "partner-desktop.conversation",
        "version": 1,
        "conversation": {"title": "x", "created_at": at, "updated_at": at},
        "messages": [{"role": "user", "text": "Hello.", "created_at": at, "speaker": speaker}],
    }
    (tmp_path / "talk.json").write_text(json.dumps(body), encoding="utf-8")
    taken = await partner.conversations.import_from(tmp_path / "talk.json")
    assert [each.speaker for each in await partner.messages.list(taken.id)] == [kept]


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ('{"format": "partner-desktop.conversation", "version": 1', True),
        ('\ufeff{\n  "version": 9,\n  "format" :\n"partner-desktop.conversation"}', True),
        ('{"format": "another"}', False),
        ('[{"mapping": {}}]', False),
        ('{"text": "write \\"format\\": \\"partner-desktop.conversation\\" into it"}', False),
        ("", False),
        (None, False),
    ],
)
def test_a_file_says_whether_partner_exported_it(tmp_path: Path, text: str | None, own: bool) -> None:
    path = tmp_path / "talk.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    assert is_conversation_file(path) is own
    assert not is_conversation_file(tmp_path)


async def test_one_message_is_read_by_its_id_while_it_is_shown(partner: Partner, watcher: Watcher) -> None:
    one = await said(partner, watcher, "hello")
    for message in await partner.messages.list(one):
        assert await partner.messages.get(message.id) == message
    await partner.conversations.delete(one)
    for unknown in (message.id, "", "x" * 10_000):
        with pytest.raises(UsageError, match="not in the conversation any more"):
            await partner.messages.get(unknown)


def change(**parts: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda body: {**body, **parts}


def change_first(list_name: str, **parts: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda body: {**body, list_name: [{**body[list_name][0], **parts}, *body[list_name][1:]]}


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda body: [body], "not JSON|exported"),
        (lambda body: {"a": 1}, "not a conversation that Partner exported"),
        (change(version=2), "a newer Partner wrote it"),
        (change(version="x"), "version"),
        (change(messages=[]), "no messages"),
        (change(messages=3), "message 1 does not fit"),
        (change(conversation={"title": "x"}), "`created_at` of its `conversation`"),
        (change_first("messages", role="robot"), "`role` of message 1"),
        (change_first("messages", created_at="2030-01-01T00:00:00"), "`created_at` of message 1"),
        (change_first("messages", created_at="0001-01-01T00:00:00+14:00"), "out of range"),
        (change_first("actions", id="another"), "card of an action that the file does not hold"),
        (change_first("actions", params=[]), "`params` of action 1"),
        (change_first("actions", duration_ms=2**70), "`duration_ms` of action 1"),
        (change_first("actions", duration_ms=-1), "`duration_ms` of action 1"),
        (change_first("actions", exit_code=2**40), "`exit_code` of action 1"),
        (lambda body: {**body, "actions": [body["actions"][0]] * 2}, "same id|does not hold"),
    ],
)
async def test_a_file_that_does_not_fit_is_refused_in_one_sentence(
    exported: Path, partner: Partner, damage: Callable[[dict[str, Any]], Any], sentence: str
) -> None:
    before = await partner.conversations.list()
    exported.write_text(json.dumps(damage(json.loads(exported.read_text()))))
    with pytest.raises(UsageError, match=sentence) as caught:
        await partner.conversations.import_from(exported)
    assert "talk.json" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert await partner.conversations.list() == before


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\x00", b"{", b'{"a": 1} x', b"[" * 100_000, b'{"messages": [1,]}', b"null"]
)
async def test_a_file_that_is_something_else_is_refused(
    partner: Partner, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "other.json"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=r"other\.json"):
        await partner.conversations.import_from(path)
    with pytest.raises(UsageError, match="cannot be read"):
        await partner.conversations.import_from(tmp_path / "nothing.json")


@pytest.mark.usefixtures("exported")
async def test_a_file_that_cannot_be_written_is_said_and_the_old_one_stays(
    partner: Partner, tmp_path: Path
) -> None:
    (one,) = await partner.conversations.list()
    with pytest.raises(UsageError, match="cannot be written"):
        await partner.conversations.export_to(one.id, tmp_path / "no" / "such" / "x.md", kind="markdown")
    assert sorted(path.name for path in tmp_path.glob("talk.*")) == ["talk.json", "talk.md"]


async def test_a_large_file_comes_in_whole_while_others_use_the_database(
    partner: Partner, tmp_path: Path
) -> None:
    conversation = await partner.conversations.create()
    path = tmp_path / "large.json"
    await partner.messages.send("hello", conversation_id=conversation.id)
    await partner.conversations.export_to(conversation.id, path, kind="json")
    body = json.loads(path.read_text())
    one = {**body["messages"][0], "text": "many words of no great weight 整理 " * 12}
    body["messages"] = [one] * 8_000
    await asyncio.to_thread(lambda: path.write_text(json.dumps(body)))
    coming, seen = asyncio.create_task(partner.conversations.import_from(path)), []
    while not coming.done():
        seen.append(len(await partner.conversations.list()))
    assert len(seen) > 20
    assert set(seen[:-1]) == {1}, "it is in sight when it is whole"
    taken = await coming
    assert len(await partner.messages.list(taken.id, limit=9_000)) == 8_000
    await partner.conversations.export_to(taken.id, tmp_path / "out.json", kind="json")
    assert len(json.loads((tmp_path / "out.json").read_text())["messages"]) == 8_000


async def test_what_was_imported_runs_again_from_its_form_on_a_card_only(
    exported: Path, partner: Partner, watcher: Watcher
) -> None:
    """A builtin that only looks runs without a question; what a file says to look at was never said here."""
    action = {"key": "builtin::list_folder", "params": {"folder": "/", "more": 1}}
    body = change_first("actions", **action)(json.loads(exported.read_text(encoding="utf-8")))
    exported.write_text(json.dumps(body), encoding="utf-8")
    taken = await partner.conversations.import_from(exported)
    [first, *_] = [m.action_id for m in await partner.messages.list(taken.id) if m.role is Role.ACTION]
    watcher.events.clear()
    await partner.actions.run_again(first)
    card = await watcher.until(lambda event: isinstance(event, ProposalEvent))
    assert isinstance(card, ProposalEvent)
    await watcher.done(card.exchange_id)
    assert not [event for event in watcher.events if isinstance(event, RunEvent)]
    waiting = await partner.actions.get(card.action.id)
    assert (waiting.status, waiting.params["folder"]) == (ActionStatus.WAITING, "/")
    assert "more" not in waiting.params


async def test_what_claims_to_be_of_the_future_is_of_now(exported: Path, partner: Partner) -> None:
    far = "9999-12-31T23:59:59+00:00"
    body = json.loads(exported.read_text(encoding="utf-8"))
    body["conversation"].update(created_at=far, updated_at=far)
    for item in (*body["messages"], *body["actions"]):
        item["created_at"] = far
    body["actions"][0].update(started_at=far, finished_at=far, data={"large": [2**70, -(2**70), 7, True]})
    exported.write_text(json.dumps(body), encoding="utf-8")
    taken = await partner.conversations.import_from(exported)
    messages = await partner.messages.list(taken.id)
    action = await partner.actions.get(next(m.action_id for m in messages if m.role is Role.ACTION))
    times = [taken.created_at, taken.updated_at, *(m.created_at for m in messages)]
    times += [time for time in (action.created_at, action.started_at, action.finished_at) if time is not None]
    assert max(times) <= datetime.now(UTC)
    assert action.data == {"large": [str(2**70), str(-(2**70)), 7, True]}
