"""An answer to a question is understood in its context."""

from __future__ import annotations

import pytest

from partner_desktop.domain.json_value import Json, JsonObject
from tests.mind.asking import ability, many, param, read
from tests.tables import all_rows

TIDY = ability(
    "tidy",
    "Tidy a folder",
    needs="folder by",
    folder=param("string", "the folder", format="path"),
    by=param("string", "What to sort by", enum=["type", "date", "size"]),
    kinds=many("string", "Kinds of files", enum=["pdf", "image"]),
    recursive=param("boolean", "Whether to look into inner folders"),
    copies=param("integer", "How many copies to keep", minimum=1, maximum=9),
    wait_minutes=param("integer", "Minutes to wait first"),
    day=param("string", "The day, YYYY-MM-DD", format="date"),
)
PDFS = ability(
    "list_files",
    "List files",
    folder=param("string", "the folder", format="path"),
    type=param("string", "The kind of files", enum=["pdf", "png", "txt"]),
    recursive=param("boolean", "Whether to look into inner folders"),
)


@all_rows(
    "asked, text, value",
    [
        ("by", "the second", "date"),
        ("by", "the last one", "size"),
        ("by", "the first one please", "type"),
        ("by", "第二个", "date"),
        ("by", "最后一个", "size"),
        ("by", "by date", "date"),
        ("kinds", "both", ["pdf", "image"]),
        ("kinds", "pdf and image", ["pdf", "image"]),
        ("copies", "use 5 instead", 5),
        ("copies", "两个", 2),
        ("copies", "three of them", 3),
        ("wait_minutes", "half an hour", 30),
        ("wait_minutes", "两个小时", 120),
        ("recursive", "yes please", True),
        ("recursive", "不用了", False),
        ("recursive", "好的", True),
        ("day", "tomorrow", "2025-03-06"),
        ("day", "下周一", "2025-03-10"),
        ("day", "on 4 July 2026", "2026-07-04"),
        ("folder", "~/Music", "~/Music"),
        ("folder", "下载文件夹", "~/Downloads"),
        ("folder", "the one in my documents folder", "~/Documents"),
    ],
)
async def test_an_answer_is_the_value_that_it_means(asked: str, text: str, value: Json) -> None:
    found = await read(text, TIDY, asked=asked)
    assert found.problem == ""
    assert found.values == {asked: value}


@pytest.mark.parametrize(
    ("asked", "text", "values"),
    [
        ("folder", "~/Music, but only PDFs", {"folder": "~/Music", "type": "pdf"}),
        ("recursive", "yes but only PDFs", {"recursive": True, "type": "pdf"}),
        ("recursive", "no, only png", {"recursive": False, "type": "png"}),
        ("folder", "my downloads folder, only txt files", {"folder": "~/Downloads", "type": "txt"}),
        ("folder", "Salt but Pepper", {"folder": "Salt but Pepper"}),
    ],
)
async def test_an_answer_may_refine_something_else_as_well(asked: str, text: str, values: JsonObject) -> None:
    assert (await read(text, PDFS, asked=asked)).values == values


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("by", "the seventh"),
        ("by", "whatever"),
        ("copies", "50"),
        ("copies", "a few"),
        ("recursive", "green"),
    ],
)
async def test_an_answer_that_means_nothing_here_is_a_problem_and_changes_nothing(
    asked: str, text: str
) -> None:
    found = await read(text, TIDY, asked=asked, known={"folder": "~/a"})
    assert found.problem
    assert found.values == {"folder": "~/a"}
