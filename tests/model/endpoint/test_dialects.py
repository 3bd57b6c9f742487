"""Structured answers: held to the schema as well as the server can, and what it can is remembered."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from partner_desktop.base.errors import ModelError, SchemaError
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.model.chat import ChatPiece
from partner_desktop.model.endpoint.constraint import constraint
from tests.model.endpoint.badly import BadServer, Behaviour, Line, refusing, saying
from tests.model.endpoint.room import SCHEMA, answer, events, model_of, request, served
from tests.support import FakeClock

ASKED = request(schema=SCHEMA)
GOOD = '{"choice": "act"}'


def forms(server: BadServer) -> list[str]:
    """By what each call asked to hold the answer."""
    return [_form(body.get("response_format")) for body in server.asked]


def _form(given: Any) -> str:
    if given is None:
        return "words"
    return str(given["type"]) + ("+schema" if "schema" in given else "")


def taking(*types: str, otherwise: Behaviour | None = None, text: str = GOOD) -> Behaviour:
    """Answers where the form is one of `types`, and refuses otherwise."""

    async def behave(line: Line) -> None:
        if _form(line.seen.body.get("response_format")) in types:
            await line.say(text)
        else:
            await (otherwise or refusing(400))(line)

    return behave


async def test_a_server_that_knows_schemas_gets_the_strict_form() -> None:
    async with served(saying('{"choice": ', '"act", "why": null}')) as (server, model):
        text, usage = await answer(model, ASKED)
    assert json.loads(text) == {"choice": "act"}  # the null was only strict mode's
    assert usage.constrained == "schema"
    given = server.asked[0]["response_format"]["json_schema"]
    assert given["strict"] is True
    assert given["schema"] == {
        "type": "object",
        "properties": {
            "choice": {"enum": ["reply", "act"]},
            "why": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
        "required": ["choice", "why"],
        "additionalProperties": False,
    }
    assert server.asked[0]["messages"][-1] == {"role": "user", "content": "Hello"}


@pytest.mark.promise("mind.fallback")
@pytest.mark.parametrize(
    ("types", "held", "tried"),
    [
        (("json_object+schema",), "json", ["json_schema", "json_object+schema"]),
        (("json_object",), "json", ["json_schema", "json_object+schema", "json_object"]),
        (("words",), "prompt", ["json_schema", "json_object+schema", "json_object", "words"]),
    ],
)
@pytest.mark.parametrize("status", [400, 404, 422, 501])
@pytest.mark.integration
async def test_a_server_that_rejects_schemas_still_answers_and_that_is_remembered_per_model(
    tmp_path: Path, types: tuple[str, ...], held: str, tried: list[str], status: int
) -> None:
    kept = tmp_path / "cache" / "ladder.json"
    behaviour = taking(*types, otherwise=refusing(status))
    async with BadServer(behaviour) as server:
        async with model_of(server, dialects=kept) as model:
            text, usage = await answer(model, ASKED)
            assert (json.loads(text), usage.constrained) == ({"choice": "act"}, held)
            assert forms(server) == tried
            await answer(model, ASKED)
            assert forms(server)[len(tried) :] == tried[-1:]
        async with model_of(server, dialects=kept) as later:  # another start of the app
            await answer(later, ASKED)
            assert forms(server)[len(tried) + 1 :] == tried[-1:]
        async with model_of(server, dialects=kept, model="owl") as other:
            await answer(other, ASKED)
            assert forms(server)[len(tried) + 2 :] == tried


@pytest.mark.promise("mind.fallback")
async def test_a_server_that_ignores_schemas_is_asked_in_words_and_that_is_remembered() -> None:
    chatty = saying("Sure! Here you are:\n```json\n", GOOD, "\n```\nAnything else?")
    async with served(saying("I would act."), saying("Act!"), saying("act"), chatty) as (server, model):
        text, usage = await answer(model, ASKED)
        assert (json.loads(text), usage.constrained) == ({"choice": "act"}, "prompt")
        assert forms(server) == ["json_schema", "json_object+schema", "json_object", "words"]
        assert json.dumps(SCHEMA, separators=(",", ":")) in server.asked[-1]["messages"][-1]["content"]
        await answer(model, ASKED)
        assert forms(server)[4:] == ["words"]


async def test_what_was_remembered_is_tried_again_after_a_day() -> None:
    clock = FakeClock()
    old, new = taking("words"), taking("json_schema")
    async with served(old, clock=clock) as (server, model):
        await answer(model, ASKED)
        clock.move(timedelta(hours=23))
        await answer(model, ASKED)
        assert forms(server)[4:] == ["words"]
        server.script[:] = [new]  # the server is updated
        clock.move(timedelta(hours=2))
        _, usage = await answer(model, ASKED)
        assert forms(server)[5:] == ["json_schema"]
        assert usage.constrained == "schema"


@pytest.mark.parametrize("status", [401, 403, 429, 503])
async def test_what_has_nothing_to_do_with_schemas_is_not_remembered(tmp_path: Path, status: int) -> None:
    kept = tmp_path / "ladder.json"
    async with served(refusing(status), dialects=kept) as (server, model):
        with pytest.raises(ModelError):
            await events(model, ASKED)
        server.script[:] = [saying(GOOD)]
        assert (await answer(model, ASKED))[1].constrained == "schema"
    assert set(forms(server)) == {"json_schema"}
    assert not kept.exists()


async def test_a_server_that_fails_over_schemas_alone_is_asked_without() -> None:
    failing = taking("json_object+schema", otherwise=refusing(500))
    async with served(failing) as (server, model):
        assert (await answer(model, ASKED))[1].constrained == "json"
        await answer(model, ASKED)
    assert forms(server) == [*["json_schema"] * 3, *["json_object+schema"] * 2]


async def test_a_server_that_fails_over_everything_is_not_asked_for_ever() -> None:
    async with served(refusing(500)) as (server, model):
        with pytest.raises(ModelError, match="failed with status 500"):
            await events(model, ASKED)
    assert len(server.asked) < 10


async def test_a_finer_rule_that_a_server_does_not_hold_to_is_no_reason_to_go_without_schema() -> None:
    schema: JsonObject = {
        "type": "object",
        "properties": {"n": {"type": "integer", "minimum": 5}},
        "required": ["n"],
    }
    async with served(saying('{"n": 3}')) as (server, model):
        text, usage = await answer(model, request(schema=schema))
    assert (text, usage.constrained) == ('{"n": 3}', "schema")  # whoever asked checks it
    assert forms(server) == ["json_schema"]


async def test_a_model_that_the_server_does_not_have_is_not_blamed_on_schemas() -> None:
    unknown = refusing(404, {"error": {"message": "no such model", "code": "model_not_found"}})
    async with served(unknown, model="parot") as (server, model):
        with pytest.raises(
            ModelError, match=r"does not know the model parot .* It lists parrot and others\."
        ):
            await events(model, ASKED)
    assert forms(server) == ["json_schema"]


async def test_where_nothing_helps_the_first_refusal_is_told() -> None:
    first = refusing(400, {"error": {"message": "The prompt is rude"}})
    async with served(first, refusing(400)) as (_, model):
        with pytest.raises(ModelError, match="The prompt is rude"):
            await events(model, ASKED)


async def test_the_field_that_a_server_names_is_what_changes() -> None:
    named = refusing(400, {"error": {"param": "stream_options", "message": "unknown"}})
    fastapi = refusing(422, {"detail": [{"loc": ["body", "response_format", "type"], "msg": "bad"}]})
    async with served(named, fastapi, saying(GOOD)) as (server, model):
        await answer(model, ASKED)
    assert forms(server) == ["json_schema", "json_schema", "json_object+schema"]
    assert ["stream_options" in body for body in server.asked] == [True, False, False]


async def test_an_answer_that_was_cut_short_says_nothing_about_the_server() -> None:
    async with served(saying('{"choice": "a', finish="length")) as (server, model):
        text, usage = await answer(model, ASKED)
    assert (text, usage.end, usage.constrained) == ('{"choice": "a', "length", "schema")
    assert forms(server) == ["json_schema"]


async def test_a_refusal_in_words_of_the_model_is_passed_on() -> None:
    async def refuse(line: Line) -> None:
        await line.head()
        await line.event({"choices": [{"delta": {"refusal": "I will not."}, "finish_reason": "stop"}]})

    async with served(refuse) as (server, model):
        assert (await answer(model, ASKED))[0] == "I will not."
    assert forms(server) == ["json_schema"]


async def test_a_reasoning_model_without_constraint_is_understood() -> None:
    text = '<think>{"choice": "reply"} or not?</think>\n{"choice": "act", "why": "they {asked}"}'
    async with served(taking("words", text=text)) as (_, model):
        said = await events(model, ASKED)
    assert said[0] == ChatPiece('{"choice": "act", "why": "they {asked}"}', tokens=1)


async def test_a_schema_that_is_none_is_refused_before_anything_is_sent() -> None:
    async with served(saying(GOOD)) as (server, model):
        with pytest.raises(SchemaError):
            await events(model, request(schema={"type": 5}))
    assert server.asked == []


@pytest.mark.parametrize(
    "damage", [b"", b"{", b"[]", b'{"a b": 5}', b'{"a b": {"at": "x", "rung": "json"}}', b"\xff" * 100]
)
async def test_a_damaged_memory_is_forgotten(tmp_path: Path, damage: bytes) -> None:
    kept = tmp_path / "ladder.json"
    kept.write_bytes(damage)
    async with served(taking("words"), dialects=kept) as (_, model):
        assert (await answer(model, ASKED))[1].constrained == "prompt"
    assert len(json.loads(kept.read_text(encoding="utf-8"))) == 1


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "additionalProperties": True},
        {"type": "object", "properties": {"any": {"type": "object"}}},
        {"type": "array", "items": {"type": "string"}},
    ],
)
def test_a_schema_that_strict_mode_cannot_say_is_given_as_it_is(schema: JsonObject) -> None:
    assert constraint(schema).strict is None


def test_strict_mode_closes_what_is_nested() -> None:
    made = constraint(
        {
            "type": "object",
            "title": "Plan",
            "properties": {"steps": {"type": "array", "items": {"$ref": "#/$defs/step"}}},
            "required": ["steps"],
            "$defs": {"step": {"type": "object", "properties": {"n": {"type": "integer", "default": 1}}}},
        }
    ).strict
    assert made == {
        "type": "object",
        "properties": {"steps": {"type": "array", "items": {"$ref": "#/$defs/step"}}},
        "required": ["steps"],
        "additionalProperties": False,
        "$defs": {
            "step": {
                "type": "object",
                "properties": {"n": {"anyOf": [{"type": "integer"}, {"type": "null"}]}},
                "required": ["n"],
                "additionalProperties": False,
            }
        },
    }
