"""Chats from elsewhere, in which others speak than the person and Partner: their names are shown."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from partner_desktop.desktop.chat.bubble import Bubble
from partner_desktop.desktop.chat.reply.reply import ReplyView
from partner_desktop.desktop.parts.text_view import TextView
from partner_desktop.domain.message import Message, Role

from .moments import Moments
from .stage import Stage

pytestmark = pytest.mark.integration

LONG = "Her Excellency the Ambassador " * 6


def shown(stage: Stage, message: Message) -> QWidget:
    entry = stage.window.page.feed.entry(message.id)
    assert entry is not None
    return entry.widget


def label_of(stage: Stage, message: Message) -> QLabel:
    """The name above, in the look of secondary words."""
    widget = shown(stage, message)
    (label,) = [
        each
        for each in widget.findChildren(QLabel)
        if each.isVisible() and each.property("look") == "muted" and each.text() and each.y() < 4
    ]
    return label


@pytest.mark.parametrize("role", [Role.USER, Role.PARTNER])
def test_a_name_stands_above_what_was_said_and_is_read_out(
    stage: Stage, moments: Moments, role: Role
) -> None:
    message = moments.add_message("c1", role, "I paint now.", speaker="Caroline")
    stage.open(moments)
    widget, label = shown(stage, message), label_of(stage, message)
    assert isinstance(widget, (Bubble, ReplyView))
    assert (widget.text, widget.speaker, label.text()) == ("I paint now.", "Caroline", "Caroline")
    (text,) = [each for each in widget.findChildren(TextView) if each.isVisible()]
    assert label.mapTo(widget, QPoint(0, label.height())).y() <= text.mapTo(widget, QPoint(0, 0)).y()
    read_out = [widget.accessibleName(), text.accessibleName()]
    assert ("Message from Caroline" if role is Role.USER else "Caroline: I paint now.") in read_out


def test_nothing_stands_above_what_the_person_or_partner_said(stage: Stage, moments: Moments) -> None:
    own = moments.add_message("c1", Role.USER, "I paint now.")
    reply = moments.add_message("c1", Role.PARTNER, "Lovely.")
    stage.open(moments)
    for message in (own, reply):
        visible = [each for each in shown(stage, message).findChildren(QLabel) if each.isVisible()]
        assert [each.text() for each in visible] == []
    assert shown(stage, reply).accessibleName() == "Lovely."


@pytest.mark.parametrize("role", [Role.USER, Role.PARTNER])
def test_a_long_name_does_not_widen_the_window(stage: Stage, moments: Moments, role: Role) -> None:
    message = moments.add_message("c1", role, "Hm.", speaker=LONG.strip())
    window = stage.open(moments, size=(620, 600))
    label, widget = label_of(stage, message), shown(stage, message)
    assert window.width() == 620
    assert widget.rect().contains(label.mapTo(widget, label.rect().center()))
    assert label.width() <= widget.width()
    read_out = [each.accessibleName() for each in (widget, *widget.findChildren(TextView))]
    assert any(LONG.strip() in each for each in read_out)


def test_a_name_is_a_name_and_no_markup(stage: Stage, moments: Moments) -> None:
    message = moments.add_message("c1", Role.PARTNER, "Hm.", speaker="<b>Eve</b> **x**")
    stage.open(moments)
    assert label_of(stage, message).text() == "<b>Eve</b> **x**"
    assert label_of(stage, message).textFormat().name == "PlainText"


def test_what_somebody_said_elsewhere_is_no_answer_of_partner(stage: Stage, moments: Moments) -> None:
    said = "I paint now.\n\nTell me more."
    theirs = moments.add_message("c1", Role.PARTNER, said, speaker="Melanie")
    own = moments.add_message("c1", Role.PARTNER, said)
    stage.open(moments)
    replies = [shown(stage, message) for message in (theirs, own)]
    assert [isinstance(each, ReplyView) and each.copies for each in replies] == [True, True]
    assert [isinstance(each, ReplyView) and each.why.isVisible() for each in replies] == [False, True]


@pytest.mark.parametrize(("speaker", "offered"), [("", ["Regenerate"]), ("Melanie", [])])
def test_only_what_partner_said_can_be_had_anew(
    stage: Stage, moments: Moments, speaker: str, offered: list[str]
) -> None:
    moments.add_message("c1", Role.USER, "Do you still paint?", speaker="Caroline")
    moments.add_message("c1", Role.PARTNER, "Now and then!", speaker=speaker)
    window = stage.open(moments)
    if offered:
        stage.until(lambda: any(each.text() == "Regenerate" for each in window.findChildren(QPushButton)))
    stage.settle()
    buttons = window.page.feed.findChildren(QPushButton)
    assert [each.text() for each in buttons if each.isVisible() and each.text() == "Regenerate"] == offered
