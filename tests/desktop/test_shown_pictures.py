"""Pictures in the window: pasted, dropped, taken back, sent, made smaller, seen in the chat again."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from partner_desktop.desktop.chat.bubble import Bubble
from partner_desktop.desktop.parts.result_parts import PictureView
from partner_desktop.domain.message import Role
from partner_desktop.domain.model_status import EndpointDraft
from tests.model.endpoint.badly import BadServer, Line

from .scene import Scene, played
from .test_drop_story import drop

pytestmark = pytest.mark.integration


def image(width: int = 40, height: int = 30) -> QImage:
    made = QImage(width, height, QImage.Format.Format_RGB32)
    made.fill(QColor("teal"))
    return made


def saved(folder: Path, name: str, width: int = 40, height: int = 30) -> Path:
    path = folder / name
    assert image(width, height).save(str(path))
    return path


async def paste(scene: Scene, picture: QImage) -> None:
    def press() -> None:
        QGuiApplication.clipboard().setImage(picture)
        QTest.keyClick(scene.window.page.composer.edit, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)

    await scene.do(press)


async def write(scene: Scene, text: str) -> None:
    edit = scene.window.page.composer.edit
    await scene.do(lambda: QTest.keyClicks(edit, text))
    await scene.do(lambda: QTest.keyClick(edit, Qt.Key.Key_Return))


def names(scene: Scene) -> list[str]:
    return [each.name for each in scene.window.page.composer.tray.items]


def sent(scene: Scene) -> list[Bubble]:
    """The messages that are accepted."""
    entries = scene.window.page.feed.entries
    return [each.widget for each in entries if isinstance(each.widget, Bubble) and not each.pending]


def shown(bubble: Bubble) -> list[PictureView]:
    return bubble.findChildren(PictureView)


async def kept(scene: Scene) -> list[QImage]:
    """The pictures of the latest message, from the disk."""
    (conversation,) = await scene.partner.conversations.list()
    messages = await scene.partner.messages.list(conversation.id)
    said = [message for message in messages if message.role is Role.USER][-1]
    return [QImage(str(scene.home.pictures / each.file)) for each in said.pictures]


@played
async def test_a_pasted_picture_goes_with_the_message_and_shows_in_it(scene: Scene) -> None:
    await paste(scene, image())
    await scene.until(lambda: names(scene) == ["Pasted picture"])
    assert scene.window.page.composer.text == ""
    await write(scene, "look at that")
    await scene.until(lambda: sent(scene) and shown(sent(scene)[-1]))
    (view,) = shown(sent(scene)[-1])
    await scene.until(lambda: view.picture.shown)
    assert view.picture.accessibleName() == "Open the picture Pasted picture.png"
    assert view.picture.focusPolicy() & Qt.FocusPolicy.TabFocus
    bubble = sent(scene)[-1]
    assert bubble.rect().contains(view.mapTo(bubble, view.rect().bottomRight()))
    assert names(scene) == []
    (there,) = await kept(scene)
    assert there.pixelColor(1, 1) == QColor("teal")


@played
async def test_a_dropped_picture_can_be_taken_back_by_the_keyboard(scene: Scene, user_home: Path) -> None:
    await drop(scene, saved(user_home, "cat.png"))
    await drop(scene, saved(user_home, "dog.jpg"))
    await scene.until(lambda: names(scene) == ["cat.png", "dog.jpg"])
    tray = scene.window.page.composer.tray
    buttons = [each for each in tray.findChildren(QToolButton) if not each.isHidden()]
    assert [each.accessibleName() for each in buttons] == [
        "Remove the picture cat.png",
        "Remove the picture dog.jpg",
    ]
    await scene.do(lambda: QTest.keyClick(buttons[0], Qt.Key.Key_Return))
    assert names(scene) == ["dog.jpg"]
    await scene.do(lambda: QTest.keyClick(scene.window.page.composer.edit, Qt.Key.Key_Return))
    assert names(scene) == ["dog.jpg"]  # a picture alone is no message
    assert scene.window.page.composer.edit.placeholderText() == "Say what you want to know of it…"


@played
async def test_a_webp_goes_as_a_png_which_every_model_that_sees_can_read(
    scene: Scene, user_home: Path
) -> None:
    await drop(scene, saved(user_home, "cat.webp"))
    await scene.until(lambda: names(scene) == ["cat.webp"])
    (chosen,) = scene.window.page.composer.tray.items
    assert chosen.picture is not None
    assert chosen.picture.read_bytes().startswith(b"\x89PNG")
    assert QImage(str(chosen.picture)).size() == QImage(str(user_home / "cat.webp")).size()


@played
async def test_what_is_no_picture_is_told_and_what_was_typed_stays(scene: Scene, user_home: Path) -> None:
    (user_home / "fake.png").write_text("not a picture")
    await scene.do(lambda: scene.window.page.composer.set_text("look"))
    await drop(scene, user_home / "fake.png")
    await scene.until(lambda: any("is no PNG, JPEG, WebP or GIF" in text for text in scene.toasts()))
    assert (names(scene), scene.window.page.composer.text) == ([], "look")


@played
async def test_a_fifth_picture_is_told_at_once(scene: Scene, user_home: Path) -> None:
    for number in range(5):
        await drop(scene, saved(user_home, f"{number}.png"))
    await scene.until(lambda: len(names(scene)) == 4)
    assert any("at most 4 pictures" in text for text in scene.toasts())


@played
async def test_a_message_that_is_refused_comes_back_with_its_picture(scene: Scene, user_home: Path) -> None:
    path = saved(user_home, "cat.png")
    await drop(scene, path)
    await scene.until(lambda: names(scene) == ["cat.png"])
    path.unlink()
    await write(scene, "look at that")
    await scene.until(lambda: scene.window.page.composer.text == "look at that")
    assert names(scene) == ["cat.png"]
    assert any("There is no file" in text for text in scene.toasts())


@played
async def test_a_large_picture_is_sent_to_a_model_no_larger_than_it_looks_at(
    scene: Scene, user_home: Path
) -> None:
    got: list[QImage] = []

    async def behave(line: Line) -> None:
        addresses = _addresses(line.seen.body)
        got.extend(QImage.fromData(base64.b64decode(each.partition(",")[2])) for each in addresses)
        await line.say("A field.")

    async with BadServer(behave) as server:
        name = await scene.partner.models.add_endpoint(EndpointDraft("eyes", server.address, "parrot"), "")
        await scene.partner.models.use(name)
        await drop(scene, saved(user_home, "field.jpg", 4000, 1000))
        await scene.until(lambda: names(scene) == ["field.jpg"])
        await write(scene, "what grows there, and why does it?")
        await scene.until(lambda: got)
    assert [(each.width(), each.height()) for each in got] == [(1568, 392)]
    assert [(each.width(), each.height()) for each in await kept(scene)] == [(1568, 392)]


def _addresses(body: Any) -> list[str]:
    """The pictures of a call."""
    found: list[str] = []
    for message in body["messages"]:
        if not isinstance(message["content"], str):
            found += [part["image_url"]["url"] for part in message["content"] if part["type"] == "image_url"]
    return found


@played
async def test_a_picture_waits_with_the_draft_of_its_conversation(scene: Scene, user_home: Path) -> None:
    await write(scene, "good morning to you")
    await scene.until(lambda: sent(scene))
    first = (await scene.partner.conversations.list())[0].id
    await drop(scene, saved(user_home, "cat.png"))
    await scene.until(lambda: names(scene) == ["cat.png"])
    await scene.do(scene.window.sidebar.new_pressed.emit)
    assert names(scene) == []
    await scene.do(lambda: scene.window.sidebar.conversation_chosen.emit(first))
    assert names(scene) == ["cat.png"]


@played
async def test_what_is_looked_at_while_another_conversation_opens_goes_with_the_message_it_was_for(
    scene: Scene, user_home: Path
) -> None:
    await write(scene, "good morning to you")
    await scene.until(lambda: sent(scene))
    first = (await scene.partner.conversations.list())[0].id
    picture = saved(user_home, "cat.png")
    place, tray = scene.stage.session.outbox.place, scene.window.page.composer.tray

    def attach_and_move_on() -> None:
        scene.stage.session.attachments.show([picture])
        scene.window.sidebar.new_pressed.emit()

    await scene.do(attach_and_move_on)
    await scene.until(lambda: place.items)
    assert tray.items == ()
    await scene.do(lambda: scene.window.sidebar.conversation_chosen.emit(first))
    assert names(scene) == ["cat.png"]
