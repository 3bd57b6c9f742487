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
from partner_desktop.domain.permission import Effect, GrantedPlace, Mode, Rule, Scope
from partner_desktop.domain.run_facts import Isolation, PathUse
from partner_desktop.permission.request import ApprovalMode, Outcome, PermissionRequest
from partner_desktop.storage.migrations import migrate, shipped_steps
from tests.permission.rooms import HASH, OPEN, SCRIPT, Room, room

THERE = replace(SCRIPT, conversation_id="there")


@pytest.fixture
async def here(home: Home) -> AsyncIterator[Room]:
    async with room(home, "here", "there") as one:
        yield one


async def runs(one: Room, request: PermissionRequest) -> bool:
    return (await one.engine.decide(request, standing=ApprovalMode.ASK)).outcome is Outcome.ALLOW


@pytest.mark.promise("actions.permission.hash")
async def test_a_yes_for_a_conversation_holds_there_alone_and_for_exactly_this(here: Room) -> None:
    await here.engine.approve(SCRIPT, scope="conversation")
    decision = await here.engine.decide(SCRIPT, standing=ApprovalMode.ASK)
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
    assert (await here.engine.decide(SCRIPT, standing=ApprovalMode.ASK)).scope == "always"
    assert await runs(here, THERE)
    always, conversation = await here.grants.all()
    assert (always.title, always.scope, always.held) == ("Upper", "always", "sandboxed · no network")
    assert (conversation.scope, conversation.conversation_id) == ("conversation", "here")
    await here.grants.revoke(always.id)
    assert not await runs(here, THERE)
    assert (await here.engine.decide(SCRIPT, standing=ApprovalMode.ASK)).scope == "conversation"
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
    entries = await here.audit.reader.newest(limit=10)
    assert [entry.scope for entry in entries] == ["once"] * len(asked)


async def test_what_was_granted_to_a_removed_ability_does_not_wait_for_its_name(here: Room) -> None:
    other = replace(SCRIPT, action_id="b1", action_key="local::lower")
    for request in (SCRIPT, other):
        await here.engine.approve(request, scope="conversation")
        await here.engine.approve(request, scope="always")
    await here.engine.forget(SCRIPT.action_key)
    assert not await runs(here, SCRIPT)
    assert not await runs(here, THERE)
    assert await runs(here, other)
    assert {grant.action_key for grant in await here.grants.all()} == {"local::lower"}


async def test_a_program_is_turned_away_where_nothing_of_the_ability_was_allowed_to_it(here: Room) -> None:
    asked = replace(SCRIPT, program="a program")
    refused = await here.engine.turned_away(asked)
    assert refused is not None
    assert refused.outcome is Outcome.DENY
    (written, *_) = await here.audit.decisions(asked.action_id)
    assert (written.outcome, written.by_whom) == ("deny", "flag")
    here.say(Rule(Effect.ALLOW, SCRIPT.action_key, HASH))
    assert await here.engine.turned_away(asked) is None
    because = await here.engine.turned_away(asked, why="it is closed today")
    assert because is not None
    assert because.reason == "it is closed today"


async def test_a_yes_for_a_conversation_needs_one(here: Room) -> None:
    with pytest.raises(UsageError, match="belongs to no conversation"):
        await here.engine.approve(replace(SCRIPT, conversation_id=""), scope="conversation")


@pytest.mark.promise("actions.grant.places")
async def test_a_grant_from_before_scopes_and_places_holds_where_no_place_is_chosen(home: Home) -> None:
    async with room(home, "here") as one:
        old = (SCRIPT.action_key, SCRIPT.binding("always"))
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
        assert grant.places is None
        assert not await runs(one, at(NOTES))


def at(*uses: tuple[str, str], request: PermissionRequest = SCRIPT) -> PermissionRequest:
    """A call with these chosen places, each with its access."""
    return replace(
        request, paths=tuple(PathUse(f"p{n}", path, access) for n, (access, path) in enumerate(uses))
    )


NOTES, WORK = ("read", "/srv/notes"), ("read", "/srv/papers")


@pytest.mark.promise("actions.grant.places")
@pytest.mark.parametrize(
    ("shown", "wanted", "covered"),
    [
        ([NOTES], [NOTES], True),
        ([NOTES], [("read", "/srv/notes/2030/may.md")], True),
        ([NOTES], [], False),
        ([], [], True),
        ([NOTES], [WORK], False),
        ([NOTES], [("read", "/srv")], False),
        ([NOTES], [("read", "/srv/notes2")], False),
        ([NOTES], [("write", "/srv/notes")], False),
        ([NOTES], [NOTES, WORK], False),
        ([("write", "/srv/notes")], [NOTES], True),
        ([NOTES, ("write", "/srv/papers")], [("write", "/srv/papers/a"), NOTES], True),
        ([NOTES, ("write", "/srv/papers")], [("write", "/srv/notes/a")], False),
        ([], [NOTES], False),
    ],
)
@pytest.mark.parametrize("scope", ["conversation", "always"])
async def test_a_yes_holds_for_the_places_that_its_card_showed_and_what_lies_in_them(
    here: Room,
    shown: list[tuple[str, str]],
    wanted: list[tuple[str, str]],
    covered: bool,
    scope: Scope,
) -> None:
    await here.engine.approve(at(*shown), scope=scope)
    assert await runs(here, at(*wanted)) is covered


