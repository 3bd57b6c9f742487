"""The open end of a text: read on from where nothing can change, not at the cost of what stands before."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from partner_desktop.desktop.markup.grammar import read_inline
from partner_desktop.desktop.markup.parts import OpenCode, Part, Table, plain_text
from partner_desktop.desktop.markup.reader import MOST_UNIT, STEP, MarkdownReader, OpenText

pytestmark = pytest.mark.integration

#: Everything that could reach from one side of a cut to the other.
FRAGMENTS = (
    *("word ", "a b c d e f ", " * ", "**", "*", "_", "snake_case ", "`", "``", "[x](u) ", "[", "]", "(u)"),
    *(
        "中文字很多。",
        "，",
        "https://a.b/c_d ",
        "https://例/",
        "&amp;",
        "&",
        "<b>",
        "\\",
        "\\*",
        "\n",
        "  \n",
    ),
    *("~~", "~", "!", "![i](u)", "重点", "1", ".", " ", '"', "<a@b.cc>"),
)

LONG = {
    "paragraph": "and then, as it was said **twice**, it goes on with `this` 和下一个目录, ",
    "lines": "a line of a paragraph that *never* ends, with `code` and a [link](https://example.org/)\n",
    "quote": "> a line of what somebody said about *folders*\n",
    "list": "1. the folder `~/here` holds files of **some** kind\n",
    "code": "total = value * 2  # and on\n",
    "table": "| `~/folder` | 12 | changed **twice** this week |\n",
}
#: The shapes that are read in no time.
QUICK = ("code", "paragraph")
OPENING = {"code": "```python\n", "table": "| folder | files | note |\n|:--|--:|:--|\n"}


def read_all(reader: MarkdownReader) -> None:
    while reader.busy:
        reader.step()


@settings(max_examples=400)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=40))
def test_a_text_that_grows_reads_as_it_would_as_a_whole(fragments: list[str]) -> None:
    last, raw = OpenText(long=12, end=5), ""
    for fragment in fragments:
        raw += fragment
        assert last.read(raw, {}) == read_inline(raw, {})


@pytest.mark.promise("desktop.stream")
def test_a_word_at_the_end_of_a_long_paragraph_costs_the_words_since_a_safe_place() -> None:
    last, raw = OpenText(), ""
    costs = []
    for number in range(250):
        raw += f"word {number} "
        before = last.read_again
        assert last.read(raw, {}) == read_inline(raw, {})
        costs.append(last.read_again - before)
    assert max(costs) < 600
    assert len(raw) > 2_000


@pytest.mark.promise("desktop.stream")
@pytest.mark.parametrize(
    "shape",
    [pytest.param(shape, marks=() if shape in QUICK else pytest.mark.integration) for shape in sorted(LONG)],
)
def test_a_frame_reads_no_more_however_long_the_open_end_has_become(shape: str) -> None:
    reader = MarkdownReader()
    reader.feed(OPENING.get(shape, "") + LONG[shape] * (200_000 // len(LONG[shape])))
    read_all(reader)
    reader.tail()
    for token in (LONG[shape] * 8).split(" "):
        before = reader.parsed, reader.looked_at
        reader.feed(f"{token} ")
        read_all(reader)
        reader.tail()
        assert reader.parsed - before[0] <= 2 * (MOST_UNIT + STEP)
        assert reader.looked_at - before[1] <= 2 * MOST_UNIT


@pytest.mark.promise("desktop.stream")
def test_open_lines_are_read_for_settling_once_a_line() -> None:
    reader = MarkdownReader()
    reader.feed("A paragraph\nof two lines\n")
    read_all(reader)
    before = reader.parsed
    for token in ("that ", "goes ", "on ", "and ", "on"):
        reader.feed(token)
        read_all(reader)
    assert reader.parsed == before


def test_long_open_code_shares_its_text_with_what_came_before() -> None:
    reader = MarkdownReader()
    reader.feed("```sh\n" + "ls -l\n" * 100)
    read_all(reader)
    (first,) = reader.tail()
    reader.feed("ls\nech")
    read_all(reader)
    (second,) = reader.tail()
    assert isinstance(first, OpenCode)
    assert isinstance(second, OpenCode)
    assert second.text is first.text
    assert second.since(first.size) == "\nls\nech"
    assert plain_text(second).count("\n") == second.lines - 1 == 101


def test_a_line_of_open_code_is_shown_whatever_signs_it_has() -> None:
    reader = MarkdownReader()
    reader.feed("```diff\n+ a\n---")
    read_all(reader)
    (code,) = reader.tail()
    assert plain_text(code) == "+ a\n---"


def test_a_table_says_whether_its_last_row_may_go_on() -> None:
    reader = MarkdownReader()
    reader.feed("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 |")
    read_all(reader)
    (table,) = reader.tail()
    assert isinstance(table, Table)
    assert not table.closed
    reader.feed(" 4 |\n\nDone.\n\n")
    read_all(reader)
    settled: Part = reader.parts[0]
    assert isinstance(settled, Table)
    assert settled.closed
