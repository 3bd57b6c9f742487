"""LiveOutput: what a run prints, as it comes, at a pace and in pieces that a window can show.

Contract: made on the loop. The run's thread hands over bytes and never waits; texts are told on the loop, at
most once in `Pace`'s time and `most_bytes` a stream. Of a flood the beginning and the end of each piece are
told, with a line that says how much lies between. `close` tells the rest: nothing is told after it.
"""

from __future__ import annotations

import threading

from partner_desktop.action.runner.call import OnOutput
from partner_desktop.action.runner.pace import Pace
from partner_desktop.action.runner.plain_text import PlainStream, from_a_character, whole_characters
from partner_desktop.domain.command_session import Stream

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
