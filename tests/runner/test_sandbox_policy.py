"""How scripts are held follows the settings, and what the settings cannot mean opens nothing."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from partner_desktop.action.settings import ActionSettings
from partner_desktop.app import Partner
from partner_desktop.base.errors import ConfigError, UsageError
from partner_desktop.base.paths import Home
from partner_desktop.commands.doctor import examine
from partner_desktop.config.settings_file import SettingsFile
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import AbilitiesEvent, NoticeEvent, ProposalEvent
from partner_desktop.permission.request import ApprovalMode
from tests.support import Watcher

pytestmark = pytest.mark.integration

LOOK = """\
# /// partner
# description = "Look at the birds"
# annotations = { destructiveHint = false }
# %s
# ///
import json, os, resource, sys
from pathlib import Path
found = {}
for place in %r:
    try:
        found[place] = sorted(os.listdir(place)) if Path(place).is_dir() else Path(place).read_text()
    except OSError as error:
        found[place] = type(error).__name__
found["files"] = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
print(json.dumps(found))
"""


async def looked(
    partner: Partner, watcher: Watcher, action_dir: Path, *places: Path, declared: str = ""
) -> tuple[ActionRecord, dict[str, object]]:
    """What a script sees of some places, run after a yes on its card."""
    script = action_dir / "dynamic" / "look.py"
    script.write_text(LOOK % (declared, [str(place) for place in places]))
    await watcher.until(lambda event: isinstance(event, AbilitiesEvent))
    await partner.messages.send("look at the birds", conversation_id=None)
    event = await watcher.until(lambda event: isinstance(event, ProposalEvent))
    assert isinstance(event, ProposalEvent)
    await watcher.done()
    watcher.events.clear()
    await partner.actions.approve(event.action.id, scope="once")
    await watcher.done(event.action.exchange_id)
    watcher.events.clear()
    ended = await partner.actions.get(event.action.id)
    return ended, json.loads(ended.stdout) if ended.stdout else {}


@pytest.fixture
def toolchain(tmp_path: Path) -> Path:
    folder = (tmp_path / "toolchain").resolve()
    folder.mkdir()
    (folder / "table.txt").write_text("17")
    return folder


def needs(partner: Partner) -> None:
    if not partner.sandbox.available:
        pytest.skip(partner.sandbox.reason)


@pytest.mark.promise("actions.sandbox")
async def test_the_settings_decide_what_a_script_may_read_and_use_without_a_restart(
    partner: Partner, watcher: Watcher, action_dir: Path, toolchain: Path
) -> None:
    needs(partner)
    _, found = await looked(partner, watcher, action_dir, toolchain)
    assert (found[str(toolchain)], found["files"]) == ("FileNotFoundError", 1024)

    await partner.config.set("action", ("sandbox", "read_paths"), [str(toolchain)])
    await partner.config.set("action", ("sandbox", "open_files"), 64)
    (action_dir / "dynamic" / "look.py").unlink()
    await watcher.until(lambda event: isinstance(event, AbilitiesEvent))
    watcher.events.clear()
    _, found = await looked(partner, watcher, action_dir, toolchain)
    assert (found[str(toolchain)], found["files"]) == (["table.txt"], 64)


@pytest.mark.promise("actions.sandbox")
async def test_paths_that_are_never_opened_to_every_script_are_refused_with_a_sentence(
    partner: Partner, home: Home, user_home: Path, toolchain: Path
) -> None:
    needs(partner)
    link = toolchain.parent / "link"
    link.symlink_to(toolchain)
    refused = {
        "/": "the whole disk",
        "~": "your whole home folder",
        str(user_home.parent): "your whole home folder",
        "/proc/1": "belongs to the kernel",
        "tools": "not a whole path",
        str(home.root.resolve()): "Partner's own data",
        str(home.database.resolve()): "Partner's own data",
        str(link): "is a link",
        str(link / "table.txt"): "lies behind one",
        str(toolchain / "missing"): "is not there",
    }
    for path, why in refused.items():
        with pytest.raises(ConfigError, match=why):
            await partner.config.set("action", ("sandbox", "read_paths"), [path])
        assert partner._parts.actions.policy.current.shared_paths == ()


async def test_a_path_that_became_a_link_stays_closed_and_the_start_says_so(
    home: Home, action_dir: Path, toolchain: Path
) -> None:
    moved = toolchain.with_name("moved")
    home.config.mkdir(parents=True)
    (home.config / "action.toml").write_text(
        f'[sandbox]\nread_paths = ["{toolchain}", "{toolchain.parent / "gone"}"]\nprocesses = 77\n'
    )
    toolchain.rename(moved)
    toolchain.symlink_to(moved)
    partner, watcher = Partner(home, action_dir, meaning=False), Watcher()
    await partner.launch()
    try:
        needs(partner)
        partner.subscribe(watcher)
        told = [event.text for event in partner.start_notices() if isinstance(event, NoticeEvent)]
        assert any("toolchain is a link" in text for text in told), told
        assert any("gone is not there" in text for text in told), told
        policy = partner._parts.actions.policy.current
        assert (policy.shared_paths, policy.limits.processes) == ((), 77)
        _, found = await looked(partner, watcher, action_dir, moved, toolchain)
        assert {found[str(moved)], found[str(toolchain)]} == {"FileNotFoundError"}
    finally:
        await partner.close()


async def test_an_unknown_provider_is_a_config_problem_and_the_sandbox_stays(
    home: Home, action_dir: Path
) -> None:
    home.config.mkdir(parents=True)
    (home.config / "action.toml").write_text('[sandbox]\nprovider = "direct"\n')
    partner = Partner(home, action_dir, meaning=False)
    await partner.launch()
    try:
        needs(partner)
        told = [event.text for event in partner.start_notices() if isinstance(event, NoticeEvent)]
        assert any('provider must be one of "bwrap", "none"' in text for text in told), told
        assert partner._parts.actions.policy.current.sandbox is not None
    finally:
        await partner.close()


@pytest.mark.promise("actions.sandbox.failclosed")
async def test_switched_off_in_the_settings_every_run_needs_a_yes_that_knows_it(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    needs(partner)
    ended, _ = await looked(partner, watcher, action_dir)
    assert ended.isolation is not None
    assert ended.isolation.sandboxed
    await partner.messages.send("look at the birds", conversation_id=None)
    event = await watcher.until(lambda event: isinstance(event, ProposalEvent))
    assert isinstance(event, ProposalEvent)
    await watcher.done()

    await partner.config.set("action", ("sandbox", "provider"), "none")
    assert not partner.sandbox.available
    with pytest.raises(UsageError, match="what holds it"):
        await partner.actions.approve(event.action.id, scope="once")
    renewed = (await partner.actions.get(event.action.id)).isolation
    assert renewed is not None
    assert (renewed.sandboxed, "switched off" in renewed.reason) == (False, True)
    await partner.config.set("action", ("sandbox", "provider"), "bwrap")
    assert partner.sandbox.available


@pytest.fixture
async def bare(home: Home, action_dir: Path, tmp_path: Path) -> AsyncIterator[tuple[Partner, Watcher]]:
    """A Partner that was granted a script for good in the sandbox, started again where there is no bwrap."""
    first, watcher = Partner(home, action_dir, meaning=False), Watcher()
    first.subscribe(watcher)
    await first.launch()
    try:
        needs(first)
        (action_dir / "dynamic" / "look.py").write_text(LOOK % ("", []))
        await watcher.until(lambda event: isinstance(event, AbilitiesEvent))
        await first.messages.send("look at the birds", conversation_id=None)
        event = await watcher.until(lambda event: isinstance(event, ProposalEvent))
        assert isinstance(event, ProposalEvent)
        await watcher.done()
        watcher.events.clear()
        await first.actions.approve(event.action.id, scope="always")
        await watcher.done(event.action.exchange_id)
    finally:
        await first.close()
    empty = tmp_path / "empty"
    empty.mkdir()
    path, os.environ["PATH"] = os.environ["PATH"], str(empty)
    second, watcher = Partner(home, action_dir, meaning=False), Watcher()
    second.subscribe(watcher)
    try:
        await second.launch()
        yield second, watcher
    finally:
        os.environ["PATH"] = path
        await second.close()


@pytest.mark.unheld
@pytest.mark.promise("actions.sandbox.failclosed")
async def test_without_bubblewrap_nothing_runs_but_what_was_approved_as_it_is(
    bare: tuple[Partner, Watcher],
) -> None:
    partner, watcher = bare
    assert "bubblewrap is not installed" in partner.sandbox.reason

    # The grant for good was one for the sandbox: it asks again, and the card says why.
    await partner.messages.send("look at the birds", conversation_id=None)
    event = await watcher.until(lambda event: isinstance(event, ProposalEvent))
    assert isinstance(event, ProposalEvent)
    await watcher.done()
    card = await partner.actions.get(event.action.id)
    assert card.status is ActionStatus.WAITING
    assert card.isolation is not None
    assert card.isolation.reason == partner.sandbox.reason

    # "Approve all" of a command is no such yes.
    for standing in (ApprovalMode.ALL, ApprovalMode.GRANTED, ApprovalMode.NEVER):
        watcher.events.clear()
        await partner.messages.send("look at the birds", conversation_id=None, standing=standing)
        await watcher.done()
        listed = await partner.actions.list()
        assert sum(action.status is ActionStatus.SUCCEEDED for action in listed) == 1  # the one that was held
        newest = max(listed, key=lambda action: action.created_at)
        assert newest.status is ActionStatus.REJECTED, newest

    # The person's own yes on the card is.
    watcher.events.clear()
    await partner.actions.approve(card.id, scope="once")
    await watcher.done(card.exchange_id)
    assert (await partner.actions.get(card.id)).status is ActionStatus.SUCCEEDED


@pytest.mark.parametrize(
    ("declared", "why"),
    [
        ('permissions = { read = ["/"] }', "whole file system"),
        ('permissions = { write = ["%s"] }', "own data"),
    ],
)
async def test_what_a_description_declares_is_refused_where_it_goes_too_far(
    partner: Partner, watcher: Watcher, action_dir: Path, home: Home, declared: str, why: str
) -> None:
    needs(partner)
    declared = declared.replace("%s", str(home.root))
    (action_dir / "dynamic" / "look.py").write_text(LOOK % (declared, []))
    await watcher.until(lambda event: isinstance(event, AbilitiesEvent))
    await partner.messages.send("look at the birds", conversation_id=None)
    await watcher.done()
    newest = max(await partner.actions.list(), key=lambda action: action.created_at)
    assert newest.status is ActionStatus.REJECTED
    assert why in newest.error


async def test_links_and_missing_paths_in_a_description_open_only_what_the_card_shows(
    partner: Partner, watcher: Watcher, action_dir: Path, user_home: Path, toolchain: Path
) -> None:
    needs(partner)
    (user_home / "diary.txt").write_text("private")
    (user_home / "link").symlink_to(toolchain)
    declared = 'permissions = { read = ["~/link", "~/missing"] }'
    ended, found = await looked(
        partner,
        watcher,
        action_dir,
        toolchain,
        user_home / "link",
        user_home / "diary.txt",
        declared=declared,
    )
    assert [use.path for use in ended.paths] == [str(toolchain), str((user_home / "missing").resolve())]
    assert found[str(toolchain)] == ["table.txt"]
    assert {found[str(user_home / "link")], found[str(user_home / "diary.txt")]} == {"FileNotFoundError"}


async def test_the_doctor_says_what_holds_scripts_and_within_which_limits(
    home: Home, action_dir: Path, toolchain: Path
) -> None:
    home.config.mkdir(parents=True)
    path = home.config / "action.toml"
    path.write_text(f'[sandbox]\nmemory_mb = 300\nread_paths = ["{toolchain}/gone"]\n')
    assert SettingsFile(path, ActionSettings, ActionSettings()).look().settings is not None
    said = [finding for finding in await examine(home, action_dir) if finding.name == "sandbox"]
    if said[0].state == "ok":
        assert "300 MiB of memory, 256 processes" in said[0].detail
    assert said[1].state == "missing"
    assert "gone is not there" in said[1].detail
    path.write_text('[sandbox]\nprovider = "none"\n')
    (off,) = (finding for finding in await examine(home, action_dir) if finding.name == "sandbox")
    assert off.state == "note"
    assert "switched off" in off.detail