@pytest.mark.promise("actions.grant.places")
@pytest.mark.parametrize(
    "isolation", [OPEN, replace(OPEN, server="notes"), replace(OPEN, server="notes", remote=True)]
)
@pytest.mark.parametrize("scope", ["conversation", "always"])
async def test_what_no_sandbox_holds_is_allowed_with_the_same_arguments_until_it_is_allowed_with_any(
    here: Room, isolation: Isolation, scope: Scope
) -> None:
    shown = replace(
        at(NOTES),
        action_key="notes::copy",
        isolation=isolation,
        params={"source": "/srv/notes", "dest": "b"},
    )
    others = [
        replace(shown, params={"source": "/srv/notes", "dest": "/home/other/.bashrc"}),
        replace(shown, params={"dest": "~/.ssh/authorized_keys"}, paths=()),
        replace(
            shown, params={"source": "/srv/notes/a", "dest": "b"}, paths=at(("read", "/srv/notes/a")).paths
        ),
    ]
    await here.engine.approve(shown, scope=scope)
    assert await runs(here, shown)
    for other in others:
        assert not await runs(here, other)
    (grant,) = await here.grants.all()
    assert grant.held == "not sandboxed · only with the same arguments"
    await here.engine.approve(shown, scope="everywhere")
    for other in others:
        assert await runs(here, other)


@pytest.mark.promise("actions.grant.places")
async def test_everywhere_is_a_yes_of_its_own_and_several_yeses_do_not_add_up(here: Room) -> None:
    await here.engine.approve(at(NOTES), scope="always")
    await here.engine.approve(at(WORK), scope="always")
    assert await runs(here, at(WORK))
    assert not await runs(here, at(NOTES, WORK))
    await here.engine.approve(at(NOTES), scope="everywhere")
    for uses in ((NOTES, WORK), (("write", "/srv/elsewhere"),)):
        assert await runs(here, at(*uses))
    assert not await runs(here, at(("read", "/srv/.ssh")))
    everywhere, work, notes = await here.grants.all()
    assert (everywhere.scope, everywhere.places) == ("everywhere", ())
    assert [one.places for one in (work, notes)] == [
        (GrantedPlace(path, access),) for access, path in (WORK, NOTES)
    ]  # fmt: skip
    await here.grants.revoke(everywhere.id)
    assert not await runs(here, at(NOTES, WORK))
    assert await runs(here, at(NOTES))


@pytest.mark.promise("actions.grant.places")
async def test_a_program_has_grants_of_its_own_and_nothing_else_lets_it_reach_a_place(here: Room) -> None:
    called = replace(at(NOTES), program="Tester")
    await here.engine.approve(at(NOTES), scope="everywhere")
    here.say(Rule(Effect.ALLOW, "local::upper", HASH), mode=Mode.AUTONOMOUS)
    assert not await runs(here, called)
    assert await runs(here, replace(called, paths=())), "a rule that the person wrote, without a place"
    here.say(mode=Mode.AUTONOMOUS)
    assert not await runs(here, replace(called, paths=())), "what it reads would leave with the program"
    await here.engine.approve(called, scope="always")
    assert await runs(here, called)
    for other in (replace(called, program="Other"), replace(called, paths=at(WORK).paths)):
        assert not await runs(here, other)


async def resumed(one: Room, request: PermissionRequest = SCRIPT) -> Outcome | None:
    decision = await one.engine.resume(request)
    return None if decision is None else decision.outcome


async def test_a_run_goes_on_after_a_crash_only_while_what_it_rests_on_is_there(here: Room) -> None:
    here.say(Rule(Effect.ALLOW, "local::upper", HASH))
    await here.engine.decide(SCRIPT, standing=ApprovalMode.ASK)
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


@pytest.mark.promise("actions.grant.places")
def test_what_was_granted_before_places_is_brought_along_without_any_and_ends_as_before(home: Home) -> None:
    home.prepare()
    steps = shipped_steps()
    with closing(sqlite3.connect(home.database)) as database:
        old = {number: sql for number, sql in steps.items() if number < 16}
        migrate(database, path=home.database, backups=home.backups, now=datetime.now(UTC), steps=old)
        database.execute(
            "INSERT INTO conversations (id, title, created_at, updated_at) VALUES ('here', '', '', '')"
        )
        row = ("g1", "local::a", "b1", "2026-01-05", None, "conversation", "here", "A", "sandboxed", HASH)
        marks = ",".join("?" * len(row))
        database.execute(f"INSERT INTO approvals VALUES ({marks})", row)
        database.commit()
        migrate(database, path=home.database, backups=home.backups, now=datetime.now(UTC), steps=steps)
        assert database.execute("SELECT * FROM approvals").fetchall() == [(*row, "", None)]
        database.execute("DELETE FROM conversations")
        assert database.execute("SELECT count(*) FROM approvals").fetchone() == (0,)
