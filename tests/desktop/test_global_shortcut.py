"""A shortcut that works from anywhere: by the desktop's portal, or by a grab of its keys on X11."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from Xlib import XK, X
from Xlib.display import Display
from Xlib.ext import xtest

from partner_desktop.desktop.quick.global_shortcut import ShortcutError, listen, read_keys, trigger
from tests.support import WAIT_S

from .session_bus import session_bus

pytestmark = pytest.mark.integration
KEYS = "Ctrl+Alt+Space"


@pytest.mark.parametrize("keys", ["", "A", "Shift+A", "Ctrl+K, Ctrl+B", "Ctrl+", "nonsense"])
def test_what_would_take_a_letter_from_every_program_is_no_shortcut(keys: str) -> None:
    with pytest.raises(ShortcutError):
        read_keys(keys)


@pytest.mark.parametrize(
    ("keys", "written"),
    [
        (KEYS, "CTRL+ALT+space"),
        ("Meta+Shift+A", "SHIFT+LOGO+a"),
        ("Ctrl+F9", "CTRL+F9"),
        ("Alt+.", "ALT+period"),
    ],
)
def test_keys_are_written_as_the_portal_reads_them(keys: str, written: str) -> None:
    assert trigger(read_keys(keys)) == written


class Presses:
    """How often the shortcut was heard, and whether its keys are ours."""

    def __init__(self) -> None:
        self._heard = asyncio.Semaphore(0)
        self.bound = asyncio.Event()

    def __call__(self) -> None:
        self._heard.release()

    async def one(self) -> None:
        """Wait for the next."""
        await asyncio.wait_for(self._heard.acquire(), WAIT_S)

    @property
    def none_more(self) -> bool:
        return self._heard.locked()


@asynccontextmanager
async def listening(presses: Presses, keys: str = KEYS) -> AsyncIterator[asyncio.Task[None]]:
    task = asyncio.create_task(listen(keys, presses, words="Ask Partner", bound=presses.bound.set))
    heard = asyncio.create_task(presses.bound.wait())
    try:
        await asyncio.wait([task, heard], timeout=WAIT_S, return_when=asyncio.FIRST_COMPLETED)
        yield task
    finally:
        heard.cancel()
        task.cancel()
        with suppress(asyncio.CancelledError, ShortcutError):
            await task


@pytest.fixture
def bus_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the session's bus is, on a Wayland desktop."""
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path / 'bus'}")
    return tmp_path / "bus"


async def test_the_portal_tells_of_our_shortcut_alone(bus_socket: Path) -> None:
    presses = Presses()
    async with session_bus(bus_socket) as bus, listening(presses) as task:
        session, ((name, wish),), *_ = bus.bound[0]
        assert (name, wish["preferred_trigger"], wish["description"]) == (
            "quick-ask",
            ("s", "CTRL+ALT+space"),
            ("s", "Ask Partner"),
        )
        bus.activate("another")
        bus.activate("quick-ask", "/another/session")
        bus.activate("quick-ask", session)
        await presses.one()
        bus.activate("quick-ask", session)
        await presses.one()
        assert presses.none_more
        assert not task.done()


async def test_a_person_who_says_no_to_the_portal_is_told_so(bus_socket: Path) -> None:
    async with session_bus(bus_socket) as bus:
        bus.says_yes = False
        with pytest.raises(ShortcutError, match="told not to"):
            await asyncio.wait_for(listen(KEYS, lambda: None, words=""), WAIT_S)


async def test_without_a_portal_the_sentence_says_what_to_do(bus_socket: Path) -> None:
    async with session_bus(bus_socket) as bus:
        bus.has_portal = False
        with pytest.raises(ShortcutError, match="partner-desktop quick"):
            await asyncio.wait_for(listen(KEYS, lambda: None, words=""), WAIT_S)


async def test_without_a_desktop_the_sentence_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)
    with pytest.raises(ShortcutError, match="partner-desktop quick"):
        await listen(KEYS, lambda: None, words="")


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An X server of our own, which chooses its number."""
    if shutil.which("Xvfb") is None:
        pytest.skip("there is no Xvfb")
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "800x600x24", "-nolisten", "tcp", "-noreset"]
    with subprocess.Popen(command, pass_fds=(write,), stderr=subprocess.DEVNULL) as server:
        os.close(write)
        with os.fdopen(read) as told:
            name = f":{told.readline().strip()}"
        monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
        monkeypatch.setenv("DISPLAY", name)
        yield name
        server.terminate()


class Keyboard:
    """The person's, through the server's own test extension."""

    def __init__(self, name: str) -> None:
        self._display = Display(name)

    def press(self, *names: str) -> None:
        codes = [self._display.keysym_to_keycode(XK.string_to_keysym(name)) for name in names]
        for code in codes:
            xtest.fake_input(self._display, X.KeyPress, code)
        for code in reversed(codes):
            xtest.fake_input(self._display, X.KeyRelease, code)
        self._display.sync()

    def close(self) -> None:
        self._display.close()


@pytest.mark.qt_log_ignore(".*", extend=True)
async def test_on_x11_the_keys_are_heard_with_num_lock_too_and_others_are_not(screen: str) -> None:
    presses = Presses()
    keyboard = await asyncio.to_thread(Keyboard, screen)
    try:
        async with listening(presses) as task:
            keyboard.press("Control_L", "space")
            keyboard.press("Control_L", "Alt_L", "space")
            await presses.one()
            keyboard.press("Num_Lock")
            keyboard.press("Control_L", "Alt_L", "space")
            await presses.one()
            assert presses.none_more
            assert not task.done()
    finally:
        keyboard.close()


async def test_on_x11_keys_that_another_program_has_are_refused_by_name(screen: str) -> None:
    async with listening(Presses()):
        with pytest.raises(ShortcutError, match="Another program has Ctrl\\+Alt\\+Space"):
            await asyncio.wait_for(listen(KEYS, lambda: None, words=""), WAIT_S)
