"""Files in the window: dropped, pasted, named with an `@`, taken back, sent, opened from their chips."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QToolButton

from partner_desktop.desktop.chat.bubble import Bubble
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.attachment import AttachmentKind
from partner_desktop.domain.message import Role

from .scene import Scene, played
from .test_drop_story import choose, drop
from .test_shown_pictures import saved, sent, shown

pytestmark = pytest.mark.integration


def put(folder: Path, name: str, text: str = "buy milk") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def names(scene: Scene) -> list[str]:
    return [each.name for each in scene.window.page.composer.tray.items]


async def write(scene: Scene, text: str, *, send: bool = True) -> None:
    edit = scene.window.page.composer.edit
    await scene.do(lambda: QTest.keyClicks(edit, text))
    if send:
        await scene.do(lambda: QTest.keyClick(edit, Qt.Key.Key_Return))


def chips(scene: Scene) -> list[QPushButton]:
    """Those under the latest message."""
    bubbles = [each.widget for each in scene.window.page.feed.entries if isinstance(each.widget, Bubble)]
    buttons = bubbles[-1].findChildren(QPushButton) if bubbles else []
    return [each for each in buttons if each.property("look") == "file"]


async def begun(scene: Scene) -> ActionRecord:
    """The first action that came of what was said."""
    actions = scene.stage.session.store.actions
    await scene.until(lambda: bool(tuple(actions.values())))
    return next(iter(actions.values()))


async def paste_files(scene: Scene, *paths: Path) -> None:
    def press() -> None:
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
        data.setText("\n".join(map(str, paths)))
        QGuiApplication.clipboard().setMimeData(data)
        QTest.keyClick(scene.window.page.composer.edit, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)

    await scene.do(press)


@pytest.mark.promise("desktop.attachments")
@played
async def test_a_dropped_file_is_what_the_words_are_about(scene: Scene, tmp_path: Path) -> None:
    path = put(tmp_path / "far" / "away", "notes.md")
    await drop(scene, path)
    await scene.until(lambda: names(scene) == ["notes.md"])
    await write(scene, "what is in this file")
    await scene.until(lambda: [chip.text() for chip in chips(scene)] == ["notes.md · 8 B"])
    assert names(scene) == []
    record = await begun(scene)
    assert (record.key, record.params["file"]) == ("builtin::files::read", str(path.resolve()))


@pytest.mark.promise("desktop.attachments")
@played
async def test_pasted_files_and_a_folder_are_attached_without_a_text(scene: Scene, tmp_path: Path) -> None:
    folder = put(tmp_path / "trip", "a.txt").parent
    await paste_files(scene, put(tmp_path, "b.txt"), folder)
    await scene.until(lambda: names(scene) == ["b.txt", "trip"])
    assert scene.window.page.composer.text == ""
    await paste_files(scene, folder)
    await write(scene, "hello", send=False)
    assert names(scene) == ["b.txt", "trip"]


@pytest.mark.promise("desktop.attachments")
@played
async def test_a_name_behind_an_at_sign_is_completed_and_attached(scene: Scene, user_home: Path) -> None:
    put(user_home, "Documents/taxes 2025.txt")
    put(user_home, "Documents/other.txt")
    composer = scene.window.page.composer
    await write(scene, "read @tax", send=False)
    await scene.until(composer.completions.isVisible)
    (first, *_) = composer.completions.offered
    assert (first.title, first.text) == ("taxes 2025.txt", "~/Documents")
    await scene.do(lambda: QTest.keyClick(composer.edit, Qt.Key.Key_Return))
    await scene.until(lambda: names(scene) == ["taxes 2025.txt"])
    assert composer.text == "read taxes 2025.txt "
    assert not composer.completions.isVisible()
    await scene.do(lambda: QTest.keyClick(composer.edit, Qt.Key.Key_Return))
    await scene.until(lambda: [chip.text() for chip in chips(scene)] == ["taxes 2025.txt · 8 B"])


@played
async def test_the_list_of_names_is_left_with_escape_and_goes_with_its_word(
    scene: Scene, user_home: Path
) -> None:
    put(user_home, "taxes.txt")
    composer = scene.window.page.composer
    await write(scene, "@tax", send=False)
    await scene.until(composer.completions.isVisible)
    await scene.do(lambda: QTest.keyClick(composer.edit, Qt.Key.Key_Escape))
    assert not composer.completions.isVisible()
    assert composer.text == "@tax"
    await write(scene, "e", send=False)
    await scene.until(composer.completions.isVisible)
    await write(scene, " and more", send=False)
    await scene.until(lambda: not composer.completions.isVisible())
    assert names(scene) == []


@played
async def test_another_conversation_is_named_attached_and_opened_from_its_chip(scene: Scene) -> None:
    await write(scene, "the boiler makes a noise")
    known = scene.stage.session.store.conversations
    await scene.until(lambda: any(one.title for one in known.values()))
    first = next(iter(known.values())).id
    await scene.do(lambda: scene.stage.session.open(""))
    composer = scene.window.page.composer
    await write(scene, "what of @boil", send=False)
    await scene.until(composer.completions.isVisible)
    await scene.do(lambda: QTest.keyClick(composer.edit, Qt.Key.Key_Tab))
    await scene.until(lambda: names(scene) == ["the boiler makes a noise"])
    assert composer.tray.items[0].attachment is not None
    assert composer.tray.items[0].attachment.kind is AttachmentKind.TALK
    await scene.do(lambda: QTest.keyClick(composer.edit, Qt.Key.Key_Return))
    await scene.until(lambda: bool(chips(scene)))
    await scene.click(chips(scene)[0])
    await scene.until(lambda: scene.stage.session.places.conversation_id == first)


@played
async def test_an_attachment_is_taken_back_by_the_keyboard(scene: Scene, tmp_path: Path) -> None:
    await drop(scene, put(tmp_path, "a.txt"))
    await drop(scene, put(tmp_path, "b.txt"))
    await scene.until(lambda: names(scene) == ["a.txt", "b.txt"])
    tray = scene.window.page.composer.tray
    buttons = [each for each in tray.findChildren(QToolButton) if not each.isHidden()]
    assert [each.accessibleName() for each in buttons] == [
        "Remove a.txt from the message",
        "Remove b.txt from the message",
    ]
    await scene.do(lambda: QTest.keyClick(buttons[0], Qt.Key.Key_Return))
    assert names(scene) == ["b.txt"]


@played
async def test_a_script_is_asked_about_and_can_be_attached(scene: Scene, tmp_path: Path) -> None:
    await drop(scene, put(tmp_path, "hello.py", "print(1)\n"))
    await choose(scene, "Attach to the message")
    await scene.until(lambda: names(scene) == ["hello.py"])


@played
async def test_a_limit_is_told_in_one_sentence(scene: Scene, tmp_path: Path) -> None:
    await paste_files(scene, *(put(tmp_path, f"{number}.txt") for number in range(21)))
    assert names(scene) == []
    assert scene.toasts() == ["A message carries at most 20 files, folders and conversations."]


@played
async def test_a_dropped_picture_is_seen_and_is_what_words_mean(scene: Scene, tmp_path: Path) -> None:
    path = saved(tmp_path, "cat.png")
    await drop(scene, path)
    await scene.until(lambda: names(scene) == ["cat.png"])
    await write(scene, "delete it")
    await scene.until(lambda: sent(scene) and shown(sent(scene)[-1]))
    assert chips(scene) == []
    record = await begun(scene)
    assert (record.key, record.params["path"]) == ("builtin::files::trash", str(path.resolve()))


@played
async def test_chips_are_there_when_the_conversation_is_opened_again(scene: Scene, tmp_path: Path) -> None:
    await drop(scene, put(tmp_path, "notes.md"))
    await scene.until(lambda: names(scene) == ["notes.md"])
    await write(scene, "hello")
    await scene.until(lambda: bool(chips(scene)))
    conversation = (await scene.partner.conversations.list())[0].id
    await scene.do(lambda: scene.stage.session.open(""))
    await scene.do(lambda: scene.stage.session.open(conversation))
    await scene.until(lambda: bool(chips(scene)))
    assert chips(scene)[0].accessibleName() == "Open notes.md"
    messages = await scene.partner.messages.list(conversation)
    assert [each.name for one in messages if one.role is Role.USER for each in one.attachments] == [
        "notes.md"
    ]
