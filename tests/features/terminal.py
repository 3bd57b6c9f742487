"""The real program on a real pseudo-terminal."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self

from tests.features.glass import Glass
from tests.support import REPOSITORY, run_cli_arguments

#: A start brings in a model, and a busy machine takes its time; everything else is a fraction of it.
PATIENCE_S = 30.0
_LOOK_S = 0.05


class Terminal:
    """Types, and waits for what appears."""

    def __init__(self, *arguments: str, cwd: Path, command: Sequence[str] = ("chat",)) -> None:
        self.raw = b""
        self.glass = Glass(rows=40, columns=100)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._mark = -1
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        self._ours = ours
        self._process = subprocess.Popen(
            run_cli_arguments(*command, *arguments),
            cwd=cwd,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env=os.environ
            | {"PYTHONPATH": str(REPOSITORY), "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1", "COLUMNS": ""},
        )
        os.close(theirs)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait(PATIENCE_S)
        os.close(self._ours)

    @property
    def text(self) -> str:
        """Everything that stands there, from the first line on."""
        return self.glass.since(0)

    def type(self, keys: str) -> None:
        """Press keys; Enter is `\\r`. What stands above the input counts as seen."""
        self._mark = self.glass.row
        os.write(self._ours, keys.encode())

    def enter(self, text: str) -> None:
        """Type a line, see it in the input, and press Enter."""
        os.write(self._ours, text.encode())
        self._until(lambda: self.glass.here.endswith(text), text)
        self.type("\r")

    def until(self, wanted: str) -> str:
        """Wait until this stands there after the last keys; everything since then."""
        self._until(lambda: wanted in self._fresh(), wanted)
        return self._fresh()

    def ready(self) -> None:
        """Wait until what was entered is dealt with: the input is empty and nothing runs."""
        self._until(lambda: self.glass.row > self._mark and self.glass.here == ">", "an empty input")

    def press_until(self, key: str, wanted: str) -> None:
        """A question does not listen in its first moment: press again until the answer counts."""
        self._mark = self.glass.row
        self._press_until(key, lambda: wanted in self._fresh())

    def press_until_ready(self, key: str) -> None:
        """The same, until the question is gone."""
        self._press_until(key, lambda: self.glass.here == ">")

    def _press_until(self, key: str, holds: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not holds():
            os.write(self._ours, key.encode())
            for _ in range(6):
                self._more()
            assert time.monotonic() < deadline, f"{key!r} does nothing: {self.text!r}"

    def _fresh(self) -> str:
        return self.glass.since(max(0, self._mark))

    def _until(self, holds: Callable[[], bool], wanted: str) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not holds():
            self._more()
            assert time.monotonic() < deadline, f"no {wanted!r} in {self.text!r}"

    def leave(self) -> int:
        """Ctrl-D; the exit code."""
        self.type("\x04")
        return self.ends()

    def ends(self) -> int:
        """Wait for the end; the exit code."""
        deadline = time.monotonic() + PATIENCE_S
        while self._process.poll() is None:
            self._more()
            assert time.monotonic() < deadline, f"it does not end: {self.text!r}"
        return self._process.returncode

    def _more(self) -> None:
        ready, _, _ = select.select([self._ours], [], [], _LOOK_S)
        if ready:
            try:
                data = os.read(self._ours, 65_536)
                self.raw += data
                self.glass.feed(self._decoder.decode(data))
            except OSError:  # the other side is closed
                time.sleep(_LOOK_S)
