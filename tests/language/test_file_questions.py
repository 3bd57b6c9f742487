"""Questions about files, as people ask them: what answers one, and what of a text is about something."""

from __future__ import annotations

import pytest

from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.referent import Referent, ResultItem
from partner_desktop.domain.surroundings import HomeEntry, Surroundings
from partner_desktop.language.file_questions import (
    FileInquiry,
    looked_for,
    relevant_lines,
    said_in_file,
    said_in_last,
)
from tests.tables import all_rows

HOME = "/home/me"
NAMES = """
Desktop/
Desktop/Old Things/
Desktop/Old Things/readme.txt
Documents/
Documents/Lease 2025.txt
Documents/合同/
Documents/合同/租房合同.txt
Documents/minutes.txt
Downloads/
Downloads/Invoice March.pdf
Downloads/invoice_0417.pdf
Notes/
Notes/wifi.txt
Notes/recipes.txt
Notes/garden.md
Projects/
Projects/website/
Projects/website/index.html
Pictures/
Pictures/wifi.png
"""
ENTRIES = tuple(
    HomeEntry(f"{HOME}/{name.rstrip('/')}", is_folder=name.endswith("/"))
    for name in NAMES.split("\n")
    if name
)
HERE = Surroundings(HOME, "", ENTRIES)

#: The file, what is looked for in it, and the questions.
LOOKED_UP = [
    ("Notes/wifi.txt", "password", "what's the wifi password?"),
    ("Notes/wifi.txt", "密码", "wifi密码多少"),
    ("Documents/Lease 2025.txt", "deposit", "what does the lease say about the deposit"),
    ("Documents/Lease 2025.txt", "pets", "does the lease say anything about pets"),
    ("Documents/Lease 2025.txt", "rent", "how much is the rent in the lease?"),
    ("Notes/recipes.txt", "peanuts", "any recipe with peanuts in my notes"),
    ("Documents/合同/租房合同.txt", "押金", "租房合同里押金是多少"),
    ("Documents/合同/租房合同.txt", "多少钱", "合同里写了多少钱"),
]


@all_rows("file, about, said", LOOKED_UP)
def test_what_one_file_says_is_looked_up_in_it(file: str, about: str, said: str) -> None:
    look = said_in_file(said, HERE)
    assert look == FileInquiry("builtin::files::look_up", {"file": f"{HOME}/{file}", "about": about})


#: Questions for something else, though words of names stand in them.
OTHERS = [
    "what's the capital of france",
    "what's the size of the lease",
    "when was the lease written",
    "how many pdfs are in my downloads",
    "what is my sister's birthday",
    "what is in my documents about cats",
    "delete the wifi note",
    "下载里有多少文件",
    "纽约现在几点",
]


@pytest.mark.parametrize("said", OTHERS)
def test_other_questions_are_no_look_into_a_file(said: str) -> None:
    assert said_in_file(said, HERE) is None
    assert looked_for(said, HERE) is None


INSIDE = [
    ("what's in old things", "list_folder", "folder", "Desktop/Old Things"),
    ("网站那个文件夹里有什么", "list_folder", "folder", "Projects/website"),
    ("what's in the recipes", "files::read", "file", "Notes/recipes.txt"),
]


@all_rows("said, key, name, path", INSIDE)
def test_what_is_in_something_is_shown(said: str, key: str, name: str, path: str) -> None:
    assert said_in_file(said, HERE) == FileInquiry(f"builtin::{key}", {name: f"{HOME}/{path}"})


def test_of_several_files_where_they_are_is_told() -> None:
    look = looked_for("where's that invoice", HERE)
    names: JsonObject = {"pattern": "{Invoice March.pdf,invoice_0417.pdf}", "folder": HOME}
    assert look == FileInquiry("builtin::files::find", names)
    bare = looked_for("合同", HERE)
    assert bare is not None
    assert bare.params["pattern"] == "{合同,租房合同.txt}"
    assert looked_for("放假了", HERE) is None


def _after(path: str) -> Surroundings:
    item = ResultItem(f"{HOME}/{path}", given=True)
    return Surroundings(HOME, "", ENTRIES, (Referent("1", "builtin::files::read", "", {}, (item,)),))


@all_rows("said", ["does it say anything about pets", "里面有没有提到宠物"])
def test_what_was_spoken_of_last_is_asked(said: str) -> None:
    look = said_in_file(said, _after("Documents/Lease 2025.txt"))
    assert look is not None
    assert look.params["file"] == f"{HOME}/Documents/Lease 2025.txt"
    assert said_in_file(said, HERE) is None


def test_who_was_there_asks_the_text_that_was_read() -> None:
    look = said_in_last("who was there", _after("Documents/minutes.txt"))
    assert look is not None
    assert look.key == "builtin::files::look_up"
    assert said_in_last("who was there", _after("Pictures/wifi.png")) is None


LEASE = "The rent is 740 a month. The deposit is two months."
FOUND = [
    (LEASE, "deposit", ["The deposit is two months."]),
    (LEASE, "押金", ["The deposit is two months."]),
    (LEASE, "pets", []),
    ("房租每月三千元；押金两个月。", "押金", ["押金两个月。"]),
    ("Present: Kim, Lou. The budget was agreed.", "who was there", ["Present: Kim, Lou."]),
]


@all_rows("text, about, lines", FOUND)
def test_of_a_text_the_lines_about_something_are_told(text: str, about: str, lines: list[str]) -> None:
    assert relevant_lines(text, about) == lines
