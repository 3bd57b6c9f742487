"""LiveOutput: what a run prints, as it comes, at a pace and in pieces that a window can show.

Contract: made on the loop. The run's thread hands over bytes and never waits; texts are told on the loop, at
most once in `Pace`'s time and `most_bytes` a stream. Of a flood the beginning and the end of each piece are
told, with a line that says how much lies between. `close` tells the rest: nothing is told after it.
"""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import re
import threading
from collections.abc import Callable

from partner_desktop.domain.command_session import Stream
from partner_desktop.runner.call import OnOutput

#: Of one stream, in one piece.
MOST_BYTES = 16 * 1024

STREAMS: tuple[Stream, ...] = ("stdout", "stderr")


class LiveOutput:
    """One run's two streams."""

    def __init__(self, tell: OnOutput, *, most_bytes: int = MOST_BYTES) -> None:
        self._tell = tell
        self._lock = threading.Lock()
        self._pieces = {stream: _Piece(most_bytes) for stream in STREAMS}
        self._texts = {stream: PlainStream() for stream in STREAMS}
        self._pace = Pace(self._flush)

    def feed(self, stream: Stream, chunk: bytes) -> None:
        """The run printed something; on its own thread."""
        with self._lock:
            self._pieces[stream].add(chunk)
        self._pace.wake()

    def close(self) -> None:
        """Tell what is left, half a character too."""
        self._pace.close()
        for stream, text in self._texts.items():
            self._say(stream, text.feed(b"", last=True))

    def _flush(self) -> None:
        for stream, text in self._texts.items():
            with self._lock:
                head, left_out, tail = self._pieces[stream].take()
            if left_out:
                self._say(stream, text.feed(whole_characters(head), last=True))
                self._say(stream, f"\n… {left_out} bytes left out …\n")
                tail = from_a_character(tail)
            else:
                tail = head + tail
            self._say(stream, text.feed(tail))

    def _say(self, stream: Stream, text: str) -> None:
        if text:
            self._tell(stream, text)


class _Piece:
    """What came since the last look: a quarter from its beginning, the rest from its end."""

    def __init__(self, most_bytes: int) -> None:
        self._head_bytes = most_bytes // 4
        self._tail_bytes = most_bytes - self._head_bytes
        self._head, self._tail, self._left_out = bytearray(), bytearray(), 0

    def add(self, chunk: bytes) -> None:
        split = self._head_bytes - len(self._head)
        self._head += chunk[:split]
        self._tail += chunk[split:]
        over = len(self._tail) - self._tail_bytes
        if over > 0:
            del self._tail[:over]
            self._left_out += over

    def take(self) -> tuple[bytes, int, bytes]:
        found = bytes(self._head), self._left_out, bytes(self._tail)
        self._head, self._tail, self._left_out = bytearray(), bytearray(), 0
        return found


#: Seconds between two that are passed on. A program may print thousands of times in that time.
PACE_S = 0.1


class Pace:
    """Calls `work` on the loop soon after a `wake`, and then at most once in `pace_s` while wakes come.

    Made on the loop; `wake` is for any thread. `close`, on the loop, does what is left and ends it.
    """

    def __init__(self, work: Callable[[], None], *, pace_s: float = PACE_S) -> None:
        self._work = work
        self._pace_s = pace_s
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._wanted = self._awake = False
        self._pause: asyncio.TimerHandle | None = None
        self._over = False

    def wake(self) -> None:
        """There is something to do."""
        with self._lock:
            self._wanted = True
            if self._awake:
                return
            self._awake = True
        with contextlib.suppress(RuntimeError):  # the loop was closed under the run
            self._loop.call_soon_threadsafe(self._go_on)

    def close(self) -> None:
        """Do what is left; later wakes do nothing."""
        if self._over:
            return
        self._over = True
        if self._pause is not None:
            self._pause.cancel()
        if self._wanted:
            self._work()

    def _go_on(self) -> None:
        if self._over:
            return
        with self._lock:
            wanted, self._wanted = self._wanted, False
            self._awake = wanted
        if wanted:
            self._work()
            self._pause = self._loop.call_later(self._pace_s, self._go_on)


#: What drives a terminal.
ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])")
_LINE_ENDS = re.compile(r"\r\n?")
_CONTINUATION = bytes(range(0x80, 0xC0))
_CONTROLS = {code: None for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}
#: The beginning of what only the next piece can tell: a terminal code, or one half of a line end.
_BEGUN = re.compile(r"(?:\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*\x1b?)?|\r)\Z")
_BEGUN_BYTES = re.compile(_BEGUN.pattern.encode())
#: A terminal code that goes on for longer is none.
_LONGEST_CODE = 512


def readable(data: bytes) -> tuple[str, bool]:
    """The text, and whether bytes in it were not UTF-8."""
    try:
        text, damaged = data.decode(), False
    except UnicodeDecodeError:
        text, damaged = data.decode("utf-8", "replace"), True
    return _clean(text), damaged


def _clean(text: str) -> str:
    return _LINE_ENDS.sub("\n", ANSI.sub("", text)).translate(_CONTROLS)


def whole_characters(data: bytes) -> bytes:
    """Without the beginning of a character at its end."""
    for back in range(1, min(3, len(data)) + 1):
        byte = data[-back]
        if byte & 0xC0 != 0x80:
            length = 2 if byte >= 0xC0 else 1
            length += (byte >= 0xE0) + (byte >= 0xF0)
            return data[:-back] if length > back else data
    return data


def from_a_character(data: bytes) -> bytes:
    """Without the end of a character at its beginning."""
    return data[:3].lstrip(_CONTINUATION) + data[3:]


def whole_signs(data: bytes) -> bytes:
    """Without what only the next piece can tell: half a character, terminal code or line end."""
    data = whole_characters(data)
    begun = _BEGUN_BYTES.search(data, max(0, len(data) - _LONGEST_CODE))
    return data[: begun.start()] if begun else data


class PlainStream:
    """A stream that comes in pieces; what a piece only begins is kept for the next one."""

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._begun = ""

    def feed(self, data: bytes, *, last: bool = False) -> str:
        """The text of the next piece."""
        text = self._begun + self._decode(data, last)
        begun = None if last else _BEGUN.search(text, max(0, len(text) - _LONGEST_CODE))
        self._begun = begun.group() if begun else ""
        return _clean(text[: begun.start()] if begun else text)
