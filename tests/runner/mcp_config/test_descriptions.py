"""A description file replaces what a server says of its tool, as far as the tool can still be called."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from partner_desktop.base.errors import DescriptorError
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import Annotations, MetaActionInfo, Route
from partner_desktop.runner.mcp.configuration.descriptions import (
    Override,
    read_override,
)
from tests.tables import all_rows

FILE = Path("/action/mcp/desc/time::convert.desc.json")

SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "zone": {"type": "string", "description": "IANA name", "minLength": 3},
        "count": {"type": "number", "default": 1},
        "where": {"$ref": "#/$defs/Place"},
    },
    "required": ["zone"],
    "$defs": {"Place": {"type": "string"}},
}

TOOL = MetaActionInfo(
    key="time::convert",
    route=Route.MCP,
    description="Convert time between zones",
    label="Convert",
    aliases=("convert",),
    params=SCHEMA,
    tags=("server",),
    owner="time",
    annotations=Annotations(read_only=True, destructive=False),
    timeout_s=30.0,
    response_schema={"type": "object"},
    content_hash="0" * 64,
)


def override(data: JsonObject | str, path: Path = FILE) -> Override:
    text = data if isinstance(data, str) else json.dumps(data)
    return read_override(path, text.encode())


def test_the_whole_description_is_replaced() -> None:
    new = override(
        {
            "description": "Tell what time it is elsewhere",
            "title": "Time elsewhere",
            "aliases": {"en": ["clock"], "zh": "时间"},
            "tags": ["time"],
            "owner": "me",
            "params": {"zone": "the city's zone", "count": {"type": "integer", "description": "how many"}},
            "annotations": {"destructiveHint": True},
            "timeoutSeconds": 5,
            "responseSchema": {"type": "string"},
        }
    ).apply(TOOL)
    assert new.description == "Tell what time it is elsewhere"
    assert new.title == "Time elsewhere"
    assert new.aliases == ("clock", "时间")
    assert (new.tags, new.owner) == (("time",), "me")
    assert new.annotations == Annotations(destructive=True)
    assert new.timeout_s == 5.0
    assert new.response_schema == {"type": "string"}
    assert new.key == TOOL.key
    assert new.params == {
        "type": "object",
        "properties": {
            "zone": {"type": "string", "description": "the city's zone", "minLength": 3},
            "count": {"type": "integer", "description": "how many", "default": 1},
        },
        "required": ["zone"],
        "$defs": {"Place": {"type": "string"}},
    }


def test_what_must_come_before_a_tool_is_said_beside_its_description() -> None:
    new = override({"preActions": ["login", "local::zip_folder"], "strictDependencies": True}).apply(TOOL)
    assert new.pre_actions == (f"{TOOL.location}::login", "local::zip_folder")
    assert new.strict_dependencies
    assert not new.post_actions


def test_what_a_call_needs_stays_where_the_file_is_silent() -> None:
    new = override({"description": "Other words"}).apply(TOOL)
    assert (new.description, new.label, new.aliases, new.tags) == ("Other words", "", (), ())
    assert new.params == TOOL.params
    assert new.annotations == TOOL.annotations
    assert new.timeout_s == TOOL.timeout_s
    assert new.response_schema == TOOL.response_schema


def test_the_hash_changes_with_the_file_and_with_the_tool() -> None:
    one, other = override({"description": "one"}), override({"description": "other"})
    hashes = {each.apply(TOOL).content_hash for each in (one, other)}
    assert len(hashes | {TOOL.content_hash}) == 3
    assert one.apply(replace(TOOL, content_hash="1" * 64)).content_hash not in hashes
    assert one.apply(TOOL).content_hash == override({"description": "one"}).apply(TOOL).content_hash


def test_parameters_can_be_a_whole_schema() -> None:
    params: JsonObject = {
        "type": "object",
        "properties": {"zone": {"description": "a zone"}, "count": {"type": "number"}},
        "required": ["count"],
    }
    new = override({"description": "x", "params": params}).apply(TOOL)
    assert new.required() == ("zone", "count")
    assert new.properties()["zone"] == {"type": "string", "description": "a zone", "minLength": 3}


@pytest.mark.parametrize(
    ("params", "line", "words"),
    [
        ({"zone": "z", "cuont": "n"}, 5, "has no parameter `cuont`; did you mean `count`?"),
        ({"zone": "z", "other": "n"}, 5, "it has `zone`, `count`, `where`"),
        ({"count": "n"}, 3, "leaves out `zone`"),
        ({"zone": {"type": "integer"}}, 4, "is of the type `string` for the server, not `integer`"),
        ({"type": "object", "properties": {"nope": {}}}, 6, "has no parameter `nope`"),
    ],
)
def test_parameters_that_the_server_does_not_know_are_a_misfit(
    params: JsonObject, line: int, words: str
) -> None:
    text = json.dumps({"description": "x", "params": params}, indent=1)
    bad = override(text)
    fault = bad.misfit(TOOL)
    assert fault is not None
    assert words in fault.message
    assert (fault.path, fault.line) == (FILE, line)
    assert bad.apply(TOOL) is TOOL


def test_a_fitting_description_is_no_misfit() -> None:
    assert override({"description": "x", "params": {"zone": "z"}}).misfit(TOOL) is None


@all_rows(
    "text, line, words",
    [
        ("{", 1, "is not valid JSON"),
        ("[]", 1, "must be an object"),
        ('{\n"description": 3}', 2, "`description` does not fit"),
        ('{"description": "x",\n"description": "y"}', 2, "`description` stands twice"),
        ('{"params": {"zone": "z",\n"count": {"type": "strin"}}}', 2, "did you mean `string`?"),
        ('{"params": {"type": "object", "properties": {\n"zone": 3}}}', 2, "`zone` must be a description"),
        ('{\n"params": {"type": "object", "properties": {}, "required": ["x"]}}', 2, "`params.required`"),
        ('{\n"params": []}', 2, "`params` does not fit"),
        ('{\n"annotations": {"readOnlyHint": "yes"}}', 2, "`annotations.readOnlyHint` does not fit"),
        ('{\n"annotations": {\n"readOnlyHint": "yes"}}', 3, "`annotations.readOnlyHint` does not fit"),
        ('{\n\n"responseSchema": "text"}', 3, "`responseSchema` does not fit"),
        ('{\n"label": 3}', 2, "`label` must be a text"),
        ('{\n"timeoutSeconds": -1}', 2, "`timeoutSeconds` does not fit"),
    ],
)
def test_a_broken_description_gets_its_sentence_at_its_line(text: str, line: int, words: str) -> None:
    with pytest.raises(DescriptorError) as caught:
        override(text)
    assert words in str(caught.value)
    assert caught.value.line == line


@pytest.mark.parametrize(
    "name",
    ["time.desc.json", "time::convert.json", "::convert.desc.json", "time::.desc.json", "a\tb__c.desc.json"],
)
def test_a_file_whose_name_tells_of_no_tool_says_so(name: str) -> None:
    with pytest.raises(DescriptorError, match="SERVER::TOOL"):
        override({"description": "x"}, FILE.with_name(name))


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("time::convert.desc.json", "time::convert"),
        ("time__convert.desc.json", "time::convert"),
        ("My-Server__Get_X__y.desc.json", "My-Server::Get_X__y"),
        ("a__b::c.desc.json", "a__b::c"),
    ],
)
def test_a_files_name_tells_server_and_tool(name: str, key: str) -> None:
    assert override({"description": "x"}, FILE.with_name(name)).key == key


def test_oddities_are_hints() -> None:
    hints = override('{"label": "L", "launcher": "sh", "io": {}, "descripton": "x", /* why */}').hints
    told = " ".join(hints)
    assert "did you mean `description`?" in told
    assert "`launcher` is not used" in told
    assert "comments" in told
    assert "`label`" not in told
    assert "`io`" not in told


def test_a_description_without_its_tool_tells_why_it_is_unused() -> None:
    one = override({"description": "x"})
    assert "no server `time`" in one.unused_hint(frozenset())
    assert "no tool `convert`" in one.unused_hint(frozenset({"time"}))
