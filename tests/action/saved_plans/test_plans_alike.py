"""Two requests that look alike: one card where a yes to one is a yes to the other, and else two."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from partner_desktop.action.plans.card_version import card_version
from partner_desktop.app import Partner
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.evidence import Proposed
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.plan import PlannedLook
from tests.action.plans.running import Wanted, proposed
from tests.action.saved_plans.plan_room import listed, listener, plan, write_steps
from tests.support import Watcher

pytestmark = pytest.mark.integration


async def begun(
    partner: Partner, conversation_id: str, key: str, params: JsonObject, cwd: Path
) -> ActionRecord:
    exchange = partner._parts.core.exchanges.open(conversation_id, cwd=str(cwd))
    evidence = await partner._parts.actions.desk.begin(key, params, exchange, text="do it")
    assert isinstance(evidence, Proposed), evidence
    return evidence.action


async def test_the_same_command_in_another_folder_is_another_thing(partner: Partner, user_home: Path) -> None:
    conversation = await partner.conversations.create("rm")
    folders = [user_home / "one", user_home / "two"]
    cards = []
    for folder in (*folders, folders[1]):
        folder.mkdir(exist_ok=True)
        params: JsonObject = {"argv": ["rm", "notes.txt"]}
        cards.append(await begun(partner, conversation.id, "builtin::command::execute", params, folder))
    assert [card.cwd for card in cards] == [str(folders[0]), str(folders[1]), str(folders[1])]
    assert len({card.id for card in cards}) == 2


async def test_a_plan_that_tries_more_often_or_waits_for_something_is_another_thing(
    partner: Partner, watcher: Watcher, action_dir: Path, user_home: Path
) -> None:
    write_steps(action_dir / "dynamic")
    conversation = await partner.conversations.create("plans")
    log = user_home / "log.txt"
    log.touch()
    condition: JsonObject = {"context": "a.number", "above": 7}
    alike: list[JsonObject] = [{}, {"retries": 5}, {"trigger_condition": condition}]
    for more in alike:
        steps = [listener("one", "main", "a"), listener("two", "a", "main", more=more)]
        await listed(partner, watcher, action_dir / "dynamic", plan(steps, ["a"]))
        await begun(partner, conversation.id, "local::take_in", {"log": str(log)}, user_home)
    waiting = [each for each in await partner.actions.list() if each.status is ActionStatus.WAITING]
    assert len(waiting) == 3


async def test_what_may_look_belongs_to_what_a_card_shows(partner: Partner, user_home: Path) -> None:
    step = Wanted({"folder": str(user_home / "new")}, key="builtin::files::make_folder")
    card = await proposed(partner, [[step]])
    assert card.chain is not None
    look = PlannedLook("local::query", "Query", "1" * 64, card.plan.steps[0].id)
    other = replace(card, chain=replace(card.chain, looks=(look,)))
    assert card_version(other) != card_version(card)
