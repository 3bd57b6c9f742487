"""The pump by itself: what is not taken yet stays with the process, and is not lost."""

from __future__ import annotations

import queue
import subprocess
import sys
from typing import Literal

from partner_desktop.base.process_pump import ProcessPump, close_pipes
from tests.support import WAIT_S

_TALKS = """\
import sys
def say(output, line):
    output.write(line + "\\n")  # in one piece, also where Python does not buffer
    output.flush()
say(sys.stdout, "first")
sys.stdin.readline()
say(sys.stdout, "second")
say(sys.stderr, "beside")
sys.stdin.readline()
"""


class Reluctant(ProcessPump):
    """Takes one piece of stdout at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: queue.Queue[tuple[str, bytes]] = queue.Queue()

    def start(self) -> None:
        self._start("reluctant")

    def _spawn(self) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        command = [sys.executable, "-c", _TALKS]
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)
        self._open.callback(close_pipes, process)
        return process

    def _take(self, output: Literal["stdout", "stderr"], chunk: bytes) -> bool:
        self.heard.put((output, chunk))
        return output == "stderr"

    def _turn(self) -> float:
        if self._open_outputs == 0 or self._stop_asked:
            self._finish()
        return super()._turn()

    def _ended(self, failure: Exception | None) -> None:
        self.heard.put(("ended", repr(failure).encode()))

    def next(self) -> tuple[str, bytes]:
        return self.heard.get(timeout=WAIT_S)


def test_nothing_more_of_stdout_is_read_until_there_is_room() -> None:
    pump = Reluctant()
    pump.start()
    assert pump.next() == ("stdout", b"first\n")
    pump.write(b"\n")
    assert pump.next() == ("stderr", b"beside\n")  # which was written after the second line
    pump.resume()
    assert pump.next() == ("stdout", b"second\n")
    pump.stop()
    while (heard := pump.next())[0] != "ended":
        assert heard[1] == b"" or heard[0] == "stderr", heard
    assert heard == ("ended", b"None")
