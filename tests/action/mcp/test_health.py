"""A server that does not run says why, is tried again, and never keeps the person waiting."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import (
    DoneEvent,
    ErrorEvent,
    Event,
    NoticeEvent,
    ProposalEvent,
    ResultEvent,
    RunEvent,
)
from partner_desktop.domain.mcp_server import ServerPhase, ServerStep
from partner_desktop.permission.request import ApprovalMode
from tests.action.listing import by_key
from tests.action.mcp.serving import call, listed, plain, status, until, until_listed, until_phase, write
from tests.support import WAIT_S, Watcher

# Whole stories, with processes or windows of their own: for the whole gate.
pytestmark = pytest.mark.integration


def is_waiting(event: Event) -> bool:
    """Whether a turn says that it waits for a server."""
    return isinstance(event, NoticeEvent) and event.text.startswith("Waiting for")


@pytest.mark.promise("actions.mcp.health")
async def test_a_server_that_cannot_start_says_why_and_recovers_while_chat_goes_on(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    write(action_dir, "slow.json", {"slow": plain("--hang")})
    write(action_dir, "notes.json", {"notes": plain("--die", "7", "no such database")})
    found = await until_phase(partner, watcher, "notes", ServerPhase.BACKING_OFF)
    assert found.failure is not None
    assert found.failure.step in (ServerStep.SPAWN, ServerStep.HANDSHAKE)
    assert found.failure.exit_code == 7
    assert found.failure.stderr == ("no such database",)
    assert found.retry_at is not None
    assert "no such database" in await partner.servers.log("notes")
    with pytest.raises(UsageError, match="The server notes does not run"):
        await partner.servers.read_resource("notes", "notes://1")

    sent = await partner.messages.send("hello", conversation_id=None)
    done = await watcher.until(
        lambda event: isinstance(event, DoneEvent) and event.conversation_id == sent.conversation_id
    )
    assert isinstance(done, DoneEvent)
    assert done.status == "ok"
    slow = status(partner, "slow")
    assert slow is not None
    assert slow.phase is ServerPhase.STARTING

    # It is tried again by itself, and mending its file is enough.
    await until(
        partner, watcher, lambda: (found := status(partner, "notes")) is not None and found.attempts > 1
    )
    write(action_dir, "notes.json", {"notes": plain("--tools", "pid,find")})
    mended = await until_phase(partner, watcher, "notes", ServerPhase.READY)
    assert (mended.failure, mended.attempts, mended.tools, mended.name) == (None, 0, 2, "plain 1")
    await until_listed(partner, watcher, "notes::find", "notes::pid")


async def test_a_server_that_dies_in_mid_call_comes_back_with_its_tools_listed_all_the_time(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    write(action_dir, "notes.json", {"notes": plain("--tools", "pid,end")})
    await until_listed(partner, watcher, "notes::end")
    pid = (await call(partner, watcher, "notes::pid", "before")).action.stdout
    died = (await call(partner, watcher, "notes::end", "died")).action
    assert died.status == "failed"
    assert "notes" in died.error
    assert listed(partner, "notes") == ["notes::end", "notes::pid"]
    after = (await call(partner, watcher, "notes::pid", "after")).action
    assert after.status == "succeeded", after.error
    assert after.stdout != pid


async def test_a_tool_that_came_back_different_is_not_called_under_the_yes_from_before(
    partner: Partner, watcher: Watcher, action_dir: Path, tmp_path: Path
) -> None:
    lives = tmp_path / "lives"
    write(action_dir, "notes.json", {"notes": plain("--tools", "pid,end", "--lives", str(lives))})
    await until_listed(partner, watcher, "notes::end")
    await call(partner, watcher, "notes::end", "died")
    await partner.abilities.run("notes::pid", {}, cwd="", standing=ApprovalMode.ALL, exchange_id="before")
    await watcher.until(lambda event: isinstance(event, RunEvent) and event.exchange_id == "before")
    with lives.open("a") as file:
        file.write("go")
    result = await watcher.until(lambda e: isinstance(e, ResultEvent) and e.exchange_id == "before")
    assert isinstance(result, ResultEvent)
    assert result.action.error == "Pid is not what was approved any more; ask for it once more."
    await until(partner, watcher, lambda: "pid2" in described(partner, "notes::pid"))
    assert (await call(partner, watcher, "notes::pid", "after")).action.status == "succeeded"


def described(partner: Partner, key: str) -> str:
    info = by_key(partner, key).info
    return info.description if info is not None else ""


async def test_new_tools_of_a_server_are_listed_without_a_restart(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    write(action_dir, "notes.json", {"notes": plain("--tools", "pid,grow")})
    await until_listed(partner, watcher, "notes::grow")
    pid = (await call(partner, watcher, "notes::pid", "before")).action.stdout
    await call(partner, watcher, "notes::grow", "grows")
    await until_listed(partner, watcher, "notes::grown")
    assert (await call(partner, watcher, "notes::pid", "after")).action.stdout == pid


async def test_a_program_that_is_not_there_is_not_tried_again_until_somebody_asks(
    partner: Partner, watcher: Watcher, action_dir: Path, tmp_path: Path
) -> None:
    program = tmp_path / "server.sh"
    write(action_dir, "notes.json", {"notes": {"command": str(program)}})
    found = await until_phase(partner, watcher, "notes", ServerPhase.FAILED)
    assert found.failure is not None
    assert found.failure.step is ServerStep.RESOLVE
    assert "server.sh" in found.failure.message
    assert found.retry_at is None
    real = plain()
    command = " ".join(f"'{word}'" for word in (real["command"], *real["args"]))
    program.write_text(f"#!/bin/sh\nexec {command}\n")
    program.chmod(0o755)
    await partner.servers.restart("notes")
    await until_phase(partner, watcher, "notes", ServerPhase.READY)


async def test_a_server_is_switched_off_for_good_and_on_again(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    write(action_dir, "notes.json", {"notes": plain()})
    await until_listed(partner, watcher, "notes::pid")
    await partner.servers.switch("notes", on=False)
    await until(partner, watcher, lambda: not listed(partner, "notes"))
    with pytest.raises(UsageError, match="switched off"):
        await partner.servers.restart("notes")
    write(action_dir, "notes.json", {"notes": plain("--tools", "pid,find")})
    write(action_dir, "more.json", {"more": plain()})
    await until_listed(partner, watcher, "more::pid")
    assert listed(partner, "notes") == []
    found = status(partner, "notes")
    assert found is not None
    assert found.phase is ServerPhase.STOPPED
    await partner.servers.switch("notes", on=True)
    await until_listed(partner, watcher, "notes::find")


async def test_one_tool_of_a_server_is_switched_off_like_any_ability(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    write(action_dir, "notes.json", {"notes": plain("--tools", "pid,find")})
    await until_listed(partner, watcher, "notes::find")
    await partner.abilities.switch("notes::find", on=False)
    await partner.servers.restart("notes")
    await until_phase(partner, watcher, "notes", ServerPhase.READY)
    off = {
        ability.key: ability.off for ability in partner.abilities.list() if ability.key.startswith("notes::")
    }
    assert off == {"notes::find": True, "notes::pid": False}


async def test_a_broken_file_is_listed_and_leaves_with_its_mistake(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    path = write(action_dir, "notes.json", {"notes": plain()})
    await until_listed(partner, watcher, "notes::pid")
    path.write_text('{"notes": {"command": ')
    key = f"file::{path}"
    await until_listed(partner, watcher, key)
    assert listed(partner, "notes") == ["notes::pid"]  # the last good version stays
    write(action_dir, "notes.json", {"notes": plain()})
    await until(partner, watcher, lambda: key not in {ability.key for ability in partner.abilities.list()})


@pytest.fixture
async def gated(partner: Partner, watcher: Watcher, action_dir: Path, tmp_path: Path) -> Path:
    """A server that starts once somebody opens this for writing."""
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    options = ("--tools", "list_tables,run_query", "--gate", str(gate))
    write(action_dir, "database.json", {"database": plain(*options)})
    await until_phase(partner, watcher, "database", ServerPhase.STARTING)
    return gate


def runs(watcher: Watcher) -> list[str]:
    return [event.action.key for event in watcher.events if isinstance(event, RunEvent)]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("list the tables in the database", "database::list_tables"),
        ('run the query "select 1+1 as two"', "database::run_query"),
    ],
)
async def test_what_may_be_meant_for_a_server_that_is_starting_waits_for_it_and_nothing_else_runs(
    partner: Partner, watcher: Watcher, gated: Path, said: str, meant: str
) -> None:
    sent = await partner.messages.send(said, conversation_id=None, standing=ApprovalMode.ALL)
    told = await watcher.until(is_waiting)
    assert isinstance(told, NoticeEvent)
    assert told.text.startswith("Waiting for database")
    assert told.conversation_id == sent.conversation_id
    assert not runs(watcher)
    await asyncio.to_thread(gated.write_bytes, b"")
    await watcher.done()
    assert runs(watcher) == [meant]


async def test_what_is_surely_meant_does_not_wait_for_a_server(
    partner: Partner, watcher: Watcher, gated: Path, user_home: Path
) -> None:
    (user_home / "notes.txt").write_text("milk")
    for said in ("hello", "read the file ~/notes.txt"):
        watcher.events.clear()
        await partner.messages.send(said, conversation_id=None, standing=ApprovalMode.ALL)
        await watcher.done()
    assert runs(watcher) == ["builtin::files::read"]
    assert "notice" not in watcher.types()
    await asyncio.to_thread(gated.write_bytes, b"")


@pytest.mark.logs_errors
async def test_a_server_that_does_not_come_is_waited_for_once_and_no_guess_gets_a_yes_in_advance(
    partner: Partner, watcher: Watcher, gated: Path
) -> None:
    said = "show a notification of the tables"
    sent = await partner.messages.send(said, conversation_id=None, standing=ApprovalMode.ALL)
    failed = await watcher.until(lambda event: isinstance(event, ErrorEvent), wait_s=4 * WAIT_S)
    assert isinstance(failed, ErrorEvent)
    assert "database is still starting" in failed.message
    assert (await watcher.done()).status == "failed"
    assert not runs(watcher)
    watcher.events.clear()
    await partner.messages.send(said, conversation_id=sent.conversation_id)
    await watcher.until(lambda event: isinstance(event, ProposalEvent))  # a person is asked at once
    assert "notice" not in watcher.types()
    await asyncio.to_thread(gated.write_bytes, b"")


async def test_stopping_ends_the_waiting(partner: Partner, watcher: Watcher, gated: Path) -> None:
    sent = await partner.messages.send("list the tables in the database", conversation_id=None)
    await watcher.until(is_waiting)
    await partner.conversations.stop(sent.conversation_id)
    await watcher.done()
    assert "proposal" not in watcher.types()
    await asyncio.to_thread(gated.write_bytes, b"")


async def test_a_server_is_known_by_its_name_before_the_folder_was_looked_at(
    home: Home, action_dir: Path
) -> None:
    write(action_dir, "notes.json", {"notes": plain(disabled=True)})
    partner = Partner(home, action_dir, meaning=False)
    asking = asyncio.create_task(partner.servers.log("notes"))
    await asyncio.sleep(0)  # it is asked now
    await partner.launch()
    try:
        assert await asking == ""
    finally:
        await partner.close()
