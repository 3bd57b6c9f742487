"""`config/permission.toml`: in force at once, its comments kept, and a mistake in it opens nothing."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import (
    AbilitiesEvent,
    Event,
    NoticeEvent,
    PermissionsEvent,
    ProposalEvent,
    ResultEvent,
)
from partner_desktop.domain.permission import Effect, Mode, Permissions, Rule
from partner_desktop.permission.request import ApprovalMode
from tests.support import UPPER_SCRIPT, Watcher

pytestmark = pytest.mark.integration

SHOUT = 'shout "hello" in capital letters'
HAND_WRITTEN = """\
# what I let it do
mode = "smart" # for now

[[rule]]
effect = "deny"
action = "builtin::command::*" # never
note = "not here"

# servers
[[rule]]
effect = "ask"
action = "notes::*"
"""


@pytest.fixture
def file(home: Home) -> Path:
    return home.config / "permission.toml"


def shows(fits: Callable[[Permissions], object]) -> Callable[[Event], bool]:
    return lambda event: isinstance(event, PermissionsEvent) and bool(fits(event.permissions))


async def outcome(partner: Partner, watcher: Watcher, text: str) -> ProposalEvent | ResultEvent:
    """What came of a message: the card, or the end of what ran."""
    message = await partner.messages.send(text, conversation_id=None)
    done = await watcher.done(message_exchange(watcher, message.id))
    events = [event for event in watcher.events if event.exchange_id == done.exchange_id]
    return [event for event in events if isinstance(event, (ProposalEvent, ResultEvent))][-1]


def message_exchange(watcher: Watcher, message_id: str) -> str:
    found = [
        event.exchange_id
        for event in watcher.events
        if event.type == "message" and getattr(event, "message").id == message_id  # noqa: B009
    ]
    return found[0]


async def test_a_saved_file_is_in_force_and_told_without_a_restart(
    partner: Partner, watcher: Watcher, file: Path
) -> None:
    assert (await partner.permissions.list()).mode is Mode.SMART
    file.write_text(HAND_WRITTEN, encoding="utf-8")
    await watcher.until(shows(lambda now: len(now.rules) == 2))
    now = await partner.permissions.list()
    assert now.rules[0] == Rule(Effect.DENY, "builtin::command::*", note="not here")
    file.write_text('mode = "ask"\n', encoding="utf-8")
    await watcher.until(shows(lambda now: now.mode is Mode.ASK and not now.rules))
    assert isinstance(await outcome(partner, watcher, "what time is it?"), ProposalEvent)


async def test_a_broken_file_keeps_the_rules_from_before(
    partner: Partner, watcher: Watcher, file: Path
) -> None:
    file.write_text(HAND_WRITTEN, encoding="utf-8")
    await watcher.until(shows(lambda now: len(now.rules) == 2))
    file.write_text(HAND_WRITTEN + '\n[[rule]]\neffect = "allow"\naction = "local::a"\n', encoding="utf-8")
    told = await watcher.until(lambda event: isinstance(event, NoticeEvent) and event.level == "error")
    assert isinstance(told, NoticeEvent)
    assert "an allow for what is not built in needs the hash" in told.text
    assert len((await partner.permissions.list()).rules) == 2
    with pytest.raises(UsageError, match="needs the hash"):
        await partner.permissions.set_mode(Mode.AUTONOMOUS)


async def test_a_file_that_is_broken_from_the_start_opens_nothing_until_it_is_corrected(
    home: Home, action_dir: Path, file: Path
) -> None:
    file.parent.mkdir(parents=True)
    file.write_text('mode = "smrt"\n', encoding="utf-8")
    partner, watcher = Partner(home, action_dir, meaning=False), Watcher()
    await partner.launch()
    partner.subscribe(watcher)
    try:
        assert await partner.permissions.list() == Permissions(Mode.ASK)
        (fault,) = [event.text for event in partner.start_notices() if isinstance(event, NoticeEvent)]
        assert "Everything asks, and nothing else can say yes, until it is corrected" in fault
        time = {"cwd": "", "exchange_id": "time"}
        await partner.abilities.run("builtin::time", {}, standing=ApprovalMode.ALL, **time)
        refused = await watcher.until(lambda event: isinstance(event, ResultEvent))
        assert isinstance(refused, ResultEvent)
        assert refused.action.status is ActionStatus.REJECTED
        assert "config/permission.toml cannot be read" in refused.action.error
        file.write_text("# nothing\n", encoding="utf-8")
        await watcher.until(shows(lambda now: now.mode is Mode.SMART))
        assert isinstance(await outcome(partner, watcher, "what time is it?"), ResultEvent)
    finally:
        await partner.close()


async def test_rules_are_changed_by_hand_and_the_comments_of_the_file_stay(
    partner: Partner, watcher: Watcher, file: Path
) -> None:
    file.write_text(HAND_WRITTEN, encoding="utf-8")
    await watcher.until(shows(lambda now: len(now.rules) == 2))
    await partner.permissions.save_rule(Rule(Effect.ASK, "local::*", note="mine"))
    await partner.permissions.save_rule(Rule(Effect.ASK, "builtin::command::*"), place=0)
    await partner.permissions.set_mode(Mode.AUTONOMOUS)
    await partner.permissions.remove_rule(1)
    now = await watcher.until(shows(lambda now: len(now.rules) == 2 and now.mode is Mode.AUTONOMOUS))
    assert isinstance(now, PermissionsEvent)
    assert now.permissions.rules == (
        Rule(Effect.ASK, "builtin::command::*"),
        Rule(Effect.ASK, "local::*", note="mine"),
    )
    text = file.read_text(encoding="utf-8")
    assert "# what I let it do" in text
    assert "# for now" in text
    assert "# never" in text
    assert len(tomllib.loads(text)["rule"]) == 2


async def test_a_rule_that_cannot_hold_or_is_not_there_changes_nothing(partner: Partner, file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(UsageError, match=r"^“builtin::command::execute” would allow any command there is"):
        await partner.permissions.save_rule(Rule(Effect.ALLOW, "builtin::command::execute"))
    with pytest.raises(UsageError, match="There is no rule 1"):
        await partner.permissions.remove_rule(0)
    with pytest.raises(UsageError, match="There is no rule 1"):
        await partner.permissions.save_rule(Rule(Effect.DENY, "*"), place=0)
    with pytest.raises(UsageError, match="no such grant"):
        await partner.permissions.revoke("none")
    assert file.read_bytes() == before


async def test_a_rule_is_not_taken_out_when_another_one_stands_there_by_now(
    partner: Partner, watcher: Watcher, file: Path
) -> None:
    await partner.permissions.save_rule(Rule(Effect.DENY, "local::*"))
    file.write_text('[[rule]]\neffect = "deny"\naction = "builtin::*"\n', encoding="utf-8")
    with pytest.raises(UsageError, match="something else stands there now"):
        await partner.permissions.remove_rule(0)
    await watcher.until(shows(lambda now: now.rules[0].action == "builtin::*"))


async def test_ten_thousand_rules_are_taken_over_and_asked(
    partner: Partner, watcher: Watcher, file: Path
) -> None:
    one = '[[rule]]\neffect = "deny"\naction = "local::tool_{}*"\n'
    file.write_text("\n".join(one.format(number) for number in range(10_000)), encoding="utf-8")
    await watcher.until(shows(lambda now: len(now.rules) == 10_000))
    assert isinstance(await outcome(partner, watcher, "what time is it?"), ResultEvent)


async def approve_on_card(partner: Partner, watcher: Watcher, scope: str) -> str:
    """Say yes to a card; the conversation in which it lies."""
    watcher.events.clear()
    message = await partner.messages.send(SHOUT, conversation_id=None)
    card = await watcher.until(lambda event: isinstance(event, ProposalEvent))
    assert isinstance(card, ProposalEvent)
    assert card.action.grantable
    await partner.actions.approve(card.action.id, scope=scope)  # type: ignore[arg-type]
    await watcher.until(lambda event: isinstance(event, ResultEvent))
    return message.conversation_id


@pytest.mark.promise("actions.permission.hash")
async def test_a_yes_for_a_conversation_is_listed_outlives_the_app_falls_behind_an_edit_and_ends_with_it(
    home: Home, action_dir: Path
) -> None:
    script = action_dir / "dynamic" / "upper.py"
    script.write_text(UPPER_SCRIPT, encoding="utf-8")
    partner, watcher = Partner(home, action_dir, meaning=False), Watcher()
    partner.subscribe(watcher)
    await partner.launch()
    conversation = await approve_on_card(partner, watcher, "conversation")
    await partner.close()
    partner, watcher = Partner(home, action_dir, meaning=False), Watcher()
    partner.subscribe(watcher)
    await partner.launch()
    try:
        (grant,) = (await partner.permissions.list()).grants
        assert (grant.title, grant.scope, grant.conversation_id) == ("Upper", "conversation", conversation)
        assert (grant.action_key, grant.current) == ("local::upper", True)
        await partner.messages.send(SHOUT, conversation_id=conversation)
        await watcher.until(lambda event: isinstance(event, ResultEvent))
        assert isinstance(await outcome(partner, watcher, SHOUT), ProposalEvent), "another conversation asks"
        script.write_text(UPPER_SCRIPT + "# edited\n", encoding="utf-8")
        await watcher.until(lambda event: isinstance(event, AbilitiesEvent))
        await watcher.until(shows(lambda now: not now.grants[0].current))
        await partner.conversations.delete(conversation)
        await watcher.until(shows(lambda now: not now.grants))
        await partner.conversations.restore(conversation)
        watcher.events.clear()
        await watcher.until(shows(lambda now: len(now.grants) == 1))
    finally:
        await partner.close()


async def test_what_was_allowed_can_be_taken_back_and_asks_again(
    partner: Partner, watcher: Watcher, shout: Path
) -> None:
    del shout
    await approve_on_card(partner, watcher, "always")
    now = await watcher.until(shows(lambda now: now.grants))
    assert isinstance(now, PermissionsEvent)
    (grant,) = now.permissions.grants
    assert grant.held
    await partner.permissions.revoke(grant.id)
    await watcher.until(shows(lambda now: not now.grants))
    assert isinstance(await outcome(partner, watcher, SHOUT), ProposalEvent)
    with pytest.raises(UsageError, match="no such grant"):
        await partner.permissions.revoke(grant.id)
    (row,) = [entry for entry in await partner.audit.newest() if entry.kind == "settings"]
    assert (row.action_key, row.outcome, row.scope, row.by_whom) == (
        grant.action_key,
        "revoked",
        "always",
        "person",
    )


@pytest.mark.promise("actions.audit")
async def test_each_change_of_mode_and_rules_stands_in_the_audit_log_before_it_is_told(
    partner: Partner, watcher: Watcher, file: Path
) -> None:
    file.write_text(HAND_WRITTEN, encoding="utf-8")
    await watcher.until(shows(lambda now: len(now.rules) == 2))
    await partner.permissions.set_mode(Mode.AUTONOMOUS)
    await watcher.until(shows(lambda now: now.mode is Mode.AUTONOMOUS))
    await partner.permissions.remove_rule(0)
    await watcher.until(shows(lambda now: len(now.rules) == 1))
    told = [
        (entry.action_key, entry.outcome, entry.reason)
        for entry in await partner.audit.newest()
        if entry.kind == "settings"
    ]
    assert told == [
        ("builtin::command::*", "added", "rule: deny"),
        ("notes::*", "added", "rule: ask"),
        ("permission::mode", "changed", "smart → autonomous"),
        ("builtin::command::*", "removed", "rule: deny"),
    ]
    file.write_text(
        "\n".join(f'[[rule]]\neffect = "ask"\naction = "many::{number}"' for number in range(150)),
        encoding="utf-8",
    )
    await watcher.until(shows(lambda now: len(now.rules) == 150))
    assert [(entry.action_key, entry.reason) for entry in await partner.audit.newest()][-2:] == [
        ("permission::mode", "autonomous → smart"),
        ("permission::rules", "150 added, 1 removed"),
    ]


async def test_a_card_offers_no_more_than_once_where_everything_asks(
    partner: Partner, watcher: Watcher, shout: Path
) -> None:
    del shout
    await partner.permissions.set_mode(Mode.ASK)
    card = await outcome(partner, watcher, SHOUT)
    assert not card.action.grantable
    with pytest.raises(UsageError, match="the mode “ask”"):
        await partner.actions.approve(card.action.id, scope="always")
    await partner.actions.approve(card.action.id, scope="once")
    await watcher.until(lambda event: isinstance(event, ResultEvent))
