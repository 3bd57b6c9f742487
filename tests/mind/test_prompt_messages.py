"""Parts become messages that every template takes, and all questions of a conversation begin alike."""

from __future__ import annotations

from itertools import pairwise

from partner_desktop.domain.snapshot import PromptPart
from partner_desktop.mind.prompted.prompts import arranged
from partner_desktop.model.chat import ChatMessage

SYSTEM = (PromptPart("system", "persona", "P", 1), PromptPart("system", "capabilities", "C", 1))


def dialog(*said: tuple[str, str]) -> tuple[PromptPart, ...]:
    return tuple(PromptPart(role, "dialog", text, 1) for role, text in said)


def test_system_parts_are_one_message_and_what_is_volatile_is_the_last() -> None:
    parts = (*SYSTEM, *dialog(("user", "a"), ("assistant", "b")))
    tail = (PromptPart("user", "context", "X", 1), PromptPart("user", "input", "I", 1))
    prompt = arranged((*parts, *tail))
    assert prompt.messages == (
        ChatMessage("system", "P\n\nC"),
        ChatMessage("user", "a"),
        ChatMessage("assistant", "b"),
        ChatMessage("user", "X\n\nI"),
    )
    assert prompt.trunk == 3
    assert arranged(parts, "tail").messages[:3] == prompt.messages[:3]


def test_the_two_sides_alternate_whatever_the_dialog_was() -> None:
    said = [
        ("assistant", "0"),
        ("user", "a"),
        ("user", "b"),
        ("assistant", "c"),
        ("assistant", "d"),
        ("user", "e"),
    ]
    prompt = arranged((*SYSTEM, *dialog(*said)), "tail")
    assert [message.text for message in prompt.messages] == ["P\n\nC", "0", "a\n\nb", "c\n\nd", "e\n\ntail"]
    assert prompt.trunk == 4
    roles = [message.role for message in prompt.messages]
    assert all(first != second for first, second in pairwise(roles))


def test_a_dialog_that_grows_only_adds_to_the_trunk() -> None:
    said = [
        ("user", "a"),
        ("assistant", "b"),
        ("user", "c"),
        ("assistant", "d"),
        ("assistant", "e"),
        ("user", "f"),
    ]
    for count in (2, 4, 6):
        before = arranged((*SYSTEM, *dialog(*said[: count - 2])), "t")
        after = arranged((*SYSTEM, *dialog(*said[:count])), "t")
        shared = [message.text for message in before.messages[: before.trunk]]
        grown = [message.text for message in after.messages]
        assert all(new.startswith(old) for old, new in zip(shared, grown, strict=False))


def test_without_the_dialog_the_system_message_and_the_tail_are_left() -> None:
    prompt = arranged((*SYSTEM, *dialog(("user", "a"), ("assistant", "b"))), "tail").undialogued
    assert [message.text for message in prompt.messages] == ["P\n\nC", "tail"]
    assert prompt.trunk == 1


def test_empty_parts_make_no_messages() -> None:
    assert arranged(()).messages == ()
    assert arranged((PromptPart("system", "persona", "", 0),), "", "tail").messages == (
        ChatMessage("user", "tail"),
    )
