"""Nothing of a server starts, and no secret leaves, before the person said yes to exactly that."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import NoticeEvent
from partner_desktop.domain.mcp_server import ServerPhase, StartQuestion
from partner_desktop.domain.permission import Mode
from tests.action.mcp.serving import plain, status, until, until_phase, write
from tests.support import HastyClock, Watcher

pytestmark = [pytest.mark.promise("actions.mcp.secrets"), pytest.mark.integration]


@asynccontextmanager
async def opened(home: Home, action_dir: Path) -> AsyncIterator[tuple[Partner, Watcher]]:
    """A Partner whose person has said yes to nothing."""
    one, watcher = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock()), Watcher()
    one.subscribe(watcher)
    await one.launch()
    try:
        yield one, watcher
    finally:
        await one.close()


class Stranger:
    """An address that keeps what it is sent."""

    def __init__(self) -> None:
        self.heard = b""
        self.port = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._listen, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def _listen(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.heard += await reader.read(65536)
        writer.write(b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        writer.close()

    def config(self, **headers: str) -> dict[str, Any]:
        return {"type": "http", "url": f"http://127.0.0.1:{self.port}/mcp", "headers": headers}


async def question_of(partner: Partner, watcher: Watcher, name: str) -> StartQuestion:
    found = (await until_phase(partner, watcher, name, ServerPhase.WAITING)).question
    assert found is not None
    return found


async def allow(partner: Partner, watcher: Watcher, name: str) -> None:
    shown_hash = (await question_of(partner, watcher, name)).shown_hash
    await partner.servers.allow(name, shown_hash=shown_hash)


async def test_a_file_in_mcp_starts_nothing_in_any_mode_until_the_person_said_yes_to_its_command(
    home: Home, action_dir: Path, tmp_path: Path
) -> None:
    mark = tmp_path / "it ran"
    async with opened(home, action_dir) as (partner, watcher):
        await partner.permissions.set_mode(Mode.AUTONOMOUS)
        write(
            action_dir,
            "helper.json",
            {"helper": {"command": "touch", "args": [str(mark)], "env": {"A": "b"}}},
        )
        question = await question_of(partner, watcher, "helper")
        assert f"touch '{mark}'" in question.sentence
        assert "A=b" in question.sentence
        await watcher.until(lambda event: isinstance(event, NoticeEvent) and "helper" in event.title)
        await partner.servers.restart("helper")
        assert (await question_of(partner, watcher, "helper")) == question
        with pytest.raises(UsageError, match="not what was shown"):
            await partner.servers.allow("helper", shown_hash="another")
        with pytest.raises(UsageError, match="not what was shown"):
            await partner.servers.allow("helper", shown_hash="")
        assert not mark.exists()
        await partner.servers.allow("helper", shown_hash=question.shown_hash)
        await until(partner, watcher, mark.exists)
    rows = [entry for entry in await audited(home, action_dir) if entry.action_key == "server::helper"]
    assert ("allow", "person", "always") in {(row.outcome, row.by_whom, row.scope) for row in rows}


async def audited(home: Home, action_dir: Path) -> list[Any]:
    async with opened(home, action_dir) as (partner, _):
        return list(await partner.audit.newest(limit=200))


async def test_a_yes_is_remembered_and_another_command_an_edit_or_a_revocation_asks_again(
    home: Home, action_dir: Path
) -> None:
    async with opened(home, action_dir) as (partner, watcher):
        write(action_dir, "notes.json", {"notes": plain()})
        await allow(partner, watcher, "notes")
        await until_phase(partner, watcher, "notes", ServerPhase.READY)
        write(action_dir, "notes.json", {"notes": plain(timeout=7)})
        write(action_dir, "second.json", {"second": plain()})
        await question_of(partner, watcher, "second")
    async with opened(home, action_dir) as (partner, watcher):
        await until_phase(partner, watcher, "notes", ServerPhase.READY)
        write(action_dir, "notes.json", {"notes": plain(env={"LD_PRELOAD": "/tmp/x.so"})})
        await question_of(partner, watcher, "notes")
        await partner.servers.switch("notes", on=False)
        await until_phase(partner, watcher, "notes", ServerPhase.STOPPED)
        write(action_dir, "notes.json", {"notes": plain()})
        await partner.servers.switch("notes", on=True)
        await until_phase(partner, watcher, "notes", ServerPhase.READY)
        (grant,) = (await partner.permissions.list()).grants
        assert grant.current
        await partner.permissions.revoke(grant.id)
        await partner.servers.restart("notes")
        await question_of(partner, watcher, "notes")


async def test_a_secret_goes_to_the_server_and_the_address_it_was_given_for_and_to_no_other(
    home: Home, action_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "aws-value-0123456789")
    github, elsewhere = Stranger(), Stranger()
    async with github, elsewhere, opened(home, action_dir) as (partner, watcher):
        wants = {"Authorization": "Bearer ${keyring:GITHUB_TOKEN}"}
        write(action_dir, "github.json", {"github": github.config(**wants)})
        await allow(partner, watcher, "github")
        await until_phase(partner, watcher, "github", ServerPhase.FAILED)
        await partner.servers.keep_secret("GITHUB_TOKEN", "ghp_given-for-github", server_id="github")
        await until(partner, watcher, lambda: b"Bearer ghp_given-for-github" in github.heard)

        # Another server that the person added themselves: the yes to its start is none to the token.
        more = {**wants, "X-Key": "${env:AWS_SECRET_ACCESS_KEY}"}
        config = {"weather": elsewhere.config(**more)}
        await partner.servers.add(json.dumps(config), "", allow=True)
        question = await question_of(partner, watcher, "weather")
        assert "weather wants `GITHUB_TOKEN` of the keyring, which you gave for github." in question.sentence
        assert "weather wants the variable `AWS_SECRET_ACCESS_KEY`" in question.sentence
        assert question.secrets == ("AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN")
        assert "It would connect" not in question.sentence, "that was said yes to with the form"

        # The same server, with another address.
        write(action_dir, "github.json", {"github": elsewhere.config(**wants)})
        moved = await question_of(partner, watcher, "github")
        assert "which you gave for another program or address." in moved.sentence
        assert elsewhere.heard == b""

        await allow(partner, watcher, "weather")
        await until(partner, watcher, lambda: b"aws-value-0123456789" in elsewhere.heard)
        assert b"ghp_given-for-github" in elsewhere.heard


async def test_a_database_that_knows_the_yes_does_not_bring_the_secret_along(
    home: Home, action_dir: Path
) -> None:
    """As after a restore: the grant is there, and whom the secret is for is not."""
    async with Stranger() as there:
        async with opened(home, action_dir) as (partner, watcher):
            write(action_dir, "a.json", {"a": there.config(Authorization="Bearer ${keyring:KEY}")})
            await allow(partner, watcher, "a")
            await until_phase(partner, watcher, "a", ServerPhase.FAILED)
            await partner.servers.keep_secret("KEY", "a-secret-value")
            question = await question_of(partner, watcher, "a")
        assert question.sentence.startswith("a wants `KEY` of the keyring.")
        assert b"a-secret-value" not in there.heard


async def test_what_ran_before_partner_asked_goes_on_without_a_question(home: Home, action_dir: Path) -> None:
    write(action_dir, "old.json", {"old": plain()})
    async with opened(home, action_dir) as (partner, watcher):
        await question_of(partner, watcher, "old")
    home.key_file.unlink()  # as the home of a Partner that knew no question
    async with opened(home, action_dir) as (partner, watcher):
        await until_phase(partner, watcher, "old", ServerPhase.READY)
        write(action_dir, "new.json", {"new": plain()})
        await question_of(partner, watcher, "new")
    assert home.key_file.stat().st_mode & 0o777 == 0o600


async def test_a_server_that_was_refused_stays_off(home: Home, action_dir: Path) -> None:
    async with opened(home, action_dir) as (partner, watcher):
        write(action_dir, "notes.json", {"notes": plain()})
        await question_of(partner, watcher, "notes")
        await partner.servers.switch("notes", on=False)
    async with opened(home, action_dir) as (partner, watcher):
        found = await until_phase(partner, watcher, "notes", ServerPhase.STOPPED)
        assert found.question is None
        assert status(partner, "notes") == found


_TOKEN = "ghp_abcdefghij1234567890"
#: What a configuration says → what of it is in the question, and what is not.
SHOWN: dict[str, tuple[dict[str, Any], list[str], list[str]]] = {
    "code where a secret could stand": (
        {"command": "sh", "args": ["-c", "API_KEY=$(touch$IFS/tmp/x) exec cat"]},
        ["'API_KEY=$(touch$IFS/tmp/x) exec cat'"],
        [],
    ),
    "code as a default": (
        {"command": "sh", "args": ["-c", "${API_KEY:-touch /tmp/x}"]},
        ["'touch /tmp/x'"],
        ["•"],
    ),
    "code in a variable of its own": (
        {"command": "sh", "args": ["-c", "${env:MY_TOKEN}"], "env": {"MY_TOKEN": "touch /tmp/x"}},
        ["-c 'touch /tmp/x'", "`'MY_TOKEN=touch /tmp/x'`"],
        ["•"],
    ),
    "files and modules behind telling names": (
        {
            "command": "cat",
            "args": ["--session=/tmp/evil.so", "--auth-module=/tmp/evil.js", "--token", "-rm"],
        },
        ["--session=/tmp/evil.so --auth-module=/tmp/evil.js --token -rm"],
        ["•"],
    ),
    "a package named like a token": (
        {"command": "cat", "args": ["-y", "hf_evilpackage1", "--require=ghp_evilpackage1"]},
        ["-y hf_evilpackage1 --require=ghp_evilpackage1"],
        ["•"],
    ),
    "variables that steer a program": (
        {"command": "cat", "env": {"GIT_CONFIG_KEY_0": "core.pager", "DYLD_PRIVATE": "z", "NODE_AUTH": "x"}},
        ["`GIT_CONFIG_KEY_0=core.pager`, `DYLD_PRIVATE=z`, `NODE_AUTH=x`"],
        ["•"],
    ),
    "signs that nobody sees, or that turn a line": (
        {"command": "echo", "args": ["a\u202eb", "x\u3164y", "\u05d0 1 2", "line\nbreak"]},
        ["a⟨U+202E⟩b x⟨U+3164⟩y '⟨L⟩\u05d0⟨L⟩ 1 2' line⟨↵⟩break"],
        ["\u202e", "\u3164", "\n"],
    ),
    "tokens where tokens stand": (
        {
            "command": "cat",
            "args": [
                "--api-key",
                _TOKEN,
                f"--header=Authorization: Bearer {_TOKEN}",
                f"https://h/?key={_TOKEN}",
            ],
            "env": {"API_KEY": _TOKEN},
        },
        ["--api-key •••", "Bearer •••", "https://h/?key=•••", "`API_KEY=•••`"],
        [_TOKEN],
    ),
    "what packages hold": ({"command": "cat"}, ["What packages and folders hold is not looked at."], []),
}


@pytest.mark.parametrize("name", SHOWN)
async def test_the_question_hides_nothing_that_would_run(name: str, home: Home, action_dir: Path) -> None:
    config, there, gone = SHOWN[name]
    async with opened(home, action_dir) as (partner, watcher):
        write(action_dir, "helper.json", {"helper": config})
        sentence = (await question_of(partner, watcher, "helper")).sentence
    for words in there:
        assert words in sentence
    for words in gone:
        assert words not in sentence


async def test_the_folder_where_it_begins_is_named(home: Home, action_dir: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    async with opened(home, action_dir) as (partner, watcher):
        config = {"command": sys.executable, "args": ["-m", "server"]}
        write(action_dir, "a.json", {"there": {**config, "cwd": str(project)}, "here": config})
        assert f"in the folder `{project}`" in (await question_of(partner, watcher, "there")).sentence
        assert (
            f"in the folder `{action_dir / 'mcp'}`" in (await question_of(partner, watcher, "here")).sentence
        )


def tool(path: Path, mark: Path) -> Path:
    """A program that leaves a mark."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\ntouch '{mark}'; exec cat\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("how", ["by its path", "as a script", "in a line for a shell", "behind an option"])
