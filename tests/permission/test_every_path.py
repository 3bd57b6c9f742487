"""Every way to a run asks the one engine: with a rule that denies everything, none of them leads anywhere."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import Event, ProposalEvent, ResultEvent
from partner_desktop.domain.permission import Effect, Rule
from partner_desktop.gateways.remote import RemoteClient
from partner_desktop.permission.request import ApprovalMode
from tests.gateways.serving import OneHost, served
from tests.gateways.talking import open_gateway, talker
from tests.support import Watcher, drain

pytestmark = [pytest.mark.integration, pytest.mark.promise("actions.permission.engine")]

SHOUT = 'shout "hello" in capital letters'
WHY = "the rule “deny *” in config/permission.toml denies it"


def rejected(event: Event) -> bool:
    return isinstance(event, ResultEvent) and event.action.status is ActionStatus.REJECTED


class Paths:
    """Ways to a run of `local::upper`, as they are used from outside."""

    def __init__(self, partner: Partner, *, ran: str, waits: str) -> None:
        self._partner = partner
        self._ran, self._waits = ran, waits

    async def chat_with_approvals_given(self) -> None:
        await self._partner.messages.send(SHOUT, conversation_id=None, standing=ApprovalMode.ALL)

    async def chat(self) -> None:
        await self._partner.messages.send(SHOUT, conversation_id=None)

    async def a_look_of_partner_itself(self) -> None:
        await self._partner.messages.send("what time is it?", conversation_id=None)

    async def the_card_that_waits(self) -> None:
        await self._partner.actions.approve(self._waits, scope="always")

    async def run_again(self) -> None:
        await self._partner.actions.run_again(self._ran)

    async def console(self) -> None:
        await drain(self._partner.events.say(SHOUT, conversation_id=None))

    async def actions_run(self) -> None:
        await drain(
            self._partner.events.run("local::upper", {"text": "x"}, cwd="", standing=ApprovalMode.ALL)
        )

    async def actions_run_from_another_process(self) -> None:
        client = RemoteClient(self._partner.home)
        await drain(
            client.stream("events.run", key="local::upper", params={"text": "x"}, cwd="", standing="all")
        )

    async def websocket(self) -> None:
        gateway, token = await open_gateway(self._partner)
        async with talker(gateway, token) as one:
            await one.begin(SHOUT)
            await one.event("done")

    async def mcp_server(self) -> None:
        async with served(OneHost(RemoteClient(self._partner.home))) as program:
            answer = await program.call("upper", text="psst")
        assert answer["isError"]
        assert WHY.removeprefix("the ") in answer["content"][0]["text"]


async def test_what_a_rule_denies_runs_on_no_path_and_each_says_why(
    partner: Partner, watcher: Watcher, shout: Path
) -> None:
    del shout
    await partner.abilities.run(
        "local::upper", {"text": "x"}, cwd="", standing=ApprovalMode.ALL, exchange_id="e"
    )
    ran = await watcher.until(lambda event: isinstance(event, ResultEvent))
    await partner.messages.send(SHOUT, conversation_id=None)
    waits = await watcher.until(lambda event: isinstance(event, ProposalEvent) and event.exchange_id != "e")
    assert isinstance(ran, ResultEvent)
    assert isinstance(waits, ProposalEvent)
    await partner.permissions.save_rule(Rule(Effect.DENY, "*"))
    paths = Paths(partner, ran=ran.action.id, waits=waits.action.id)
    ways: list[Callable[[], Awaitable[None]]] = [
        getattr(paths, name) for name in vars(Paths) if not name.startswith("_")
    ]
    for go in ways:
        watcher.events.clear()
        await go()
        refused = await watcher.until(rejected)
        assert isinstance(refused, ResultEvent)
        assert refused.action.error == WHY, go
    log = await partner.audit.newest()
    assert [entry.kind for entry in log].count("run") == 1, "only what ran before the rule"
    denials = [entry for entry in log if entry.kind == "decision" and entry.by_whom == "rule"]
    assert [entry.outcome for entry in denials] == ["deny"] * len(ways)
