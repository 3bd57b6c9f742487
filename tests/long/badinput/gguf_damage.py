"""Damages a GGUF file, mostly in its header, in ways that a parser may trip over."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable

#: Numbers at which arithmetic turns over.
_EDGES = (
    0,
    1,
    2,
    3,
    255,
    256,
    2**15,
    2**16,
    2**31 - 1,
    2**31,
    2**32 - 1,
    2**32,
    2**62,
    2**63 - 1,
    2**63,
    2**64 - 1,
)
_WORDS = (
    b"llama",
    b"general.architecture",
    b"context_length",
    b"tokenizer.ggml",
    b"token_embd.weight",
    b"head_count",
)
_KINDS = (b"bert", b"mamba", b"gemma", b"qwen2", b"t5\0\0", b"\xff\xfe\xfd", b"rwkv6", b"clip")


def header_size(data: bytes) -> int:
    """Where the weights begin, roughly: they are floats, and behind the last tensor's name."""
    return data.rindex(b"output.weight") + 64


def damaged_model(whole: bytes, dice: random.Random) -> bytes:
    """The file with one to four damages; the same dice damage in the same way."""
    data, header = bytearray(whole), header_size(whole)
    for _ in range(dice.choice((1, 1, 1, 2, 4))):
        dice.choice(_WAYS)(data, min(header, max(1, len(data))), dice)
    return bytes(data)


def _at(data: bytearray, header: int, dice: random.Random, size: int = 1) -> int:
    return dice.randrange(max(1, min(header, len(data)) - size + 1))


def _bit(data: bytearray, header: int, dice: random.Random) -> None:
    for _ in range(dice.choice((1, 1, 3, 20))):
        if data:
            data[_at(data, header, dice)] ^= 1 << dice.randrange(8)


def _byte(data: bytearray, header: int, dice: random.Random) -> None:
    for _ in range(dice.choice((1, 4, 16))):
        if data:
            data[_at(data, header, dice)] = dice.randrange(256)


def _number(data: bytearray, header: int, dice: random.Random) -> None:
    size = dice.choice((4, 8))
    at = _at(data, header, dice, size)
    data[at : at + size] = struct.pack("<Q", dice.choice(_EDGES))[:size]


def _count(data: bytearray, _header: int, dice: random.Random) -> None:
    """The version, or how many tensors and keys there are."""
    at = dice.choice((4, 8, 16))
    data[at : at + 8] = struct.pack("<Q", dice.choice((*_EDGES, dice.randrange(100))))


def _value(data: bytearray, _header: int, dice: random.Random) -> None:
    """What stands behind a name."""
    at = data.find(dice.choice(_WORDS))
    if at >= 0:
        at += dice.randrange(8, 48)
        data[at : at + 8] = struct.pack("<Q", dice.choice(_EDGES))


def _kind(data: bytearray, _header: int, dice: random.Random) -> None:
    at = data.find(b"llama", dice.randrange(1, 200))
    if at >= 0:
        data[at : at + 5] = dice.choice(_KINDS)[:5].ljust(5, b"\0")


def _cut(data: bytearray, header: int, dice: random.Random) -> None:
    end = dice.choice((_at(data, header, dice), dice.randrange(len(data) + 1)))
    del data[end:]


def _lost(data: bytearray, header: int, dice: random.Random) -> None:
    at = _at(data, header, dice)
    del data[at : at + dice.choice((1, 4, 8, 100, 5000))]


def _twice(data: bytearray, header: int, dice: random.Random) -> None:
    at = _at(data, header, dice)
    data[at:at] = data[at : at + dice.choice((1, 8, 64, 900))]


def _template(data: bytearray, _header: int, dice: random.Random) -> None:
    at = data.find(b"{%")
    if at >= 0:
        evil = dice.choice((b"{{ 1/0 }}", b"{% if %}", b"\xff\xff\xff", b"{{ messages[9].x.y }}"))
        data[at : at + len(evil)] = evil


def _weights(data: bytearray, header: int, dice: random.Random) -> None:
    """Not numbers, infinite ones."""
    for _ in range(64):
        if len(data) > header + 8:
            at = dice.randrange(header, len(data) - 4)
            data[at : at + 4] = dice.choice((b"\0\0\xc0\x7f", b"\0\0\x80\x7f", b"\xff\xff\xff\xff"))


_WAYS: tuple[Callable[[bytearray, int, random.Random], None], ...] = (
    _bit, _bit, _byte, _byte, _number, _number, _number, _count, _value, _value, _kind, _cut, _lost, _twice,
    _template, _weights,
)  # fmt: skip
