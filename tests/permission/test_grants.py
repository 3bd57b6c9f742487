"""How far a yes reaches: this run, this conversation, always; what it is bound to, and how it ends."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import PathUse
from partner_desktop.domain.permission import Effect, Mode, Rule
from partner_desktop.permission.request import Outcome, PermissionRequest, StandingAnswer
from partner_desktop.storage.migrations import migrate, shipped_steps
from tests.permission.rooms import HASH, OPEN, SCRIPT, Room, room

THERE = replace(SCRIPT, conversation_id="there")


@pytest.fixture
async def here(home: Home) -> AsyncIterator[Room]:
    async with room(home, "here", "there") as one:
        yield one


async def runs(one: Room, request: PermissionRequest) -> bool:
    return (await one.engine.decide(request, standing=StandingAnswer.ASK)).outcome is Outcome.ALLOW


@pytest.mark.promise("actions.permission.hash")
async def test_a_yes_for_a_conversation_holds_there_alone_and_for_exactly_this(here: Room) -> None:
    await here.engine.approve(SCRIPT, scope="conversation")
    decision = await here.engine.decide(SCRIPT, standing=StandingAnswer.GRANTED)
    assert (decision.outcome, decision.by, decision.scope) == (Outcome.ALLOW, "grant", "conversation")
    for other in (
        THERE,
        replace(SCRIPT, conversation_id=""),
        replace(SCRIPT, content_hash="f" + HASH[1:]),
        replace(SCRIPT, isolation=OPEN),
        replace(SCRIPT, action_key="local::lower"),
    ):
        assert not await runs(here, other)


async def test_a_yes_for_a_conversation_survives_a_restart_and_ends_with_the_conversation(home: Home) -> None:
    async with room(home, "here") as before:
        await before.engine.approve(SCRIPT, scope="conversation")
    async with room(home) as one:
        assert await runs(one, SCRIPT)
        await one.database.write(lambda db: db.execute("UPDATE conversations SET deleted_at = 'now'"))
        assert not await runs(one, SCRIPT)
        assert await one.grants.all() == []
        await one.database.write(lambda db: db.execute("UPDATE conversations SET deleted_at = NULL"))
        assert await runs(one, SCRIPT)
        await one.database.write(lambda db: db.execute("DELETE FROM conversations"))
        rows = await one.database.read(lambda db: db.execute("SELECT count(*) FROM approvals").fetchone())
        assert rows[0] == 0


async def test_a_yes_for_good_reaches_every_conversation_and_can_be_taken_back(here: Room) -> None:
    await here.engine.approve(SCRIPT, scope="conversation")
    await here.engine.approve(replace(SCRIPT, title="Upper"), scope="always")
    assert (await here.engine.decide(SCRIPT, standing=StandingAnswer.ASK)).scope == "always"
    assert await runs(here, THERE)
    always, conversation = await here.grants.all()
    assert (always.title, always.scope, always.held) == ("Upper", "always", "sandboxed · no network")
    assert (conversation.scope, conversation.conversation_id) == ("conversation", "here")
    await here.grants.revoke(always.id)
    assert not await runs(here, THERE)
    assert (await here.engine.decide(SCRIPT, standing=StandingAnswer.ASK)).scope == "conversation"
    with pytest.raises(UsageError, match="no such grant"):
        await here.grants.revoke(always.id)
    await here.engine.approve(SCRIPT, scope="always")
    assert await runs(here, THERE)


@pytest.mark.parametrize("scope", ["conversation", "always"])
async def test_what_asks_each_time_takes_no_yes_beyond_this_run_whoever_sends_it(
    here: Room, scope: str
) -> None:
    secret = replace(SCRIPT, paths=(PathUse("file", "/home/user/.ssh/id_ed25519", "read"),))
    asked = [
        (secret, (), Mode.SMART, "may hold secrets"),
        (replace(SCRIPT, grantable=False), (), Mode.SMART, "all in its arguments"),
        (SCRIPT, (Rule(Effect.ASK, "local::*"),), Mode.SMART, "“ask local::\\*”"),
        (SCRIPT, (), Mode.ASK, "the mode “ask”"),
    ]
    for request, rules, mode, sentence in asked:
        here.say(*rules, mode=mode)
        with pytest.raises(UsageError, match=sentence):
            await here.engine.approve(request, scope=scope)  # type: ignore[arg-type]
        assert (await here.engine.approve(request, scope="once")).outcome is Outcome.ALLOW
    assert await here.grants.all() == []
    entries = await here.audit.entries(limit=10)
    assert [entry.scope for entry in entries] == ["once"] * len(asked)


async def test_a_yes_for_a_conversation_needs_one(here: Room) -> None:
    with pytest.raises(UsageError, match="belongs to no conversation"):
        await here.engine.approve(replace(SCRIPT, conversation_id=""), scope="conversation")


async def test_a_grant_from_before_scopes_still_holds(home: Home) -> None:
    async with room(home, "here") as one:
        old = (SCRIPT.action_key, SCRIPT.binding)
        await one.database.write(
            lambda db: db.execute(
                "INSERT INTO approvals (id, action_key, binding, created_at) "
                "VALUES ('g', ?, ?, '2026-01-05')",
                old,
            )
        )
        assert await runs(one, THERE)
        (grant,) = await one.grants.all()
        assert (grant.scope, grant.title, grant.content_hash) == ("always", "", "")


async def resumed(one: Room, request: PermissionRequest = SCRIPT) -> Outcome | None:
    decision = await one.engine.resume(request)
    return None if decision is None else decision.outcome


async def test_a_run_goes_on_after_a_crash_only_while_what_it_rests_on_is_there(here: Room) -> None:
    here.say(Rule(Effect.ALLOW, "local::upper", HASH))
    await here.engine.decide(SCRIPT, standing=StandingAnswer.ASK)
    assert await resumed(here) is Outcome.ALLOW
    assert await resumed(here, replace(SCRIPT, params={"text": "y"})) is None
    here.say()
    assert await resumed(here) is None
    await here.engine.approve(SCRIPT, scope="conversation")
    assert await resumed(here) is Outcome.ALLOW
    (grant,) = await here.grants.all()
    await here.grants.revoke(grant.id)
    assert await resumed(here) is None
    await here.engine.approve(SCRIPT, scope="once")
    here.say(mode=Mode.ASK)
    assert await resumed(here) is Outcome.ALLOW, "the person said yes to this very run"
    here.say(Rule(Effect.DENY, "*"))
    denied = await here.engine.resume(SCRIPT)
    assert denied is not None
    assert (denied.outcome, denied.by) == (Outcome.DENY, "rule")
    assert "“deny *”" in denied.reason


def test_what_was_granted_and_taken_back_before_scopes_is_brought_along(home: Home) -> None:
    home.prepare()
    steps = shipped_steps()
    with closing(sqlite3.connect(home.database)) as database:
        old = {number: sql for number, sql in steps.items() if number < 10}
        migrate(database, path=home.database, backups=home.backups, now=datetime.now(UTC), steps=old)
        rows = [
            ("g1", "local::a", "b1", "2026-01-05", None),
            ("g2", "local::b", "b2", "2026-01-05", "2026-01-06"),
        ]
        database.executemany("INSERT INTO approvals VALUES (?, ?, ?, ?, ?)", rows)
        database.commit()
        migrate(database, path=home.database, backups=home.backups, now=datetime.now(UTC), steps=steps)
        kept = "SELECT id, action_key, binding, created_at, revoked_at FROM approvals ORDER BY id"
        assert database.execute(kept).fetchall() == rows
        assert set(database.execute("SELECT scope, conversation_id FROM approvals")) == {("always", "")}
