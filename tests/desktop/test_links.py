"""Links ask before they open, and the question shows where they really lead."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QPushButton

import partner_desktop
from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.runs.pictures import ask_about_link

from .chat import Chat
from .stage import Stage

pytestmark = pytest.mark.integration


class Opened(QObject):
    """Stands where the desktop would open what it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        self.addresses.append(url.toString())


@pytest.fixture
def opened() -> Iterator[Opened]:
    one = Opened()
    for scheme in ("https", "file"):
        QDesktopServices.setUrlHandler(scheme, one, "take")  # type: ignore[arg-type] # the stub says bytes, it takes text
    yield one
    for scheme in ("https", "file"):
        QDesktopServices.unsetUrlHandler(scheme)


def choices(banner: Banner) -> dict[str, QPushButton]:
    return {button.text(): button for button in banner.findChildren(QPushButton)}


def question(stage: Stage, address: str) -> Banner:
    made: list[Banner] = []
    stage.do(lambda: made.append(ask_about_link(stage.window.page, address)))
    return made[0]


def test_a_link_opens_only_after_a_yes(stage: Stage, chat: Chat, opened: Opened) -> None:
    chat.open()
    banner = question(stage, "https://example.org/a?b=c")
    assert opened.addresses == []
    stage.do(choices(banner)["Open"].click)
    assert opened.addresses == ["https://example.org/a?b=c"]


def test_a_no_opens_nothing(stage: Stage, chat: Chat, opened: Opened) -> None:
    chat.open()
    stage.do(choices(question(stage, "https://example.org/"))["Cancel"].click)
    assert opened.addresses == []


def test_a_host_that_looks_like_another_is_shown_as_it_is_looked_up(stage: Stage, chat: Chat) -> None:
    chat.open()
    banner = question(stage, "https://www.аррӏе.com@evil.例子.org/päth\u202etxt")
    shown = banner.text.text().replace("\u200b", "")
    assert shown.isascii()
    assert "evil.xn--fsqu00a.org/p%C3%A4th%E2%80%AEtxt" in shown
    assert banner.accessibleName() == "Open a link to evil.xn--fsqu00a.org?"


@pytest.mark.parametrize("behind", ["", "/x", "/x/y/..", "/"])
def test_of_a_file_only_the_folder_is_shown_also_where_it_is_called_one(
    stage: Stage, chat: Chat, opened: Opened, user_home: Path, behind: str
) -> None:
    (user_home / "run me.desktop").write_text("[Desktop Entry]")
    chat.open()
    banner = question(stage, f"file://{user_home}/run%20me.desktop{behind}")
    assert list(choices(banner)) == ["Show its folder", "Copy", "Cancel"]
    stage.do(choices(banner)["Show its folder"].click)
    assert opened.addresses == [f"file://{user_home}"]


def test_a_link_in_the_place_of_a_folder_is_not_opened(
    stage: Stage, chat: Chat, opened: Opened, user_home: Path
) -> None:
    (user_home / "run me.desktop").write_text("[Desktop Entry]")
    (user_home / "pictures").symlink_to(user_home / "run me.desktop")
    chat.open()
    stage.do(choices(question(stage, f"file://{user_home}/pictures/summer.png"))["Show its folder"].click)
    assert opened.addresses == [f"file://{user_home}"]


def test_the_desktop_is_asked_to_open_something_in_one_place_only() -> None:
    package = Path(partner_desktop.__file__).parent
    words = ("QDesktopServices", "xdg-open", "gio open", "webbrowser")
    asking = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if any(word in path.read_text(encoding="utf-8") for word in words)
    }
    assert asking - {"runner/process_launch.py"} == {  # which only speaks of it
        "desktop/opener.py",
        "abilities/builtin/desktop.py",  # a call of its own, that is approved
        "commands/servers.py",  # a terminal has no window: a sign-in's page, by a command of its own
    }


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "file://host/share/x", "smb://host/x", "notes.md", "#top", "http://[", ""],
)
def test_anything_else_can_only_be_copied(stage: Stage, chat: Chat, address: str) -> None:
    chat.open()
    banner = question(stage, address)
    assert list(choices(banner)) == ["Copy", "Cancel"]
    stage.do(choices(banner)["Copy"].click)
    assert QApplication.clipboard().text() == address


def test_a_long_address_is_shown_whole_and_does_not_widen_the_window(stage: Stage, chat: Chat) -> None:
    window = chat.open(size=(900, 600))
    address = "https://example.org/" + "a" * 700
    banner = question(stage, address)
    assert banner.text.text().replace("\u200b", "") == address
    assert window.width() == 900
    assert banner.width() < 700
