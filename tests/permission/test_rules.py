"""Rules: which of them speaks, what an allow is bound to, and what cannot be one."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.meta_action import Route
from partner_desktop.domain.permission import Effect, Mode, Rule
from partner_desktop.domain.run_facts import PathUse, Risk
from partner_desktop.permission.request import ApprovalMode, Outcome
from partner_desktop.permission.rules import ALLOWABLE, RuleBook, rule_problem
from tests.permission.rooms import HASH, LOOK, OPEN, SCRIPT, Room, room
from tests.tables import all_rows

DENY = Rule(Effect.DENY, "local::*")
ASK = Rule(Effect.ASK, "local::u*")
ALLOW = Rule(Effect.ALLOW, "local::upper", HASH[:16])


@pytest.fixture
async def here(home: Home) -> AsyncIterator[Room]:
    async with room(home, "here") as one:
        yield one


@pytest.mark.promise("actions.permission.engine")
async def test_deny_beats_ask_and_ask_beats_allow_in_whatever_order_they_stand(here: Room) -> None:
    for rules in itertools.permutations((DENY, ASK, ALLOW)):
        here.say(*rules)
        decision = await here.engine.decide(SCRIPT, standing=ApprovalMode.ALL)
        assert (decision.outcome, decision.by) == (Outcome.DENY, "rule")
        assert decision.reason == "the rule “deny local::*” in config/permission.toml denies it"
    for rules in itertools.permutations((ASK, ALLOW)):
        here.say(*rules)
        assert (await here.engine.decide(SCRIPT, standing=ApprovalMode.ASK)).outcome is Outcome.ASK
        refused = await here.engine.decide(SCRIPT, standing=ApprovalMode.GRANTED)
        assert (refused.outcome, refused.by) == (Outcome.DENY, "rule")
        assert "the rule “ask local::u*” in config/permission.toml asks each time" in refused.reason
    here.say(ALLOW)
    decision = await here.engine.decide(SCRIPT, standing=ApprovalMode.GRANTED)
    assert (decision.outcome, decision.by) == (Outcome.ALLOW, "rule")


async def test_what_a_rule_denies_no_yes_on_a_card_opens(here: Room) -> None:
    here.say(Rule(Effect.DENY, "builtin::files::r[a-e]ad"))
    for scope in ("once", "conversation", "always"):
        decision = await here.engine.approve(LOOK, scope=scope)
        assert (decision.outcome, decision.by) == (Outcome.DENY, "rule")
    here.say()
    assert await here.grants.all() == []


@pytest.mark.promise("actions.permission.hash")
async def test_an_allow_is_for_this_script_only_and_an_edit_asks_again(here: Room) -> None:
    here.say(ALLOW)
    assert (await here.engine.decide(SCRIPT, standing=ApprovalMode.ASK)).outcome is Outcome.ALLOW
    edited = replace(SCRIPT, content_hash="f" + HASH[1:])
    assert (await here.engine.decide(edited, standing=ApprovalMode.ASK)).outcome is Outcome.ASK


async def test_an_allow_opens_neither_what_nothing_holds_nor_command_lines_nor_secrets(here: Room) -> None:
    here.say(ALLOW)
    secret = PathUse("", "/home/user/.ssh", "read")
    for request in (
        replace(SCRIPT, isolation=OPEN),
        replace(SCRIPT, args_bound=True),
        replace(SCRIPT, led_away=True),
        replace(SCRIPT, paths=(secret,)),
        replace(SCRIPT, paths=(replace(secret, param="file"),)),
    ):
        assert (await here.engine.decide(request, standing=ApprovalMode.ASK)).outcome is Outcome.ASK


async def test_an_allow_opens_a_builtin_that_changes_no_files(here: Room) -> None:
    clipboard = replace(LOOK, action_key="builtin::clipboard::read", outward=True, args_bound=True)
    here.say(Rule(Effect.ALLOW, "builtin::clipboard::*"))
    assert (await here.engine.decide(clipboard, standing=ApprovalMode.ASK)).outcome is Outcome.ALLOW
    for request in (
        replace(clipboard, action_key="builtin::command::execute", risk=Risk.SYSTEM),
        replace(clipboard, paths=(PathUse("file", "/home/user/notes.txt", "write"),)),
        replace(clipboard, route=Route.MCP, isolation=OPEN),
    ):
        here.say(Rule(Effect.ALLOW, "*"))
        assert (await here.engine.decide(request, standing=ApprovalMode.ASK)).outcome is Outcome.ASK


async def test_what_a_rule_may_open_among_the_builtins_writes_no_file_and_runs_no_program(
    partner: Partner,
) -> None:
    for key in ALLOWABLE:
        entry = partner._parts.actions.catalog.entry(key)
        assert entry is not None, f"{key} is not there (any more)"
        assert entry.info is not None
        assert "write" not in entry.info.path_params().values()
        assert not key.startswith(("builtin::command::", "builtin::dynamic::", "builtin::open"))


@all_rows(
    "rule, sentence",
    [
        (Rule(Effect.DENY, " "), "a rule names an action"),
        (Rule(Effect.DENY, "execute"), "“execute” matches no action"),
        (Rule(Effect.DENY, "local::a\nb"), "invisible characters"),
        (Rule(Effect.DENY, "local::*" + "a" * 1_000), "at most 1,000 characters"),
        (Rule(Effect.DENY, " local::a"), "no spaces at its ends"),
        (Rule(Effect.DENY, "local::a "), "no spaces at its ends"),
        (Rule(Effect.ASK, "local::a", "12"), "16 to 64 of the digits"),
        (Rule(Effect.ALLOW, "local::a", HASH[:15]), "16 to 64 of the digits"),
        (Rule(Effect.ALLOW, "local::a"), "needs the hash of its script"),
        (Rule(Effect.ALLOW, "*"), "needs the hash of its script"),
        (Rule(Effect.ALLOW, "notes::find", HASH), "no sandbox holds"),
        (Rule(Effect.ALLOW, "builtin::notify", HASH), "have no hash"),
        (Rule(Effect.ALLOW, "builtin::command::execute"), "approved on their cards"),
        (Rule(Effect.ALLOW, "builtin::command::*"), "would allow any command"),
        (Rule(Effect.ALLOW, "builtin::files::write"), "what changes files is approved on its card"),
    ],
)
def test_a_rule_that_cannot_hold_is_told_why(rule: Rule, sentence: str) -> None:
    assert sentence in rule_problem(rule)


def test_a_written_out_key_matches_itself_whatever_it_holds() -> None:
    book = RuleBook([Rule(Effect.DENY, "origin::/tmp/report[1].py"), Rule(Effect.ASK, "LOCAL::*")])
    assert book.deny("origin::/tmp/report[1].py")
    assert book.deny("origin::/tmp/report1.py")
    assert book.deny("origin::/tmp/report2.py") is None
    assert book.ask("local::upper") is None


def test_ten_thousand_rules_the_same_ones_twice_are_one_book() -> None:
    exact = [Rule(Effect.DENY, f"local::tool_{number}") for number in range(5_000)]
    book = RuleBook([*exact, *exact, Rule(Effect.DENY, "local::*_x"), Rule(Effect.DENY, "local::*_x")])
    assert book.deny("local::tool_4999") == exact[-1]
    assert book.deny("local::a_x") == Rule(Effect.DENY, "local::*_x")
    assert book.deny("local::tool_5000") is None


async def test_a_mode_that_asks_counts_neither_reads_nor_rules_nor_grants(here: Room) -> None:
    await here.engine.approve(SCRIPT, scope="always")
    here.say(ALLOW, mode=Mode.ASK)
    for request in (LOOK, SCRIPT):
        assert (await here.engine.decide(request, standing=ApprovalMode.ASK)).outcome is Outcome.ASK
        refused = await here.engine.decide(request, standing=ApprovalMode.GRANTED)
        assert "the mode “ask” of config/permission.toml" in refused.reason
        assert (await here.engine.decide(request, standing=ApprovalMode.ALL)).by == "flag"


async def test_autonomous_runs_what_a_sandbox_keeps_from_changing_and_sending(
    here: Room, user_home: Path
) -> None:
    here.say(mode=Mode.AUTONOMOUS)
    notes = PathUse("file", str(user_home / "notes.txt"), "read")
    for request in (SCRIPT, replace(SCRIPT, paths=(notes,))):
        assert (await here.engine.decide(request, standing=ApprovalMode.GRANTED)).by == "policy"
    for request in (
        replace(SCRIPT, isolation=OPEN),
        replace(SCRIPT, isolation=replace(SCRIPT.isolation, net=True)),
        replace(SCRIPT, isolation=replace(SCRIPT.isolation, sandboxed=False, server="notes")),
        replace(SCRIPT, risk=Risk.WRITE),
        replace(SCRIPT, paths=(replace(notes, param=""),)),
        replace(SCRIPT, paths=(replace(notes, access="write"),)),
        replace(SCRIPT, paths=(replace(notes, path=str(user_home)),)),
        replace(SCRIPT, paths=(replace(notes, path=str(user_home / ".ssh")),)),
        replace(LOOK, outward=True),
    ):
        assert (await here.engine.decide(request, standing=ApprovalMode.ASK)).outcome is Outcome.ASK
