"""Random weights write what a schema asks for; a schema that no grammar can follow is refused."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from partner_desktop.model.worker.frames import Failure
from partner_desktop.model.worker.llama.fixed_form import JsonEnd
from partner_desktop.model.worker.llama.grammar import MOST_BYTES, grammar_of
from partner_desktop.model.worker.llama.native_log import ModelFaultError
from partner_desktop.model.worker.llama.vocabulary import WholeCharacters, refused_after
from tests.model.engine import needs_engine
from tests.model.tiny import make_tiny_model
from tests.model.worker.talk import Talk, chat_of
from tests.tables import all_rows

_SHORT: dict[str, Any] = {"type": "string", "maxLength": 12}

SCHEMAS: dict[str, Any] = {
    "enum": {"enum": ["reply", "act", 'with "quotes"', "漢字 und ß", "a\\b\nc", 3, None, True, 1.5]},
    "const": {"const": {"a": [1, "zwei"]}},
    "object": {
        "type": "object",
        "properties": {"do": {"enum": ["local::copy", "none"]}, "why": _SHORT, "sure": {"type": "boolean"}},
        "required": ["do", "why"],
        "additionalProperties": False,
    },
    "all optional": {"type": "object", "properties": {name: {"type": "boolean"} for name in "abc"}},
    "middle required": {
        "type": "object",
        "properties": {name: {"type": "null"} for name in "abcde"},
        "required": ["c", "d"],
    },
    "nested": {
        "type": "object",
        "properties": {
            "to": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]},
            "all": {"type": "array", "items": {"type": "object", "properties": {"n": _SHORT}}, "maxItems": 3},
        },
        "required": ["to", "all"],
    },
    "bounded array": {"type": "array", "items": {"enum": [1, 2]}, "minItems": 2, "maxItems": 4},
    "empty array": {"type": "array", "items": {"type": "integer"}, "maxItems": 0},
    "pair": {"type": "array", "prefixItems": [_SHORT, {"type": "number"}], "minItems": 2, "maxItems": 2},
    "long enough": {"type": "string", "minLength": 3, "maxLength": 9},
    "small integer": {"type": "integer", "minimum": -3, "exclusiveMaximum": 12},
    "positive": {"type": "object", "properties": {"n": {"type": "integer", "minimum": 0}}, "required": ["n"]},
    "odd bounds": {"type": "integer", "exclusiveMinimum": 2.5, "maximum": 4.5},
    "number": {"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]},
    "union": {
        "anyOf": [{"type": "null"}, {"type": "array", "items": {"type": "boolean"}, "maxItems": 2}, _SHORT]
    },
    "types": {"type": ["null", "boolean"]},
    "reference": {
        "$defs": {"a/b": {"type": "object", "properties": {"k": _SHORT}, "required": ["k"]}},
        "type": "object",
        "properties": {"one": {"$ref": "#/$defs/a~1b"}, "two": {"$ref": "#/$defs/a~1b"}},
        "required": ["one", "two"],
    },
    "all of": {
        "type": "object",
        "allOf": [{"properties": {"a": _SHORT}}, {"properties": {"b": {"type": "null"}}, "required": ["b"]}],
        "required": ["a"],
    },
    "map": {
        "type": "object",
        "properties": {"m": {"type": "object", "additionalProperties": {"type": "boolean"}}},
        "required": ["m"],
    },
    "nothing named": {"type": "object", "additionalProperties": False},
}


@pytest.fixture(scope="module")
def talks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Talk, ...]]:
    """Two models of random weights, in workers that answer one question after the other."""
    folder = tmp_path_factory.mktemp("weights")
    both = (Talk(), Talk())
    try:
        for weights, talk in zip((7, 8), both, strict=True):
            talk.hear()
            talk.load(make_tiny_model(folder / f"{weights}.gguf", seed=weights))
        yield both
    finally:
        for talk in both:
            talk.close()


@needs_engine
@pytest.mark.parametrize("name", SCHEMAS)
@pytest.mark.slow
def test_random_weights_write_what_the_schema_asks_for(talks: tuple[Talk, ...], name: str) -> None:
    schema = SCHEMAS[name]
    whole = 0
    for talk in talks:
        for seed in range(12):
            temperature = (0.0, 0.7, 1.5)[seed % 3]
            text, written = talk.chat(
                chat_of(
                    seed + 1,
                    "Answer.",
                    grammar_schema=json.dumps(schema),
                    max_tokens=700,
                    seed=seed,
                    temperature=temperature,
                )
            )
            if written.end == "length":
                continue
            whole += 1
            jsonschema.validate(json.loads(text), schema)
            assert "\ufffd" not in text, "not even where every byte is a token"
    assert whole >= 12, "most of them come to an end"


@pytest.mark.integration
@needs_engine
def test_any_json_is_json_and_is_not_nested_without_end(talk: Talk, tiny: Path) -> None:
    talk.hear()
    talk.load(tiny)
    for seed in range(20):
        schema = {"type": "object", "properties": {"v": {}}, "required": ["v"]}
        request = chat_of(
            seed + 1, "?", grammar_schema=json.dumps(schema), temperature=1.2, seed=seed, max_tokens=1500
        )
        text, written = talk.chat(request)
        if written.end == "stop":
            assert json.loads(text).keys() == {"v"}


@pytest.mark.integration
@needs_engine
def test_an_answer_that_the_limit_cuts_says_so(talk: Talk, tiny: Path) -> None:
    talk.hear()
    talk.load(tiny)
    schema = json.dumps({"type": "string", "minLength": 100})
    text, written = talk.chat(chat_of(1, "?", grammar_schema=schema, max_tokens=20))
    assert written.end == "length"
    assert text.startswith('"')


_BAD: dict[str, Any] = {
    "not": {"not": {"type": "string"}},
    "if": {"if": {"type": "string"}, "then": {}},
    "type": {"type": "date"},
    "pattern of names": {"type": "object", "patternProperties": {"a": {}}},
    "lost reference": {"$ref": "#/$defs/none"},
    "foreign reference": {"$ref": "https://example.org/schema.json"},
    "loop": {"$ref": "#"},
    "recursion": {"type": "object", "properties": {"next": {"$ref": "#"}}},
    "no choice": {"enum": []},
    "no schema": {"type": "array", "items": 7},
    "false": {"type": "array", "items": False},
    "long": {"type": "string", "maxLength": 100_000},
    "much": {"type": "array", "items": {"type": "integer"}, "minItems": 50_000},
    "bounds": {"type": "string", "minLength": 5, "maxLength": 2},
    "huge": {"enum": ["x" * 1000 + str(number) for number in range(300)]},
    "contradiction": {"allOf": [{"type": "string"}, {"type": "integer"}]},
}


@all_rows("name", _BAD)
def test_what_no_grammar_can_follow_is_refused_with_a_reason(name: str) -> None:
    with pytest.raises(ModelFaultError, match=r"^The schema cannot constrain a model: .+\.$") as caught:
        grammar_of(json.dumps(_BAD[name]))
    assert caught.value.kind == "schema"


@pytest.mark.parametrize("text", ["", "[1", "[" * 100_000, '"x"', "7", "null", " " * (MOST_BYTES + 1)])
def test_what_is_no_schema_is_refused(text: str) -> None:
    with pytest.raises(ModelFaultError, match="The schema cannot constrain a model"):
        grammar_of(text)


def test_nesting_is_bounded() -> None:
    deep: dict[str, Any] = {"type": "null"}
    for _ in range(60):
        deep = {"type": "array", "items": deep}
    with pytest.raises(ModelFaultError, match="nested too deeply"):
        grammar_of(json.dumps(deep))


@pytest.mark.integration
@needs_engine
def test_a_refused_schema_computes_nothing_and_the_worker_lives_on(talk: Talk, tiny: Path) -> None:
    talk.hear()
    talk.load(tiny)
    for number, schema in enumerate((_BAD["not"], _BAD["long"], {"type": "string", "maxLength": 3000})):
        answer = talk.ask(chat_of(number, "?", grammar_schema=json.dumps(schema), max_tokens=9))
        if number < 2:
            assert isinstance(answer, Failure)
            assert answer.kind == "schema"
    _, written = talk.chat(chat_of(9, "?", max_tokens=1))
    assert written.reused_tokens in (0, written.prompt_tokens - 1)


def test_the_end_of_a_value_is_seen_at_its_last_bracket() -> None:
    dice = random.Random(3)
    for value in ({}, [], "x", {"a": [{}, "]}", '"\\', "\u00e9"]}, [[[]], "{"], "\\"):
        data = json.dumps(value, ensure_ascii=dice.random() < 0.5).encode()
        end = JsonEnd()
        assert [end.reached(bytes([byte])) for byte in data] == [False] * (len(data) - 1) + [True]
        assert JsonEnd().reached(data)
    assert not JsonEnd().reached(b"12.5")


@pytest.mark.integration
def test_no_bytes_are_let_through_that_make_no_character() -> None:
    broken = {byte: bytes([byte]) for byte in range(128, 256)}
    dice = random.Random(1)
    for _ in range(400):
        characters, data = WholeCharacters(broken, refused_after(broken, b"")), b""
        while True:
            refused = set(characters.refused().tolist())
            byte = dice.choice([byte for byte in broken if byte not in refused])
            assert characters.allows(byte)
            characters.accept(byte)
            data += bytes([byte])
            if byte < 0xC0 and _is_whole(data):
                break
            assert len(data) < 4, data
        assert all(not characters.allows(byte) for byte in range(0x80, 0xC2))


def _is_whole(data: bytes) -> bool:
    try:
        return len(data.decode()) == 1
    except UnicodeDecodeError:
        return False
