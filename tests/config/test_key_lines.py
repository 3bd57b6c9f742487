"""Keys are found on their lines, however they are written."""

from __future__ import annotations

import tomllib
from typing import Any

import hypothesis.strategies as st
import pytest
import tomlkit
from hypothesis import given, settings

from partner_desktop.config.toml_text import Place, key_line, statements

TEXT = """\
# a = 0
"quo.ted" = 1 # b = 2
'lit' . bare = 2
text = \"\"\"
[no]
also = "no"
\"\"\"
list = [
  1, # c = ]
  2,
]
inline = { x = 1, y = { z = 2 } }

[table]
key = '#'
[table.'sub table']
key = 1
[[rows]]
n = 1
[[rows]]
n = 2
[rows.deep]
m = 3
"""


def test_each_way_to_write_a_key_is_found_on_its_line() -> None:
    found = statements(TEXT)
    lines: dict[Place, int] = {
        ("quo.ted",): 2,
        ("lit", "bare"): 3,
        ("text",): 4,
        ("list",): 8,
        ("list", 1): 8,
        ("inline", "y", "z"): 12,
        ("table",): 14,
        ("table", "key"): 15,
        ("table", "sub table", "key"): 17,
        ("rows", 0, "n"): 19,
        ("rows", 1, "n"): 21,
        ("rows", 1, "deep", "m"): 23,
        ("nowhere",): 0,
    }
    assert {place: key_line(found, place) for place in lines} == lines


@given(st.text())
@pytest.mark.integration
def test_no_text_at_all_holds_it_up(text: str) -> None:
    statements(text)


NAMES = st.text(min_size=1, max_size=4)
VALUES = st.recursive(
    st.integers(-9, 9) | st.booleans() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(NAMES, VALUES, max_size=4))
@settings(max_examples=40, deadline=None)
@pytest.mark.integration
def test_every_key_that_tomllib_reads_is_found(tables: dict[str, Any]) -> None:
    text = tomlkit.dumps(tables)
    found = statements(text)
    for name in tomllib.loads(text):
        assert key_line(found, (name,)) > 0
