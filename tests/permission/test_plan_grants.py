"""A yes to a saved plan that reaches further: what it opens, and what stays closed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.permission import Effect, Rule
from partner_desktop.domain.run_facts import Risk
from partner_desktop.permission.judgement import CHAIN_REASON
from partner_desktop.permission.request import Outcome, PermissionRequest
from partner_desktop.storage.database import Connection
from tests.permission.rooms import HASH, SCRIPT, Room, room

FIRST = replace(SCRIPT, action_id="first", action_key="local::note")
SECOND = replace(SCRIPT, action_id="second", action_key="local::stamp")
STEPS = [FIRST, SECOND]
WHOLE = replace(
    SCRIPT,
    action_id="whole",
    action_key="local::take_in",
    args_bound=True,
    params={"arguments": {"who": "Ann"}},
)


@pytest.fixture
async def here(home: Home) -> AsyncIterator[Room]:
    async with room(home, "here", "there") as one:
        yield one


def nothing(_: Connection) -> None:
    """Nothing more is written."""


async def allow(one: Room, whole: PermissionRequest = WHOLE, scope: str = "always") -> list[Outcome]:
    decisions = await one.engine.approve_plan(
        STEPS,
        whole=whole,
        scope=scope,  # type: ignore[arg-type] # of a table
        reason="chain c1",
        also=nothing,
    )
    return [each.outcome for each in decisions]


async def granted(one: Room, whole: PermissionRequest = WHOLE) -> list[str]:
    """The actions that may run."""
    decisions = await one.engine.granted_plan(STEPS, whole=whole, reason="chain c2")
    assert all((each.outcome, each.by) == (Outcome.ALLOW, "grant") for each in decisions)
    return [each.action_id for each in decisions]


async def test_all_steps_of_what_was_allowed_run_and_that_is_written_down(here: Room) -> None:
    assert await granted(here) == [], "nobody said yes"
    await allow(here)
    assert await granted(here) == ["first", "second"]
    last = (await here.audit.decisions("second"))[0]
    assert (last.outcome, last.by_whom, last.reason) == ("allow", "grant", "chain c2")


@pytest.mark.parametrize("effect", [Effect.DENY, Effect.ASK])
@pytest.mark.parametrize("key", ["local::take_in", "local::note", "local::stamp"])
async def test_what_is_forbidden_or_asks_each_time_is_not_opened_by_it(
    here: Room, effect: Effect, key: str
) -> None:
    await allow(here)
    here.say(Rule(effect, key))
    assert await granted(here) == []


async def test_a_program_has_no_plan_allowed_to_it(here: Room) -> None:
    asked = replace(WHOLE, program="a program")
    await allow(here, asked)
    assert await granted(here, asked) == []


@pytest.mark.parametrize("key", ["local::take_in", "local::note", "local::stamp"])
async def test_a_yes_reaches_no_further_than_to_each_of_its_parts(here: Room, key: str) -> None:
    here.say(Rule(Effect.ASK, key))
    with pytest.raises(UsageError, match="once only"):
        await allow(here)
    assert await here.grants.all() == []


async def test_a_yes_to_a_plan_with_a_part_that_is_forbidden_is_none(here: Room) -> None:
    here.say(Rule(Effect.DENY, "local::stamp"))
    assert await allow(here) == [Outcome.DENY]
    assert await here.grants.all() == []


async def test_the_list_of_grants_says_that_it_holds_for_these_arguments(here: Room) -> None:
    await allow(here)
    (grant,) = await here.grants.all()
    assert grant.held == "sandboxed · no network · only with the same arguments"


LOOK = replace(SCRIPT, action_key="local::query", looks=True)
OPENS = replace(LOOK.isolation, net=True)


@pytest.mark.parametrize(
    ("look", "rules", "free"),
    [
        (LOOK, (), True),
        (replace(LOOK, looks=False), (), False),
        (replace(LOOK, args_bound=True), (), False),
        (replace(LOOK, program="a program"), (), False),
        (replace(LOOK, risk=Risk.WRITE), (), False),
        (replace(LOOK, isolation=OPENS), (), False),
        (LOOK, (Rule(Effect.ASK, "local::*"),), False),
        (LOOK, (Rule(Effect.DENY, "local::query"),), False),
        (LOOK, (Rule(Effect.ALLOW, "local::query", HASH),), False),
    ],
)
async def test_a_plan_asks_for_a_look_only_where_one_yes_lets_it_look_from_then_on(
    here: Room, look: PermissionRequest, rules: tuple[Rule, ...], free: bool
) -> None:
    here.say(*rules)
    assert await here.engine.is_free_once_approved(look) is free
    if not rules:
        await here.engine.approve(look, scope="once")
        assert await here.engine.is_free_once_approved(look) is False, "it was said"


@pytest.mark.parametrize("scope", ["conversation", "always"])
async def test_a_plan_with_code_in_it_has_no_yes_for_good(here: Room, scope: str) -> None:
    with pytest.raises(UsageError, match="once only"):
        await allow(here, replace(WHOLE, code=True), scope=scope)
    assert await here.grants.all() == []


async def test_a_step_goes_on_as_long_as_the_yes_that_it_rests_on_is_there(here: Room) -> None:
    await allow(here)
    assert await here.engine.stands("first", whole=WHOLE), "a person said yes to its very card"
    await here.engine.granted_plan(STEPS, whole=WHOLE, reason=f"{CHAIN_REASON}2")
    assert await here.engine.stands("first", whole=WHOLE)
    (grant,) = await here.grants.all()
    await here.grants.revoke(grant.id)
    assert not await here.engine.stands("first", whole=WHOLE)
    assert await here.engine.stands("never decided", whole=WHOLE)
