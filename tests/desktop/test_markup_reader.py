"""Reading Markdown that is still being written: what has settled stays, however the text came."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from partner_desktop.desktop.markup.parts import Code, Line, OpenCode, Part, Table, plain_text
from partner_desktop.desktop.markup.reader import MOST_UNIT, STEP, MarkdownReader

TEXT = """# Files

I found **58** files.
They are these, [all][1] of them:

1. one
2. two

   still two
   ```python
   x = 1

   y = "```"
   ```
3. three
   - [x] done
   - [ ] not done

| a | b |
|:--|--:|
| 1 | `2` |
| 3 | 4 |

> said
> - and listed

~~~
bare
~~~
Setext
======

[1]: https://example.org/all
The end.
"""

#: What tells blocks apart, so that arbitrary sequences hit every rule.
FRAGMENTS = (
    *("- a", "* b", "1. c", "2) d", "\n", "\n\n", "  ", "    ", "```", "```py\n", "~~~", "> ", "| a | b |\n"),
    *(
        "|---|---|\n",
        "text",
        "**",
        "*",
        "`",
        "[x]",
        "[x]: /u\n",
        '[y]: http://q "t"\n',
        "# h\n",
        "---\n",
        "===",
    ),
    *(
        "\t",
        "![i](u)",
        "<b>",
        "\r\n",
        "\r",
        "中文",
        "https://a.b/c",
        "\\",
        "word ",
        "- [ ] ",
        "-\n",
        "&amp;",
        "|",
    ),
)


def read_all(reader: MarkdownReader) -> None:
    while reader.busy:
        reader.step()


def read(chunks: list[str]) -> list[Part]:
    reader = MarkdownReader()
    for chunk in chunks:
        reader.feed(chunk)
        read_all(reader)
        reader.tail()
    reader.finish()
    read_all(reader)
    return reader.parts


def cut(text: str, places: list[int]) -> list[str]:
    inside = sorted({0, len(text), *(place for place in places if place < len(text))})
    return [text[start:end] for start, end in pairwise(inside)]


def test_a_text_falls_into_its_parts_in_order() -> None:
    found = [(type(part).__name__, plain_text(part).splitlines()[0]) for part in read([TEXT])]
    assert found == [
        ("Line", "Files"),
        ("Line", "I found 58 files. They are these, all of them:"),
        ("Line", "1. one"),
        ("Line", "2. two"),
        ("Line", "still two"),
        ("Code", "x = 1"),
        ("Line", "3. three"),
        ("Line", "  ☑ done"),
        ("Line", "  ☐ not done"),
        ("Table", "a\tb"),
        ("Line", "said"),
        ("Line", "• and listed"),
        ("Code", "bare"),
        ("Line", "Setext"),
        ("Line", "The end."),
    ]


@pytest.mark.integration
@given(st.lists(st.integers(min_value=1, max_value=len(TEXT)), max_size=40))
def test_it_does_not_matter_how_a_text_was_cut(places: list[int]) -> None:
    assert read(cut(TEXT, places)) == read([TEXT])


@settings(max_examples=300)
@pytest.mark.integration
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=24).map("".join), st.data())
def test_it_does_not_matter_how_any_markdown_was_cut(text: str, data: st.DataObject) -> None:
    places = data.draw(st.lists(st.integers(min_value=1, max_value=max(1, len(text))), max_size=8))
    assert read(cut(text, places)) == read([text])
    assert read(list(text)) == read([text])


@pytest.mark.integration
@pytest.mark.parametrize(
    "text",
    [
        "- a\n- b|\n---\n",
        "```a|b\n-|-\nx\n```\n",
        "1. a\n1. b\n\n\n1. c\n",
        "para\n| a | b |\n|---|---|\n| 1 |\nafter\n",
        "[a]:\n/u\n'title\nmore'\n[a]\n",
        "- \n- [ ] \n-\n\n      code\n",
        "> a\nlazy\n> ```\n> x\nout\n",
        "a\r\n\r\nb\rc\r",
        "x" * 3_071 + "\n\n" + "- y\n" * 900,
    ],
)
@pytest.mark.slow
def test_hard_cases_read_the_same_letter_by_letter(text: str) -> None:
    assert read(list(text)) == read([text])


@pytest.mark.integration
@given(st.text(max_size=200), st.integers(min_value=1, max_value=20))
def test_no_text_is_refused(text: str, size: int) -> None:
    read([text[at : at + size] for at in range(0, len(text), size)])


def test_halves_of_characters_and_what_qt_keeps_for_itself_are_replaced() -> None:
    (line,) = read(["a\ud800b\ufdd0c\ufffcd\u2029e\0f"])
    assert plain_text(line) == "a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf"


