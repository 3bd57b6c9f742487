"""After kill -9: what was accepted is answered, what ran goes on where that is harmless, nothing twice."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import Event, ProposalEvent, RunEvent, TurnEvent
from partner_desktop.domain.message import Message, MessageState, Role
from partner_desktop.permission.audit import AuditLog
from partner_desktop.permission.request import ApprovalMode
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.dialog import Dialog
from partner_desktop.runtime.exchanges import Exchange
from partner_desktop.runtime.flow import FlowInput, Source
from partner_desktop.runtime.turn_queue import TurnQueue
from partner_desktop.storage.database import Database
from tests.deciding import decided
from tests.support import REPOSITORY, UPPER_SCRIPT, WAIT_S, FakeClock, HastyClock, Watcher

#: Real processes that die.
pytestmark = pytest.mark.integration

_DEATH_S = 30

#: Writes a line first; the first time it never comes to its end.
NOTER = """\
# /// partner
# description = "Note the tide"
# annotations = {annotations}
# [params.file]
# type = "string"
# format = "path"
# access = "write"
# default = "{path}"
# ///
import pathlib, sys, time
path = pathlib.Path(next(a.split("=", 1)[1] for a in sys.argv[1:] if a.startswith("--file=")))
before = path.read_text() if path.exists() else ""
path.write_text(before + "x\\n")
if not before:
    time.sleep(600)
