"""What an approved run may touch was on its card: an emptied path is not a way around it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import ProposalEvent, ResultEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.run_facts import PathUse, Risk
from tests.support import Watcher

from .listing import put

# Whole stories, with processes or windows of their own: for the whole gate.
pytestmark = pytest.mark.integration

TIDY = """\
# /// partner
# description = "Frobnicate a folder"
# aliases = ["frobnicate"]
# [params.folder]
# type = ["string", "null"]
# format = "path"
# access = "write"
# default = "~/Documents"
# description = "the folder"
# ///
import json, sys
print(json.dumps(sys.argv[1:]))
"""


@pytest.mark.parametrize("params", [{"folder": ""}, {"folder": None}, {}])
async def test_a_path_that_was_emptied_shows_its_default_before_that_is_written_to(
    partner: Partner, watcher: Watcher, action_dir: Path, user_home: Path, params: JsonObject
) -> None:
    for name in ("Documents", "A"):
        (user_home / name).mkdir()
    await put(watcher, action_dir / "dynamic" / "frob.py", TIDY, "local::frob")
    await partner.messages.send("frobnicate ~/A", conversation_id=None)
    card = await watcher.until(lambda event: isinstance(event, ProposalEvent))
    assert isinstance(card, ProposalEvent)
    assert [use.path for use in card.action.paths] == [str(user_home / "A")]
    watcher.events.clear()
    with pytest.raises(UsageError, match="The card shows it anew"):
        await partner.actions.approve(card.action.id, scope="once", params=params)
    shown = await partner.actions.get(card.action.id)
    documents = str(user_home / "Documents")
    assert shown.status is ActionStatus.WAITING
    assert shown.paths == (PathUse(param="folder", path=documents, access="write"),)
    assert any(isinstance(event, ProposalEvent) and event.action == shown for event in watcher.events)
    await partner.actions.approve(card.action.id, scope="once", params=params)
    ended = await watcher.until(lambda event: isinstance(event, ResultEvent))
    assert isinstance(ended, ResultEvent)
    assert documents in json.loads(ended.action.stdout)[0]


async def test_a_path_that_was_edited_runs_with_what_was_given(
    partner: Partner, watcher: Watcher, action_dir: Path, user_home: Path
) -> None:
    for name in ("A", "B"):
        (user_home / name).mkdir()
    await put(watcher, action_dir / "dynamic" / "frob.py", TIDY, "local::frob")
    await partner.messages.send("frobnicate ~/A", conversation_id=None)
    card = await watcher.until(lambda event: isinstance(event, ProposalEvent))
    assert isinstance(card, ProposalEvent)
    await partner.actions.approve(card.action.id, scope="once", params={"folder": "~/B"})
    ended = await watcher.until(lambda event: isinstance(event, ResultEvent))
    assert isinstance(ended, ResultEvent)
    assert [use.path for use in ended.action.paths] == [str(user_home / "B")]


@pytest.mark.parametrize(
    ("permissions", "risk"), [("{}", Risk.READ), ("{ net = true }", Risk.WRITE)], ids=["held", "net"]
)
async def test_what_may_use_the_network_does_more_than_look(
    partner: Partner, watcher: Watcher, action_dir: Path, permissions: str, risk: Risk
) -> None:
    script = '# /// partner\n# description = "Frobnicate"\n# params = {}\n'
    script += f"# permissions = {permissions}\n# ///\n"
    await put(watcher, action_dir / "dynamic" / "frob.py", script, "local::frob")
    await partner.messages.send("frobnicate", conversation_id=None)
    card = await watcher.until(lambda event: isinstance(event, ProposalEvent))
    assert isinstance(card, ProposalEvent)
    assert card.action.risk is risk


@pytest.mark.parametrize(("place", "grantable"), [("A", True), (".ssh", False)])
async def test_a_card_offers_no_yes_for_good_to_what_may_hold_secrets(
    partner: Partner, watcher: Watcher, action_dir: Path, user_home: Path, place: str, grantable: bool
) -> None:
    (user_home / place).mkdir()
    await put(watcher, action_dir / "dynamic" / "frob.py", TIDY, "local::frob")
    await partner.messages.send(f"frobnicate ~/{place}", conversation_id=None)
    card = await watcher.until(lambda event: isinstance(event, ProposalEvent))
    assert isinstance(card, ProposalEvent)
    assert card.action.grantable is grantable
