"""Links of Partner that show a place in the chat: where they lead, and what they never do."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtTest import QTest

from partner_desktop.desktop.chat.reply.reply import ReplyView
from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.parts.progress import Flash
from partner_desktop.desktop.parts.text_view import TextView
from partner_desktop.desktop.window import MainWindow
from partner_desktop.desktop.wording import resolve_text
from partner_desktop.domain.message import Message, MessageState, Role, place_address, read_place_address
from tests.tables import all_rows

from .moments import Moments
from .stage import Stage

pytestmark = pytest.mark.integration

MESSAGE, HOTEL = "a1" * 16, "b2" * 16
GONE = "This message is not there any more: it or its conversation was deleted, or said anew."
NOWHERE = "This link leads to no message of a conversation."


def test_an_address_of_a_place_is_read_as_it_was_made() -> None:
    assert read_place_address(place_address(MESSAGE, HOTEL)) == (MESSAGE, HOTEL)


#: What looks like the address of a place, and is none.
NO_PLACES = (
    "partner:",
    "partner:message/",
    f"partner:message/{MESSAGE}",
    f"partner:message/{MESSAGE}?conversation=",
    f"partner:message/{MESSAGE}?conversation={HOTEL}#end",
    f"partner:message/{MESSAGE}?conversation={HOTEL}&then=approve",
    f"partner:message/{MESSAGE}0?conversation={HOTEL}",
    f"partner:message/{MESSAGE.upper()}?conversation={HOTEL}",
    f"partner:message/{'１' * 32}?conversation={HOTEL}",
    f"partner:message/../../{MESSAGE}?conversation={HOTEL}",
    f"partner://message/{MESSAGE}?conversation={HOTEL}",
    f"partner:action/{MESSAGE}?conversation={HOTEL}",
    f"PARTNER:message/{MESSAGE}?conversation={HOTEL}",
    f"file:///message/{MESSAGE}?conversation={HOTEL}",
    f" partner:message/{MESSAGE}?conversation={HOTEL}",
    f"partner:message/{MESSAGE}?conversation={HOTEL}\n",
)


@all_rows("address", NO_PLACES)
def test_what_only_looks_like_one_is_none(address: str) -> None:
    assert read_place_address(address) is None


def say(moments: Moments, conversation_id: str, count: int) -> None:
    for number in range(count):
        moments.add_message(conversation_id, Role.USER, f"number {number}.")


def link_to(moments: Moments, text: str, *, where: str = "c1") -> Message:
    """A reply at the end of a conversation; what it says is a link."""
    return moments.add_message(where, Role.PARTNER, text)


def press_link(stage: Stage, key: str) -> None:
    """Click the first link of a reply, where it is seen."""
    entry = stage.window.page.feed.entry(key)
    assert entry is not None
    assert isinstance(entry.widget, ReplyView)
    stage.until(lambda: any(view.has_links for view in entry.widget.findChildren(TextView)))
    stage.do(lambda: stage.window.page.feed.column.ensureWidgetVisible(entry.widget))
    text = next(view for view in entry.widget.findChildren(TextView) if view.has_links)
    layout = text.document().documentLayout()
    points = (QPoint(x, y) for y in range(4, text.height(), 4) for x in range(2, text.width(), 4))
    place = next(point for point in points if layout.anchorAt(QPointF(point)))
    stage.do(lambda: QTest.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=place))


def marked(window: MainWindow) -> list[str]:
    """The messages that are marked, and in view."""
    feed = window.page.feed
    inside = QRect(QPoint(0, 0), QSize(feed.column.viewport().size()))
    return [
        entry.key
        for entry in feed.entries
        if entry.widget.findChildren(Flash)
        and inside.contains(entry.widget.mapTo(feed.column.viewport(), QPoint(1, 1)))
    ]


def sentences(window: MainWindow) -> list[str]:
    return [resolve_text(toast.notice.text) for toast in window.page.toasts.toasts]


@pytest.mark.parametrize(
    ("here", "before", "after"),
    [
        pytest.param(False, 3, 3, id="another short conversation"),
        pytest.param(False, 400, 400, id="another conversation, far back"),
        pytest.param(False, 20, 130, id="another conversation, a few pages back"),
        pytest.param(True, 0, 0, id="this conversation, in view"),
        pytest.param(True, 400, 400, id="this conversation, far back"),
        pytest.param(True, 20, 130, id="this conversation, a few pages back"),
    ],
)
def test_a_link_shows_its_message_in_its_place_without_a_question(
    stage: Stage, moments: Moments, here: bool, before: int, after: int
) -> None:
    moments.add_conversation("Hotel", id=HOTEL, days_ago=3)
    where = HOTEL if here else "c1"
    say(moments, HOTEL, before)
    moments.add_message(HOTEL, Role.USER, "The hotel is the Lindenhof.", id=MESSAGE)
    say(moments, HOTEL, after)
    reply = link_to(moments, f"[17 May]({place_address(MESSAGE, HOTEL)})", where=where)
    window = stage.open(moments)
    stage.do(lambda: stage.session.open(where))
    stage.until(lambda: window.page.feed.has(reply.id))
    press_link(stage, reply.id)
    stage.until(lambda: marked(window))
    assert marked(window) == [MESSAGE]
    assert window.page.header.title == "Hotel"
    assert window.page.findChildren(Banner) == []
    assert sentences(window) == []


def test_from_an_old_stretch_a_link_leads_to_what_was_said_later(stage: Stage, moments: Moments) -> None:
    """The stretch that is shown by itself ends long before the place."""
    moments.add_conversation("Hotel", id=HOTEL)
    early = moments.add_message(HOTEL, Role.USER, "An old thing.", id="c3" * 16)
    reply = link_to(moments, f"[later]({place_address(MESSAGE, HOTEL)})", where=HOTEL)
    say(moments, HOTEL, 300)
    moments.add_message(HOTEL, Role.USER, "The hotel is the Lindenhof.", id=MESSAGE)
    say(moments, HOTEL, 300)
    last = link_to(moments, f"[early]({place_address(early.id, HOTEL)})", where=HOTEL)
    window = stage.open(moments)
    stage.do(lambda: stage.session.open(HOTEL))
    stage.until(lambda: window.page.feed.has(last.id))
    press_link(stage, last.id)
    stage.until(lambda: marked(window) == [early.id])
    assert window.page.feed.detached
    press_link(stage, reply.id)
    stage.until(lambda: marked(window) == [MESSAGE])
    assert sentences(window) == []


@pytest.mark.parametrize("how", ["deleted", "said anew", "never there", "in another conversation", "unsaid"])
def test_what_is_not_there_any_more_is_said_in_one_sentence(stage: Stage, moments: Moments, how: str) -> None:
    moments.add_conversation("Hotel", id=HOTEL, days_ago=3)
    state = MessageState.NOT_REPLIED if how == "unsaid" else MessageState.DONE
    if how != "never there":
        moments.add_message(HOTEL, Role.PARTNER, "The Lindenhof.", id=MESSAGE, state=state)
    if how == "said anew":
        moments.write("UPDATE messages SET take = 't' WHERE id = ?", MESSAGE)
    claimed = "d4" * 16 if how == "in another conversation" else HOTEL
    reply = link_to(moments, f"[17 May]({place_address(MESSAGE, claimed)})")
    window = stage.open(moments)
    stage.do(lambda: stage.session.open("c1"))
    if how == "deleted":
        moments.ask(moments.partner.conversations.delete(HOTEL))
    before = sentences(window)
    press_link(stage, reply.id)
    stage.until(lambda: len(sentences(window)) > len(before))
    assert sentences(window)[len(before) :] == [GONE]
    assert window.page.findChildren(Banner) == []


@pytest.mark.parametrize("address", ["partner:message/..", f"partner:approve/{MESSAGE}", "Partner:quit"])
def test_another_address_of_partner_does_nothing(stage: Stage, moments: Moments, address: str) -> None:
    reply = link_to(moments, f"[press]({address})")
    window = stage.open(moments)
    press_link(stage, reply.id)
    assert sentences(window) == [NOWHERE]
    assert window.page.findChildren(Banner) == []
    assert window.page.header.title == "Tidy up my downloads"


def test_a_bare_address_is_no_link(stage: Stage, moments: Moments) -> None:
    reply = link_to(moments, f"See {place_address(MESSAGE, HOTEL)} and `{place_address(MESSAGE, HOTEL)}`.")
    window = stage.open(moments)
    entry = window.page.feed.entry(reply.id)
    assert entry is not None
    assert not any(view.has_links for view in entry.widget.findChildren(TextView))


def test_what_the_person_said_holds_no_links(stage: Stage, moments: Moments) -> None:
    own = moments.add_message("c1", Role.USER, f"[press]({place_address(MESSAGE, HOTEL)})", speaker="Eve")
    window = stage.open(moments)
    entry = window.page.feed.entry(own.id)
    assert entry is not None
    assert not any(view.has_links for view in entry.widget.findChildren(TextView))
