"""What is summed up in the chat: a quiet line that opens; and a conversation that is kept to itself."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.chat.rolled_mark import RolledMark
from partner_desktop.domain.forgetting import ForgetSelection
from partner_desktop.domain.message import Role

from .moments import Moments
from .stage import Stage

pytestmark = pytest.mark.integration

LONG = 160


def marks(stage: Stage) -> list[RolledMark]:
    feed = stage.window.page.feed
    return [entry.widget for entry in feed.entries if isinstance(entry.widget, RolledMark)]


def shape(stage: Stage) -> list[str]:
    """The feed from the top: what was said, and where it is summed up."""
    entries = stage.window.page.feed.entries
    return ["mark" if isinstance(each.widget, RolledMark) else each.key for each in entries]


def talk(moments: Moments, count: int, *, conversation_id: str = "c1") -> list[str]:
    return [
        moments.add_message(conversation_id, (Role.USER, Role.PARTNER)[number % 2], f"thing {number}").id
        for number in range(count)
    ]


def click(stage: Stage, widget: QWidget) -> None:
    stage.do(lambda: QTest.mouseClick(widget, Qt.MouseButton.LeftButton))


@pytest.mark.promise("rolling.visible")
def test_what_is_summed_up_is_marked_at_once_and_opens_in_place(stage: Stage, moments: Moments) -> None:
    moments.mind = None
    first = talk(moments, 4)
    stage.open(moments)
    assert marks(stage) == []
    unit = stage.run(moments.partner.memory.roll("c1"))
    assert unit is not None
    stage.until(lambda: marks(stage))
    assert shape(stage)[-2:] == [first[-1], "mark"]
    (mark,) = marks(stage)
    assert mark.button.text().startswith("5 messages are summed up · ")
    assert mark.button.accessibleName().endswith(": show")
    click(stage, mark.button)
    assert mark.is_open
    assert mark.summary.text() == unit.summary
    assert "thing" in unit.summary
    assert mark.button.accessibleName().endswith(": fold")
    stage.do(lambda: QTest.keyClick(mark.button, Qt.Key.Key_Return))
    assert not mark.is_open


@pytest.mark.promise("rolling.visible")
def test_marks_stand_between_the_messages_and_come_with_older_pages(stage: Stage, moments: Moments) -> None:
    moments.mind = None
    talk(moments, LONG)
    moments.ask(moments.partner.memory.roll("c1"))
    after = talk(moments, 60)
    stage.open(moments)
    stage.settle()
    assert marks(stage) == []  # nothing of what is summed up is in view
    feed = stage.window.page.feed
    stage.do(feed.older_wanted.emit)
    stage.until(lambda: marks(stage))
    stage.settle()
    at = shape(stage).index("mark")
    assert shape(stage)[at + 1 :] == after
    assert shape(stage).count("mark") == 1


def test_a_mark_goes_with_what_it_stood_below(stage: Stage, moments: Moments) -> None:
    moments.mind = None
    talk(moments, 2)
    moments.ask(moments.partner.memory.roll("c1"))
    after = talk(moments, 2)
    stage.open(moments)
    stage.until(lambda: marks(stage))
    forgetting = moments.partner.forgetting

    async def forget() -> None:
        (one,) = await moments.partner.memory.slices()
        preview = await forgetting.preview(ForgetSelection(slice_ids=(one.id,), quotes=False))
        await forgetting.forget(preview.id)

    stage.run(forget())
    stage.until(lambda: shape(stage) == after)


def test_what_was_brought_in_bears_no_mark(stage: Stage, moments: Moments) -> None:
    talk(moments, 2)
    moments.partner  # noqa: B018 - launched: rows are written at once
    moments.write(
        "INSERT INTO memory_units (id, conversation_id, first, past, at, origin) "
        "VALUES ('u', 'c1', 0, 100, '2026-01-01T00:00:00+00:00', 'jsonl')"
    )
    stage.open(moments)
    stage.settle()
    assert marks(stage) == []


def test_a_conversation_is_kept_to_itself_by_its_header(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    header = window.page.header
    assert header.not_remembered.text() == ""
    assert header.remember_button.accessibleName() == "Do not remember this conversation"
    click(stage, header.remember_button)
    stage.until(lambda: header.not_remembered.text() == "not remembered")
    (conversation,) = stage.run(moments.partner.conversations.list())
    assert not conversation.remembered
    click(stage, header.remember_button)
    stage.until(lambda: header.not_remembered.text() == "")
    stage.do(lambda: stage.session.open(""))
    assert not header.remember_button.isVisible()
