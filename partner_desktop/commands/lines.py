"""Lines from the terminal or a pipe, without holding the loop or the end of the program."""

from __future__ import annotations

import asyncio
import sys
import threading
from typing import BinaryIO


class StdinLines:
    """Reads stdin on a daemon thread: a program that waits for a line can still end on Ctrl-C."""

    def __init__(self) -> None:
        self._lines: asyncio.Queue[str] = asyncio.Queue()
        self._ended = False
        self._thread: threading.Thread | None = None

    async def next(self, prompt: str = "") -> str:
        """The next line with its end; empty when there are no more."""
        if self._thread is None:
            loop = asyncio.get_running_loop()
            self._thread = threading.Thread(target=self._read, args=(loop,), name="stdin", daemon=True)
            self._thread.start()
        if prompt:
            print(prompt, end="", file=sys.stderr, flush=True)
        if self._ended:
            return ""
        line = await self._lines.get()
        self._ended = not line
        return line

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        line = "-"
        source = _own_stdin()
        while line:
            try:
                line = source.readline().decode("utf-8", "replace") if source is not None else ""
            except (ValueError, OSError):
                line = ""  # stdin is closed
            try:
                loop.call_soon_threadsafe(self._lines.put_nowait, line)
            except RuntimeError:
                return  # the loop is closed


def _own_stdin() -> BinaryIO | None:
    """A reader of our own: an interpreter that ends aborts where a thread holds the lock of `sys.stdin`'s."""
    try:
        return open(sys.stdin.fileno(), "rb", closefd=False)
    except (ValueError, OSError, AttributeError):
        return None  # there is none, or it is closed
