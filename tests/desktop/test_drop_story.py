"""What is dropped on the window becomes an ability as it lies there: nothing that a link in it leads to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QPushButton

from partner_desktop.desktop.parts.banner import Banner

from .scene import Scene, played

pytestmark = pytest.mark.integration


def folder_with_a_link(place: Path, key: Path) -> Path:
    (place / "inner").mkdir(parents=True)
    (place / "run.sh").write_text("echo hello\n")
    (place / "inner" / "notes.txt").symlink_to(key)
    return place


def folder_with_a_linked_folder(place: Path, key: Path) -> Path:
    place.mkdir()
    (place / "run.sh").write_text("echo hello\n")
    (place / "data").symlink_to(key.parent)
    return place


def linked_folder(place: Path, key: Path) -> Path:
    (key.parent / "run.sh").write_text("echo hello\n")
    place.symlink_to(key.parent)
    return place


def linked_file(place: Path, key: Path) -> Path:
    place.symlink_to(key)
    return place


async def drop(scene: Scene, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    how = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    enter, event = QDragEnterEvent(QPoint(400, 300), *how), QDropEvent(QPointF(400, 300), *how)
    await scene.do(lambda: QApplication.sendEvent(scene.window, enter))
    await scene.do(lambda: QApplication.sendEvent(scene.window, event))


async def choose(scene: Scene, label: str) -> None:
    await scene.until(lambda: scene.window.page.findChildren(Banner))
    found = scene.window.page.findChildren(Banner)
    await scene.click(next(each for each in found[-1].findChildren(QPushButton) if each.text() == label))


@pytest.mark.parametrize("choice", ["Keep it as an ability", "Try it for now"])
@pytest.mark.parametrize(
    "made",
    [folder_with_a_link, folder_with_a_linked_folder, linked_folder, linked_file],
    ids=lambda f: f.__name__,
)
@played
async def test_what_a_dropped_thing_links_to_is_not_copied(
    scene: Scene, made: Callable[[Path, Path], Path], choice: str, user_home: Path, action_dir: Path
) -> None:
    key = user_home / ".ssh" / "id_rsa"
    key.parent.mkdir()
    key.write_text("a secret key\n")
    await drop(scene, made(user_home / "weather", key))
    await choose(scene, choice)
    await scene.until(lambda: any("link" in text for text in scene.toasts()))
    copied = [path for path in action_dir.rglob("*") if path.is_file() and "secret" in path.read_text()]
    assert not copied
    assert not [path.name for path in action_dir.glob("*/weather*")]


@played
async def test_a_dropped_folder_is_copied_with_its_files_and_their_rights(
    scene: Scene, user_home: Path, action_dir: Path
) -> None:
    folder = user_home / "greet"
    (folder / "inner").mkdir(parents=True)
    (folder / "run.sh").write_text("# /// partner\n# description = 'Greet'\n# ///\necho hello\n")
    (folder / "inner" / "tool").write_text("true\n")
    (folder / "inner" / "tool").chmod(0o4755)
    await drop(scene, folder)
    await choose(scene, "Keep it as an ability")
    await scene.until(lambda: scene.ability("local::greet"))
    copy = action_dir / "dynamic" / "greet" / "inner" / "tool"
    assert (copy.read_text(), oct(copy.stat().st_mode & 0o7777)) == ("true\n", "0o755")
