"""What must hold at the worst moment: stops, races, swaps, half characters, files that lie."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import (
    AbilitiesEvent,
    DoneEvent,
    NoticeEvent,
    ProposalEvent,
    ResultEvent,
    RunEvent,
)
from partner_desktop.domain.message import Role
from partner_desktop.permission.request import ApprovalMode
from tests.support import WAIT_S, HastyClock, Watcher

PEEK = """\
# /// partner
# description = "Peek into a text file"
# [params.file]
# type = "string"
# format = "path"
# access = "read"
# ///
import pathlib, sys

# Real Partners, one for each test: the whole gate's business.
pytestmark = pytest.mark.integration
print(pathlib.Path(sys.argv[1].split("=", 1)[1]).read_text())
"""


async def listed(watcher: Watcher) -> None:
    await watcher.until(lambda event: isinstance(event, AbilitiesEvent))
    watcher.events.clear()


async def proposed(partner: Partner, watcher: Watcher, text: str) -> ActionRecord:
    await partner.messages.send(text, conversation_id=None)
    event = await watcher.until(lambda e: isinstance(e, ProposalEvent))
    assert isinstance(event, ProposalEvent)
    await watcher.done()
    watcher.events.clear()
    return event.action


async def test_a_link_in_an_ability_carries_nothing_into_the_sandbox(
    partner: Partner, watcher: Watcher, action_dir: Path, user_home: Path
) -> None:
    (user_home / "secret").write_text("hush")
    folder = action_dir / "dynamic" / "innocent"
    folder.mkdir()
    (folder / "run.py").write_text("print(1)\n")
    (folder / "notes").symlink_to(user_home / "secret")
    (action_dir / "dynamic" / "direct.py").symlink_to(user_home / "secret")
    await watcher.until(
        lambda e: isinstance(e, AbilitiesEvent) and sum(bool(a.fault) for a in partner.abilities.list()) == 2
    )
    found = {a.fault.message for a in partner.abilities.list() if a.fault}
    assert found == {
        "it holds the link notes; put the file itself there",
        "it is a link; put the file itself there",
    }
    kept = (partner.home.root / "cache").rglob("*")
    assert not any(path.is_file() and b"hush" in path.read_bytes() for path in kept)


async def test_a_target_swapped_behind_the_card_is_shown_anew_and_not_read(
    partner: Partner, watcher: Watcher, action_dir: Path, user_home: Path
) -> None:
    (user_home / "docs").mkdir()
    (user_home / "docs" / "f.txt").write_text("harmless")
    (user_home / "private").mkdir()
    (user_home / "private" / "f.txt").write_text("secret")
    (action_dir / "dynamic" / "peek.py").write_text(PEEK)
    await listed(watcher)
    action = await proposed(partner, watcher, "peek into the text file ~/docs/f.txt")
    shutil.rmtree(user_home / "docs")
    (user_home / "docs").symlink_to(user_home / "private")
    with pytest.raises(UsageError, match="has changed since the card was shown"):
        await partner.actions.approve(action.id, scope="once")
    assert not any(isinstance(event, RunEvent) for event in watcher.events)
    shown = (await partner.actions.get(action.id)).paths
    assert [use.path for use in shown] == [str(user_home / "private" / "f.txt")]


async def test_a_card_shown_with_a_sandbox_never_runs_without_one(home: Home, action_dir: Path) -> None:
    (action_dir / "dynamic" / "free.py").write_text(
        '# /// partner\n# description = "Free the birds"\n# ///\n'
    )
    first, watcher = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock()), Watcher()
    first.subscribe(watcher)
    await first.launch()
    if not first.sandbox.available:
        await first.close()
        pytest.skip(first.sandbox.reason)
    action = await proposed(first, watcher, "free the birds")
    await first.close()
    path, os.environ["PATH"] = os.environ["PATH"], "/nowhere"
    second = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    try:
        await second.launch()
        assert not second.sandbox.available
        with pytest.raises(UsageError, match="what holds it"):
            await second.actions.approve(action.id, scope="once")
        renewed = await second.actions.get(action.id)
        assert renewed.status is ActionStatus.WAITING
        assert renewed.isolation is not None
        assert not renewed.isolation.sandboxed
        # A command's "approve all" is no consent to this, the person's own yes on the renewed card is.
        await second.messages.send("free the birds", conversation_id=None, standing=ApprovalMode.ALL)
        assert (await second.actions.get(action.id)).status is ActionStatus.WAITING
    finally:
        os.environ["PATH"] = path
        await second.close()


async def test_half_a_character_in_a_result_is_recorded_like_any_other(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    (action_dir / "dynamic" / "emoji.py").write_text(
        '# /// partner\n# description = "Send a broken smile"\n# ///\nprint(\'{"x": "\\\\ud83d"}\')\n'
    )
    await listed(watcher)
    action = await proposed(partner, watcher, "send a broken smile")
    await partner.actions.approve(action.id, scope="once")
    await watcher.done(action.exchange_id)
    assert (await partner.actions.get(action.id)).status is ActionStatus.SUCCEEDED


@pytest.mark.usefixtures("shout")
async def test_a_yes_and_a_no_at_once_have_one_outcome_everywhere(partner: Partner, watcher: Watcher) -> None:
    for _ in range(10):
        watcher.events.clear()
        action = await proposed(partner, watcher, 'shout "now" in capital letters')
        outcomes = await asyncio.gather(
            partner.actions.approve(action.id, scope="always"),
            partner.actions.reject(action.id),
            return_exceptions=True,
        )
        lost = [outcome for outcome in outcomes if isinstance(outcome, UsageError)]
        assert len(lost) == 1, outcomes
        result = await watcher.until(lambda e: isinstance(e, ResultEvent))
        assert isinstance(result, ResultEvent)
        ran = any(isinstance(event, RunEvent) for event in watcher.events)
        assert ran == (result.action.status is ActionStatus.SUCCEEDED)
        rows = [
            row
            for row in await partner.audit.newest()
            if row.action_id == action.id and row.kind == "decision"
        ]
        assert [row.outcome for row in rows] == ["allow" if ran else "deny"]
        if ran:
            break  # the grant for good would answer the next ones


@pytest.mark.usefixtures("shout")
async def test_a_stop_at_any_moment_leaves_nothing_stuck(partner: Partner, watcher: Watcher) -> None:
    for steps in range(60):
        message = await partner.messages.send(
            'shout "stop" in capital letters', conversation_id=None, standing=ApprovalMode.ALL
        )
        for _ in range(steps):
            await asyncio.sleep(0)
        await partner.conversations.stop(message.conversation_id)
    await watcher.until(lambda e: sum(isinstance(x, DoneEvent) for x in watcher.events) >= 60)
    for action in await partner.actions.list(limit=200):
        if action.status is ActionStatus.RUNNING:
            await partner.actions.cancel(action.id)
            action = await partner.actions.get(action.id)  # noqa: PLW2901
        assert action.status.ended or action.status is ActionStatus.WAITING, action.status
        if action.status is ActionStatus.WAITING:
            messages = await partner.messages.list(action.conversation_id)
            assert any(m.role is Role.ACTION and m.action_id == action.id for m in messages)


@pytest.mark.parametrize("name", ["x" * 300, "loop", "nul\x00.txt"])
async def test_a_path_that_cannot_be_one_is_asked_for_again(
    partner: Partner, watcher: Watcher, action_dir: Path, user_home: Path, name: str
) -> None:
    (user_home / "loop").symlink_to(user_home / "loop")
    (action_dir / "dynamic" / "peek.py").write_text(PEEK)
    await listed(watcher)
    await partner.abilities.run(
        "local::peek", {"file": name}, cwd=str(user_home), standing=ApprovalMode.ALL, exchange_id=""
    )
    await watcher.done()
    (action,) = await partner.actions.list()
    assert (action.status, action.asked_param) == (ActionStatus.ASKING, "file")


@pytest.mark.parametrize(
    "block",
    [
        '{"params": {"type": "object", "properties": {}, "required": true}}',
        '{"params": {"n": {"type": "integer", "default": ' + "9" * 5000 + "}}}",
        '{"params": ' + "[" * 5000 + "]" * 5000 + "}",
    ],
)
async def test_one_malformed_description_never_hides_the_others(
    home: Home, action_dir: Path, block: str
) -> None:
    folder = action_dir / "dynamic" / "bad"
    folder.mkdir()
    (folder / "run.py").write_text("print(1)\n")
    (folder / "desc.json").write_text(block)
    (action_dir / "dynamic" / "good.py").write_text("print(2)\n")
    partner = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    await partner.launch()
    keys = {ability.key for ability in partner.abilities.list() if ability.usable}
    faults = [ability for ability in partner.abilities.list() if ability.fault]
    await partner.close()
    assert "local::good" in keys
    assert len(faults) == 1


async def test_a_damaged_snapshot_is_mended_by_saving_the_script_again(
    partner: Partner, watcher: Watcher, shout: Path
) -> None:
    for path in (partner.home.root / "cache" / "abilities").glob("*/upper.py"):
        path.write_text("print('tampered')\n")
    action = await proposed(partner, watcher, 'shout "mend" in capital letters')
    await partner.actions.approve(action.id, scope="once")
    await watcher.done(action.exchange_id)
    failed = await partner.actions.get(action.id)
    assert failed.status is ActionStatus.FAILED, "what was not approved does not run"
    assert "tampered" not in failed.stdout
    watcher.events.clear()
    (kept,) = (partner.home.root / "cache" / "abilities").glob("*/upper.py")
    shout.write_text(shout.read_text())
    async with asyncio.timeout(WAIT_S):
        while not kept.exists() or "tampered" in kept.read_text():
            await asyncio.to_thread(os.sched_yield)


@pytest.mark.logs_errors
async def test_a_home_that_others_can_write_is_refused_and_its_rights_stay(
    tmp_path: Path, action_dir: Path
) -> None:
    place = tmp_path / "shared"
    place.mkdir()
    place.chmod(0o777)
    partner = Partner(Home(place), action_dir, meaning=False, quiet_clock=HastyClock())
    with pytest.raises(Exception, match="others can write there"):
        await partner.launch()
    assert place.stat().st_mode & 0o777 == 0o777
    await partner.close()


@pytest.mark.logs_errors
async def test_a_database_set_aside_is_told_to_whoever_asks_after_the_start(
    home: Home, action_dir: Path
) -> None:
    home.prepare()
    home.database.write_bytes(b"not a database any more" * 400)
    partner = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    await partner.launch()
    await partner.close()
    (notice,) = [event for event in partner.start_notices() if isinstance(event, NoticeEvent)]
    assert notice.level == "error"
    assert "could not be read" in notice.text
