"""What the command `permissions` asks of a Partner, and what it is answered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import PartnerError
from partner_desktop.commands.chain_lines import wider_words
from partner_desktop.domain.events import ProposalEvent, ResultEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.gateways.permission_ask import PermissionAsk, PermissionVerb
from partner_desktop.gateways.remote import RemoteSession
from partner_desktop.permission.request import StandingAnswer
from tests.support import Watcher

pytestmark = pytest.mark.integration


async def ask(partner: Partner, verb: PermissionVerb, name: str = "") -> dict[str, Any]:
    (answer,) = await RemoteSession(partner.home).permissions(PermissionAsk(verb, name))
    assert isinstance(answer, dict)
    return answer


@pytest.mark.parametrize(
    ("verb", "name", "sentence"),
    [
        ("mode", "often", "There is no mode often; there are ask, smart, autonomous"),
        ("deny", "upper", "“upper” matches no action"),
        ("forget", "first", "first is no number of a rule"),
        ("forget", "0", "There is no rule 0; there are 0"),
        ("forget", "9", "There is no rule 9; there are 0"),
        ("revoke", "", "no such grant"),
        ("revoke", "abc", "no such grant"),
    ],
)
async def test_what_cannot_be_done_is_said(
    partner: Partner, verb: PermissionVerb, name: str, sentence: str
) -> None:
    with pytest.raises(PartnerError, match=sentence):
        await ask(partner, verb, name)


async def test_each_answer_is_everything_in_force_then(
    partner: Partner, watcher: Watcher, shout: Path
) -> None:
    del shout
    say: JsonObject = {"text": "x"}
    await partner.abilities.run("local::upper", say, cwd="", standing=StandingAnswer.ASK, exchange_id="e")
    card = await watcher.until(lambda event: isinstance(event, ProposalEvent))
    assert isinstance(card, ProposalEvent)
    await partner.actions.approve(card.action.id, scope="always")
    await watcher.until(lambda event: isinstance(event, ResultEvent))
    await ask(partner, "deny", "builtin::command::*")
    now = await ask(partner, "ask", "local::*")
    assert [(rule["effect"], rule["action"]) for rule in now["rules"]] == [
        ("deny", "builtin::command::*"), ("ask", "local::*"),
    ]  # fmt: skip
    (grant,) = now["grants"]
    assert (grant["title"], grant["scope"], grant["current"]) == ("Upper", "always", True)
    assert (await ask(partner, "revoke", grant["id"][:8]))["grants"] == []
    assert [rule["effect"] for rule in (await ask(partner, "forget", "1"))["rules"]] == ["ask"]


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
