"""Cutting Markdown: what has settled stays, however the text came."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from partner_desktop.desktop.chat.blocks import Block, BlockReader

TEXT = """# Files

I found **58** files.
They are these:

- one
- two

  still two
- three

And more.

| a | b |
|---|---|
| 1 | 2 |

```python
x = 1

y = "```"
```
After the code.

1. first

2. second
"""


def read(chunks: list[str]) -> list[Block]:
    reader = BlockReader()
    blocks = [block for chunk in chunks for block in reader.feed(chunk)]
    return blocks + reader.finish()


def test_a_text_falls_into_its_top_level_blocks() -> None:
    assert [(block.kind, block.text.splitlines()[0]) for block in read([TEXT])] == [
        ("prose", "# Files"),
        ("prose", "I found **58** files."),
        ("prose", "- one"),
        ("prose", "And more."),
        ("table", "| a | b |"),
        ("code", "x = 1"),
        ("prose", "After the code."),
        ("prose", "1. first"),
    ]


def test_a_list_with_blank_lines_is_one_block() -> None:
    blocks = read(["1. first\n\n2. second\n\n   more of it\n\nafter"])
    assert [block.text for block in blocks] == ["1. first\n\n2. second\n\n   more of it", "after"]


def test_a_fence_keeps_its_blank_lines_and_its_language() -> None:
    assert read([TEXT])[5] == Block("code", 'x = 1\n\ny = "```"', "python")


@given(st.lists(st.integers(min_value=1, max_value=len(TEXT)), max_size=40))
def test_it_does_not_matter_how_the_text_was_cut(cuts: list[int]) -> None:
    places = sorted({0, len(TEXT), *(cut for cut in cuts if cut < len(TEXT))})
    chunks = [TEXT[start:end] for start, end in pairwise(places)]
    assert read(chunks) == read([TEXT])


def test_only_the_last_block_is_open() -> None:
    reader = BlockReader()
    assert [block.text for block in reader.feed("one\n\ntwo\n\nthr")] == ["one", "two"]
    assert reader.tail() == Block("prose", "thr")
    assert reader.feed("ee") == []
    assert reader.tail() == Block("prose", "three")


@pytest.mark.parametrize("start", ["`", "``", "```", "~~~"])
def test_a_fence_that_may_be_opening_does_not_flash_as_text(start: str) -> None:
    reader = BlockReader()
    reader.feed(start)
    assert reader.tail() is None


def test_an_open_fence_is_code_before_it_closes() -> None:
    reader = BlockReader()
    reader.feed("```sh\nls -l\nech")
    assert reader.tail() == Block("code", "ls -l\nech", "sh")
