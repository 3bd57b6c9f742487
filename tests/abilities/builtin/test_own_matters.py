"""Builtins about Partner itself: what was said, its own turns, its abilities, what is under way, servers."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.abilities.builtin.own_abilities import ServerBuiltins
from partner_desktop.abilities.builtin.registry import BuiltinActionRegistry, BuiltinCall
from partner_desktop.app import Partner
from partner_desktop.base.errors import TellMindError
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import ProposalEvent, ReplyEvent
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.mcp_server import (
    PromptArgument,
    ServerFailure,
    ServerPhase,
    ServerPrompt,
    ServerResource,
    ServerStatus,
    ServerStep,
)
from partner_desktop.domain.message import Role
from partner_desktop.domain.meta_action import RunnerResponse
from partner_desktop.permission.request import ApprovalMode
from tests.abilities.builtin.calling import Caller, summary
from tests.action.listing import keys, put, trash_of
from tests.support import UPPER_SCRIPT, Watcher

#: A Partner each: for the whole gate.
pytestmark = pytest.mark.integration


async def _said(partner: Partner, watcher: Watcher, text: str, conversation_id: str | None = None) -> str:
    watcher.events.clear()
    message = await partner.messages.send(text, conversation_id=conversation_id)
    await watcher.done()
    return message.conversation_id


def _rows(data: object, name: str) -> list[JsonObject]:
    assert isinstance(data, dict)
    found = data[name]
    assert isinstance(found, list)
    return [row for row in found if isinstance(row, dict)]


# What was said.


async def test_what_was_said_elsewhere_is_recalled_by_its_words(
    call: Caller, partner: Partner, watcher: Watcher
) -> None:
    await _said(partner, watcher, "my sister lives in Ulm by the Danube")
    await _said(partner, watcher, "the weather is fine")
    record = await call("capability::memory_recall", {"query": "Ulm Danube"}, standing=ApprovalMode.GRANTED)
    (row,) = _rows(record.data, "said")
    assert (row["who"], row["what"]) == ("you", "my sister lives in Ulm by the Danube")
    assert row["where"] == "my sister lives in Ulm by the Danube"


async def test_in_a_conversation_it_recalls_what_came_before_the_question(
    partner: Partner, watcher: Watcher
) -> None:
    place = await _said(partner, watcher, "the gate code is 4711")
    await _said(partner, watcher, "good morning", place)
    await _said(partner, watcher, "do you remember what I said about the gate?", place)
    said = await partner.messages.list(place)
    assert "the gate code is 4711" in said[-1].text
    assert await partner.actions.list(limit=1) == [], "memory answers; no ability is run for it"


async def test_it_is_the_recall_of_memory_forms_of_words_and_days_count(
    call: Caller, partner: Partner, watcher: Watcher
) -> None:
    await _said(partner, watcher, "The appointments with the physiotherapist are on Thursdays")
    for query in ("appointment physiotherapists", "what did I tell you today?"):
        record = await call("capability::memory_recall", {"query": query})
        said = [row["what"] for row in _rows(record.data, "said")]
        assert "The appointments with the physiotherapist are on Thursdays" in said, query


async def test_what_was_never_said_is_not_made_up(call: Caller) -> None:
    record = await call("capability::memory_recall", {"query": "zebra"})
    assert summary(record) == "Nothing was said about “zebra” that is still here."


async def test_a_deleted_conversation_is_not_recalled(
    call: Caller, partner: Partner, watcher: Watcher
) -> None:
    place = await _said(partner, watcher, "the secret word is xylophone")
    await partner.conversations.delete(place)
    assert summary(await call("capability::memory_recall", {"query": "xylophone"})).startswith("Nothing")


# A turn of its own.


async def test_a_turn_of_its_own_speaks_where_it_was_told_to(
    call: Caller, partner: Partner, watcher: Watcher
) -> None:
    place = await _said(partner, watcher, "hello")
    watcher.events.clear()
    record = await call("capability::initiate_turn", {"input": "the tea is ready", "target": place})
    assert summary(record) == "A turn begins in “hello”."
    reply = await watcher.until(
        lambda event: isinstance(event, ReplyEvent) and event.done and event.conversation_id == place
    )
    assert isinstance(reply, ReplyEvent)
    assert "the tea is ready" in reply.text
    said = await partner.messages.list(place)
    assert [message.text for message in said if message.role is Role.USER] == ["hello"]


async def test_a_turn_of_its_own_asks_first_and_its_words_decide_and_begin_nothing(
    call: Caller, partner: Partner, watcher: Watcher, user_home: Path
) -> None:
    """Its input is neither a yes to the card that waits there nor a wish: so no turn begins another one."""
    (user_home / "dear.txt").touch()
    watcher.events.clear()
    place = await _said(partner, watcher, "delete ~/dear.txt")
    card = await watcher.until(lambda event: isinstance(event, ProposalEvent))
    assert isinstance(card, ProposalEvent)
    asked = await call("capability::initiate_turn", {"input": "yes"}, standing=ApprovalMode.ASK)
    assert asked.status is ActionStatus.WAITING
    for words in ("yes", "start a turn of your own: again"):
        before = len(await partner.actions.list())
        watcher.events.clear()
        await call("capability::initiate_turn", {"input": words, "target": place})
        await watcher.until(
            lambda event: isinstance(event, ReplyEvent) and event.done and event.conversation_id == place
        )
        assert len(await partner.actions.list()) == before + 1
    assert (await partner.actions.get(card.action.id)).status is ActionStatus.WAITING
    assert (user_home / "dear.txt").exists()


async def test_no_turn_begins_where_no_conversation_is(call: Caller) -> None:
    record = await call("capability::initiate_turn", {"input": "x", "target": "nowhere"})
    assert summary(record) == "There is no conversation nowhere."


# Abilities.


async def test_a_temporary_ability_is_kept_and_removed_by_its_key(
    call: Caller, partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await put(watcher, action_dir / "tmp" / "upper.py", UPPER_SCRIPT, "origin::upper.py")
    listed = _rows((await call("dynamic::list", {}, standing=ApprovalMode.GRANTED)).data, "abilities")
    assert [(row["key"], row["state"]) for row in listed] == [("origin::upper.py", "temporary")]
    kept = await call(
        "dynamic::persist", {"actionKey": "origin::upper.py", "name": "loud", "description": "Be loud"}
    )
    assert summary(kept) == "“Loud” is kept for good, as local::loud. It asks again before it runs."
    assert keys(partner) == {"local::loud"}
    assert summary(await call("dynamic::remove", {"actionKey": "local::loud"})) == (
        "“Loud” (local::loud) is in the trash now. Say “bring it back” to undo that."
    )
    assert "local::loud" not in keys(partner)
    assert any(path.name.startswith("loud") for path in trash_of().iterdir())


async def test_a_builtin_cannot_be_removed_and_what_is_kept_not_kept_again(call: Caller) -> None:
    assert "is built in" in summary(await call("dynamic::remove", {"actionKey": "builtin::time"}))
    assert "is not there" in summary(await call("dynamic::persist", {"actionKey": "origin::x"}))


async def test_what_can_be_called_is_listed_without_what_is_switched_off(
    call: Caller, partner: Partner
) -> None:
    await partner.abilities.switch("builtin::notify", on=False)
    record = await call("intervention::list_available_meta_actions", {})
    rows = {row["key"]: row for row in _rows(record.data, "actions")}
    assert "builtin::notify" not in rows
    assert rows["builtin::files::copy"]["params"] == "source, target"


async def test_what_waits_in_a_conversation_is_listed_and_nothing_else(
    partner: Partner, watcher: Watcher, user_home: Path
) -> None:
    (user_home / "old.txt").touch()
    (user_home / "other.txt").touch()
    await _said(partner, watcher, "delete ~/other.txt")
    place = await _said(partner, watcher, "delete ~/old.txt")
    await _said(partner, watcher, "which actions are waiting or running", place)
    record = (await partner.actions.list(limit=1))[0]
    (row,) = _rows(record.data, "actions")
    assert (row["key"], row["status"]) == ("builtin::files::trash", "waiting")


# Servers.


class Servers:
    """Two servers, as the manager tells of them."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, ...]] = []

    def statuses(self) -> list[ServerStatus]:
        return [
            ServerStatus(
                "notes",
                ServerPhase.READY,
                "stdio",
                tools=3,
                resources=(ServerResource("note://1", "one"),),
                prompts=(ServerPrompt("sum", arguments=(PromptArgument("length"),)),),
            ),
            ServerStatus(
                "broken",
                ServerPhase.FAILED,
                "stdio",
                failure=ServerFailure(ServerStep.SPAWN, "No such file."),
            ),
        ]

    async def read_resource(self, server_id: str, uri: str) -> RunnerResponse:
        self.asked.append((server_id, uri))
        return RunnerResponse(ok=True, stdout="text")

    async def get_prompt(self, server_id: str, name: str, arguments: JsonObject) -> RunnerResponse:
        self.asked.append((server_id, name, str(arguments)))
        return RunnerResponse(ok=True, stdout="prompt")


