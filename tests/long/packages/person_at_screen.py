"""Somebody at a screen: an X server of its own, the keys that are typed, and what is in view."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage
from Xlib import XK, X
from Xlib.display import Display
from Xlib.error import XError
from Xlib.ext import xtest

WAIT_S = 120.0
LOOK_S = 0.1
SIZE = (1280, 800)
#: Of what `filled` takes for a button: the words on it interrupt its color.
LEAST_WIDTH, LEAST_HEIGHT, GAP = 40, 15, 20
#: What X calls the keys of these signs.
_SIGNS = {" ": "space", '"': "quotedbl", ",": "comma", "\n": "Return", "\t": "Tab", ".": "period"}


class PersonAtScreen:
    """`name` is what programs find the screen by (`DISPLAY`)."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._display = Display(name)
        self._root = self._display.screen().root

    def window(self, title: str) -> Any:
        """The window with these words in its title, once it is there; it gets the keys from now on.

        Raises:
            AssertionError: It does not come.
        """
        begun = time.monotonic()
        while True:
            for window in self._root.query_tree().children:
                found = self._titled(window, title)
                if found is not None:
                    found.set_input_focus(X.RevertToParent, X.CurrentTime)
                    self._display.sync()
                    return found
            assert time.monotonic() - begun < WAIT_S, f"no window is called {title}"
            time.sleep(LOOK_S)

    def _titled(self, window: Any, title: str) -> Any:
        try:
            shown = window.get_attributes().map_state == X.IsViewable
            return window if shown and title in (window.get_wm_name() or "") else None
        except XError:  # it went while it was looked at
            return None

    def type(self, text: str) -> None:
        """Key by key."""
        for sign in text:
            self.press(_SIGNS.get(sign, sign))

    def press(self, *names: str) -> None:
        """These keys together: `press("Control_L", "l")`."""
        symbols = [XK.string_to_keysym(name) for name in names]
        codes = [self._display.keysym_to_keycode(symbol) for symbol in symbols]
        # On the keyboard of the server the second sign of a key is had with Shift.
        if self._display.keycode_to_keysym(codes[-1], 0) != symbols[-1]:
            codes.insert(0, self._display.keysym_to_keycode(XK.XK_Shift_L))
        for code in codes:
            xtest.fake_input(self._display, X.KeyPress, code)
        for code in reversed(codes):
            xtest.fake_input(self._display, X.KeyRelease, code)
        self._display.sync()

    def click(self, place: tuple[int, int]) -> None:
        """With the left button; the pointer stays there."""
        x, y = place
        xtest.fake_input(self._display, X.MotionNotify, x=x, y=y)
        self._display.sync()
        xtest.fake_input(self._display, X.ButtonPress, 1)
        xtest.fake_input(self._display, X.ButtonRelease, 1)
        self._display.sync()

    def filled(self, color: str) -> list[tuple[int, int]]:
        """The middles of what is filled with `#RRGGBB` and large enough to be a button, from the top down."""
        wanted = np.frombuffer(bytes.fromhex(color[1:])[::-1], np.uint8)
        rows = (self._pixels()[:, :, :3] == wanted).all(axis=2)
        found: list[tuple[int, int, int, int]] = []  # left, right, top, bottom
        for y, row in enumerate(rows):
            edges = np.flatnonzero(np.diff(np.concatenate(([0], row.view(np.int8), [0]))))
            for left, right in zip(edges[::2], edges[1::2], strict=True):
                if right - left < LEAST_WIDTH:
                    continue
                above = next(
                    (one for one in found if one[0] < right and left < one[1] and y - one[3] < GAP), None
                )
                if above is None:
                    found.append((int(left), int(right), y, y))
                else:
                    found[found.index(above)] = (*above[:3], y)
        return [
            ((left + right) // 2, (top + bottom) // 2)
            for left, right, top, bottom in found
            if bottom - top >= LEAST_HEIGHT
        ]

    def picture(self, file: Path) -> None:
        """All of the screen, as a file."""
        width, height = SIZE
        seen = self._pixels().tobytes()
        assert QImage(seen, width, height, 4 * width, QImage.Format.Format_RGB32).save(str(file))

    def _pixels(self) -> NDArray[np.uint8]:
        """Rows of blue, green, red and nothing."""
        width, height = SIZE
        seen = self._root.get_image(0, 0, width, height, X.ZPixmap, 0xFFFFFFFF)
        return np.frombuffer(seen.data, np.uint8).reshape(height, width, 4)

    def close(self) -> None:
        self._display.close()


@contextmanager
def person_at_screen() -> Iterator[PersonAtScreen]:
    """One, at a screen whose number the server chooses."""
    reads, writes = os.pipe()
    size = "x".join(map(str, (*SIZE, 24)))
    command = ["Xvfb", "-displayfd", str(writes), "-screen", "0", size, "-nolisten", "tcp", "-noreset"]
    with subprocess.Popen(command, pass_fds=(writes,), stderr=subprocess.DEVNULL) as server:
        os.close(writes)
        try:
            with os.fdopen(reads) as told:
                person = PersonAtScreen(f":{told.readline().strip()}")
            try:
                yield person
            finally:
                person.close()
        finally:
            server.terminate()
