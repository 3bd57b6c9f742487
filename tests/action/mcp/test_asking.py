"""What a server asks while it works on a call: the person, the folders, a model's words."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.elicitation import ElicitationAnswer
from partner_desktop.domain.events import (
    ElicitationEvent,
    Event,
    NoticeEvent,
    ProgressEvent,
    ProposalEvent,
    ResultEvent,
)
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.model_status import EndpointDraft
from partner_desktop.domain.permission import Effect, Rule, Scope
from partner_desktop.domain.run_facts import Risk
from partner_desktop.permission.request import ApprovalMode
from tests.action.mcp.serving import call, plain, until_listed, write
from tests.model.endpoint.badly import BadServer, saying
from tests.runner.mcp import servers
from tests.support import WAIT_S, Watcher

# Whole stories, with processes or windows of their own: for the whole gate.
pytestmark = pytest.mark.integration

SAMPLE = "builtin::mcp::sample"


async def connect(partner: Partner, watcher: Watcher, action_dir: Path) -> None:
    """A server that asks for everything."""
    config: dict[str, Any] = {"command": sys.executable, "args": ["-B", os.fspath(servers.path("asks"))]}
    write(action_dir, "asks.json", {"asks": config})
    await until_listed(partner, watcher, "asks::elicit")


async def start(partner: Partner, tool: str) -> str:
    """Propose a call that is approved at once; its exchange."""
    exchange = f"of {tool}"
    await partner.abilities.run(f"asks::{tool}", {}, cwd="", standing=ApprovalMode.ALL, exchange_id=exchange)
    return exchange


async def question(watcher: Watcher) -> ElicitationEvent:
    found = await watcher.until(lambda event: isinstance(event, ElicitationEvent) and event.open)
    assert isinstance(found, ElicitationEvent)
    return found


def ended(exchange: str, key: str) -> Any:
    def fits(event: Event) -> bool:
        return isinstance(event, ResultEvent) and event.exchange_id == exchange and event.action.key == key

    return fits


async def result(watcher: Watcher, exchange: str, key: str) -> ActionRecord:
    found = await watcher.until(ended(exchange, key))
    assert isinstance(found, ResultEvent)
    return found.action


async def test_a_question_reaches_the_person_in_its_conversation_and_the_answer_the_server(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await connect(partner, watcher, action_dir)
    exchange = await start(partner, "elicit")
    asked = await question(watcher)
    assert asked.exchange_id == exchange
    assert asked.conversation_id == asked.elicitation.conversation_id != ""
    assert (asked.elicitation.server, asked.elicitation.message) == ("asks", "Which city?")
    assert partner.servers.elicitations() == (asked.elicitation,)
    with pytest.raises(UsageError, match="does not fit"):
        await partner.servers.answer(asked.elicitation.id, ElicitationAnswer("accept", {"city": 3}))
    await partner.servers.answer(asked.elicitation.id, ElicitationAnswer("accept", {"city": "Oslo"}))
    done = await result(watcher, exchange, "asks::elicit")
    assert json.loads(done.stdout) == {"action": "accept", "content": {"city": "Oslo"}}
    assert partner.servers.elicitations() == ()


async def test_a_question_to_one_who_came_by_a_gateway_is_cancelled_at_once_and_said(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await connect(partner, watcher, action_dir)
    sent = await partner.messages.send(
        "elicit", conversation_id=None, source="websocket", standing=ApprovalMode.ALL
    )
    told = await watcher.until(
        lambda event: isinstance(event, NoticeEvent) and event.conversation_id == sent.conversation_id
    )
    assert isinstance(told, NoticeEvent)
    assert told.text == "Nobody can be asked here, so it was cancelled. asks asks: Which city?"
    done = await watcher.until(lambda event: isinstance(event, ResultEvent))
    assert isinstance(done, ResultEvent)
    assert json.loads(done.action.stdout) == {"action": "cancel"}


async def test_a_question_goes_with_the_action_that_is_cancelled(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await connect(partner, watcher, action_dir)
    exchange = await start(partner, "elicit")
    asked = await question(watcher)
    await partner.actions.cancel(asked.elicitation.action_id)
    closed = await watcher.until(lambda event: isinstance(event, ElicitationEvent) and not event.open)
    assert closed.exchange_id == exchange
    assert partner.servers.elicitations() == ()
    assert (await result(watcher, exchange, "asks::elicit")).status == "cancelled"


async def test_progress_is_told_in_the_exchange_of_its_run(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await connect(partner, watcher, action_dir)
    done = (await call(partner, watcher, "asks::progress", "counts")).action
    told = [event for event in watcher.events if isinstance(event, ProgressEvent)]
    assert told
    assert {(event.exchange_id, event.action_id, event.message) for event in told} == {
        ("counts", done.id, "on it")
    }


async def test_the_folders_of_the_settings_are_told_when_asked_for(
    partner: Partner, watcher: Watcher, action_dir: Path, tmp_path: Path
) -> None:
    await connect(partner, watcher, action_dir)
    assert json.loads((await call(partner, watcher, "asks::roots", "before")).action.stdout) == {"roots": []}
    await partner.config.set("action", ("roots",), [str(tmp_path)])
    found = json.loads((await call(partner, watcher, "asks::roots", "after")).action.stdout)
    assert [root["uri"] for root in found["roots"]] == [tmp_path.as_uri()]


async def test_words_of_a_model_are_given_only_after_a_yes(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    async with BadServer(saying("hello", " there")) as model:
        name = await partner.models.add_endpoint(EndpointDraft("parrot", model.address, "parrot"), "")
        await partner.models.use(name)
        await connect(partner, watcher, action_dir)
        assert SAMPLE not in {ability.key for ability in partner.abilities.list()}
        exchange = "of sample"
        await partner.abilities.run(
            "asks::sample", {}, cwd="", standing=ApprovalMode.ASK, exchange_id=exchange
        )
        first = await card(watcher, "asks::sample")
        assert first.risk is Risk.SYSTEM
        assert first.isolation is not None
        assert first.isolation.server == "asks"
        await partner.actions.approve(first.id, scope="once")
        asked = await card(watcher, SAMPLE)
        assert asked.conversation_id == first.conversation_id
        assert asked.params == {
            "server": "asks",
            "system": "Be brief.",
            "messages": [{"role": "user", "text": "Say hello."}],
            "max_tokens": 20,
        }
        await partner.actions.approve(asked.id, scope="once")
        done = await result(watcher, exchange, "asks::sample")
        assert json.loads(done.stdout)["content"]["text"] == "hello there"
        kept = await partner.actions.get(asked.id)
        assert (kept.status, kept.stdout) == ("succeeded", "hello there")


async def test_a_no_is_an_error_for_the_server_and_its_call_goes_on(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    async with BadServer(saying("hello", " there")) as model:
        await partner.models.use(
            await partner.models.add_endpoint(EndpointDraft("parrot", model.address, "p"), "")
        )
        await connect(partner, watcher, action_dir)
        await partner.abilities.run("asks::sample", {}, cwd="", standing=ApprovalMode.ASK, exchange_id="no")
        await partner.actions.approve((await card(watcher, "asks::sample")).id, scope="once")
        await partner.actions.reject((await card(watcher, SAMPLE)).id)
        done = await result(watcher, "no", "asks::sample")
        assert "did not allow" in done.stdout + done.error


async def test_a_card_for_words_goes_with_the_action_that_is_cancelled(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    async with BadServer(saying("hello", " there")) as model:
        await partner.models.use(
            await partner.models.add_endpoint(EndpointDraft("parrot", model.address, "p"), "")
        )
        await connect(partner, watcher, action_dir)
        await partner.abilities.run("asks::sample", {}, cwd="", standing=ApprovalMode.ASK, exchange_id="gone")
        first = await card(watcher, "asks::sample")
        await partner.actions.approve(first.id, scope="once")
        asked = await card(watcher, SAMPLE)
        await partner.actions.cancel(first.id)
        assert (await result(watcher, "gone", SAMPLE)).status == "rejected"
        assert (await partner.actions.get(asked.id)).error == "The action that it was asked for has ended."


@pytest.mark.promise("actions.permission.engine")
async def test_a_rule_denies_words_of_the_model_before_anyone_is_asked(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    async with BadServer(saying("hello", " there")) as model:
        await partner.models.use(
            await partner.models.add_endpoint(EndpointDraft("parrot", model.address, "p"), "")
        )
        await connect(partner, watcher, action_dir)
        await partner.permissions.save_rule(Rule(Effect.DENY, SAMPLE))
        await partner.abilities.run("asks::sample", {}, cwd="", standing=ApprovalMode.ALL, exchange_id="no")
        refused = await result(watcher, "no", SAMPLE)
        assert (refused.status, f"“deny {SAMPLE}” in config/permission.toml" in refused.error) == (
            "rejected", True,
        )  # fmt: skip
        told = json.loads((await result(watcher, "no", "asks::sample")).stdout)
        assert told["message"] == refused.error
        await watcher.done("no")


async def test_without_a_model_no_words_are_offered(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await connect(partner, watcher, action_dir)
    offered = json.loads((await call(partner, watcher, "asks::client", "asks")).action.stdout)
    assert "elicitation" in offered
    assert "sampling" not in offered


async def card(watcher: Watcher, key: str) -> ActionRecord:
    async with asyncio.timeout(WAIT_S):
        found = await watcher.until(
            lambda event: isinstance(event, ProposalEvent) and event.action.key == key
        )
    assert isinstance(found, ProposalEvent)
    return found.action


@pytest.mark.promise("actions.grant.places")
async def test_a_lasting_yes_to_a_servers_tool_is_for_the_same_arguments_until_it_is_for_any(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    write(action_dir, "plain.json", {"plain": plain("--tools", "copy")})
    await until_listed(partner, watcher, "plain::copy")

    exchanges = map(str, itertools.count())

    async def asks(**params: Json) -> ActionRecord | None:
        exchange = next(exchanges)
        await partner.abilities.run(
            "plain::copy", params, cwd="", standing=ApprovalMode.ASK, exchange_id=exchange
        )
        cards = await partner.actions.list()
        return next(
            (card for card in cards if card.exchange_id == exchange and card.status == "waiting"), None
        )

    scopes: tuple[tuple[Scope, bool], ...] = (("always", True), ("everywhere", False))
    for scope, others in scopes:
        card = await asks(text=f"notes of {scope}")
        assert card is not None
        await partner.actions.approve(card.id, scope=scope)
        await watcher.until(ended(card.exchange_id, "plain::copy"))
        assert await asks(text=f"notes of {scope}") is None
        for params in ({"text": "~/.bashrc"}, {}):
            assert (await asks(**params) is not None) is others
