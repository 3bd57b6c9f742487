"""Text to tokens and back, by the model's own vocabulary.

A prompt is cut in front of its control tokens and at marks, and each part is tokenised by itself and
remembered: llama.cpp cuts there too, so the tokens are the same as of the whole, and a long conversation
costs no tokenising again.

Bytes that follow a grammar are kept valid UTF-8. llama.cpp's grammar counts characters, but takes overlong
ones, halves of surrogate pairs and numbers beyond Unicode for characters too: a quote in two bytes would end
a string for it, and for nobody else. Tokens that are no whole characters by themselves are few, so each of
them is looked at.
"""

from __future__ import annotations

import codecs
import ctypes
import re
from array import array
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import llama_cpp
import numpy as np
import numpy.typing as npt

#: Stands in a text where a control token's own text must not become one; never in what anybody wrote.
MARK = "\ufdd0"
#: Stands in a prompt's text where a picture is; never in what anybody wrote either.
PICTURE = "\ufdd1"
_REPLACEMENT = "\ufffd"
_MOST_REMEMBERED_TOKENS = 1 << 20
_SMALL_BYTES = 256
_SHAPES = (re.compile(r"<[^<>\s]+>"), re.compile(r"\[[^\[\]\s]+\]"))
_FAMILIES = (frozenset("<>"), frozenset("[]"))


class Vocabulary:
    """One model's. One thread at a time."""

    def __init__(self, vocab: Any) -> None:  # noqa: ANN401 - a pointer of the binding
        self._vocab = vocab
        self.size: int = llama_cpp.llama_vocab_n_tokens(vocab)
        self._pieces: dict[int, bytes] = {}
        self._known: OrderedDict[str, array[int]] = OrderedDict()
        self._known_tokens = 0
        special = _special_texts(vocab, self.size)
        self.controls = special
        self.frame_texts = tuple(text for text, attr in special.items() if _is_control(attr))
        """Of the control tokens, those that no text may hold: the frames of messages are made of them."""
        self._hidden = _anywhere([text for text, attr in special.items() if _must_hide(text, attr)])
        self._written = _anywhere([text for text, attr in special.items() if _is_control(attr)])
        self._cuts = _cuts(special)
        self.bos = self._text_of(llama_cpp.llama_vocab_bos(vocab))
        self.eos = self._text_of(llama_cpp.llama_vocab_eos(vocab))

    def _text_of(self, token: int) -> str:
        if not 0 <= token < self.size:
            return ""
        return bytes(llama_cpp.llama_vocab_get_text(self._vocab, token) or b"").decode("utf-8", "replace")

    def is_end(self, token: int) -> bool:
        """Whether it ends an answer."""
        return bool(llama_cpp.llama_vocab_is_eog(self._vocab, token))

    def marked(self, text: str, *, by_model: bool = False) -> str:
        """`text` with a mark in every place that would be read as a control token.

        The mark is cut out again before tokenising, where it parts the text: each character stays as it was
        written, only it is read as characters. Tags that are no control tokens (`<think>`) are left to the
        model where it wrote them itself (`by_model`).
        """
        clean = text.replace(MARK, _REPLACEMENT).replace(PICTURE, _REPLACEMENT)
        pattern = self._written if by_model else self._hidden
        return pattern.sub(_with_mark, clean) if pattern else clean

    def tokens(self, text: str, pictures: Sequence[array[int]] = ()) -> array[int]:
        """The tokens of a prompt: control tokens are read as such, and a mark parts what stands beside it.

        `pictures`: what stands in the places of the pictures, as many at least as the text has places.
        """
        found = array("i")
        bos = llama_cpp.llama_vocab_bos(self._vocab)
        wanted = llama_cpp.llama_vocab_get_add_bos(self._vocab) and 0 <= bos < self.size
        if wanted and not (self.bos and text.startswith(self.bos)):
            found.append(bos)
        for at, stretch in enumerate(text.split(PICTURE)):
            if at:
                found.extend(pictures[at - 1])
            for part in self._parts(stretch):
                found.extend(self._remembered(part))
        return found

    def count(self, text: str) -> int:
        """Tokens of what somebody wrote, as it stands in a prompt."""
        return sum(len(self._remembered(part)) for part in self._parts(self.marked(text)))

    def _parts(self, text: str) -> list[str]:
        parts: list[str] = []
        for stretch in text.split(MARK):
            starts = [0, *(match.start() for match in self._cuts.finditer(stretch))] if self._cuts else [0]
            ends = [*starts[1:], len(stretch)]
            parts += [stretch[start:end] for start, end in zip(starts, ends, strict=True) if end > start]
        return parts

    def _remembered(self, part: str) -> array[int]:
        known = self._known.get(part)
        if known is not None:
            self._known.move_to_end(part)
            return known
        tokens = self.read(part)
        self._known[part] = tokens
        self._known_tokens += len(tokens)
        while self._known_tokens > _MOST_REMEMBERED_TOKENS and len(self._known) > 1:
            self._known_tokens -= len(self._known.popitem(last=False)[1])
        return tokens

    def read(self, text: str) -> array[int]:
        """Tokenise at one go, nothing remembered, nothing put in front."""
        data = text.encode("utf-8", "replace")
        room = len(data) + 16
        while True:
            buffer = (llama_cpp.llama_token * room)()
            count = llama_cpp.llama_tokenize(self._vocab, data, len(data), buffer, room, False, True)
            if count >= 0:
                return array("i", buffer[:count])
            room = -count

    def piece(self, token: int) -> bytes:
        """What a token says; control tokens say nothing."""
        known = self._pieces.get(token)
        if known is None:
            known = self._pieces[token] = self._read_piece(token)
        return known

    def characters(self) -> WholeCharacters:
        """For one answer that a grammar constrains."""
        return WholeCharacters(*self._broken)

    @cached_property
    def _broken(self) -> tuple[dict[int, bytes], Ids]:
        broken = broken_tokens({token: self.piece(token) for token in range(self.size)})
        return broken, refused_after(broken, b"")

    def spelled(self, token: int) -> bytes:
        """As `piece`, but control tokens too as they are written: so a grammar sees them."""
        return self._read_piece(token, controls=True)

    def _read_piece(self, token: int, *, controls: bool = False) -> bytes:
        room = _SMALL_BYTES
        while True:
            buffer = ctypes.create_string_buffer(room)
            count = llama_cpp.llama_token_to_piece(self._vocab, token, buffer, room, 0, controls)
            if count >= 0:
                return buffer.raw[:count]
            room = -count


