"""Try it: a card's script runs once, held tightly, and nothing is decided by that."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import ResultEvent, RunEvent
from partner_desktop.domain.permission import Effect, Rule
from partner_desktop.runner.sandbox import Bubblewrap
from partner_desktop.runner.sandbox_probe import SandboxProbe
from tests.action.listing import by_key, put
from tests.support import UPPER_SCRIPT

from .talking import Person

pytestmark = pytest.mark.integration

CURIOUS = """\
# /// partner
# description = "Look around and report"
# permissions = { net = true }
# [params.folder]
# type = "string"
# format = "path"
# access = "write"
# description = "the folder to look at"
# ///
import os, socket, sys
folder = sys.argv[1].split("=", 1)[1]
open("left.txt", "w").write("here")
print(os.path.exists(folder), [name for _, name in socket.if_nameindex()])
"""


async def test_a_trial_has_no_network_no_path_and_no_consequence(
    home: Home, partner: Partner, action_dir: Path, user_home: Path
) -> None:
    person = await Person.of(partner)
    await put(person.watcher, action_dir / "dynamic" / "look.py", CURIOUS, "local::look")
    (user_home / "papers").mkdir()
    await person.say(f"look around in {user_home / 'papers'} and report")
    card = person.card
    assert card.isolation is not None
    assert card.isolation.net
    before = len(await partner.messages.list(person.conversation_id))
    tried = await partner.actions.try_out(card.id)
    assert tried.stdout.strip() == "False ['lo']", "neither the folder nor the network is there"
    assert tried.sandboxed
    assert tried.stdout_path is None
    assert (await partner.actions.get(card.id)).status is ActionStatus.WAITING
    assert len(await partner.messages.list(person.conversation_id)) == before, "no turn tells of it"
    assert not [event for event in person.watcher.events if isinstance(event, ResultEvent | RunEvent)]
    assert list(home.runs.iterdir()) == [], "its workspace is thrown away"
    told = [
        (entry.kind, entry.outcome, entry.by_whom, entry.scope) for entry in await partner.audit.newest()
    ][-3:]
    assert told == [
        ("decision", "allow", "person", "once"),
        ("run", "started", "", ""),
        ("result", "succeeded", "", ""),
    ]
    assert [entry.reason.partition(" ·")[0] for entry in await partner.audit.newest()][-3:] == [
        "tried out"
    ] * 3


async def test_a_trial_allows_nothing_else(partner: Partner, action_dir: Path) -> None:
    person = await Person.of(partner)
    await put(person.watcher, action_dir / "dynamic" / "upper.py", UPPER_SCRIPT, "local::upper")
    await person.say('shout "one" in capital letters')
    first = person.card
    assert (
        await partner.actions.try_out(first.id, params={"text": "two", "no_param": "x"})
    ).stdout.strip() == "TWO"
    await partner.actions.reject(first.id)
    await person.say('shout "one" in capital letters')
    assert person.card.id != first.id
    assert (await partner.actions.get(person.card.id)).status is ActionStatus.WAITING, "it asks as before"


async def test_what_cannot_be_tried_says_why(partner: Partner, action_dir: Path) -> None:
    person = await Person.of(partner)
    await person.say("run the command date")
    with pytest.raises(UsageError, match="is no script"):
        await partner.actions.try_out(person.card.id)
    await partner.actions.reject(person.card.id)
    with pytest.raises(UsageError, match="already settled"):
        await partner.actions.try_out(person.card.id)
    path = action_dir / "dynamic" / "upper.py"
    await put(person.watcher, path, UPPER_SCRIPT, "local::upper")
    await person.say('shout "one" in capital letters')
    card = person.card
    await put(person.watcher, path, UPPER_SCRIPT + "print(2)\n", "local::upper")
    with pytest.raises(UsageError, match="was edited"):
        await partner.actions.try_out(card.id)


async def test_a_proposed_source_that_was_edited_on_the_card_is_tried_as_edited(partner: Partner) -> None:
    person = await Person.of(partner)
    await person.say("make this an ability\n```sh\necho first\n```")
    assert (await partner.actions.try_out(person.card.id)).stdout.strip() == "first"
    edited = {**person.card.params, "code": "echo second; exit 3"}
    tried = await partner.actions.try_out(person.card.id, params=edited)
    assert (tried.stdout.strip(), tried.ok, tried.exit_code) == ("second", False, 3)
    with pytest.raises(UsageError, match="not valid shell: line 2"):
        await partner.actions.try_out(person.card.id, params={**edited, "code": "if x"})
    assert not [ability for ability in partner.abilities.list() if ability.temporary]


async def test_what_a_rule_denies_by_now_is_not_tried_either(partner: Partner) -> None:
    person = await Person.of(partner)
    await person.say("make this an ability\n```sh\necho first\n```")
    await partner.permissions.save_rule(Rule(Effect.DENY, "builtin::dynamic::*"))
    with pytest.raises(UsageError, match=r"not tried: the rule “deny builtin::dynamic::\*” .* denies it"):
        await partner.actions.try_out(person.card.id)


async def test_without_a_sandbox_nothing_is_tried(
    home: Home, action_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "sh").symlink_to("/bin/sh")
    monkeypatch.setenv("PATH", str(tools))
    partner = Partner(home, action_dir, meaning=False)
    await partner.launch()
    try:
        person = await Person.of(partner)
        (action_dir / "tmp" / "upper.py").write_text(UPPER_SCRIPT)
        await person.watcher.until(lambda _event: any(one.temporary for one in partner.abilities.list()))
        assert by_key(partner, "origin::upper.py").usable
        await person.say('shout "one" in capital letters')
        with pytest.raises(
            UsageError, match="only be tried in a sandbox, and there is none here: bubblewrap is"
        ):
            await partner.actions.try_out(person.card.id)
        seen_before = SandboxProbe("It was there a moment ago.", sandbox=Bubblewrap("bwrap"))
        late = replace(partner._parts.actions.trials, probe=lambda: seen_before)
        with pytest.raises(UsageError, match="there is none here: bubblewrap is"):
            await late.try_out(person.card.id, None)
        assert [entry.kind for entry in await partner.audit.newest()] == []
    finally:
        await partner.close()
