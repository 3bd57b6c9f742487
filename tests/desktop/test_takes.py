"""Beginning anew in the window, with a real Partner behind it: regenerate, edit, branch, choose a version."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QWidget

from partner_desktop.desktop.chat.bubble import Bubble
from partner_desktop.desktop.chat.message_actions import EditInPlace, MessageActions, TakeSwitch
from partner_desktop.desktop.chat.reply.reply import ReplyView
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.message import Role
from partner_desktop.mind.question import ReplyRequest
from tests.runtime.minds import Piece, ScriptedMind
from tests.support import UPPER_SCRIPT

from .scene import Scene

pytestmark = [pytest.mark.promise("desktop.edit"), pytest.mark.integration]


class Chat:
    """What a person sees and does in the middle column."""

    def __init__(self, scene: Scene, mind: ScriptedMind) -> None:
        self.scene, self.mind = scene, mind

    @property
    def texts(self) -> list[str]:
        """Bubbles and replies, from the top down."""
        widgets = (entry.widget for entry in self.scene.window.page.feed.entries)
        return [widget.text for widget in widgets if isinstance(widget, (Bubble, ReplyView))]

    async def shows(self, *texts: str) -> None:
        """Wait until exactly these stand there, and nothing runs any more."""
        try:
            await self.scene.until(lambda: self.texts == list(texts))
            await self.scene.until(lambda: not self.scene.window.page.composer.running)
        except TimeoutError:
            raise AssertionError(f"it shows {self.texts}, running: {self.running}") from None

    @property
    def running(self) -> bool:
        return self.scene.window.page.composer.running

    async def say(self, text: str) -> None:
        edit = self.scene.window.page.composer.edit
        edit.setFocus()
        self.scene.window.page.composer.set_text(text)
        await self.scene.key(Qt.Key.Key_Return)

    def widget(self, text: str) -> Bubble | ReplyView:
        for entry in self.scene.window.page.feed.entries:
            if isinstance(entry.widget, (Bubble, ReplyView)) and entry.widget.text == text:
                return entry.widget
        raise AssertionError(f"{text} is not shown")

    async def point_at(self, text: str) -> MessageActions:
        """Put the mouse over a message; the row that comes."""
        at = QPointF(2, 2)
        enter = QEnterEvent(at, at, at)
        await self.scene.do(lambda: QApplication.sendEvent(self.widget(text), enter))
        return self.scene.window.page.message_actions

    async def button(self, name: str) -> QPushButton:
        """A button in view, by what a screen reader calls it."""
        found: list[QPushButton] = []

        def look() -> bool:
            buttons = self.scene.window.page.feed.findChildren(QPushButton)
            found[:] = [one for one in buttons if one.accessibleName() == name and one.isVisible()]
            return bool(found)

        await self.scene.until(look)
        return found[0]

    async def switch(self, place: str) -> TakeSwitch:
        """The choice between versions that says `2/3`."""
        found: list[TakeSwitch] = []

        def look() -> bool:
            switches = self.scene.window.page.feed.findChildren(TakeSwitch)
            found[:] = [one for one in switches if one.isVisible() and _place(one) == place]
            return bool(found)

        await self.scene.until(look)
        return found[0]

    def switches(self) -> list[str]:
        found = self.scene.window.page.feed.findChildren(TakeSwitch)
        return [_place(one) for one in found if one.isVisible()]


def _place(switch: TakeSwitch) -> str:
    return f"{switch.fork.active + 1}/{len(switch.fork.takes)}"


def _click(button: QWidget) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


Story = Callable[[Chat], Awaitable[None]]


@pytest.fixture
def tell(scene: Scene) -> Callable[[Story], None]:
    """Play a story of a chat in which the answers are numbered."""
    numbers = iter(range(1, 100))

    def script(request: ReplyRequest) -> list[Piece]:
        return [f"answer {next(numbers)}"]

    scene.mind = mind = ScriptedMind(script)

    def play(story: Story) -> None:
        async def one() -> None:
            await story(Chat(scene, mind))

        scene.play(one)

    return play


def test_an_answer_is_had_anew_and_the_versions_can_be_chosen(tell: Callable[[Story], None]) -> None:
    async def story(chat: Chat) -> None:
        await chat.say("hello")
        await chat.shows("hello", "answer 1")
        await chat.scene.do(lambda: None)
        button = await chat.button("Regenerate this answer")
        await chat.scene.click(button)
        await chat.shows("hello", "answer 2")
        switch = await chat.switch("2/2")
        assert not switch.after.isEnabled()
        await chat.scene.do(lambda: _click(switch.before))
        await chat.shows("hello", "answer 1")
        switch = await chat.switch("1/2")
        assert switch.accessibleName() == "Version 1 of 2"
        await chat.scene.do(lambda: _click(switch.after))
        await chat.shows("hello", "answer 2")
        assert chat.scene.window.page.composer.edit.hasFocus()

    tell(story)


def test_a_message_is_edited_where_it_stands_and_sent_by_enter(tell: Callable[[Story], None]) -> None:
    async def story(chat: Chat) -> None:
        await chat.say("helo")
        await chat.shows("helo", "answer 1")
        await chat.say("how are you")
        await chat.shows("helo", "answer 1", "how are you", "answer 2")
        row = await chat.point_at("helo")
        assert row.isVisible()
        await chat.scene.click(row.edit_button)
        editor = chat.scene.window.findChildren(EditInPlace)[0]
        assert editor.edit.hasFocus()
        assert editor.text == "helo"
        editor.edit.setPlainText("hello")
        await chat.scene.key(Qt.Key.Key_Return)
        await chat.shows("hello", "answer 3")
        switch = await chat.switch("2/2")
        assert chat.widget("hello").isAncestorOf(switch)
        await chat.scene.do(lambda: _click(switch.before))
        await chat.shows("helo", "answer 1", "how are you", "answer 2")

    tell(story)


def test_escape_leaves_the_edit_and_nothing_changed(tell: Callable[[Story], None]) -> None:
    async def story(chat: Chat) -> None:
        await chat.say("hello")
        await chat.shows("hello", "answer 1")
        row = await chat.point_at("hello")
        await chat.scene.click(row.edit_button)
        await chat.scene.type(" there")
        bubble = chat.widget("hello")
        assert isinstance(bubble, Bubble)
        before = bubble.covered
        await chat.scene.key(Qt.Key.Key_Escape)
        assert (before, bubble.covered) == (True, False)
        assert chat.texts == ["hello", "answer 1"]
        assert chat.scene.window.page.composer.edit.hasFocus()
        assert (await chat.scene.partner.messages.line(await conversation(chat))).forks == ()

    tell(story)


async def conversation(chat: Chat) -> str:
    return (await chat.scene.partner.conversations.list())[0].id


def test_an_edit_that_is_refused_keeps_what_was_typed(tell: Callable[[Story], None]) -> None:
    async def story(chat: Chat) -> None:
        await chat.say("hello")
        await chat.shows("hello", "answer 1")
        row = await chat.point_at("hello")
        await chat.scene.click(row.edit_button)
        gate = asyncio.Event()
        chat.mind.script = lambda request: ["wait ", gate, "done"]
        await chat.scene.partner.messages.send("from elsewhere", conversation_id=await conversation(chat))
        await chat.mind.waits.wait()
        await chat.scene.type(" there")
        await chat.scene.key(Qt.Key.Key_Return)
        await chat.scene.until(lambda: any("still answering" in text for text in chat.scene.toasts()))
        editor = chat.scene.window.findChildren(EditInPlace)[0]
        assert editor.isEnabled()
        assert editor.text == "hello there"
        gate.set()
        await chat.shows("hello", "answer 1", "from elsewhere", "wait done")

    tell(story)


def test_a_stopped_answer_says_so_and_can_be_had_anew(tell: Callable[[Story], None]) -> None:
    async def story(chat: Chat) -> None:
        chat.mind.script = lambda request: ["half an ", asyncio.Event(), "answer"]
        await chat.say("hello")
        await chat.mind.waits.wait()
        await chat.scene.until(lambda: "half an " in chat.texts)
        names = [one.accessibleName() for one in chat.scene.window.page.feed.findChildren(QPushButton)]
        assert "Regenerate this answer" not in names, "not while it is being written"
        row = await chat.point_at("hello")
        assert row.edit_button.isHidden()
        await chat.scene.key(Qt.Key.Key_Escape)
        await chat.shows("hello", "half an ")
        reply = chat.widget("half an ")
        assert reply.note == "You stopped this reply."
        chat.mind.script = lambda request: ["a whole answer"]
        await chat.scene.click(await chat.button("Regenerate this answer"))
        await chat.shows("hello", "a whole answer")

    tell(story)


def test_a_branch_opens_with_what_was_said_so_far(tell: Callable[[Story], None]) -> None:
    async def story(chat: Chat) -> None:
        await chat.say("hello")
        await chat.shows("hello", "answer 1")
        await chat.say("more")
        await chat.shows("hello", "answer 1", "more", "answer 2")
        row = await chat.point_at("answer 1")
        assert row.edit_button.isHidden()
        await chat.scene.click(row.branch_button)
        await chat.shows("hello", "answer 1", "Branched from “hello”.")
        assert chat.scene.window.page.header.title == "hello (branch)"
        await chat.button("Regenerate this answer")

    tell(story)


def test_the_menu_of_a_message_offers_the_same(tell: Callable[[Story], None]) -> None:
    async def story(chat: Chat) -> None:
        await chat.say("hello")
        await chat.shows("hello", "answer 1")
        for text, offered in (("hello", ["Edit", "Branch from here"]), ("answer 1", ["Branch from here"])):
            menu = QMenu()
            chat.widget(text).add_to_menu(menu)
            texts = [action.text() for action in menu.actions() if not action.isSeparator()]
            assert [text for text in texts if "Why" not in text] == offered
            menu.deleteLater()

    tell(story)


def test_all_of_it_is_reached_by_keyboard(tell: Callable[[Story], None]) -> None:
    async def story(chat: Chat) -> None:
        await chat.say("hello")
        await chat.shows("hello", "answer 1")
        await chat.button("Regenerate this answer")
        window = chat.scene.window
        row = window.page.message_actions
        window.page.go_to_message(-1)
        assert row.copy_button.hasFocus()
        window.page.go_to_message(-1)
        await chat.scene.do(lambda: None)
        assert row.geometry().center().y() > chat.widget("hello").geometry().bottom()
        await chat.scene.key(Qt.Key.Key_Return)
        assert QApplication.clipboard().text() == "hello"
        await chat.scene.key(Qt.Key.Key_Tab)
        assert row.edit_button.hasFocus()
        await chat.scene.key(Qt.Key.Key_Return)
        await chat.scene.type("!")
        await chat.scene.key(Qt.Key.Key_Return)
        await chat.shows("hello!", "answer 2")
        switch = await chat.switch("2/2")
        await chat.scene.tab_to(switch.before)
        await chat.scene.key(Qt.Key.Key_Space)
        await chat.shows("hello", "answer 1")
        switch = await chat.switch("1/2")
        await chat.scene.until(switch.after.hasFocus)
        regenerate = await chat.button("Regenerate this answer")
        await chat.scene.tab_to(regenerate)
        await chat.scene.key(Qt.Key.Key_Return)
        await chat.shows("hello", "answer 3")

    tell(story)


def test_what_led_to_a_card_is_asked_again_and_the_old_card_comes_back_settled(
    tell: Callable[[Story], None],
) -> None:
    async def story(chat: Chat) -> None:
        (chat.scene.action_dir / "dynamic" / "upper.py").write_text(UPPER_SCRIPT)
        await chat.scene.until(lambda: chat.scene.ability("local::upper"))
        card = await chat.scene.ask('shout "one" in capital letters')
        first = card.record
        assert first is not None
        await chat.scene.until(lambda: not chat.running)
        await chat.scene.click(await chat.button("Ask again, with everything that it sets off"))
        await chat.scene.until(lambda: chat.scene.cards and chat.scene.cards[0] is not card)
        await chat.scene.until(lambda: not chat.running)
        (new,) = chat.scene.cards
        await chat.scene.until(lambda: new.record is not None)
        assert new.record is not None
        assert new.record.id != first.id
        switch = await chat.switch("2/2")
        await chat.scene.do(lambda: _click(switch.before))
        await chat.scene.until(lambda: chat.scene.window.page.feed.card(first.id) is not None)
        back = chat.scene.window.page.feed.card(first.id)
        assert back is not None
        await chat.scene.until(lambda: back.record is not None)
        assert back.record is not None
        assert back.record.status is ActionStatus.REJECTED
        statuses = {record.status for record in await chat.scene.partner.actions.list()}
        assert statuses == {ActionStatus.REJECTED}, "none waits out of sight"

    tell(story)


def test_a_long_chat_stays_where_the_person_looks_when_a_version_is_chosen(
    tell: Callable[[Story], None],
) -> None:
    async def story(chat: Chat) -> None:
        partner = chat.scene.partner
        chat.mind.script = lambda request: ["\n\n".join(f"{request.text} {line}" for line in range(9))]
        await chat.say("start")
        await chat.scene.until(lambda: not chat.running and len(chat.texts) == 2)
        one = await conversation(chat)
        for number in range(20):
            await partner._parts.core.dialog.append(one, Role.USER, f"said {number}")
            await partner._parts.core.dialog.append(one, Role.PARTNER, f"told {number}")
        session = chat.scene.stage.session
        await chat.scene.do(lambda: session.open(""))
        await chat.scene.do(lambda: session.open(one))
        await chat.scene.until(lambda: len(chat.texts) == 42)
        messages = await partner.messages.list(one, limit=100)
        said = next(message for message in messages if message.text == "said 3")
        await partner.messages.edit(said.id, "said otherwise")
        await chat.scene.until(lambda: not chat.running and "said otherwise" in chat.texts)
        await chat.scene.until(lambda: len(chat.texts) == 2 + 2 * 3 + 2)
        switch = await chat.switch("2/2")
        bar = chat.scene.window.page.feed.column.verticalScrollBar()
        await chat.scene.do(lambda: bar.setValue(bar.maximum() // 2))
        place = bar.value()
        await chat.scene.do(lambda: _click(switch.before))
        await chat.scene.until(lambda: len(chat.texts) == 42)
        await chat.switch("1/2")
        assert bar.value() == place, "the fork stands where it stood"
        assert bar.maximum() > place

    tell(story)


def test_a_version_that_is_longer_than_some_pages_is_shown_from_its_fork(
    tell: Callable[[Story], None],
) -> None:
    async def story(chat: Chat) -> None:
        partner = chat.scene.partner
        await chat.say("hello")
        await chat.shows("hello", "answer 1")
        one = await conversation(chat)
        for number in range(200):
            await partner._parts.core.dialog.append(one, Role.PARTNER, f"told {number}")
        line = await partner.messages.line(one)
        await partner.messages.edit(line.asked_id, "hi")
        await chat.shows("hi", "answer 2")
        await chat.say("go on")
        await chat.shows("hi", "answer 2", "go on", "answer 3")
        first = (await partner.messages.list(one))[0]
        await partner.messages.regenerate((await partner.messages.list(one))[1].id)
        await chat.shows("hi", "answer 4")
        await partner.messages.choose((await partner.messages.line(one)).forks[0].takes[0])
        feed = chat.scene.window.page.feed
        await chat.scene.until(lambda: feed.detached and "hello" in chat.texts)
        assert first.text not in chat.texts
        assert feed.jump_button.isVisible()
        await chat.switch("1/2")

    tell(story)


def test_a_change_from_elsewhere_is_followed(tell: Callable[[Story], None]) -> None:
    async def story(chat: Chat) -> None:
        await chat.say("hello")
        await chat.shows("hello", "answer 1")
        line = await chat.scene.partner.messages.line(await conversation(chat))
        await chat.scene.partner.messages.edit(line.asked_id, "from a terminal", source="terminal")
        await chat.shows("from a terminal", "answer 2")
        await chat.switch("2/2")

    tell(story)


def test_the_row_leaves_with_the_mouse(tell: Callable[[Story], None]) -> None:
    async def story(chat: Chat) -> None:
        await chat.say("hello")
        await chat.shows("hello", "answer 1")
        row = await chat.point_at("hello")
        assert row.key
        QApplication.sendEvent(chat.widget("hello"), QEvent(QEvent.Type.Leave))
        await chat.scene.until(row.isHidden)

    tell(story)
