"""Backup and restore: a round trip, files that lie, and a crash at every step."""

from __future__ import annotations

import asyncio
import hashlib
import importlib
import json
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import BackupError, UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.backup import BackupReport
from partner_desktop.domain.events import NoticeEvent
from partner_desktop.domain.mcp_server import ServerPhase
from partner_desktop.domain.permission import Mode
from partner_desktop.runtime.host import HostLock
from partner_desktop.storage.restore import restore
from tests.action.mcp.serving import until, until_phase
from tests.support import REPOSITORY, UPPER_SCRIPT, HastyClock, Watcher, run_cli_arguments

# A whole story of its own: it belongs to the whole gate.
pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("quick_starts")]

NOW = datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC)

_CRASHING = """
import os, signal, sys
from datetime import datetime, UTC
from pathlib import Path
from partner_desktop.base.paths import Home
from partner_desktop.storage.restore import restore

left = int(sys.argv[3])
def step(name):
    global left
    left -= 1
    if left == 0:
        print(name, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
restore(Home(Path(sys.argv[1])), Path(sys.argv[2]), now=datetime.now(UTC), step=step)
"""


@pytest.fixture
def own_actions(home: Home) -> Path:
    """The home's own abilities."""
    folder = home.root / "action" / "dynamic"
    folder.mkdir(parents=True)
    (folder / "upper.py").write_text(UPPER_SCRIPT)
    return home.root / "action"


async def say(home: Home, actions: Path, text: str, *, backup: Path | None = None) -> None:
    """One message, answered; then a backup while Partner runs."""
    partner, watcher = Partner(home, actions, meaning=False, quiet_clock=HastyClock()), Watcher()
    partner.subscribe(watcher)
    await partner.launch()
    try:
        message = await partner.messages.send(text, conversation_id=None)
        await watcher.done()
        assert message.text == text
        if backup is not None:
            await partner.backup.write(backup)
    finally:
        await partner.close()


async def said(home: Home) -> list[str]:
    partner = Partner(home, home.root / "action", meaning=False, quiet_clock=HastyClock())
    await partner.launch()
    try:
        return [conversation.title for conversation in await partner.conversations.list()]
    finally:
        await partner.close()


@pytest.fixture
async def backup(home: Home, own_actions: Path, tmp_path: Path) -> Path:
    """A backup of a home in which something was said, and which changed since."""
    home.config.mkdir()
    (home.config / "runtime.toml").write_text("debounce_window_ms = 250\n")
    target = tmp_path / "saved.zip"
    await say(home, own_actions, "before", backup=target)
    await say(home, own_actions, "after")
    (home.config / "runtime.toml").write_text("debounce_window_ms = 1\n")
    (home.config / "later.toml").write_text("x = 1\n")
    (own_actions / "dynamic" / "upper.py").unlink()
    return target


def state(home: Home) -> dict[str, str]:
    """The settings and abilities of a home, by name."""
    files = [*home.config.glob("*"), *(home.root / "action").rglob("*.py")]
    return {str(path.relative_to(home.root)): path.read_text() for path in files}


async def test_a_backup_brings_everything_back_as_it_was(home: Home, backup: Path) -> None:
    report = restore(home, backup, now=NOW)
    restored = state(home)
    assert restored["config/runtime.toml"] == "debounce_window_ms = 250\n"
    assert restored["action/dynamic/upper.py"] == UPPER_SCRIPT
    assert "config/later.toml" not in restored
    assert await said(home) == ["before"]
    assert report.kept is not None
    kept = Home(report.kept)
    assert (kept.config / "later.toml").exists()
    assert await said(kept) == ["after", "before"]
    assert not home.restore_journal.exists()
    assert not home.restore_stage.exists()


async def written(home: Home, actions: Path, target: Path) -> BackupReport:
    """A backup by a Partner of its own."""
    partner = Partner(home, actions, meaning=False, quiet_clock=HastyClock())
    await partner.launch()
    try:
        return await partner.backup.write(target)
    finally:
        await partner.close()


