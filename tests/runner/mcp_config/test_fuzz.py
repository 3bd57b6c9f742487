"""No text makes the reader stumble: it answers with servers and faults, and both can be shown and sent."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from partner_desktop.base.errors import DescriptorError
from partner_desktop.runner.located_json import parse
from partner_desktop.runner.mcp.configuration.descriptions import read_override
from tests.long.badinput.text_families import check_servers

# Whole stories, with processes or windows of their own: for the whole gate.
pytestmark = pytest.mark.integration

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=5,
)
_KEYS = st.sampled_from(
    ["command", "args", "env", "url", "uri", "endpoint", "headers", "type", "timeout", "disabled", "cwd", "x"]
)
_ENTRIES = st.dictionaries(st.text(max_size=12), st.dictionaries(_KEYS, _JSON, max_size=5), max_size=4)


@settings(max_examples=80, deadline=None)
@given(st.text() | st.text(alphabet='{}[]",:/*\\ \n1eu', max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(DescriptorError):
        check_servers(text)


@settings(max_examples=80, deadline=None)
@given(_ENTRIES, st.sampled_from(["", "mcpServers", "servers"]))
def test_any_object_is_read_or_refused(entries: dict[str, object], wrapper: str) -> None:
    with suppress(DescriptorError):
        check_servers(json.dumps({wrapper: entries} if wrapper else entries))


@settings(max_examples=80, deadline=None)
@given(_JSON)
def test_what_json_knows_is_read_as_json_does(value: object) -> None:
    text = json.dumps(value, indent=1)
    assert parse(text).root.plain() == json.loads(text)


@settings(max_examples=80, deadline=None)
@given(st.dictionaries(st.sampled_from(["description", "params", "label", "annotations", "aliases"]), _JSON))
def test_any_description_is_read_or_refused(value: dict[str, object]) -> None:
    data = json.dumps(value).encode()
    try:
        override = read_override(Path("/action/mcp/desc/a::b.desc.json"), data)
    except DescriptorError:
        return  # a sentence; see test_descriptions.py
    assert override.key == "a::b"