@pytest.mark.promise("desktop.stream")
@pytest.mark.parametrize(
    ("opening", "more"),
    [
        ("", "A paragraph with **bold** words.\n\n"),
        ("", "- an item\n"),
        ("", "1. an item\n\n   ```sh\n   ls\n   ```\n\n"),
        ("```py\n", "x = 1  # a line of code\n"),
        ("| a | b |\n|---|---|\n", "| one | two |\n"),
        ("", "> quoted\n\nand said\n\n"),
        ("", "[a]: https://example.org/\n[b]: x\n"),
    ],
    ids=["paragraphs", "list", "code in a list", "code", "table", "quotes", "definitions"],
)
def test_a_piece_costs_the_same_at_the_end_of_a_long_reply(opening: str, more: str) -> None:
    reader = MarkdownReader()
    reader.feed(opening)
    costs = []
    for _ in range(200):
        before = reader.parsed
        reader.feed(more)
        read_all(reader)
        costs.append(reader.parsed - before)
    assert max(costs[10:]) <= max(costs[:10])


@pytest.mark.promise("desktop.stream")
def test_what_has_settled_stays_the_same_object() -> None:
    reader = MarkdownReader()
    kept: list[Part] = []
    for at in range(0, len(TEXT), 7):
        reader.feed(TEXT[at : at + 7])
        read_all(reader)
        assert all(old is new for old, new in zip(kept, reader.parts, strict=False)) or reader.revised
        kept = list(reader.parts)
        reader.revised.clear()
    assert len(kept) > 10


def test_a_definition_that_comes_late_changes_only_what_waited_for_it() -> None:
    reader = MarkdownReader()
    reader.feed("See [here][1].\n\nAnd [there][2].\n\nOn.\n\n")
    read_all(reader)
    before = list(reader.parts)
    reader.feed("[2]: https://example.org/\n\nOn.\n\nOn.\n")
    read_all(reader)
    assert reader.revised == [1]
    assert reader.parts[0] is before[0]
    line = reader.parts[1]
    assert isinstance(line, Line)
    assert [run.style.link for run in line.runs] == ["", "https://example.org/", ""]


def test_numbers_go_on_when_the_items_before_have_settled() -> None:
    pieces = [f"1. item {number}\n" for number in range(5)]
    marks = [part.mark for part in read(pieces) if isinstance(part, Line)]
    assert marks == ["1.", "2.", "3.", "4.", "5."]


def test_a_list_starts_where_it_says() -> None:
    parts = read(["7) seven\n", "7) eight\n"])
    assert [plain_text(part) for part in parts] == ["7) seven", "8) eight"]


def test_spacing_goes_by_empty_lines() -> None:
    gaps = [part.gap for part in read(["- a\n- b\n\n- c\n"]) if isinstance(part, Line)]
    assert gaps == [False, False, True]


def test_open_code_is_code_before_it_closes() -> None:
    reader = MarkdownReader()
    reader.feed("```sh\nls -l\nech")
    read_all(reader)
    (code,) = reader.tail()
    assert isinstance(code, OpenCode)
    assert (plain_text(code), code.language, code.closed) == ("ls -l\nech", "sh", False)


def test_a_table_grows_by_its_rows() -> None:
    reader = MarkdownReader()
    reader.feed("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 |")
    read_all(reader)
    (table,) = reader.tail()
    assert isinstance(table, Table)
    assert plain_text(table) == "a\tb\n1\t2\n3\t"


@pytest.mark.parametrize(
    "last", ["`", "```", "```py", "~~~", "-", "==", "#", "1.", "> ", "| a | b", "| a | b |\n| -"]
)
def test_a_line_that_nobody_can_tell_yet_does_not_flash(last: str) -> None:
    reader = MarkdownReader()
    reader.feed(f"Before.\n\n{last}")
    read_all(reader)
    assert [plain_text(part) for part in (*reader.parts, *reader.tail())] == ["Before."]


@pytest.mark.integration
@pytest.mark.parametrize(
    "text",
    ["word " * 40_000, "字" * 200_000, "> said\n" * 30_000, "[" * 200_000, "- x\n" + "  more\n" * 30_000],
)
def test_no_step_is_long_whatever_the_text(text: str) -> None:
    reader = MarkdownReader()
    reader.feed(text)
    reader.finish()
    most = 0
    while reader.busy:
        before = reader.parsed
        reader.step()
        most = max(most, reader.parsed - before)
    assert most <= 4 * (MOST_UNIT + STEP)


def test_code_in_an_item_is_not_cut_apart() -> None:
    lines = "".join(f"   x = {number}\n" for number in range(500))
    parts = read([f"1. See:\n   ```py\n{lines}   ```\n2. Done.\n"])
    assert [type(part) for part in parts] == [Line, Code, Line]
    assert plain_text(parts[2]) == "2. Done."