async def test_a_program_that_became_another_asks_anew(
    how: str, home: Home, action_dir: Path, tmp_path: Path
) -> None:
    first, second = tmp_path / "first ran", tmp_path / "second ran"
    program = tool(tmp_path / "project" / "tool.sh", first)
    configs: dict[str, dict[str, Any]] = {
        "by its path": {"command": str(program)},
        "as a script": {"command": "sh", "args": ["tool.sh"], "cwd": str(program.parent)},
        "in a line for a shell": {
            "command": "sh",
            "args": ["-c", "exec ./tool.sh"],
            "cwd": str(program.parent),
        },
        "behind an option": {"command": "bash", "args": ["--rcfile", str(program), "-i"]},
    }
    async with opened(home, action_dir) as (partner, watcher):
        write(action_dir, "helper.json", {"helper": configs[how]})
        question = await question_of(partner, watcher, "helper")
        assert "another by now" not in question.sentence
        tool(program, second)
        with pytest.raises(UsageError, match="not what was shown"):
            await partner.servers.allow("helper", shown_hash=question.shown_hash)
        tool(program, first)
        await until(partner, watcher, lambda: helper_asks(partner))
        await partner.servers.restart("helper")
        await until(partner, watcher, lambda: helper_asks(partner))
        await partner.servers.allow("helper", shown_hash=question.shown_hash)
        await until(partner, watcher, first.exists)
        tool(program, second)
        await partner.servers.restart("helper")
        changed = await question_of(partner, watcher, "helper")
        assert "is another by now" in changed.sentence
        assert changed.shown_hash != question.shown_hash
        assert not second.exists()


def helper_asks(partner: Partner) -> bool:
    found = status(partner, "helper")
    return found is not None and found.question is not None


async def test_another_program_that_the_search_path_finds_asks_anew_and_data_does_not(
    home: Home, action_dir: Path, tmp_path: Path
) -> None:
    first, second = tmp_path / "first ran", tmp_path / "second ran"
    near, far, data = tmp_path / "near", tmp_path / "far", tmp_path / "notes.txt"
    near.mkdir()
    tool(far / "helper-tool", first)
    data.write_text("one")
    env = {"PATH": f"{near}:{far}:${{PATH}}"}
    config = {"command": "helper-tool", "args": ["--file", str(data)], "env": env}
    async with opened(home, action_dir) as (partner, watcher):
        write(action_dir, "helper.json", {"helper": config})
        await allow(partner, watcher, "helper")
        await until(partner, watcher, first.exists)
        data.write_text("another")
        first.unlink()
        await partner.servers.restart("helper")
        await until(partner, watcher, first.exists)
        tool(near / "helper-tool", second)
        await partner.servers.restart("helper")
        assert "is another by now" in (await question_of(partner, watcher, "helper")).sentence
        assert not second.exists()
