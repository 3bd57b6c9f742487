"""One engine decides, on facts; grants hold for exactly what was shown."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from partner_desktop.base.clock import SystemClock
from partner_desktop.base.errors import StorageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.meta_action import Route
from partner_desktop.domain.run_facts import Isolation, PathUse, Risk
from partner_desktop.permission.audit import AuditLog
from partner_desktop.permission.engine import PermissionEngine
from partner_desktop.permission.grants import GrantStore
from partner_desktop.permission.request import (
    ApprovalMode,
    Outcome,
    PermissionRequest,
)
from partner_desktop.storage.database import Database
from tests.deciding import decided

HELD = Isolation(sandboxed=True, net=False, summary="sandboxed · no network")
OPEN = Isolation(sandboxed=False, net=True, summary="not sandboxed")

REQUEST = PermissionRequest(
    action_id="a1",
    action_key="local::upper",
    route=Route.MCP,
    content_hash="hash-1",
    params={"text": "x"},
    risk=Risk.READ,
    isolation=HELD,
)


@pytest.fixture
async def database(home: Home) -> AsyncIterator[Database]:
    home.prepare()
    db = Database(home.database, backups=home.backups, clock=SystemClock())
    await db.launch()
    yield db
    await db.shutdown()


@pytest.fixture
def audit(database: Database) -> AuditLog:
    return AuditLog(database, clock=SystemClock())


@pytest.fixture
def engine(database: Database, audit: AuditLog, home: Home) -> PermissionEngine:
    return PermissionEngine(GrantStore(database, clock=SystemClock()), audit, home=home)


async def test_a_script_asks_even_when_it_claims_only_to_read(engine: PermissionEngine) -> None:
    decision = await engine.decide(REQUEST, standing=ApprovalMode.ASK)
    assert decision.outcome is Outcome.ASK


async def test_a_look_that_was_approved_once_asks_no_more_until_its_script_is_edited(
    engine: PermissionEngine, user_home: Path
) -> None:
    place = PathUse("folder", str(user_home / "Pictures"), "read")
    look = replace(REQUEST, params={"folder": "x"}, paths=(place,), looks=True)
    await engine.approve(look, scope="once")
    again = replace(look, action_id="a2", params={"folder": "y"})
    assert (await engine.decide(again, standing=ApprovalMode.ASK)).outcome is Outcome.ALLOW
    for other in (
        replace(again, content_hash="hash-2"),
        replace(again, action_key="local::other"),
        replace(again, risk=Risk.WRITE),
        replace(again, looks=False),
        replace(again, isolation=OPEN),
        replace(again, isolation=replace(HELD, net=True)),
        replace(again, isolation=replace(HELD, server="post")),
        replace(again, isolation=replace(HELD, sockets=True)),
        replace(again, paths=(replace(place, access="write"),)),
        replace(again, paths=(replace(place, param=""),)),
        replace(again, paths=(replace(place, path=str(user_home / ".ssh")),)),
        replace(again, paths=(replace(place, path=str(user_home)),)),
        replace(again, args_bound=True),
        replace(again, program="tool"),
    ):
        assert (await engine.decide(other, standing=ApprovalMode.ASK)).outcome is Outcome.ASK, other
    await engine.reject(replace(look, action_id="a3"))
    assert (await engine.decide(again, standing=ApprovalMode.ASK)).outcome is Outcome.ASK


async def test_a_builtin_that_only_reads_runs_without_a_question(engine: PermissionEngine) -> None:
    request = replace(REQUEST, route=Route.BUILTIN, isolation=OPEN)
    assert (await engine.decide(request, standing=ApprovalMode.ASK)).outcome is Outcome.ALLOW


async def test_never_turns_even_reads_down(engine: PermissionEngine) -> None:
    request = replace(REQUEST, route=Route.BUILTIN, isolation=OPEN)
    assert (await engine.decide(request, standing=ApprovalMode.NEVER)).outcome is Outcome.DENY


async def test_always_holds_for_the_same_script_and_no_other(engine: PermissionEngine) -> None:
    await engine.approve(REQUEST, scope="always")
    again = replace(REQUEST, action_id="a2", params={"text": "other words"})
    assert (await engine.decide(again, standing=ApprovalMode.ASK)).outcome is Outcome.ALLOW
    for changed in (
        replace(again, content_hash="hash-2"),
        replace(again, action_key="local::other"),
        replace(again, isolation=OPEN),
        replace(again, isolation=replace(HELD, net=True)),
    ):
        assert (await engine.decide(changed, standing=ApprovalMode.ASK)).outcome is Outcome.ASK


async def test_always_for_a_free_command_line_holds_for_these_arguments_only(
    engine: PermissionEngine,
) -> None:
    command = replace(REQUEST, args_bound=True)
    await engine.approve(command, scope="always")
    assert (await engine.decide(command, standing=ApprovalMode.ASK)).outcome is Outcome.ALLOW
    other = replace(command, params={"text": "rm"})
    assert (await engine.decide(other, standing=ApprovalMode.ASK)).outcome is Outcome.ASK


async def test_approve_all_is_a_single_grant_and_does_not_stay(
    engine: PermissionEngine, audit: AuditLog
) -> None:
    decision = await engine.decide(REQUEST, standing=ApprovalMode.ALL)
    assert (decision.outcome, decision.scope) == (Outcome.ALLOW, "once")
    assert (await engine.decide(REQUEST, standing=ApprovalMode.ASK)).outcome is Outcome.ASK
    entries = await audit.reader.newest(limit=10)
    assert [(entry.outcome, entry.by_whom, entry.scope) for entry in entries] == [("allow", "flag", "once")]


async def test_approve_all_is_no_consent_to_run_without_a_sandbox(engine: PermissionEngine) -> None:
    decision = await engine.decide(replace(REQUEST, isolation=OPEN), standing=ApprovalMode.ALL)
    assert decision.outcome is Outcome.DENY
    assert "sandbox" in decision.reason


async def test_partners_own_data_is_refused_whoever_approves(engine: PermissionEngine, home: Home) -> None:
    inside = PathUse(param="file", path=str(home.database.resolve()), access="read")
    above = [
        PathUse(param="folder", path=str(folder), access="write")
        for folder in home.root.resolve().parents[:-1]
    ]
    assert len(above) > 1, "a script that may write far above could move everything between"
    for use in (inside, *above):
        request = replace(REQUEST, paths=(use,))
        assert (await engine.decide(request, standing=ApprovalMode.ALL)).outcome is Outcome.DENY
        assert (await engine.approve(request, scope="always")).outcome is Outcome.DENY
    # The refused "always" left no grant behind.
    assert (await engine.decide(REQUEST, standing=ApprovalMode.ASK)).outcome is Outcome.ASK


async def test_no_script_gets_the_whole_file_system_whoever_approves(engine: PermissionEngine) -> None:
    for access in ("read", "write"):
        request = replace(REQUEST, paths=(PathUse("folder", "/", access),))
        for decision in (
            await engine.decide(request, standing=ApprovalMode.ALL),
            await engine.approve(request, scope="once"),
        ):
            assert (decision.outcome, decision.by) == (Outcome.DENY, "policy")
    look = replace(request, route=Route.BUILTIN, isolation=OPEN, paths=(PathUse("folder", "/", "read"),))
    assert (await engine.decide(look, standing=ApprovalMode.ASK)).outcome is Outcome.ALLOW


@pytest.mark.parametrize(
    ("reason", "kept"),
    [
        ("~/my notes/diary.txt may hold secrets", "a path of this run may hold secrets"),
        ("it leads to /home/ann/diary.txt now", "it is about a path of this run"),
        ("step 3/4 of chain 12", "step 3/4 of chain 12"),
        ("无法读取/home/ann/diary.txt（没有权限）。", "it is about a path of this run"),
        ("没有权限（/home/ann/diary.txt）", "it is about a path of this run"),
    ],
)
async def test_the_log_keeps_no_name_of_a_file(
    engine: PermissionEngine, audit: AuditLog, reason: str, kept: str
) -> None:
    decision = await engine.approve(REQUEST, scope="once", reason=reason)
    assert decision.reason == reason
    assert [entry.reason for entry in await audit.reader.newest(limit=9)] == [kept]


async def test_every_final_decision_is_audited_and_the_log_cannot_be_changed(
    engine: PermissionEngine, audit: AuditLog, database: Database
) -> None:
    await engine.approve(REQUEST, scope="once")
    await engine.reject(replace(REQUEST, action_id="a2"))
    entries = await audit.reader.newest(limit=10)
    assert [(entry.action_id, entry.outcome) for entry in entries] == [("a1", "allow"), ("a2", "deny")]
    for statement in ("DELETE FROM audit", "UPDATE audit SET outcome = 'allow'"):
        with pytest.raises(StorageError, match="append-only"):
            await database.write(lambda db, sql=statement: db.execute(sql))  # type: ignore[misc]
    assert sqlite3.sqlite_version


@given(
    action_id=st.sampled_from(["a1", "a2"]),
    content_hash=st.sampled_from(["h", "i"]),
    value=st.sampled_from([1, 2, "1"]),
    sandboxed=st.booleans(),
    outcome=st.sampled_from(list(Outcome)),
)
@pytest.mark.integration
def test_a_decision_covers_exactly_its_own_call(
    action_id: str, content_hash: str, value: int | str, *, sandboxed: bool, outcome: Outcome
) -> None:
    covered = decided("a1", "k", "h", {"x": 1}, outcome=outcome, sandboxed=True).covers(
        action_id=action_id, content_hash=content_hash, params={"x": value}, sandboxed=sandboxed
    )
    same = (action_id, content_hash, sandboxed) == ("a1", "h", True) and value == 1 and isinstance(value, int)
    assert covered == (same and outcome is Outcome.ALLOW)


async def test_a_program_gets_what_needs_no_question_and_a_no_for_the_rest(engine: PermissionEngine) -> None:
    reads = replace(REQUEST, route=Route.BUILTIN, isolation=OPEN)
    assert (await engine.decide(reads, standing=ApprovalMode.GRANTED)).outcome is Outcome.ALLOW
    called = replace(REQUEST, program="Tester")
    refused = await engine.decide(called, standing=ApprovalMode.GRANTED)
    assert (refused.outcome, refused.by) == (Outcome.DENY, "flag")
    await engine.approve(REQUEST, scope="always")
    for not_granted in (called, REQUEST):  # a yes in Partner is none for a program, be it one without a name
        assert (await engine.decide(not_granted, standing=ApprovalMode.GRANTED)).outcome is Outcome.DENY
    await engine.approve(called, scope="always")
    assert (await engine.decide(called, standing=ApprovalMode.GRANTED)).outcome is Outcome.ALLOW
    for other in (replace(called, content_hash="hash-2"), replace(called, program="Other")):
        assert (await engine.decide(other, standing=ApprovalMode.GRANTED)).outcome is Outcome.DENY


async def test_what_policy_refuses_a_program_is_told_as_policy(engine: PermissionEngine, home: Home) -> None:
    own = replace(REQUEST, paths=(PathUse("folder", str(home.root.resolve()), "read"),))
    await engine.approve(REQUEST, scope="always")
    refused = await engine.decide(own, standing=ApprovalMode.GRANTED)
    assert (refused.outcome, refused.by) == (Outcome.DENY, "policy")
    assert "Partner's own data" in refused.reason
