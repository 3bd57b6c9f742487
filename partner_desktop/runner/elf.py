"""Which libraries a program asks for, and where: a small, bounded reader of the ELF format (elf(5)).

What it reads may be made to keep a reader busy for hours, so it looks at a few headers only, and at what a
program with hundreds of libraries needs. It runs nothing: the loader of glibc, asked the same by `ldd`, would
run code that the file names.
"""

from __future__ import annotations

import os
import struct
from typing import BinaryIO

ELF = b"\x7fELF"
_LITTLE_64 = b"\x02\x01"
_PT_LOAD, _PT_DYNAMIC = 1, 2
_DT_NULL, _DT_NEEDED, _DT_STRTAB, _DT_RPATH, _DT_RUNPATH = 0, 1, 5, 15, 29
_MOST_HEADERS = 64
_MOST_TAGS = 1_000
_MOST_NAMES = 100
_MOST_FOLDERS = 16
_STRINGS_BYTES = 64 * 1024


def needs(program: str) -> tuple[list[str], list[str]]:
    """The names of the libraries that a program needs, and the folders in which it wants them looked for.

    Both empty for what is no program of 64 bits in this byte order, and for a damaged one.
    """
    try:
        with open(program, "rb") as file:  # noqa: PTH123 - strings throughout
            return _needs(file)
    except (OSError, OverflowError, struct.error, ValueError):
        return [], []


def _needs(file: BinaryIO) -> tuple[list[str], list[str]]:
    header = file.read(64)
    if not header.startswith(ELF + _LITTLE_64):
        return [], []
    (start,) = struct.unpack_from("<Q", header, 32)
    size, count = struct.unpack_from("<HH", header, 54)
    loads, dynamic = [], (0, 0)
    for number in range(min(count, _MOST_HEADERS)):
        kind, _, offset, address, _, length, *_ = struct.unpack(
            "<IIQQQQQQ", _at(file, start + number * size, 56)
        )
        if kind == _PT_LOAD:
            loads.append((address, offset, length))
        elif kind == _PT_DYNAMIC and not dynamic[1]:
            dynamic = (offset, length)
    entries = _at(file, dynamic[0], min(dynamic[1] // 16, _MOST_TAGS) * 16)
    tags = []
    for tag, value in struct.iter_unpack("<QQ", entries):
        if tag == _DT_NULL:
            break
        tags.append((tag, value))
    table = next((value for tag, value in tags if tag == _DT_STRTAB), 0)
    place = next((table - at + offset for at, offset, length in loads if at <= table < at + length), None)
    if place is None:
        return [], []
    strings = _at(file, place, _STRINGS_BYTES, whole=False)
    names = [_string(strings, value) for tag, value in tags if tag == _DT_NEEDED][:_MOST_NAMES]
    paths = [_string(strings, value) for tag, value in tags if tag in (_DT_RPATH, _DT_RUNPATH)]
    folders = [folder for path in paths for folder in path.split(":")]
    return [name for name in names if name], folders[:_MOST_FOLDERS]


def _at(file: BinaryIO, offset: int, length: int, *, whole: bool = True) -> bytes:
    file.seek(offset)
    found = file.read(length)
    if whole and len(found) < length:
        raise ValueError("it ends too early")
    return found


def _string(strings: bytes, offset: int) -> str:
    end = strings.find(b"\0", offset)
    return os.fsdecode(strings[offset:end]) if 0 <= offset < end else ""