async def test_servers_are_listed_and_asked_by_their_id(tmp_path: Path) -> None:
    servers = Servers()
    registry = BuiltinActionRegistry([ServerBuiltins(lambda: servers)])

    async def ask(tool: str, **params: Json) -> RunnerResponse:
        return await registry.call(f"builtin::mcp::{tool}", BuiltinCall(params, tmp_path))

    rows = _rows((await ask("list")).data, "servers")
    assert [(row["server"], row["phase"], row["resources"]) for row in rows] == [
        ("notes", "ready", 1),
        ("broken", "failed", 0),
    ]
    assert _rows((await ask("list", server="notes")).data, "prompts")[0]["arguments"] == "length"
    assert (await ask("read_resource", server="notes", uri="note://1")).stdout == "text"
    assert (await ask("get_prompt", server="notes", name="sum", arguments={"length": "1"})).stdout == "prompt"
    assert servers.asked == [("notes", "note://1"), ("notes", "sum", "{'length': '1'}")]
    with pytest.raises(TellMindError, match=r"broken is not ready \(failed\): No such file"):
        await ask("read_resource", server="broken", uri="x")
    with pytest.raises(TellMindError, match="no MCP server called `other`; there are: notes, broken"):
        await ask("get_prompt", server="other", name="x")


async def test_without_servers_it_says_so_and_reading_from_one_asks(call: Caller) -> None:
    assert summary(await call("mcp::list", {})) == "No MCP server is configured."
    asked = await call("mcp::read_resource", {"server": "x", "uri": "y"}, standing=ApprovalMode.ASK)
    assert asked.status is ActionStatus.WAITING
    assert "no MCP server called `x`; none is configured" in summary(
        await call("mcp::read_resource", {"server": "x", "uri": "y"})
    )
