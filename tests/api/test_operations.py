"""Operations: everything that can be asked of Partner by name, and what happens to what cannot."""

from __future__ import annotations

import json
from collections.abc import Sequence

import jsonschema
import pytest

from partner_desktop.api.operations import MOST_CHARACTERS, Operations
from partner_desktop.app import Partner
from partner_desktop.base.errors import PartnerError, UsageError
from partner_desktop.base.messages import speaking
from partner_desktop.base.operation import Caller, operation
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.permission import Mode

# Real Partners, one for each test: the whole gate's business.
pytestmark = pytest.mark.integration

CLIENT, ATTACHED, LOCAL = Caller.CLIENT, Caller.ATTACHED, Caller.LOCAL

#: What a program with a token may ask for; a new line here opens something to strangers.
STRANGERS = {
    "actions.approve",
    "actions.reject",
    "conversations.get",
    "conversations.list",
    "conversations.stop",
    "messages.list",
    "messages.send",
}
STREAMS = {"audit.pages", "events.decide", "events.follow", "events.plan", "events.run", "events.say"} | {
    "downloads.follow",
    "events.resume",
    "events.watch",
    "memory.follow_import",
}


async def test_every_operation_says_what_it_does_who_may_ask_and_what_it_takes_and_gives(
    partner: Partner,
) -> None:
    faults = []
    for one in partner.operations:
        if not one.summary.endswith((".", ".”", ":")) and "." not in one.text:
            faults.append(f"{one.name} has no sentence that says what it does")
        for caller in (each for each in Caller if each >= one.caller):
            told = one.described(caller)
            json.dumps(told)
            assert isinstance(told["parameters"], dict)
            if told["parameters"].get("additionalProperties") is not False:
                faults.append(f"{one.name} takes parameters that it does not know")
    assert faults == []
    assert {one.name for one in partner.operations if one.caller is CLIENT} == STRANGERS
    assert {one.name for one in partner.operations if one.streams} == STREAMS


@pytest.mark.parametrize(
    ("name", "given", "caller", "code", "words"),
    [
        ("permissions.revok", {}, LOCAL, "unknown_operation", "did you mean permissions.revoke?"),
        ("permissions.deliver", {}, LOCAL, "unknown_operation", "There is no operation permissions.deliver"),
        ("permissions.__init__", {}, LOCAL, "unknown_operation", "There is no operation"),
        ("x" * 10_000, {}, LOCAL, "unknown_operation", "There is no operation xxx"),
        ("permissions.revoke", {"grant_id": "1"}, CLIENT, "not_allowed", "cannot be asked for from here"),
        ("servers.keep_secret", {}, ATTACHED, "not_allowed", "servers.keep_secret cannot be asked for"),
        ("permissions.revoke", {}, ATTACHED, "invalid_parameters", "grant_id is missing"),
        ("permissions.revoke", {"grant_id": 3}, ATTACHED, "invalid_parameters", "grant_id: input should be"),
        (
            "permissions.revoke",
            {"grant_id": "1", "at": 1},
            ATTACHED,
            "invalid_parameters",
            "there is no parameter at",
        ),
        ("permissions.set_mode", {"mode": "often"}, ATTACHED, "invalid_parameters", "mode: input should be"),
        ("permissions.remove_rule", {"place": "0"}, ATTACHED, "invalid_parameters", "place: input should be"),
        (
            "permissions.save_rule",
            {"rule": {"effect": "deny", "action": "a", "until": "now"}},
            LOCAL,
            "invalid_parameters",
            "rule.until",
        ),
        ("actions.list", {"limit": 0}, ATTACHED, "invalid_parameters", "limit: input should be greater"),
        ("actions.list", {"limit": True}, ATTACHED, "invalid_parameters", "limit: input should be a valid"),
        (
            "actions.approve",
            {"action_id": "a"},
            CLIENT,
            "invalid_parameters",
            "shown is missing",
        ),
        (
            "actions.approve",
            {"action_id": "a", "shown": "v", "scope": "always"},
            CLIENT,
            "invalid_parameters",
            "there is no parameter scope",
        ),
        (
            "actions.approve",
            {"action_id": "a", "scope": "once", "shown": "v", "params": {}},
            ATTACHED,
            "invalid_parameters",
            "there is no parameter params",
        ),
        (
            "messages.send",
            {"text": "a", "conversation_id": None, "standing": "all"},
            CLIENT,
            "invalid_parameters",
            "there is no parameter standing",
        ),
        (
            "messages.send",
            {"text": "a", "conversation_id": None, "source": "window"},
            ATTACHED,
            "invalid_parameters",
            "there is no parameter source",
        ),
        (
            "conversations.import_from",
            {"path": "talk.json"},
            ATTACHED,
            "invalid_parameters",
            "path: a path must begin with /",
        ),
        (
            "messages.send",
            {"text": "a" * MOST_CHARACTERS, "conversation_id": None},
            CLIENT,
            "too_large",
            "are the most",
        ),
        ("actions.get", {"action_id": float("nan")}, ATTACHED, "invalid_parameters", "are no JSON"),
        (
            "actions.get",
            {"action_id": "half \ud800"},
            ATTACHED,
            "invalid_parameters",
            "are no JSON",
        ),
        ("conversations.get", {"conversation_id": "none"}, CLIENT, "usage", "There is no conversation"),
        ("events.watch", {}, ATTACHED, "usage", "it has to be followed"),
    ],
)
async def test_what_cannot_be_asked_is_one_error_with_a_sentence_and_a_code(
    partner: Partner, name: str, given: JsonObject, caller: Caller, code: str, words: str
) -> None:
    with pytest.raises(UsageError) as refused:
        await partner.operations.call(name, given, caller=caller)
    assert refused.value.code == code
    assert words in str(refused.value)
    assert len(str(refused.value)) < 500


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("abilities.list", {}),
        ("actions.list", {"limit": 5}),
        ("audit.page", {"query": {"action": "time", "since": "2026-01-05T12:00:00+00:00"}, "limit": 5}),
        ("audit.words", {}),
        ("commands.list", {}),
        ("config.files", {}),
        ("context.turns", {"conversation_id": "none"}),
        ("conversations.list", {}),
        ("models.embedding", {}),
        ("models.engine", {}),
        ("models.list", {}),
        ("models.mind", {}),
        ("permissions.list", {}),
        ("servers.elicitations", {}),
        ("servers.list", {}),
        ("usage.calls", {"turn_id": "none"}),
        ("usage.totals", {"conversation_id": "none"}),
    ],
)
async def test_what_is_there_can_be_read_by_name_as_its_schema_says(
    partner: Partner, name: str, given: JsonObject
) -> None:
    answer = await partner.operations.call(name, given, caller=ATTACHED)
    json.dumps(answer)
    jsonschema.validate(answer, partner.operations.get(name).result().json_schema(mode="serialization"))