async def test_links_that_are_left_out_are_named(home: Home, own_actions: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.toml").write_text("")
    home.config.mkdir()
    links = [home.config / "perceive.toml", own_actions / "dynamic" / "far", own_actions / "dynamic" / "gone"]
    for link, place in zip(links, (outside / "x.toml", outside, outside / "nothing"), strict=True):
        link.symlink_to(place)
    os.mkfifo(own_actions / "pipe")
    report = await written(home, own_actions, tmp_path / "saved.zip")
    assert sorted(report.left_out) == sorted(map(str, [*links, own_actions / "pipe"]))


def pid_of_the_dead() -> int:
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid


async def test_what_a_killed_backup_left_is_removed_and_nothing_of_the_persons(
    home: Home, own_actions: Path, tmp_path: Path
) -> None:
    ended = pid_of_the_dead()
    gone = [home.root / ".backup-abcd_123", tmp_path / f".saved.zip.{ended}.part"]
    gone[0].mkdir()
    (gone[0] / "partner.db").write_bytes(b"half")
    gone[1].write_bytes(b"PK\x03\x04 half")
    kept = [
        home.root / ".backup-mine",
        home.root / ".backup-12345678" / "photo.jpg",
        tmp_path / f".saved.zip.{os.getppid()}.part",
        tmp_path / f".other.zip.{ended}.part",
    ]
    for path in kept:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"PK")
    others = tmp_path / "others"  # what a link under a name that can be guessed would be written through to
    others.write_bytes(b"theirs")
    (tmp_path / f".saved.zip.{os.getpid()}.part").symlink_to(others)
    await written(home, own_actions, tmp_path / "saved.zip")
    assert others.read_bytes() == b"theirs"
    assert [path for path in gone if path.exists()] == []
    assert [path for path in kept if not path.exists()] == []


