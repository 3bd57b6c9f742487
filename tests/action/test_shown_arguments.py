"""A yes is to the arguments that the card showed: no others are taken, passed on, or put in their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import AskHumanError, UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import ProposalEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.permission.request import ApprovalMode
from tests.support import Watcher

from .listing import put

pytestmark = [pytest.mark.promise("actions.card.complete"), pytest.mark.integration]

NOTES = """\
# /// partner
# description = "Archive my notes"
# [params.name]
# type = "string"
# ///
import sys
print(sys.argv[1:])
"""
BARE = "import sys\nprint(sys.argv[1:])\n"


async def run(partner: Partner, key: str, params: JsonObject) -> None:
    """By its key, as a foreign MCP client and a command do."""
    await partner.abilities.run(key, params, cwd="", standing=ApprovalMode.ASK, exchange_id=new_id())


async def proposed(partner: Partner, watcher: Watcher, key: str, params: JsonObject) -> ActionRecord:
    """The card that a run by its key puts there."""
    watcher.events.clear()
    await run(partner, key, params)
    event = await watcher.until(lambda event: isinstance(event, ProposalEvent))
    assert isinstance(event, ProposalEvent)
    return event.action


@pytest.mark.parametrize(
    ("script", "params", "said"),
    [
        (
            NOTES,
            {"name": "notes", "checkpoint-action": "exec=sh /tmp/evil"},
            "has no parameter `checkpoint-action`",
        ),
        (
            NOTES,
            {"name": "notes", "nam\u202ee": "x"},
            "no parameter `nam⟨U+202E⟩e`; the nearest that it has is `name`",
        ),
        (
            BARE,
            {"args": "-v", "checkpoint": "1"},
            "no parameter `checkpoint`; the nearest that it has is `args`",
        ),
    ],
)
async def test_an_argument_that_the_ability_does_not_have_is_refused_with_the_nearest_that_it_has(
    partner: Partner, watcher: Watcher, action_dir: Path, script: str, params: JsonObject, said: str
) -> None:
    await put(watcher, action_dir / "dynamic" / "archive.py", script, "local::archive")
    for _ in range(2):  # and once more, as by Run again
        with pytest.raises(AskHumanError) as refused:
            await run(partner, "local::archive", params)
        assert said in str(refused.value)
    first = (await partner.actions.list())[-1]
    assert first.status is ActionStatus.FAILED
    with pytest.raises(AskHumanError):
        await partner.actions.run_again(first.id)
    assert not any(isinstance(event, ProposalEvent) for event in watcher.events)


@pytest.mark.parametrize(
    "params",
    [{"name": "x" * 300_000}, {"name": "notes"} | {f"more_{number}": "x" for number in range(200)}],
    ids=["a text of 300 kB", "201 names"],
)
async def test_what_nobody_can_look_through_is_refused_at_once(
    partner: Partner, watcher: Watcher, action_dir: Path, params: JsonObject
) -> None:
    await put(watcher, action_dir / "dynamic" / "archive.py", NOTES, "local::archive")
    with pytest.raises(
        AskHumanError, match="more than anybody can look through: at most 200 parameters, 256"
    ):
        await run(partner, "local::archive", params)
    assert not any(isinstance(event, ProposalEvent) for event in watcher.events)


async def test_a_yes_with_an_argument_that_nobody_described_runs_nothing(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await put(watcher, action_dir / "dynamic" / "archive.py", NOTES, "local::archive")
    card = await proposed(partner, watcher, "local::archive", {"name": "notes"})
    with pytest.raises(UsageError, match="has no parameter `checkpoint`"):
        await partner.actions.approve(card.id, scope="once", params={"name": "notes", "checkpoint": "1"})
    assert (await partner.actions.get(card.id)).status is ActionStatus.WAITING


@pytest.mark.parametrize("written", ["{path}", "file://{path}"])
async def test_what_is_to_be_opened_is_what_the_card_showed_or_it_is_asked_again(
    partner: Partner, watcher: Watcher, user_home: Path, written: str
) -> None:
    invoice, payload = user_home / "invoice.pdf", user_home / "payload.desktop"
    invoice.write_text("pay")
    payload.write_text("[Desktop Entry]")
    card = await proposed(partner, watcher, "builtin::open", {"target": written.format(path=invoice)})
    assert [(use.path, use.access) for use in card.paths] == [(str(invoice), "read")]
    invoice.unlink()
    invoice.symlink_to(payload)
    with pytest.raises(UsageError, match="The card shows it anew"):
        await partner.actions.approve(card.id, scope="once")
    now = await partner.actions.get(card.id)
    assert now.status is ActionStatus.WAITING
    assert now.params == {"target": str(payload)}


async def test_a_click_on_a_card_that_was_changed_underneath_runs_nothing_and_shows_it_anew(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await put(watcher, action_dir / "dynamic" / "archive.py", NOTES, "local::archive")
    card = await proposed(partner, watcher, "local::archive", {"name": "notes"})
    await put(watcher, action_dir / "dynamic" / "archive.py", NOTES + "# edited\n", "local::archive")
    with pytest.raises(UsageError, match="The card shows the new version now"):
        await partner.actions.approve(card.id, scope="once", shown=card)
    changed = await partner.actions.get(card.id)
    watcher.events.clear()
    with pytest.raises(UsageError, match="was changed meanwhile; look at its card again"):
        await partner.actions.approve(card.id, scope="once", shown=card)
    event = await watcher.until(lambda event: isinstance(event, ProposalEvent))
    assert isinstance(event, ProposalEvent)
    assert event.action == changed
    await partner.actions.approve(card.id, scope="once", shown=changed)


async def test_the_source_of_a_folder_shows_what_lies_beside_its_script_and_every_sign(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    folder = action_dir / "dynamic" / "archive"
    (folder / "lib").mkdir(parents=True)
    (folder / "lib" / "helper.py").write_text("print('payload')  # \u202eevil\n")
    (folder / "table.csv").write_text("a,b\n")
    (folder / "tool.json").write_text("#!/bin/sh\necho not data\n")
    (folder / "desc.json").write_text('{"description": "Archive my notes", "params": {"name": "the name"}}')
    await put(watcher, folder / "run.py", "x = 1\n" * 20_000, "local::archive")
    card = await proposed(partner, watcher, "local::archive", {"name": "notes"})
    said = await partner.abilities.source(card.id)
    assert said.startswith("── run.py (117.2 KiB) ──")
    assert "53.2 KiB more of it are not shown here" in said
    assert "print('payload')  # ⟨U+202E⟩evil" in said
    assert "echo not data" in said
    assert "table.csv (4 B)" in said
