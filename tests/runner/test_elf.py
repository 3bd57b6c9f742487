"""What a program asks for is read from its file, in bounded time, whatever it was made to look like."""

from __future__ import annotations

import os
import shutil
import struct
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from partner_desktop.runner.launchers import needs

ELF_HEADER = struct.Struct("<4s5B7xHHIQQQIHHHHHH")
PROGRAM_HEADER = struct.Struct("<IIQQQQQQ")


def made(names: list[str], runpath: str, *, dynamics: int = 1) -> bytes:
    """A program of headers alone, which says that it needs these libraries."""
    strings = b"\0" + b"".join(name.encode() + b"\0" for name in (*names, runpath))
    at, tags = 1, []
    for name in names:
        tags.append((1, at))
        at += len(name) + 1
    tags += [(29, at), (5, 0x10000), (0, 0)]
    dynamic = b"".join(struct.pack("<QQ", *tag) for tag in tags)
    count = dynamics + 1
    start = ELF_HEADER.size + count * PROGRAM_HEADER.size
    headers = PROGRAM_HEADER.pack(1, 4, start + len(dynamic), 0x10000, 0, len(strings), len(strings), 0)
    headers += PROGRAM_HEADER.pack(2, 4, start, 0, 0, len(dynamic), len(dynamic), 0) * dynamics
    head = ELF_HEADER.pack(b"\x7fELF", 2, 1, 1, 0, 0, 3, 62, 1, 0, 64, 0, 0, 64, 56, count, 0, 0, 0)
    return head + headers + dynamic + strings


def read(folder: Path, data: bytes) -> tuple[list[str], list[str]]:
    path = folder / "program"
    path.write_bytes(data)
    return needs(str(path))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems have other programs")
def test_a_real_program_says_what_it_needs() -> None:
    names, _ = needs(os.path.realpath(shutil.which("env") or ""))
    assert any(name.startswith("libc.") for name in names)


def test_names_and_folders_are_read(tmp_path: Path) -> None:
    assert read(tmp_path, made(["liba.so", "libb.so.1"], "$ORIGIN/../lib:/opt/x")) == (
        ["liba.so", "libb.so.1"],
        ["$ORIGIN/../lib", "/opt/x"],
    )


@pytest.mark.parametrize(
    "data", [b"", b"\x7fELF", b"#!/bin/sh\n", b"\x7fELF\x01\x01" + bytes(99), bytes(4096)]
)
def test_what_is_no_such_program_needs_nothing(tmp_path: Path, data: bytes) -> None:
    assert read(tmp_path, data) == ([], [])


def test_a_program_made_to_be_read_for_ever_is_read_once(tmp_path: Path) -> None:
    names, folders = read(tmp_path, made([f"lib{n}.so" for n in range(5_000)], ":".join("/x" * 90_000)))
    assert len(names) <= 100
    assert len(folders) <= 16
    assert read(tmp_path, made(["liba.so"], "/x", dynamics=60)) == (["liba.so"], ["/x"])
    assert read(tmp_path, made(["liba.so"], "/x", dynamics=20_000)) == (["liba.so"], ["/x"])


@settings(max_examples=200, deadline=None, database=None)
@given(cut=st.integers(0, 400), at=st.integers(0, 399), value=st.integers(0, 255))
def test_a_damaged_program_is_no_error(
    tmp_path_factory: pytest.TempPathFactory, cut: int, at: int, value: int
) -> None:
    data = bytearray(made(["liba.so", "libb.so"], "/opt/x"))
    data[at % len(data)] = value
    names, folders = read(tmp_path_factory.getbasetemp(), bytes(data[: cut or None]))
    assert all(isinstance(word, str) for word in (*names, *folders))