def test_the_command_says_what_is_not_in_the_backup(home: Home, own_actions: Path, tmp_path: Path) -> None:
    link = own_actions / "dynamic" / "elsewhere.py"
    link.symlink_to(tmp_path / "far.py")
    done = subprocess.run(
        run_cli_arguments("backup", str(tmp_path / "saved.zip"), "--home", str(home.root)),
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Backed up to" in done.stdout
    assert f"Left out (links and special files are not backed up): {link}.\n" in done.stdout


@pytest.mark.parametrize("name", ["dynamic/secret.py", "dynamic/closed"])
def test_what_cannot_be_read_is_named_and_no_backup_is_written(
    home: Home, own_actions: Path, tmp_path: Path, name: str
) -> None:
    path = own_actions / name
    path.write_text("") if path.suffix else path.mkdir()
    path.chmod(0)
    # Root may read everything, unless it is told that it may not.
    lower = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    if lower and shutil.which("setpriv") is None:
        pytest.skip("root may read everything")
    target = tmp_path / "saved.zip"
    done = subprocess.run(
        [*lower, *run_cli_arguments("backup", str(target), "--home", str(home.root))],
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        check=False,
    )
    path.chmod(0o700)
    assert done.returncode == 1
    assert f"{path} cannot be read (Permission denied)" in done.stderr
    assert [each.name for each in tmp_path.glob("*saved*")] == []


async def test_a_backup_goes_to_a_new_machine(tmp_path: Path, backup: Path) -> None:
    fresh = Home(tmp_path / "fresh")
    fresh.prepare()
    assert restore(fresh, backup, now=NOW).kept is None
    assert await said(fresh) == ["before"]


async def test_a_backup_is_private_whole_and_replaces_nothing_unasked(
    home: Home, own_actions: Path, backup: Path
) -> None:
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    before = backup.read_bytes()
    partner = Partner(home, own_actions, meaning=False, quiet_clock=HastyClock())
    await partner.launch()
    try:
        with pytest.raises(UsageError, match="--force replaces it"):
            await partner.backup.write(backup)
        assert backup.read_bytes() == before
        with pytest.raises(UsageError, match="cannot be a file"):
            await partner.backup.write(backup.parent / "nowhere" / "x.zip")
        await partner.backup.write(backup, force=True)
    finally:
        await partner.close()
    assert backup.read_bytes() != before
    assert [path.name for path in backup.parent.glob("*saved*")] == ["saved.zip"], "nothing half is left"
    assert not list(home.root.glob(".backup-*"))
    names = set(zipfile.ZipFile(backup).namelist())
    settings = {f"config/{path.name}" for path in home.config.glob("*.toml")}
    assert "config/later.toml" in settings
    assert names == {"manifest.json", "partner.db"} | settings


async def test_a_backup_among_the_abilities_does_not_hold_itself(home: Home, own_actions: Path) -> None:
    target = own_actions / "saved.zip"
    partner = Partner(home, own_actions, meaning=False, quiet_clock=HastyClock())
    await partner.launch()
    try:
        for force in (False, True):
            await partner.backup.write(target, force=force)
            names = zipfile.ZipFile(target).namelist()
            assert [name for name in names if "saved" in name] == []
    finally:
        await partner.close()


async def test_abilities_elsewhere_are_neither_saved_nor_replaced(
    home: Home, action_dir: Path, tmp_path: Path
) -> None:
    target = tmp_path / "saved.zip"
    (action_dir / "dynamic" / "upper.py").write_text(UPPER_SCRIPT)
    await say(home, action_dir, "before", backup=target)
    (home.root / "action").mkdir()
    (home.root / "action" / "mine").touch()
    restore(home, target, now=NOW)
    assert (home.root / "action" / "mine").exists()


def rewritten(backup: Path, change: Callable[[dict[str, bytes], dict[str, Any]], None]) -> Path:
    """The same backup with other members or another manifest."""
    with zipfile.ZipFile(backup) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(members.pop("manifest.json"))
    change(members, manifest)
    target = backup.with_name("changed.zip")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
        archive.writestr("manifest.json", json.dumps(manifest))
    return target


def listed(name: str, content: bytes) -> dict[str, Any]:
    return {"name": name, "size_bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def newer(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    del members
    manifest["schema_version"] = 999


def newer_format(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    del members
    manifest["version"] = 2


def changed(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    del manifest
    members["config/runtime.toml"] = b"debounce_window_ms = 999\n"


def not_listed(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    del manifest
    members["config/evil.toml"] = b"x = 1"


def missing(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    del manifest
    del members["config/runtime.toml"]


def leading(name: str) -> Callable[[dict[str, bytes], dict[str, Any]], None]:
    def change(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
        members[name] = b"evil"
        manifest["members"].append(listed(name, b"evil"))

    return change


def bomb(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    content = bytes(300 * 1024 * 1024)
    members["action/zeros"] = content
    manifest["members"].append(listed("action/zeros", content))


def bomb_that_lies(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    members["action/zeros"] = bytes(50 * 1024 * 1024)
    manifest["members"].append(listed("action/zeros", b"0"))


def broken_database(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    members["partner.db"] = b"not a database" * 100
    manifest["members"] = [each for each in manifest["members"] if each["name"] != "partner.db"]
    manifest["members"].append(listed("partner.db", members["partner.db"]))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (newer, "newer Partner"),
        (newer_format, "newer Partner"),
        (changed, "damaged"),
        (not_listed, "does not hold what its manifest lists"),
        (missing, "does not hold what its manifest lists"),
        (leading("../evil"), "lead outside"),
        (leading("/etc/evil"), "lead outside"),
        (leading("action/../../evil"), "lead outside"),
        (leading("config/deep/evil.toml"), "lead outside"),
        (leading("host.lock"), "lead outside"),
        (leading("action\\evil"), "lead outside"),
        (bomb, "far more"),
        (bomb_that_lies, "damaged"),
        (broken_database, "cannot be read"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
async def test_a_backup_that_lies_changes_nothing_and_says_why(
    home: Home, backup: Path, change: Callable[[dict[str, bytes], dict[str, Any]], None], told: str
) -> None:
    before = state(home), home.database.read_bytes()
    with pytest.raises(BackupError, match=told):
        restore(home, rewritten(backup, change), now=NOW)
    assert (state(home), home.database.read_bytes()) == before
    assert not home.restore_stage.exists()
    assert not list(home.root.parent.rglob("evil*"))


async def test_a_link_in_a_backup_is_refused(home: Home, backup: Path) -> None:
    info = zipfile.ZipInfo("action/link")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    target = b"/etc/passwd"
    forged = rewritten(
        backup, lambda members, manifest: manifest["members"].append(listed("action/link", target))
    )
    with zipfile.ZipFile(forged, "a") as archive:
        archive.writestr(info, target)
    with pytest.raises(BackupError, match="lead outside"):
        restore(home, forged, now=NOW)


@pytest.mark.parametrize("content", [b"", b"no zip at all", b"PK\x05\x06" + bytes(18)])
def test_what_is_no_backup_is_named_so(home: Home, tmp_path: Path, content: bytes) -> None:
    home.prepare()
    path = tmp_path / "x.zip"
    path.write_bytes(content)
    with pytest.raises(BackupError, match="is not a backup of Partner's"):
        restore(home, path, now=NOW)
    with pytest.raises(BackupError, match="There is no file"):
        restore(home, tmp_path / "gone.zip", now=NOW)


async def test_half_a_backup_is_refused(home: Home, backup: Path) -> None:
    whole = backup.read_bytes()
    for size in (len(whole) // 2, len(whole) - 1):
        backup.write_bytes(whole[:size])
        with pytest.raises(BackupError):
            restore(home, backup, now=NOW)


def crashed(home: Home, backup: Path, step: int) -> subprocess.CompletedProcess[str]:
    """A restore in a process that dies after its nth step."""
    return subprocess.run(
        [sys.executable, "-c", _CRASHING, str(home.root), str(backup), str(step)],
        cwd=REPOSITORY,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
async def test_a_crash_at_any_step_leaves_the_old_state_or_the_new(
    home: Home, backup: Path, tmp_path: Path
) -> None:
    """Each step in turn is the last thing that a process did; then the next start takes the lock."""
    old, new, steps = state(home), {}, []
    pristine = tmp_path / "pristine"
    shutil.copytree(home.root, pristine)
    for number in range(1, 40):
        shutil.rmtree(home.root)
        shutil.copytree(pristine, home.root)
        died = crashed(home, backup, number)
        lock = HostLock(home, kind="command")
        assert lock.acquire()
        await lock.shutdown()
        found, titles = state(home), await said(home)
        if died.returncode == 0:
            assert titles == ["before"]
            new = found
            break
        assert died.returncode == -signal.SIGKILL, died.stderr
        steps.append((died.stdout.strip(), found, titles))
    assert len(steps) >= 9, [name for name, _, _ in steps]
    counts = [name for name, _, _ in steps].index("journal")
    for index, (name, found, titles) in enumerate(steps):
        expected = (new, ["before"]) if index >= counts else (old, ["after", "before"])
        assert (found, titles) == expected, name


OPENING = """\
mode = "autonomous"

[[rule]]
effect = "allow"
action = "builtin::notify"

[[rule]]
effect = "deny"
action = "builtin::command::*"
"""


def teach(home: Home, conversation_id: str) -> None:
    """What somebody else's words have meant."""
    with closing(sqlite3.connect(home.database)) as db, db:
        db.execute(
            "INSERT INTO intents (id, key, content_hash, threshold, passes, used_at) "
            "VALUES ('i', 'local::wipe', 'h', 0.75, 6, '2026-01-01T00:00:00+00:00')"
        )
        db.execute(
            "INSERT INTO intent_words (intent_id, action_id, conversation_id, exchange_id, words) "
            "VALUES ('i', 'a', ?, 'e', 'tidy up')",
            (conversation_id,),
        )


async def armed(home: Home, actions: Path, target: Path, mark: Path) -> None:
    """A backup that would act: a server's command, a mode, a rule, settings, a grant, a familiar request."""
    importlib.import_module(
        "partner_desktop.runner.mcp.protocol.connection"
    )  # not in the time that is waited
    home.config.mkdir(parents=True)
    (home.config / "permission.toml").write_text(OPENING)
    (home.config / "action.toml").write_text('[sandbox]\nprovider = "none"\n')
    (actions / "mcp").mkdir()
    helper = {"helper": {"command": "/bin/sh", "args": ["-c", f"touch '{mark}'"]}}
    (actions / "mcp" / "helper.json").write_text(json.dumps(helper))
    partner, watcher = Partner(home, actions, meaning=False, quiet_clock=HastyClock()), Watcher()
    partner.subscribe(watcher)
    await partner.launch()
    try:
        question = (await until_phase(partner, watcher, "helper", ServerPhase.WAITING)).question
        assert question is not None
        await partner.servers.allow("helper", shown_hash=question.shown_hash)
        await until(partner, watcher, mark.exists)
        teach(home, (await partner.conversations.create("tidy")).id)
        assert [request.words for request in await partner.familiar.list()] == ["tidy up"]
        await partner.backup.write(target)
    finally:
        await partner.close()
    mark.unlink()


@pytest.mark.promise("actions.mcp.secrets")
async def test_a_backup_of_another_home_starts_nothing_allows_nothing_and_says_so(
    home: Home, own_actions: Path, tmp_path: Path
) -> None:
    target, mark = tmp_path / "saved.zip", tmp_path / "it ran"
    await armed(home, own_actions, target, mark)
    other = Home(tmp_path / "other")
    other.prepare()
    command = run_cli_arguments("--home", str(other.root), "restore", str(target))
    done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=True)
    assert "was made in another home" in done.stdout
    assert "helper.json" in done.stdout

    one = Partner(other, other.root / "action", kind="window", meaning=False)
    await one.launch()
    try:
        await one.servers.settled()
        permissions = await one.permissions.list()
        (server,) = one.servers.list()
        assert await one.familiar.list() == []
    finally:
        await one.close()
    assert permissions.mode is Mode.SMART
    assert [(rule.effect, rule.action) for rule in permissions.rules] == [("deny", "builtin::command::*")]
    assert list(permissions.grants) == []
    assert server.phase is ServerPhase.STOPPED
    assert not mark.exists()
    settings = tomllib.loads((other.config / "action.toml").read_text())
    assert "provider" not in settings.get("sandbox", {})
    notices = [event.text for event in one.start_notices() if isinstance(event, NoticeEvent)]
    assert any("was made in another home" in text for text in notices)
    assert not other.restore_note.exists()


@pytest.mark.promise("actions.mcp.secrets")
async def test_a_backup_of_this_home_brings_its_servers_and_its_mode_back(
    home: Home, own_actions: Path, tmp_path: Path
) -> None:
    target, mark = tmp_path / "saved.zip", tmp_path / "it ran"
    await armed(home, own_actions, target, mark)
    (own_actions / "mcp" / "helper.json").unlink()
    (home.config / "permission.toml").unlink()
    report = restore(home, target, now=NOW)
    assert report.dropped is None
    assert (home.config / "permission.toml").read_text() == OPENING
    partner, watcher = Partner(home, own_actions, meaning=False), Watcher()
    partner.subscribe(watcher)
    await partner.launch()
    try:
        await until(partner, watcher, mark.exists)
    finally:
        await partner.close()


@pytest.mark.promise("actions.mcp.secrets")
async def test_a_backup_whose_manifest_was_signed_and_then_changed_is_another_homes(
    home: Home, own_actions: Path, tmp_path: Path
) -> None:
    target, forged = tmp_path / "saved.zip", tmp_path / "forged.zip"
    await armed(home, own_actions, target, tmp_path / "it ran")
    with zipfile.ZipFile(target) as source, zipfile.ZipFile(forged, "w") as sink:
        manifest = json.loads(source.read("manifest.json"))
        for name in source.namelist():
            data = source.read(name)
            if name.endswith("helper.json"):
                data = data.replace(b"touch", b"rm -f")
                (member,) = (each for each in manifest["members"] if each["name"] == name)
                member |= {"size_bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            if name != "manifest.json":
                sink.writestr(source.getinfo(name), data)
        sink.writestr("manifest.json", json.dumps(manifest))
    report = restore(home, forged, now=NOW)
    assert report.dropped is not None
    assert report.dropped.servers == ("helper.json",)
    assert report.dropped.grants == 1


@pytest.mark.promise("actions.mcp.secrets")
async def test_a_database_of_another_home_with_triggers_of_its_own_is_refused(
    home: Home, own_actions: Path, tmp_path: Path
) -> None:
    (tmp_path / "made").mkdir()
    elsewhere = Home(tmp_path / "made" / "home")
    target = tmp_path / "saved.zip"
    await written(elsewhere, elsewhere.root / "action", tmp_path / "made" / "first.zip")
    with closing(sqlite3.connect(elsewhere.database)) as db:
        db.execute(
            "CREATE TRIGGER mine AFTER INSERT ON messages BEGIN INSERT INTO approvals "
            "(id, action_key, binding, created_at) VALUES (new.id, 'local::upper', 'x', ''); END"
        )
    await written(elsewhere, elsewhere.root / "action", target)
    home.prepare()
    with pytest.raises(BackupError, match="what Partner never put there"):
        restore(home, target, now=NOW)
    assert not home.database.exists()
    assert not home.restore_stage.exists()
    assert own_actions.exists()


@pytest.mark.promise("actions.mcp.secrets")
async def test_a_backup_that_takes_a_plain_secret_along_names_it(
    home: Home, own_actions: Path, tmp_path: Path
) -> None:
    (own_actions / "mcp").mkdir()
    server = {"command": "true", "disabled": True, "env": {"GITHUB_TOKEN": "ghp_0123456789"}}
    (own_actions / "mcp" / "github.json").write_text(json.dumps({"github": server}))
    partner = Partner(home, own_actions, meaning=False)
    await partner.launch()
    try:
        await partner.servers.settled()
        first = await partner.backup.write(tmp_path / "first.zip")
        await partner.servers.move_secrets("github")
        second = await partner.backup.write(tmp_path / "second.zip")
    finally:
        await partner.close()
    assert (first.plain, second.plain) == (("GITHUB_TOKEN of github",), ())
    with zipfile.ZipFile(tmp_path / "second.zip") as archive:
        assert b"ghp_" not in archive.read("action/mcp/github.json")
