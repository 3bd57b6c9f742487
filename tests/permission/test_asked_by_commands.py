"""What the command `permissions` asks of a Partner, and what it is answered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.commands.plan_lines import wider_words
from partner_desktop.domain.events import ProposalEvent, ResultEvent
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways.remote import RemoteClient
from partner_desktop.permission.request import ApprovalMode
from tests.support import Watcher

pytestmark = pytest.mark.integration


async def ask(partner: Partner, verb: str, **params: Json) -> dict[str, Any]:
    """What is in force after it."""
    client = RemoteClient(partner.home)
    await client.call(f"permissions.{verb}", **params)
    return await client.object("permissions.list")


@pytest.mark.parametrize(
    ("verb", "params", "sentence"),
    [
        ("set_mode", {"mode": "often"}, "mode: input should be 'ask', 'smart' or 'autonomous'"),
        ("deny", {"pattern": "upper"}, "“upper” matches no action"),
        ("remove_rule", {"place": -1}, "There is no rule 0; there are 0"),
        ("remove_rule", {"place": 8}, "There is no rule 9; there are 0"),
        ("revoke", {"grant_id": ""}, "no such grant"),
        ("revoke", {"grant_id": "abc"}, "no such grant"),
        ("save_rule", {"rule": {"effect": "allow", "action": "*"}}, "cannot be asked for from here"),
    ],
)
async def test_what_cannot_be_done_is_said(
    partner: Partner, verb: str, params: JsonObject, sentence: str
) -> None:
    with pytest.raises(UsageError, match=sentence):
        await ask(partner, verb, **params)


async def test_each_answer_is_everything_in_force_then(
    partner: Partner, watcher: Watcher, shout: Path
) -> None:
    del shout
    say: JsonObject = {"text": "x"}
    await partner.abilities.run("local::upper", say, cwd="", standing=ApprovalMode.ASK, exchange_id="e")
    card = await watcher.until(lambda event: isinstance(event, ProposalEvent))
    assert isinstance(card, ProposalEvent)
    await partner.actions.approve(card.action.id, scope="always")
    await watcher.until(lambda event: isinstance(event, ResultEvent))
    await ask(partner, "deny", pattern="builtin::command::*")
    now = await ask(partner, "ask", pattern="local::*")
    assert [(rule["effect"], rule["action"]) for rule in now["rules"]] == [
        ("deny", "builtin::command::*"), ("ask", "local::*"),
    ]  # fmt: skip
    (grant,) = now["grants"]
    assert (grant["title"], grant["scope"], grant["current"]) == ("Upper", "always", True)
    assert (await ask(partner, "revoke", grant_id=grant["id"][:8]))["grants"] == []
    assert [rule["effect"] for rule in (await ask(partner, "remove_rule", place=0))["rules"]] == ["ask"]


@pytest.mark.promise("actions.grant.places")
@pytest.mark.parametrize(
    ("key", "sandboxed", "said"),
    [
        ("local::look", True, "[c] in this conversation  [a] always  "),
        ("builtin::windows::list", False, "[c] in this conversation  [a] always  "),
        (
            "notes::copy",
            False,
            (
                "[c] in this conversation with these arguments  [a] always with these arguments  "
                "[e] always with any arguments  "
            ),
        ),
    ],
)
def test_the_terminal_says_of_what_no_sandbox_holds_that_a_yes_is_for_its_arguments(
    key: str, sandboxed: bool, said: str
) -> None:
    card: JsonObject = {"key": key, "grantable": True, "paths": [], "isolation": {"sandboxed": sandboxed}}
    assert wider_words(card) == said