time.sleep({pause_s})
print("noted")
"""

Dies = Callable[[str, str], Awaitable[None]]


@pytest.fixture
def dies(home: Home, action_dir: Path) -> Dies:
    """A Partner on the home in a process of its own, until it dies at the moment."""

    async def work(moment: str, text: str) -> None:
        died = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-m", "tests.features.dying", str(home.root), str(action_dir), moment, text],
            cwd=REPOSITORY,
            env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
            timeout=_DEATH_S,
            check=False,
            capture_output=True,
            text=True,
        )
        expected = 0 if moment == "never" else -signal.SIGKILL
        assert died.returncode == expected, died.stderr

    return work


@asynccontextmanager
async def started(home: Home, action_dir: Path) -> AsyncIterator[tuple[Partner, Watcher]]:
    """A Partner of this process that has finished what an earlier one left."""
    partner, watcher = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock()), Watcher()
    partner.subscribe(watcher)
    await partner.launch()
    try:
        async with asyncio.timeout(WAIT_S):
            await partner.idle()
        yield partner, watcher
    finally:
        await partner.close()


def rows(home: Home, query: str) -> list[Any]:
    with closing(sqlite3.connect(home.database)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        return database.execute(query).fetchall()


def queued(home: Home) -> list[tuple[str, int]]:
    return rows(home, "SELECT kind, attempts FROM turn_queue ORDER BY position")


async def talk(partner: Partner) -> Sequence[Message]:
    (conversation,) = await partner.conversations.list()
    return await partner.messages.list(conversation.id)


def replies(messages: Sequence[Message]) -> Sequence[Message]:
    return [message for message in messages if message.role is Role.PARTNER]


@pytest.mark.promise("runtime.durable")
@pytest.mark.parametrize("moment", ["understanding", "reply"])
@pytest.mark.slow
async def test_a_message_whose_turn_was_killed_is_answered_by_the_next_start(
    home: Home, action_dir: Path, dies: Dies, moment: str
) -> None:
    await dies(moment, "hello there")
    assert queued(home) == [("said", 1)]
    async with started(home, action_dir) as (partner, _):
        said, *answers = await talk(partner)
        assert (said.role, said.text) == (Role.USER, "hello there")
        whole = [message for message in answers if message.state is MessageState.DONE]
        assert len(whole) == 1
        assert queued(home) == []


async def test_a_turn_that_had_answered_is_not_run_again(home: Home, action_dir: Path, dies: Dies) -> None:
    await dies("answered", "hello there")
    assert queued(home) == [("said", 1)]
    async with started(home, action_dir) as (partner, watcher):
        assert len(replies(await talk(partner))) == 1
        assert "turn" not in watcher.types()
        assert queued(home) == []


@pytest.mark.promise("runtime.interrupt.rerun")
@pytest.mark.parametrize("taken_back", [False, True])
async def test_a_kill_before_an_answer_is_taken_back_leaves_one_answer(
    home: Home, action_dir: Path, clock: FakeClock, taken_back: bool
) -> None:
    """More was said just after the answer: it is owed again, and then Partner is killed."""
    async with started(home, action_dir) as (partner, watcher):
        message = await partner.messages.send("hello", conversation_id=None)
        done = await watcher.done()
    database = Database(home.database, backups=home.backups, clock=clock)
    await database.launch()
    exchange = Exchange(message.conversation_id, lambda _: None, id=done.exchange_id)
    source = Source(message.source, message.conversation_id)
    item = FlowInput(source, message.created_at, exchange, text=message.text, message_id=message.id)
    await TurnQueue(database).reopened([item])
    if taken_back:
        await database.write(lambda db: db.execute("DELETE FROM messages WHERE role = 'partner'"))
    await database.shutdown()
    async with started(home, action_dir) as (partner, _):
        assert len(replies(await talk(partner))) == 1
    assert queued(home) == []


async def test_a_turn_that_had_put_a_card_there_proposes_nothing_twice(
    home: Home, action_dir: Path, dies: Dies
) -> None:
    (action_dir / "dynamic" / "upper.py").write_text(UPPER_SCRIPT)
    await dies("card", 'shout "hello" in capital letters')
    async with started(home, action_dir) as (partner, _):
        (action,) = await partner.actions.list()
        assert action.status is ActionStatus.WAITING
        (answer,) = replies(await talk(partner))
        assert answer.state is MessageState.DONE
        assert queued(home) == []


async def test_a_card_of_messages_that_were_answered_together_is_told_once(
    home: Home, action_dir: Path, dies: Dies
) -> None:
    (action_dir / "dynamic" / "upper.py").write_text(UPPER_SCRIPT)
    await dies("card", 'shout "hello" in capital letters')
    with closing(sqlite3.connect(home.database)) as database, database:
        # What was said as well, to which the same turn was to be the answer.
        database.create_function("cjk_spaced", 1, str, deterministic=True)
        for table, changes in (
            ("messages", {"id": "'before'", "exchange_id": "'before'", "position": "position + 1000"}),
            ("turn_queue", {"subject_id": "'before'", "exchange_id": "'before'", "position": "position + 1"}),
        ):
            names = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            values = ", ".join(changes.get(name, name) for name in names)
            only = "WHERE role = 'user'" if table == "messages" else ""
            database.execute(f"INSERT INTO {table} ({', '.join(names)}) SELECT {values} FROM {table} {only}")
    assert len(queued(home)) == 2
    async with started(home, action_dir) as (partner, watcher):
        assert len(await partner.actions.list()) == 1
        assert [message.state for message in replies(await talk(partner))] == [MessageState.DONE]
        ended = [event for event in watcher.events if isinstance(event, TurnEvent) and event.state == "ended"]
        assert len(ended) == 1
    assert queued(home) == []


async def test_what_had_not_got_as_far_as_a_question_is_over(
    home: Home, action_dir: Path, dies: Dies
) -> None:
    (action_dir / "dynamic" / "upper.py").write_text(UPPER_SCRIPT)
    await dies("card", 'shout "hello" in capital letters')
    with closing(sqlite3.connect(home.database)) as database, database:
        database.execute("DELETE FROM turn_queue")
        asks = "json_set(record, '$.status', 'asking')"
        database.execute(f"UPDATE actions SET status = 'asking', record = {asks}")
    async with started(home, action_dir) as (partner, _):
        (action,) = await partner.actions.list()
        assert (action.status, action.error) == (
            ActionStatus.REJECTED,
            "Partner was closed before it could ask.",
        )


@pytest.mark.promise("runtime.durable")
async def test_a_yes_that_was_killed_before_its_run_began_is_answered_and_the_card_waits(
    home: Home, action_dir: Path, clock: FakeClock
) -> None:
    (action_dir / "dynamic" / "upper.py").write_text(UPPER_SCRIPT)
    async with started(home, action_dir) as (partner, watcher):
        message = await partner.messages.send('shout "now" in capital letters', conversation_id=None)
        await watcher.done()
        (action,) = await partner.actions.list()
        before = len(replies(await talk(partner)))
    database = Database(home.database, backups=home.backups, clock=clock)
    await database.launch()
    queue, audit = TurnQueue(database), AuditLog(database, clock=clock)
    await Dialog(database, ChannelRegistry(), clock=clock).append(
        message.conversation_id,
        Role.USER,
        "yes",
        source="window",
        exchange_id="yes",
        also=lambda db, said: queue.accept(db, said, exchange_id="yes", cwd=""),
    )
    await audit.decision(decided(action.id, action.key, action.content_hash, action.params, sandboxed=True))
    await database.shutdown()
    async with started(home, action_dir) as (partner, _):
        assert len(replies(await talk(partner))) == before + 1
        (action,) = await partner.actions.list()
        assert action.status is ActionStatus.WAITING


async def test_a_result_that_was_not_told_is_told_once(home: Home, action_dir: Path, dies: Dies) -> None:
    await dies("result", "what time is it?")
    assert ("told", 1) in queued(home)
    async with started(home, action_dir) as (partner, _):
        told = await talk(partner)
        assert queued(home) == []
    async with started(home, action_dir) as (partner, watcher):
        assert await talk(partner) == told
        assert "reply" not in watcher.types()
    assert [message.state for message in replies(told)][-1] is MessageState.DONE


async def test_a_message_that_takes_partner_down_twice_is_left_alone_and_said(
    home: Home, action_dir: Path, dies: Dies
) -> None:
    await dies("understanding", "drop the bomb")
    await dies("understanding", "")
    assert queued(home) == [("said", 2)]
    async with started(home, action_dir) as (partner, _):
        (answer,) = replies(await talk(partner))
        assert "ended 2 times while it worked on “drop the bomb”" in answer.text
        assert queued(home) == []


async def test_what_was_asked_with_every_approval_is_asked_with_none_after_a_crash(
    home: Home, action_dir: Path, dies: Dies
) -> None:
    (action_dir / "dynamic" / "upper.py").write_text(UPPER_SCRIPT)
    await dies("understanding", 'shout "now" in capital letters')
    async with started(home, action_dir) as (partner, watcher):
        (action,) = await partner.actions.list()
        assert action.status is ActionStatus.WAITING
        assert not any(isinstance(event, RunEvent) for event in watcher.events)


async def test_closing_in_the_middle_of_turns_is_no_crash(home: Home, action_dir: Path) -> None:
    for _ in range(4):
        partner = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
        await partner.launch()
        await partner.messages.send("hello", conversation_id=None)
        await partner.close()
    assert all(attempts == 0 for _, attempts in queued(home))
    async with started(home, action_dir) as (partner, _):
        for conversation in await partner.conversations.list():
            messages = await partner.messages.list(conversation.id)
            assert sum(message.state is MessageState.DONE for message in replies(messages)) == 1
    assert queued(home) == []


async def test_a_deleted_conversation_owes_no_answer(home: Home, action_dir: Path, dies: Dies) -> None:
    await dies("understanding", "hello there")
    await dies("never", "")  # answered
    await dies("understanding", "hello again")
    with closing(sqlite3.connect(home.database)) as database:
        database.execute("UPDATE conversations SET deleted_at = created_at")
        database.commit()
    async with started(home, action_dir) as (_, watcher):
        assert "turn" not in watcher.types()
    assert queued(home) == []


def write_noter(action_dir: Path, annotations: str, path: Path, *, pause_s: float = 0) -> None:
    text = NOTER.replace("{annotations}", annotations).replace("{path}", str(path))
    text = text.replace("{pause_s}", str(pause_s))
    (action_dir / "dynamic" / "noter.py").write_text(text)


async def killed_in_mid_run(
    dies: Dies, action_dir: Path, annotations: str, path: Path, *, pause_s: float = 0
) -> None:
    write_noter(action_dir, annotations, path, pause_s=pause_s)
    await dies(f"file:{path}", "note the tide")


@pytest.fixture
def notes(user_home: Path) -> Path:
    return user_home / "tide.txt"


@pytest.mark.promise("actions.audit")
@pytest.mark.promise("actions.resume")
async def test_a_run_that_may_be_repeated_goes_on_after_the_restart(
    home: Home, action_dir: Path, dies: Dies, notes: Path
) -> None:
    await killed_in_mid_run(dies, action_dir, "{ idempotentHint = true }", notes)
    async with started(home, action_dir) as (partner, watcher):
        (action,) = await partner.actions.list()
        assert (action.status, action.resumes) == (ActionStatus.SUCCEEDED, 1)
        assert not any(isinstance(event, ProposalEvent) for event in watcher.events), "it asks nobody"
        kinds = [entry.kind for entry in await partner.audit.newest() if entry.action_id == action.id]
        assert kinds == ["decision", "run", "resume", "result"]
        assert "noted" in replies(await talk(partner))[-1].text
    assert notes.read_text() == "x\nx\n"


@pytest.mark.promise("actions.resume")
@pytest.mark.parametrize("annotations", ["{}", "{ readOnlyHint = true }"])
async def test_a_run_that_may_not_be_repeated_is_interrupted_and_said_once(
    home: Home, action_dir: Path, dies: Dies, notes: Path, annotations: str
) -> None:
    await killed_in_mid_run(dies, action_dir, annotations, notes)
    async with started(home, action_dir) as (partner, _):
        (action,) = await partner.actions.list()
        assert action.status is ActionStatus.INTERRUPTED
        told = await talk(partner)
        assert sum("was running when Partner closed" in message.text for message in told) == 1
    async with started(home, action_dir) as (partner, _):
        assert await talk(partner) == told
    assert notes.read_text() == "x\n"


@pytest.mark.promise("actions.resume")
@pytest.mark.parametrize("changed", ["script", "hold", "place"])
async def test_what_is_not_as_it_was_approved_any_more_does_not_go_on(
    home: Home, action_dir: Path, dies: Dies, notes: Path, changed: str
) -> None:
    await killed_in_mid_run(dies, action_dir, "{ idempotentHint = true }", notes)
    elsewhere = notes.with_name("elsewhere.txt")
    if changed == "script":
        script = action_dir / "dynamic" / "noter.py"
        script.write_text(script.read_text() + "print('and more')\n")
    elif changed == "hold":
        (home.config / "action.toml").write_text('[sandbox]\nprovider = "none"\n')
    else:
        notes.rename(elsewhere)
        notes.symlink_to(elsewhere)
    async with started(home, action_dir) as (partner, _):
        (action,) = await partner.actions.list()
        assert action.status is ActionStatus.INTERRUPTED
    assert notes.read_text() == "x\n"


async def test_a_run_that_takes_partner_down_each_time_is_given_up(
    home: Home, action_dir: Path, dies: Dies, notes: Path
) -> None:
    await killed_in_mid_run(dies, action_dir, "{ idempotentHint = true }", notes)
    for _ in range(2):
        notes.unlink()  # so that it hangs again
        await dies(f"file:{notes}", "")
    async with started(home, action_dir) as (partner, _):
        (action,) = await partner.actions.list()
        assert (action.status, action.resumes) == (ActionStatus.INTERRUPTED, 2)


async def test_a_grant_that_was_revoked_meanwhile_lets_nothing_go_on(
    home: Home, action_dir: Path, notes: Path, dies: Dies
) -> None:
    write_noter(action_dir, "{ idempotentHint = true }", notes)
    notes.write_text("x\n")  # it ends at once
    async with started(home, action_dir) as (partner, watcher):
        await partner.messages.send("note the tide", conversation_id=None)
        event = await watcher.until(lambda e: isinstance(e, ProposalEvent))
        assert isinstance(event, ProposalEvent)
        await partner.actions.approve(event.action.id, scope="always")
        await watcher.until(lambda e: e.type == "result")
    notes.unlink()
    await dies(f"file:{notes}", "note the tide")
    with closing(sqlite3.connect(home.database)) as database:
        database.execute("UPDATE approvals SET revoked_at = created_at")
        database.commit()
    async with started(home, action_dir) as (partner, _):
        newest = (await partner.actions.list())[0]
        assert newest.status is ActionStatus.INTERRUPTED


@pytest.mark.promise("actions.permission.engine")
async def test_what_a_rule_denies_by_now_does_not_go_on_and_the_reply_names_the_rule(
    home: Home, action_dir: Path, notes: Path, dies: Dies
) -> None:
    await killed_in_mid_run(dies, action_dir, "{ idempotentHint = true }", notes)
    (home.config / "permission.toml").write_text(
        '[[rule]]\neffect = "deny"\naction = "local::*"\n', encoding="utf-8"
    )
    async with started(home, action_dir) as (partner, _):
        (stopped,) = await partner.actions.list()
        why = "the rule “deny local::*” in config/permission.toml denies it"
        assert (stopped.status, stopped.error) == (ActionStatus.INTERRUPTED, why)
        assert why.removeprefix("the ") in (await talk(partner))[-1].text.replace("\\", "")


@pytest.mark.promise("runtime.host")
async def test_two_commands_at_once_take_up_what_was_left_once(
    home: Home, action_dir: Path, dies: Dies, notes: Path
) -> None:
    # The second command looks while what the first one took up still runs.
    await killed_in_mid_run(dies, action_dir, "{ idempotentHint = true }", notes, pause_s=2)
    command = [sys.executable, "-m", "partner_desktop", "chat", "--once", "hello", "--json"]
    where = ["--home", str(home.root), "--action-dir", str(action_dir)]
    both = [
        await asyncio.create_subprocess_exec(
            *command,
            *where,
            cwd=REPOSITORY,
            env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        for _ in range(2)
    ]
    async with asyncio.timeout(_DEATH_S):
        ended = await asyncio.gather(*(process.communicate() for process in both))
    assert [process.returncode for process in both] == [0, 0], ended
    assert notes.read_text() == "x\nx\n", "once before the crash, once after it"
    started_again = rows(home, "SELECT count(*) FROM audit WHERE kind = 'resume'")
    assert started_again == [(1,)]
    assert queued(home) == []
    answered = rows(
        home,
        "SELECT count(*) FROM messages AS said WHERE role = 'user' AND text = 'hello' AND EXISTS "
        "(SELECT 1 FROM messages WHERE role = 'partner' AND exchange_id = said.exchange_id)",
    )
    assert answered == [(2,)]


async def test_a_yes_that_was_heard_is_a_run_on_disk(home: Home, action_dir: Path) -> None:
    (action_dir / "dynamic" / "upper.py").write_text(UPPER_SCRIPT)
    partner = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    seen: list[list[Any]] = []
    await partner.launch()

    def hear(event: Event) -> None:
        if event.type == "decision":
            seen.append(rows(home, "SELECT status FROM actions"))

    partner.subscribe(hear)
    watcher = Watcher()
    partner.subscribe(watcher)
    await partner.messages.send(
        'shout "now" in capital letters', conversation_id=None, standing=ApprovalMode.ALL
    )
    await watcher.done()
    await partner.close()
    assert seen == [[("running",)]]
