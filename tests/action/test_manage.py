"""Abilities are switched off and on, described anew and removed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.ability import AbilityDraft
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import AbilitiesEvent, ProposalEvent, ResultEvent
from partner_desktop.permission.request import ApprovalMode
from tests.support import UPPER_SCRIPT, Watcher, unwritable

from .listing import by_key, gone, keys, put, restarted, trash_of

#: Real windows, processes and folders: for the whole gate.
pytestmark = pytest.mark.integration


async def test_an_ability_that_is_off_is_listed_but_neither_found_nor_run(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await put(watcher, action_dir / "dynamic" / "upper.py", UPPER_SCRIPT, "local::upper")
    await partner.abilities.switch("local::upper", on=False)
    assert by_key(partner, "local::upper").off
    assert not by_key(partner, "local::upper").usable
    await partner.messages.send('shout "hi" in capital letters', conversation_id=None)
    await watcher.done()
    assert not [event for event in watcher.events if isinstance(event, ProposalEvent)]
    with pytest.raises(UsageError, match="is switched off"):
        await partner.abilities.run("local::upper", {}, cwd="", standing=ApprovalMode.ALL, exchange_id="")
    watcher.events.clear()
    await partner.abilities.switch("local::upper", on=True)
    await partner.messages.send('shout "hi" in capital letters', conversation_id=None)
    await watcher.until(lambda event: isinstance(event, ProposalEvent))


async def test_off_stays_off_over_edits_and_restarts(
    home: Home, partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    path = action_dir / "dynamic" / "upper.py"
    await put(watcher, path, UPPER_SCRIPT, "local::upper")
    await partner.abilities.switch("local::upper", on=False)
    await partner.abilities.switch("builtin::open", on=False)
    watcher.events.clear()
    path.write_text(UPPER_SCRIPT + "print('edited')\n")
    await watcher.until(lambda event: isinstance(event, AbilitiesEvent))
    assert by_key(partner, "local::upper").off
    await partner.close()
    again = await restarted(home, action_dir)
    assert by_key(again, "local::upper").off
    assert by_key(again, "builtin::open").off
    assert not by_key(again, "builtin::notify").off
    await again.close()


async def test_a_card_of_an_ability_that_was_switched_off_does_not_run_but_can_be_rejected(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await put(watcher, action_dir / "dynamic" / "upper.py", UPPER_SCRIPT, "local::upper")
    await partner.messages.send('shout "hi" in capital letters', conversation_id=None)
    card = await watcher.until(lambda event: isinstance(event, ProposalEvent))
    assert isinstance(card, ProposalEvent)
    await watcher.done(card.exchange_id)
    await partner.abilities.switch("local::upper", on=False)
    with pytest.raises(UsageError, match="is switched off"):
        await partner.actions.approve(card.action.id, scope="once")
    assert (await partner.actions.get(card.action.id)).status is ActionStatus.WAITING
    await partner.actions.reject(card.action.id)
    assert [entry.outcome for entry in await partner.audit.newest()][-1] == "deny"


async def test_what_is_not_there_cannot_be_switched(partner: Partner) -> None:
    with pytest.raises(UsageError, match="not there"):
        await partner.abilities.switch("local::nothing", on=False)


async def test_a_removed_ability_lies_in_the_trash(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    folder = action_dir / "dynamic" / "loud"
    await put(watcher, folder / "run.py", "print('LOUD')\n", "local::loud")
    await partner.abilities.switch("local::loud", on=False)
    known = set(trash_of().glob("loud*"))  # all tests of this process have one trash
    await partner.abilities.remove("local::loud")
    assert keys(partner) == set()
    assert not folder.exists()
    (trashed,) = set(trash_of().glob("loud*")) - known
    assert (trashed / "run.py").read_text() == "print('LOUD')\n"
    await put(watcher, folder / "run.py", "print('new')\n", "local::loud")
    assert by_key(partner, "local::loud").usable, "what comes to be under an old name is on"


async def test_a_broken_file_can_be_removed_too(partner: Partner, watcher: Watcher, action_dir: Path) -> None:
    path = action_dir / "dynamic" / "bad.py"
    path.write_text("# /// partner\n# description = ?\n# ///\n")
    await watcher.until(lambda event: isinstance(event, AbilitiesEvent))
    (ability,) = [each for each in partner.abilities.list() if each.fault]
    await partner.abilities.remove(ability.key)
    assert not path.exists()
    assert [each for each in partner.abilities.list() if each.fault] == []


async def test_what_is_built_in_stays(partner: Partner) -> None:
    with pytest.raises(UsageError, match="built in"):
        await partner.abilities.remove("builtin::open")


async def loud(watcher: Watcher, action_dir: Path) -> Path:
    """An ability folder, listed."""
    folder = action_dir / "dynamic" / "loud"
    folder.mkdir()
    body = {
        "description": "Be loud",
        "aliases": {"en": ["shout"], "zh": ["大声"]},
        "params": {"text": "what to say", "times": {"type": "integer", "default": 1}},
        "cost": 3,
    }
    (folder / "desc.json").write_text(json.dumps(body))
    await put(watcher, folder / "run.py", "print('LOUD')\n", "local::loud")
    return folder


async def test_a_description_is_edited_and_what_the_form_does_not_show_stays(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    folder = await loud(watcher, action_dir)
    draft = await partner.abilities.draft("local::loud")
    assert draft.params == {"text": "what to say", "times": ""}
    new = replace(
        draft, title="Loud", description="Be very loud", params={"text": "words", "times": "how often"}
    )
    assert await partner.abilities.describe("local::loud", new) == "local::loud"
    assert json.loads((folder / "desc.json").read_text()) == {
        "description": "Be very loud",
        "aliases": {"en": ["shout"], "zh": ["大声"]},
        "params": {"text": "words", "times": {"type": "integer", "default": 1, "description": "how often"}},
        "cost": 3,
        "title": "Loud",
    }
    info = by_key(partner, "local::loud").info
    assert info is not None
    assert (info.title, info.description) == ("Loud", "Be very loud")


async def test_a_renamed_ability_keeps_its_switch_and_its_waiting_card(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await loud(watcher, action_dir)
    conversation = await partner.conversations.create()
    await partner.abilities.offer("local::loud", conversation_id=conversation.id, text="Run Loud")
    card = await watcher.until(lambda event: isinstance(event, ProposalEvent))
    assert isinstance(card, ProposalEvent)
    await watcher.done(card.exchange_id)
    draft = replace(await partner.abilities.draft("local::loud"), name="louder")
    assert await partner.abilities.describe("local::loud", draft) == "local::louder"
    assert (await partner.actions.get(card.action.id)).key == "local::louder"
    await partner.abilities.switch("local::louder", on=False)
    draft = replace(await partner.abilities.draft("local::louder"), name="loudest")
    assert await partner.abilities.describe("local::louder", draft) == "local::loudest"
    assert by_key(partner, "local::loudest").off
    assert keys(partner) == {"local::loudest"}


async def test_a_description_that_does_not_do_is_refused_and_nothing_changes(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    folder = await loud(watcher, action_dir)
    before = (folder / "desc.json").read_text()
    draft = await partner.abilities.draft("local::loud")
    with pytest.raises(UsageError, match="title"):
        await partner.abilities.describe("local::loud", replace(draft, title="x" * 81))
    with pytest.raises(UsageError, match="cannot be a name"):
        await partner.abilities.describe("local::loud", replace(draft, name="a/b", description="new"))
    assert (folder / "desc.json").read_text() == before


async def test_a_script_that_describes_itself_is_edited_in_its_file(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await put(watcher, action_dir / "dynamic" / "upper.py", UPPER_SCRIPT, "local::upper")
    with pytest.raises(UsageError, match="describes itself"):
        await partner.abilities.describe("local::upper", AbilityDraft("upper"))


async def test_an_offered_ability_is_filled_in_on_its_card_in_that_conversation(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await put(watcher, action_dir / "dynamic" / "upper.py", UPPER_SCRIPT, "local::upper")
    conversation = await partner.conversations.create()
    await partner.abilities.offer("local::upper", conversation_id=conversation.id, text="Run Upper")
    card = await watcher.until(lambda event: isinstance(event, ProposalEvent))
    assert isinstance(card, ProposalEvent)
    assert card.action.conversation_id == conversation.id
    await watcher.done(card.exchange_id)
    with pytest.raises(UsageError, match="`text` is still missing"):
        await partner.actions.approve(card.action.id, scope="once")
    await partner.actions.approve(card.action.id, scope="once", params={"text": "filled in"})
    result = await watcher.until(lambda event: isinstance(event, ResultEvent))
    assert isinstance(result, ResultEvent)
    assert result.action.stdout.strip() == "FILLED IN"


async def test_removal_says_so_when_the_file_went_before(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await put(watcher, action_dir / "dynamic" / "upper.py", UPPER_SCRIPT, "local::upper")
    (action_dir / "dynamic" / "upper.py").unlink()
    await watcher.until(gone("local::upper"))
    with pytest.raises(UsageError, match="not there"):
        await partner.abilities.remove("local::upper")


async def test_an_ability_that_is_off_is_off_at_every_moment_of_a_rename(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await loud(watcher, action_dir)
    await partner.abilities.switch("local::loud", on=False)
    watcher.events.clear()
    draft = replace(await partner.abilities.draft("local::loud"), name="louder")
    assert await partner.abilities.describe("local::loud", draft) == "local::louder"
    seen = [each for e in watcher.events if isinstance(e, AbilitiesEvent) for each in e.changed]
    assert [(each.key, each.off) for each in seen] == [("local::louder", True)]
    assert await partner._parts.actions.catalog._switches.off() == {"local::louder"}


@pytest.mark.parametrize("off", [False, True])
async def test_a_rename_that_fails_leaves_description_and_switch_as_they_were(
    partner: Partner, watcher: Watcher, action_dir: Path, off: bool
) -> None:
    folder = await loud(watcher, action_dir)
    await partner.abilities.switch("local::loud", on=not off)
    before = (folder / "desc.json").read_text()
    (folder.parent / "loud.er").write_text("a file in the way\n")
    draft = replace(await partner.abilities.draft("local::loud"), name="loud.er", description="Be silent")
    with pytest.raises(UsageError, match="could not be described anew"):
        await partner.abilities.describe("local::loud", draft)
    assert (folder / "desc.json").read_text() == before
    assert await partner._parts.actions.catalog._switches.off() == ({"local::loud"} if off else set())


async def test_a_description_that_cannot_be_written_undoes_the_rename(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    folder = await loud(watcher, action_dir)
    before = (folder / "desc.json").read_text()
    draft = replace(await partner.abilities.draft("local::loud"), name="silent", description="Be silent")
    with unwritable(folder / "desc.json"), pytest.raises(UsageError, match="could not be described anew"):
        await partner.abilities.describe("local::loud", draft)
    assert [path.name for path in folder.parent.iterdir()] == ["loud"]
    assert (folder / "desc.json").read_text() == before
