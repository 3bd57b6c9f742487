"""Orders about lists in text files: which list, which things, and what is no such order."""

from __future__ import annotations

import pytest

from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.referent import Referent, ResultItem
from partner_desktop.domain.surroundings import HomeEntry, Surroundings
from partner_desktop.language.list_orders import fitting_lines, read_list_order, with_lines
from tests.tables import all_rows

HOME = "/home/me"
NAMES = ["Notes/shopping list.txt", "Notes/购物清单.txt", "Desktop/to do.txt", "Documents/lease.txt"]
HERE = Surroundings(HOME, "", tuple(HomeEntry(f"{HOME}/{name}") for name in NAMES))

ORDERS = [
    ("take eggs off my shopping list", "remove_line", "Notes/shopping list.txt", "eggs"),
    ("remove the eggs and milk from the shopping list please", "remove_line", NAMES[0], "eggs\nmilk"),
    ("cross off milk", "remove_line", "Notes/shopping list.txt", "milk"),
    ("tick milk off the shopping list", "remove_line", "Notes/shopping list.txt", "milk"),
    ("take off milk from the shopping list", "remove_line", "Notes/shopping list.txt", "milk"),
    ("把鸡蛋从购物清单里划掉", "remove_line", "Notes/购物清单.txt", "鸡蛋"),
    ("清单里把牛奶划掉", "remove_line", "Notes/购物清单.txt", "牛奶"),
    ("bread, butter, jam on the shopping list pls", "append", NAMES[0], "bread\nbutter\njam"),
]


@all_rows("said, key, file, items", ORDERS)
def test_things_come_off_a_list_and_on_it(said: str, key: str, file: str, items: str) -> None:
    order = read_list_order(said, HERE)
    assert order is not None
    assert order.key == f"builtin::files::{key}"
    assert sorted(map(str, order.params.values())) == sorted([f"{HOME}/{file}", items])


#: They speak of no list, report, deny or ask.
OTHERS = [
    "take the lease off the desktop",
    "drop eggs on my shopping list",
    "i crossed eggs off my shopping list",
    "don't take eggs off my shopping list",
    "never cross off milk",
    "what is on the shopping list",
    "delete the shopping list",
    "remove eggs from the lease",
    "thanks for the list",
    "waiting for the list",
    "waiting on the list",
    "good work on the list",
    "get the total from the shopping list",
    "check out the shopping list",
    "take the total from the list",
    "从桌面删除合同",
    "别把鸡蛋从购物清单里划掉",
]


@pytest.mark.parametrize("said", OTHERS)
def test_other_words_are_no_order_about_a_list(said: str) -> None:
    assert read_list_order(said, HERE) is None


def test_the_list_that_was_read_is_meant() -> None:
    item = ResultItem(f"{HOME}/Desktop/to do.txt", given=True)
    after = Surroundings(HOME, "", HERE.entries, (Referent("1", "read", "", {}, (item,)),))
    order = read_list_order("cross off the dentist", after)
    assert order is not None
    assert order.params == {"file": f"{HOME}/Desktop/to do.txt", "lines": "dentist"}


def test_without_a_list_to_tell_the_file_is_left_to_ask_for() -> None:
    two = (HomeEntry(f"{HOME}/a list.txt"), HomeEntry(f"{HOME}/b list.txt"))
    order = read_list_order("cross off milk", Surroundings(HOME, "", two))
    assert order is not None
    assert order.params == {"lines": "milk"}


def test_several_things_for_a_list_are_a_line_each_and_a_sentence_is_one() -> None:
    for file, text, lines in (
        ("shopping list.txt", "milk and eggs", "milk\neggs"),
        ("购物清单.txt", "牛奶和鸡蛋", "牛奶\n鸡蛋"),
        ("diary.txt", "milk and eggs", "milk and eggs"),
        ("shopping list.txt", "milk, the eggs and brown bread", "milk\nthe eggs\nbrown bread"),
        ("to do.txt", "call the plumber about the tap and the boiler", None),
        ("to do.txt", "call mum and dad", None),
        ("shopping list.txt", "Smith, John and Sons", None),
        ("shopping list.txt", "The Joy of Cooking and soap", None),
        ("待办.txt", "给爸爸和妈妈打电话", None),
    ):
        assert with_lines({"file": file, "text": text})["text"] == (lines or text)


def test_what_stands_in_quotes_is_one_thing() -> None:
    values: JsonObject = {"file": "shopping list.txt", "text": "mac and cheese"}
    assert with_lines(values, 'add "mac and cheese" to my shopping list') == values
    order = read_list_order('"mac and cheese" and milk on the shopping list', HERE)
    assert order is not None
    assert order.params["text"] == "mac and cheese\nmilk"


LINES = ["# Shop", "- [ ] Milk", "2. eggs", "egg noodles", "olive oil", "牛奶", "鸡蛋"]


@all_rows(
    "wanted, found",
    [
        ("milk", [1]),
        ("eggs", [2]),
        ("egg", [2]),
        ("牛奶", [5]),
        ("oil", []),
        ("noodles", []),
        ("鸡", []),
        ("s", []),
    ],
)
def test_the_line_that_says_a_thing_is_found_behind_its_bullet(wanted: str, found: list[int]) -> None:
    assert fitting_lines(LINES, wanted) == found