@pytest.mark.parametrize(
    ("path", "words"), [("talk.json", "路径必须以 / 开头"), ("/" + "a" * 300, "没有文件能叫这个名字")]
)
async def test_a_path_that_cannot_be_is_refused_in_the_reader_s_language(
    partner: Partner, path: str, words: str
) -> None:
    with speaking("zh"), pytest.raises(PartnerError) as refused:
        await partner.operations.call("conversations.import_from", {"path": path}, caller=ATTACHED)
    assert f"path: {words}" in str(refused.value)


async def test_what_is_changed_by_name_is_changed(partner: Partner) -> None:
    ask = partner.operations
    rule: JsonObject = {"effect": "deny", "action": "shell::*", "note": "never"}
    assert await ask.call("permissions.set_mode", {"mode": "ask"}, caller=ATTACHED) is None
    assert await ask.call("permissions.save_rule", {"rule": rule}, caller=LOCAL) is None
    there = await partner.permissions.list()
    assert (there.mode, [one.action for one in there.rules]) == (Mode.ASK, ["shell::*"])
    told = await ask.call("permissions.list", {}, caller=ATTACHED)
    assert told == {"mode": "ask", "rules": [{**rule, "hash": ""}], "grants": []}


async def test_who_carries_a_call_says_where_it_comes_from_and_the_asker_cannot(partner: Partner) -> None:
    given: JsonObject = {"text": "hello", "conversation_id": None}
    facts = {"source": "websocket", "standing": "all", "nothing": "of this name"}
    sent = await partner.operations.call("messages.send", given, caller=CLIENT, facts=facts)
    assert isinstance(sent, dict)
    (message,) = await partner.messages.list(str(sent["conversation_id"]), limit=1)
    assert (sent["id"], sent["source"]) == (message.id, "websocket")
    own = await partner.operations.call("messages.send", given, caller=ATTACHED, facts={"text": "other"})
    assert isinstance(own, dict)
    assert own["text"] == "hello"


async def test_a_stream_gives_events_up_to_its_end_and_leaves_nothing_behind(partner: Partner) -> None:
    given: JsonObject = {"text": "hello", "conversation_id": None}
    told = [one async for one in partner.operations.stream("events.say", given, caller=ATTACHED)]
    kinds = [one["type"] for one in told if isinstance(one, dict)]
    assert (kinds[0], kinds[-1]) == ("message", "done")
    with pytest.raises(UsageError, match="gives one result; there is nothing to follow"):
        await anext(partner.operations.stream("models.mind", {}, caller=ATTACHED))
    watching = partner.operations.stream("events.watch", {}, caller=ATTACHED)
    assert await anext(watching) == {"type": "watching"}
    await watching.aclose()


async def test_what_was_run_is_told_as_its_schema_says(partner: Partner) -> None:
    given: JsonObject = {"key": "builtin::time", "params": {}, "cwd": "", "standing": "all"}
    told = [one async for one in partner.operations.stream("events.run", given, caller=ATTACHED)]
    (action_id,) = {one["action"]["id"] for one in told if isinstance(one, dict) and one["type"] == "result"}  # type: ignore[call-overload, index] # an event
    for name in ("actions.get", "actions.steps", "actions.decisions", "actions.output"):
        answer = await partner.operations.call(name, {"action_id": action_id}, caller=ATTACHED)
        schema = partner.operations.get(name).result().json_schema(mode="serialization")
        jsonschema.validate(answer, schema)


class Odd:
    """A service whose results have no form."""

    @operation()
    async def thing(self) -> Sequence[object]:
        """Something."""
        return [object()]

    @operation()
    def number(self) -> float:
        """No number."""
        return float("nan")


@pytest.mark.parametrize("verb", ["thing", "number"])
async def test_a_result_without_a_form_is_an_error_of_its_own(verb: str) -> None:
    with pytest.raises(PartnerError, match=f"The result of odd.{verb} cannot be told") as refused:
        await Operations({"odd": Odd()}).call(f"odd.{verb}", {}, caller=LOCAL)
    assert refused.value.code == "unencodable_result"


async def test_whoever_says_nothing_else_is_trusted_least() -> None:
    (number, thing) = Operations({"odd": Odd()})
    assert (number.caller, thing.caller) == (LOCAL, LOCAL)
    with pytest.raises(UsageError, match="cannot be asked for from here"):
        await Operations({"odd": Odd()}).call("odd.thing", {}, caller=ATTACHED)
