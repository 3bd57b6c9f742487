"""Places that may hold secrets: known by their path, and asked about whatever was granted."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest

from partner_desktop.base.clock import SystemClock
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import Isolation, PathUse, Risk
from partner_desktop.domain.meta_action import Route
from partner_desktop.permission.audit import AuditLog
from partner_desktop.permission.engine import PermissionEngine
from partner_desktop.permission.grants import GrantStore
from partner_desktop.permission.request import Outcome, PermissionRequest, StandingAnswer
from partner_desktop.permission.sensitive import is_sensitive_place
from partner_desktop.storage.database import Database

KEY = PathUse(param="file", path="/home/user/.ssh/id_ed25519", access="read")

READ = PermissionRequest(
    action_id="a1",
    action_key="builtin::files::read",
    route=Route.BUILTIN,
    content_hash="hash-1",
    params={"file": KEY.path},
    risk=Risk.READ,
    isolation=Isolation(sandboxed=False, net=False, summary="built in · only looks"),
    paths=(KEY,),
)


@pytest.fixture
async def engine(home: Home) -> AsyncIterator[PermissionEngine]:
    home.prepare()
    database = Database(home.database, backups=home.backups, clock=SystemClock())
    await database.launch()
    audit = AuditLog(database, clock=SystemClock())
    yield PermissionEngine(GrantStore(database, clock=SystemClock()), audit, home=home)
    await database.shutdown()


@pytest.mark.parametrize(
    "path",
    [
        "/home/user/.ssh",
        "/home/user/.ssh/config",
        "/media/backup/home/user/.SSH/known_hosts",
        "/home/user/.gnupg/pubring.kbx",
        "/home/user/.local/share/keyrings/login.keyring",
        "/home/user/.mozilla/firefox/x.default/logins.json",
        "/home/user/.config/google-chrome/Default/Cookies",
        "/Users/ada/Library/Keychains/login.keychain-db",
        "/Users/ada/Library/Application Support/Google/Chrome/Default/Cookies",
        "/home/user/project/.env",
        "/home/user/project/.env.production",
        "/home/user/.netrc",
        "/home/user/.bash_history",
        "/home/user/.aws/credentials",
        "/home/user/work/server.pem",
        "/home/user/passwords.kdbx",
        "/home/user/.config/git/credentials",
        "/home/user/.config/Claude/claude_desktop_config.json",
        "/home/user/.claude.json",
        "/home/user/Maildir/cur/1",
        "/home/user/.config/Signal/config.json",
        "/home/user/project/secrets.yaml",
        "/home/user/work/service-account.json",
        "/var/mail/ada",
        "/run/secrets/token",
        "/etc/shadow",
        "/proc/self/environ",
    ],
)
def test_a_place_of_secrets_is_known(path: str) -> None:
    assert is_sensitive_place(PurePosixPath(path))


@pytest.mark.parametrize(
    "path",
    [
        "/home/user/notes.txt",
        "/home/user/environment.txt",
        "/home/user/project/.env.example",
        "/home/user/.ssh-notes.md",
        "/home/user/Documents/keyrings.md",
        "/etc/hostname",
        "/home/user/ssh/config",
        "/home/user/.config/editor/settings.json",
    ],
)
def test_an_ordinary_place_is_none(path: str) -> None:
    assert not is_sensitive_place(PurePosixPath(path))


async def test_a_read_of_secrets_asks_though_it_only_reads(engine: PermissionEngine) -> None:
    assert (await engine.decide(READ, standing=StandingAnswer.ASK)).outcome is Outcome.ASK
    harmless = replace(READ, paths=(replace(KEY, path="/home/user/notes.txt"),))
    assert (await engine.decide(harmless, standing=StandingAnswer.ASK)).outcome is Outcome.ALLOW


async def test_what_only_reads_but_reaches_beyond_files_asks(engine: PermissionEngine) -> None:
    request = replace(READ, paths=(), outward=True)
    assert (await engine.decide(request, standing=StandingAnswer.ASK)).outcome is Outcome.ASK


async def test_a_grant_for_good_does_not_cover_secrets(engine: PermissionEngine) -> None:
    script = replace(READ, action_key="local::count", route=Route.MCP, paths=())
    await engine.approve(script, scope="always")
    assert (await engine.decide(script, standing=StandingAnswer.ASK)).outcome is Outcome.ALLOW
    assert (await engine.decide(replace(script, paths=(KEY,)), standing=StandingAnswer.ASK)).outcome is (
        Outcome.ASK
    )


@pytest.mark.parametrize("folder", ["", ".config", ".local/share", "..", "../.."])
async def test_a_folder_that_is_given_whole_is_asked_about_where_secrets_lie_in_it(
    engine: PermissionEngine, user_home: Path, folder: str
) -> None:
    place = PathUse("folder", str((user_home / folder).resolve()), "read")
    script = replace(READ, action_key="local::count", route=Route.MCP, paths=())
    await engine.approve(script, scope="always")
    asked = await engine.decide(replace(script, paths=(place,)), standing=StandingAnswer.ASK)
    assert asked.outcome is Outcome.ASK
    notes = replace(place, path=str(user_home / "notes"))
    allowed = await engine.decide(replace(script, paths=(notes,)), standing=StandingAnswer.ASK)
    assert allowed.outcome is Outcome.ALLOW
    looked_at = await engine.decide(replace(READ, paths=(place,)), standing=StandingAnswer.ASK)
    assert looked_at.outcome is Outcome.ALLOW, "what is built in leaves the secrets in it alone"


async def test_what_a_script_declares_for_every_run_is_covered_by_its_grant(
    engine: PermissionEngine,
) -> None:
    script = replace(READ, action_key="local::count", route=Route.MCP, paths=(replace(KEY, param=""),))
    await engine.approve(script, scope="always")
    assert (await engine.decide(script, standing=StandingAnswer.ASK)).outcome is Outcome.ALLOW


async def test_a_program_is_refused_and_told_why(engine: PermissionEngine) -> None:
    decision = await engine.decide(READ, standing=StandingAnswer.GRANTED)
    assert decision.outcome is Outcome.DENY
    assert "/home/user/.ssh/id_ed25519 may hold secrets" in decision.reason
