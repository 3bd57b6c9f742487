"""Words that want something forgotten, and those that only sound so."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from partner_desktop.language.speech_acts.asked_about import ForgetOrder, forget_order, wants_private
from tests.tables import all_rows

#: A Monday.
NOW = datetime(2026, 11, 23, 9, 0).astimezone()
JUST_NOW = ForgetOrder()


def words(text: str) -> ForgetOrder:
    return ForgetOrder(words=text)


def day(number: int) -> ForgetOrder:
    return ForgetOrder(day=date(2026, 11, number))


@all_rows(
    "text, order",
    [
        ("forget that", JUST_NOW),
        ("Forget that, please.", JUST_NOW),
        ("Please forget what I just told you", JUST_NOW),
        ("forget my last message", JUST_NOW),
        ("忘掉这个", JUST_NOW),
        ("忘了刚才说的", JUST_NOW),
        ("forget everything about the flat", words("the flat")),
        ("Please forget everything you know about my sister Ann!", words("Ann")),
        ("forget what I told you about the flat", words("the flat")),
        ("Delete everything about Ann from your memory", words("Ann")),
        ("delete the flat from your memory", words("the flat")),
        ("forget Ann", words("Ann")),
        ("forget that I have a dog", words("I have a dog")),
        ("忘掉关于房子的一切", words("房子")),
        ("请忘掉所有关于公寓的事", words("公寓")),
        ("删除关于公寓的所有记忆", words("公寓")),
        ("忘掉小明", words("小明")),
        ("forget what I said yesterday", day(22)),
        ("forget everything from yesterday", day(22)),
        ("forget what we said on Monday", day(16)),
        ("忘记我昨天说的话", day(22)),
        ("forget it", None),
        ("forget all about it", None),
        ("never mind, forget about it", None),
        ("forget to call", None),
        ("I forgot the milk", None),
        ("don't forget the milk", None),
        ("what did you forget?", None),
        ("delete everything in ~/Downloads", None),
        ("remove all on my desktop", None),
        ("delete all files about Ann", None),
        ("erase everything", None),
        ("我忘了", None),
        ("", None),
        ("forget everything about " + "x" * 300, None),
    ],
)
def test_a_message_wants_something_forgotten_or_it_does_not(text: str, order: ForgetOrder | None) -> None:
    assert forget_order(text, NOW) == order


@pytest.mark.parametrize(
    ("text", "private"),
    [
        ("do not remember this conversation", True),
        ("please don't store this chat", True),
        ("不要记住这个对话", True),
        ("do you remember this conversation?", False),
        ("forget this conversation", False),
    ],
)
def test_a_conversation_is_not_to_be_remembered(text: str, private: bool) -> None:
    assert wants_private(text) is private
