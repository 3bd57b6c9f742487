"""Lists of tables change an entry at a time, several settings as one, and the rest stays as written."""

from __future__ import annotations

import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict, Field

from partner_desktop.base.errors import ConfigError, ModelError
from partner_desktop.config.center import ConfigCenter
from partner_desktop.config.entries import AddEntry, DropEntry, PutValue
from partner_desktop.config.handle import ConfigHandle

HAND_WRITTEN = """\
# my books
best = "Momo" # for now

[[book]] # the first
name = "Momo"
pages = 304 # as I have it

# about the others
[[book]]
name = "Emil"

# [[reader]]
# reads to us
"""


class Book(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(description="Its title.", examples=["Momo"])
    pages: int = Field(default=0, ge=0, description="How long it is.")


class BookSettings(BaseModel):
    """What is read."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    best: str = Field(default="", description="The best one.", examples=["Momo"])
    book: tuple[Book, ...] = Field(
        default=(), description="The books.", examples=[[{"name": "Momo", "pages": 304}]]
    )
    reader: tuple[Book, ...] = Field(default=(), description="Others.", examples=[[{"name": "x"}]])


class Library:
    def __init__(self, folder: Path) -> None:
        self.center = ConfigCenter(folder)
        self.books: ConfigHandle[BookSettings] = self.center.register("books", BookSettings())
        self.file = folder / "books.toml"

    @property
    def text(self) -> str:
        return self.file.read_text(encoding="utf-8")

    @property
    def names(self) -> list[str]:
        return [book.name for book in self.books.value.book]


@asynccontextmanager
async def library(folder: Path, text: str = "") -> AsyncIterator[Library]:
    folder.mkdir(exist_ok=True)
    one = Library(folder)
    if text:
        one.file.write_text(text, encoding="utf-8", newline="")
    await one.center.launch()
    try:
        yield one
    finally:
        await one.center.shutdown()


async def test_an_entry_is_added_behind_the_others_and_every_comment_stays(tmp_path: Path) -> None:
    async with library(tmp_path, HAND_WRITTEN) as one:
        await one.center.change("books", AddEntry("book", {"name": 'Ronja "R"', "pages": 240}))
        added = '\n[[book]]\nname = "Ronja \\"R\\""\npages = 240\n'
        assert one.text == HAND_WRITTEN.replace('name = "Emil"\n', f'name = "Emil"\n{added}')
        assert one.names == ["Momo", "Emil", 'Ronja "R"']


async def test_an_entry_that_goes_takes_its_own_lines_only(tmp_path: Path) -> None:
    async with library(tmp_path, HAND_WRITTEN) as one:
        await one.center.change("books", DropEntry("book", {"name": "Emil"}))
        assert one.text == HAND_WRITTEN.replace('[[book]]\nname = "Emil"\n', "")
        await one.center.change("books", PutValue(("best",), ""), DropEntry("book", {"name": "Momo"}))
        assert one.names == []
        assert [line for line in one.text.splitlines() if line] == [
            "# my books",
            'best = "" # for now',
            "# about the others",
            "# [[reader]]",
            "# reads to us",
        ]
        await one.center.change("books", DropEntry("book", {"name": "Momo"}))
        assert one.names == []


async def test_a_new_file_gets_its_first_entry_at_its_end_and_loses_it_again(tmp_path: Path) -> None:
    async with library(tmp_path) as one:
        before = one.text
        await one.center.change("books", AddEntry("book", {"name": "Momo"}), PutValue(("best",), "Momo"))
        assert one.text.endswith('\n\n[[book]]\nname = "Momo"\n')
        assert one.books.value == BookSettings(best="Momo", book=(Book(name="Momo"),))
        await one.center.change("books", DropEntry("book", {"name": "Momo"}), PutValue(("best",), None))
        assert one.text == before
        assert one.books.value == BookSettings()


@pytest.mark.parametrize(
    "text",
    [
        'book = [{ name = "Momo" }]\nbest = "Momo"\n',
        'best = "Momo"\r\n\r\n[[book]]\r\nname = "Momo"\r\n',
        '[[reader]]\nname = "a"\n[[book]]\nname = "Momo"\n[[reader]]\nname = "b"',
        '[[ "book" ]]\nname = "Momo"',
    ],
)
async def test_every_way_of_writing_a_list_can_be_changed(tmp_path: Path, text: str) -> None:
    async with library(tmp_path, text) as one:
        await one.center.change("books", AddEntry("book", {"name": "Emil"}))
        assert one.names == ["Momo", "Emil"]
        await one.center.change("books", DropEntry("book", {"name": "Momo"}))
        assert one.names == ["Emil"]
        await one.center.change("books", DropEntry("book", {"name": "Emil"}))
        left = tomllib.loads(one.text)
        before = tomllib.loads(text)
        assert left.get("book", []) == []
        assert left.get("reader") == before.get("reader")
        assert one.file.read_bytes().count(b"\r\n") in (0, one.file.read_bytes().count(b"\n"))


async def test_of_a_change_that_does_not_fit_nothing_is_done(tmp_path: Path) -> None:
    async with library(tmp_path, HAND_WRITTEN) as one:
        with pytest.raises(ConfigError, match=r"book\.2\.pages must be a whole number of at least 0"):
            await one.center.change(
                "books", PutValue(("best",), "Emil"), AddEntry("book", {"name": "x", "pages": -1})
            )
        with pytest.raises(ConfigError, match="not a setting of books"):
            await one.center.change("books", AddEntry("best", {"name": "x"}))
        with pytest.raises(ConfigError, match="Half a character"):
            await one.center.change("books", AddEntry("book", {"name": "x\ud800"}))
        assert (one.text, one.books.value.best) == (HAND_WRITTEN, "Momo")


async def test_an_entry_that_is_turned_down_is_not_written(tmp_path: Path) -> None:
    async with library(tmp_path, HAND_WRITTEN) as one:

        async def refuse(new: BookSettings) -> None:
            if len(new.book) > 2:
                raise ModelError("Two books are enough.")

        one.books.on_change(refuse)
        with pytest.raises(ConfigError, match="Two books are enough"):
            await one.center.change("books", AddEntry("book", {"name": "Ronja"}))
        assert (one.text, one.names) == (HAND_WRITTEN, ["Momo", "Emil"])
