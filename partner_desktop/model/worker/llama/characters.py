"""Keeps the bytes that follow a grammar valid UTF-8.

llama.cpp's grammar counts characters, but takes overlong ones, halves of surrogate pairs and numbers beyond
Unicode for characters too: a quote in two bytes would end a string for it, and for nobody else. Tokens that
are no whole characters by themselves are few, so each of them is looked at.
"""

from __future__ import annotations

import codecs
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

Ids = npt.NDArray[np.intp]

#: Bytes of a character, by the first half of its first byte.
_LENGTHS = (1,) * 12 + (2, 2, 3, 4)


def broken_tokens(pieces: Mapping[int, bytes]) -> dict[int, bytes]:
    """Those that are not whole characters."""
    return {token: piece for token, piece in pieces.items() if not _is_whole(piece)}


def _is_whole(piece: bytes) -> bool:
    try:
        piece.decode()
    except UnicodeDecodeError:
        return False
    return True


class WholeCharacters:
    """One answer's bytes so far.

    `broken` comes from `broken_tokens`, `at_start` is `refused_after(broken, b"")`.
    """

    def __init__(self, broken: Mapping[int, bytes], at_start: Ids) -> None:
        self._broken, self._at_start = broken, at_start
        self._pending = b""

    def allows(self, token: int) -> bool:
        """Whether the token can follow."""
        piece = self._broken.get(token)
        return piece is None or _fits(self._pending, piece)

    def refused(self) -> Ids:
        """All broken tokens that cannot follow. (Of whole ones the grammar knows.)"""
        return refused_after(self._broken, self._pending) if self._pending else self._at_start

    def accept(self, token: int) -> None:
        """It follows."""
        piece = self._broken.get(token)
        if piece is None:
            self._pending = b""
            return
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        decoder.decode(self._pending + piece)
        self._pending = decoder.getstate()[0]


def refused_after(broken: Mapping[int, bytes], pending: bytes) -> Ids:
    """The tokens that make no character of what is pending."""
    return np.array([token for token, piece in broken.items() if not _fits(pending, piece)], dtype=np.intp)


def _fits(pending: bytes, piece: bytes) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    try:
        decoder.decode(pending + piece)
        half = decoder.getstate()[0]
        # The decoder finds the half of a surrogate pair only once it is whole: so make it whole.
        (half + b"\x80" * (_LENGTHS[half[0] >> 4] - len(half)) if len(half) > 1 else b"").decode()
    except UnicodeDecodeError:
        return False
    return True
