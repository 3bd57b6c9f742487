"""A shortcut that works whichever program has the keyboard.

On Wayland by the desktop's own portal (org.freedesktop.portal.GlobalShortcuts), which asks the person for a
yes and lets them choose other keys; on X11 by a passive grab of the keys (XGrabKey(3)), which fails where
another program has them. A connection of its own: Qt hands events of its one to Python one by one, which
would cost something with each that ever comes.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeySequence

from partner_desktop.base.errors import PartnerError
from partner_desktop.base.ids import new_id
from partner_desktop.base.tasks import uninterrupted
from partner_desktop.desktop.desktop_bus import (
    BusService,
    DesktopBus,
    NoDesktopServiceError,
    SignalQueue,
    desktop_bus,
)

if TYPE_CHECKING:
    from Xlib.display import Display

_SHORTCUTS = BusService(
    "org.freedesktop.portal.Desktop",
    "/org/freedesktop/portal/desktop",
    "org.freedesktop.portal.GlobalShortcuts",
)
_REQUEST = "org.freedesktop.portal.Request"
_NAME = "quick-ask"
#: The person may take long to say yes.
_YES_TIMEOUT_S = 300.0


class ShortcutError(PartnerError):
    """There can be no such shortcut here: no way to one, keys that are none, or another program has them."""


async def listen(
    keys: str, pressed: Callable[[], object], *, words: str, bound: Callable[[], object] = lambda: None
) -> None:
    """Call `pressed` each time, until this is cancelled, and `bound` once the keys are ours.

    `keys` as Qt writes them; `words`: what it is for.

    Raises:
        ShortcutError: It cannot be.
    """
    combination = read_keys(keys)
    if os.environ.get("WAYLAND_DISPLAY"):
        await _listen_to_portal(combination, pressed, bound, words)
    elif os.environ.get("DISPLAY"):
        await _listen_to_x11(combination, pressed, bound)
    else:
        raise ShortcutError("quick.no_global_shortcuts")


def read_keys(keys: str) -> QKeyCombination:
    """One key with Ctrl, Alt or Super.

    Raises:
        ShortcutError: It is none; a bare letter would be taken from every program.
    """
    sequence = QKeySequence(keys, QKeySequence.SequenceFormat.PortableText)
    if sequence.count() == 1:
        (combination,) = _combinations(sequence)
        modifiers = combination.keyboardModifiers()
        held = (
            Qt.KeyboardModifier.ControlModifier
            | Qt.KeyboardModifier.AltModifier
            | Qt.KeyboardModifier.MetaModifier
        )
        if modifiers & held and combination.key() != Qt.Key.Key_unknown:
            return combination
    raise ShortcutError("quick.no_such_shortcut", keys=keys)


def _combinations(sequence: QKeySequence) -> list[QKeyCombination]:
    return [sequence[number] for number in range(sequence.count())]  # type: ignore[index] # PySide tells it not


# X11.

_SPECIAL = {
    Qt.Key.Key_Space: "space",
    Qt.Key.Key_Return: "Return",
    Qt.Key.Key_Tab: "Tab",
    Qt.Key.Key_Home: "Home",
    Qt.Key.Key_End: "End",
    Qt.Key.Key_Insert: "Insert",
    Qt.Key.Key_Pause: "Pause",
}
_ASCII = range(0x21, 0x7F)


def keysym_name(key: Qt.Key) -> str:
    """As X11 calls it; empty where this does not know."""
    if key in _SPECIAL:
        return _SPECIAL[key]
    if Qt.Key.Key_F1.value <= key.value <= Qt.Key.Key_F35.value:
        return f"F{key.value - Qt.Key.Key_F1.value + 1}"
    if key.value in _ASCII:
        return chr(key.value).lower() if chr(key.value).isalnum() else _PUNCTUATION.get(chr(key.value), "")
    return ""


_PUNCTUATION = {
    ",": "comma",
    ".": "period",
    "/": "slash",
    ";": "semicolon",
    "-": "minus",
    "=": "equal",
    "`": "grave",
}


async def _listen_to_x11(
    combination: QKeyCombination, pressed: Callable[[], object], bound: Callable[[], object]
) -> None:
    from Xlib import error  # noqa: PLC0415 - where there is a shortcut
    from Xlib.display import Display  # noqa: PLC0415

    opened: list[Display] = []

    async def connect() -> None:
        opened.append(await asyncio.to_thread(Display))

    try:
        await uninterrupted(connect())  # the thread cannot be stopped, and what it opens is to be closed
        (display,) = opened
        _grab(display, combination)
        bound()
        await _read_keys_of(display, pressed)
    except (error.DisplayError, error.ConnectionClosedError, OSError) as problem:
        raise ShortcutError("quick.no_global_shortcuts") from problem
    finally:
        for display in opened:
            with suppress(error.ConnectionClosedError):
                display.close()


def _grab(display: Display, combination: QKeyCombination) -> None:
    """With every lock that may be on besides: to X11 each makes another combination."""
    from Xlib import XK, X, error  # noqa: PLC0415

    code = display.keysym_to_keycode(XK.string_to_keysym(keysym_name(combination.key())))
    if not code:
        raise ShortcutError("quick.no_such_shortcut", keys=QKeySequence(combination).toString())
    modifiers, held = 0, combination.keyboardModifiers()
    for modifier, mask in (
        (Qt.KeyboardModifier.ControlModifier, X.ControlMask),
        (Qt.KeyboardModifier.AltModifier, X.Mod1Mask),
        (Qt.KeyboardModifier.ShiftModifier, X.ShiftMask),
        (Qt.KeyboardModifier.MetaModifier, X.Mod4Mask),
    ):
        modifiers |= mask if held & modifier else 0
    caught = error.CatchError(error.BadAccess)
    locks = (X.LockMask, X.Mod2Mask)  # Caps Lock and Num Lock
    for some in chain.from_iterable(combinations(locks, count) for count in range(len(locks) + 1)):
        with_locks = modifiers | sum(some)
        root = display.screen().root
        root.grab_key(code, with_locks, False, X.GrabModeAsync, X.GrabModeAsync, onerror=caught)
    display.sync()
    if caught.get_error() is not None:
        raise ShortcutError("quick.shortcut_taken", keys=QKeySequence(combination).toString())


async def _read_keys_of(display: Display, pressed: Callable[[], object]) -> None:
    from Xlib import X  # noqa: PLC0415

    loop, readable, number = asyncio.get_running_loop(), asyncio.Event(), display.fileno()
    loop.add_reader(number, readable.set)
    try:
        while True:
            while display.pending_events():
                if display.next_event().type == X.KeyPress:
                    pressed()
            readable.clear()
            await readable.wait()
    finally:
        loop.remove_reader(number)


# The portal.


async def _listen_to_portal(
    combination: QKeyCombination, pressed: Callable[[], object], bound: Callable[[], object], words: str
) -> None:
    try:
        async with (
            desktop_bus() as bus,
            bus.signals(_SHORTCUTS.interface) as activated,
            bus.signals(_REQUEST) as answers,
        ):
            names = {"session_handle_token": ("s", _token())}
            told = await _granted(bus, answers, "CreateSession", "a{sv}", (), names)
            session = str(told["session_handle"][1])
            wish = (_NAME, {"description": ("s", words), "preferred_trigger": ("s", trigger(combination))})
            async with asyncio.timeout(_YES_TIMEOUT_S):
                asked = (session, [wish], "")
                await _granted(bus, answers, "BindShortcuts", "oa(sa{sv})sa{sv}", asked, {})
            bound()
            while True:
                if (await activated.next()).body[:2] == (session, _NAME):
                    pressed()
    except (NoDesktopServiceError, TimeoutError) as problem:
        raise ShortcutError("quick.no_global_shortcuts") from problem


async def _granted(
    bus: DesktopBus,
    answers: SignalQueue,
    method: str,
    signature: str,
    body: tuple[Any, ...],
    options: dict[str, Any],
) -> dict[str, Any]:
    """A portal answers with the path of a request, and tells what came of it by a signal on that path.

    Raises:
        ShortcutError: The person said no.
    """
    options = {**options, "handle_token": ("s", _token())}
    (path,) = await bus.call(_SHORTCUTS, method, signature, (*body, options))
    while True:
        told = await answers.next()
        if told.path == path:
            code, results = told.body
            if code:
                raise ShortcutError("quick.shortcut_refused")
            return dict(results)


def _token() -> str:
    return f"partner_{new_id()}"


def trigger(combination: QKeyCombination) -> str:
    """As the shortcuts specification of freedesktop.org writes keys: `CTRL+ALT+space`."""
    held = combination.keyboardModifiers()
    names = (
        (Qt.KeyboardModifier.ControlModifier, "CTRL"),
        (Qt.KeyboardModifier.AltModifier, "ALT"),
        (Qt.KeyboardModifier.ShiftModifier, "SHIFT"),
        (Qt.KeyboardModifier.MetaModifier, "LOGO"),
    )
    return "+".join([name for modifier, name in names if held & modifier] + [keysym_name(combination.key())])
