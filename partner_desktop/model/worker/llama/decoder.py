"""Bytes of tokens → text, as it comes: half a character waits for its other half, and so does half a stop."""

from __future__ import annotations

import codecs
from collections.abc import Sequence


class StreamDecoder:
    """One answer's text. Each token costs what it is long, however long the answer."""

    def __init__(self, stop: Sequence[str] = ()) -> None:
        self._utf8 = codecs.getincrementaldecoder("utf-8")("replace")
        self._stops = tuple(text for text in stop if text)
        self._held = ""
        self.stopped = False
        """Whether a stop was met; the text ends before it."""

    def feed(self, data: bytes) -> str:
        """What can be shown now."""
        text = self._utf8.decode(data)
        return self._cut(text) if self._stops else text

    def end(self) -> str:
        """What was held back, once no more comes."""
        text = self._utf8.decode(b"", final=True)
        return self._cut(text) + self._rest() if self._stops else text

    def _rest(self) -> str:
        rest, self._held = self._held, ""
        return rest

    def _cut(self, text: str) -> str:
        if self.stopped:
            return ""
        text = self._rest() + text
        met = [at for at in (text.find(stop) for stop in self._stops) if at >= 0]
        if met:
            self.stopped = True
            return text[: min(met)]
        keep = max(_overlap(text, stop) for stop in self._stops)
        self._held = text[len(text) - keep :]
        return text[: len(text) - keep]


def _overlap(text: str, stop: str) -> int:
    """How much of the text's end may be the beginning of a stop."""
    for length in range(min(len(text), len(stop) - 1), 0, -1):
        if stop.startswith(text[-length:]):
            return length
    return 0
