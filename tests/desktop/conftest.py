"""The stage for every test of the window."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from partner_desktop.base.paths import Home
from partner_desktop.desktop.application import prepare
from partner_desktop.desktop.theme.theme import Theme, ThemeChoice
from partner_desktop.domain.message import Role

from .chat import Chat
from .moments import Moments
from .scene import Scene
from .stage import Stage

_MEANINGLESS = ("This plugin does not support", "systemTrayWindowChanged")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The offscreen platform says this of windows with a least size, of menus and of a tray's sign."""
    for item in items:
        if "desktop" in item.path.parts:
            item.add_marker(pytest.mark.qt_log_ignore(*_MEANINGLESS, extend=True))


@pytest.fixture(scope="session")
def dressed_app(qapp: QApplication) -> Theme:
    """The application as the window has it, and the one theme."""
    qapp.setQuitOnLastWindowClosed(False)
    prepare(qapp)
    theme = Theme(qapp)
    theme.choose(ThemeChoice.LIGHT)
    return theme


@pytest.fixture
def theme(dressed_app: Theme) -> Iterator[Theme]:
    """The theme, light and unzoomed at the start and again at the end."""
    dressed_app.restore(ThemeChoice.LIGHT, 1.0)
    yield dressed_app
    dressed_app.restore(ThemeChoice.LIGHT, 1.0)


@pytest.fixture
def stage(qapp: QApplication, theme: Theme) -> Iterator[Stage]:
    """A loop and room for windows."""
    one = Stage(qapp, theme)
    yield one
    one.close()


@pytest.fixture
def scene(stage: Stage, home: Home, action_dir: Path) -> Scene:
    """A window for a story with a real Partner behind it."""
    return Scene(stage, home, action_dir)


@pytest.fixture
def chat(stage: Stage) -> Chat:
    """A window in a chat, without a Partner."""
    return Chat(stage)


@pytest.fixture
def moments(stage: Stage, home: Home, action_dir: Path, fresh_home: Path) -> Moments:
    """A real Partner with one conversation that holds one message."""
    shutil.copytree(fresh_home, home.root, dirs_exist_ok=True)
    one = Moments(stage, home, action_dir)
    one.add_conversation("Tidy up my downloads")
    one.add_message("c1", Role.USER, "tidy up my downloads")
    return one