def _special_texts(vocab: Any, size: int) -> dict[str, int]:  # noqa: ANN401 - as above
    """Text → attributes, of what llama.cpp looks for before it tokenises."""
    wanted = (
        llama_cpp.LLAMA_TOKEN_ATTR_CONTROL
        | llama_cpp.LLAMA_TOKEN_ATTR_USER_DEFINED
        | llama_cpp.LLAMA_TOKEN_ATTR_UNKNOWN
    )
    found: dict[str, int] = {}
    for token in range(size):
        attr = int(llama_cpp.llama_vocab_get_attr(vocab, token))
        if attr & wanted:
            text = bytes(llama_cpp.llama_vocab_get_text(vocab, token) or b"").decode("utf-8", "replace")
            if text:
                found[text] = attr
    return found


def _is_control(attr: int) -> bool:
    return not attr & llama_cpp.LLAMA_TOKEN_ATTR_USER_DEFINED


def _must_hide(text: str, attr: int) -> bool:
    """Control tokens, and tags; other defined tokens (line ends, runs of spaces) are plain text."""
    return _is_control(attr) or any(shape.fullmatch(text) for shape in _SHAPES)


def _anywhere(texts: list[str]) -> re.Pattern[str] | None:
    """Finds the first character of every occurrence, overlapping ones too."""
    if not texts:
        return None
    longest_first = sorted(texts, key=len, reverse=True)
    return re.compile(f"(?=({'|'.join(re.escape(text) for text in longest_first)})).", re.DOTALL)


def _with_mark(match: re.Match[str]) -> str:
    # A token of one character cannot be parted.
    return match[0] + MARK if len(match[1]) > 1 else _REPLACEMENT


def _cuts(special: dict[str, int]) -> re.Pattern[str] | None:
    """In front of which tokens a prompt may be cut: no other can overlap them, and they leave space alone."""
    safe: list[str] = []
    for shape, family in zip(_SHAPES, _FAMILIES, strict=True):
        texts = [text for text in special if shape.fullmatch(text)]
        if any(family & set(text) for text in special if text not in texts):
            continue
        safe += [text for text in texts if not special[text] & llama_cpp.LLAMA_TOKEN_ATTR_LSTRIP]
    if not safe:
        return None
    return re.compile("|".join(re.escape(text) for text in sorted(safe, key=len, reverse=True)))


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
