"""The text of what was attached: what is taken, what is left and why, and that no parser runs in Partner."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from partner_desktop.domain.attachment import MOST_READ_BYTES, Unread
from partner_desktop.perceive.attachment_text import (
    MOST_CHARACTERS,
    AttachedText,
    AttachmentTexts,
    text_of_bytes,
)
from partner_desktop.runner.sandbox_probe import probe_sandbox
from partner_desktop.runtime.attachment_store import described_path

from .documents import bomb, docx, pdf

pytestmark = [pytest.mark.integration]


async def read(path: Path, *, own: Path | None = None, sandboxed: bool = True) -> AttachedText:
    probe = await probe_sandbox()
    texts = AttachmentTexts((own or path.parent / "own",), lambda: probe.sandbox if sandboxed else None)
    return await texts.read(described_path(path))


def put(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("name", "data", "text"),
    [
        ("a.md", "# Käse\nkaufen".encode(), "# Käse\nkaufen"),
        ("a.csv", b"\xef\xbb\xbfname,age\nann,3\n", "name,age\nann,3\n"),
        ("a.txt", "日记".encode("utf-16"), "日记"),
        ("a.txt", "café".encode("cp1252"), "café"),
        ("Makefile", b"all:\n\tmake it", "all:\n\tmake it"),
        ("a.pdf", pdf(["Dear Ann", "Yours, Bob"]), "Dear Ann\n\nYours, Bob"),
        ("A.PDF", pdf(["capital"]), "capital"),
        (
            "a.docx",
            docx(["Dear Ann", "see:"], [["who", "age"], ["Bob", "4"]]),
            "Dear Ann\nsee:\nwho | age\nBob | 4",
        ),
    ],
)
async def test_texts_and_documents_are_read(tmp_path: Path, name: str, data: bytes, text: str) -> None:
    found = await read(put(tmp_path, name, data))
    assert (found.text, found.all_characters, found.unread) == (text, len(text), Unread.NONE)


@pytest.mark.parametrize(
    ("name", "data", "unread"),
    [
        ("locked.pdf", pdf(["secret"], password="open"), Unread.ENCRYPTED),
        ("locked.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), Unread.ENCRYPTED),
        ("scan.pdf", pdf(["", ""]), Unread.SCANNED),
        ("broken.pdf", b"%PDF-1.7\nnothing of the kind", Unread.BROKEN),
        ("broken.docx", b"PK\x03\x04 nothing", Unread.BROKEN),
        ("text.pdf", b"only words", Unread.BROKEN),
    ],
)
async def test_what_cannot_be_read_says_why(tmp_path: Path, name: str, data: bytes, unread: Unread) -> None:
    found = await read(put(tmp_path, name, data))
    assert (found.text, found.unread) == ("", unread)


async def test_only_the_beginning_of_a_long_text_is_taken(tmp_path: Path) -> None:
    found = await read(put(tmp_path, "long.txt", b"word " * 100_000))
    assert (len(found.text), found.all_characters, found.unread) == (MOST_CHARACTERS, 500_000, Unread.LONG)
    found = await read(put(tmp_path, "long.pdf", pdf(["word " * 4_000] * 5)))
    assert len(found.text) == MOST_CHARACTERS
    assert found.unread is Unread.LONG
    assert found.all_characters == pytest.approx(100_000, rel=0.01)


async def test_a_bomb_ends_with_its_child(tmp_path: Path) -> None:
    found = await read(put(tmp_path, "bomb.docx", bomb(900)))
    assert found.text == ""
    assert found.unread in (Unread.SLOW, Unread.BROKEN)


async def test_what_is_too_large_gone_secret_or_ours_is_not_opened(tmp_path: Path, user_home: Path) -> None:
    large = tmp_path / "large.txt"
    with large.open("wb") as file:
        file.write(b"x\n" * 8_192)
        file.truncate(MOST_READ_BYTES + 1)
    assert (await read(large)).unread is Unread.TOO_LARGE
    keys = user_home / ".ssh"
    keys.mkdir()
    assert (await read(put(keys, "config.txt", b"Host x"))).unread is Unread.SECRET
    ours = tmp_path / "home"
    ours.mkdir()
    assert (await read(put(ours, "settings.txt", b"x"), own=ours)).unread is Unread.SECRET
    note = put(tmp_path, "note.txt", b"x")
    attachment = described_path(note)
    note.unlink()
    note.symlink_to(put(keys, "id", b"key"))
    assert (await AttachmentTexts((ours,), lambda: None).read(attachment)).unread is Unread.GONE


async def test_without_a_sandbox_no_document_is_parsed_and_texts_are_read(tmp_path: Path) -> None:
    assert (await read(put(tmp_path, "a.pdf", pdf(["x"])), sandboxed=False)).unread is Unread.NO_READER
    assert (await read(put(tmp_path, "a.txt", b"x"), sandboxed=False)).text == "x"


async def test_nothing_is_left_behind(tmp_path: Path) -> None:
    folder = Path(tempfile.gettempdir())
    there = set(folder.iterdir())
    assert (await read(put(tmp_path, "a.docx", docx(["x"])))).text == "x"
    assert not [path for path in set(folder.iterdir()) - there if path.name.startswith("partner-read-")]


async def test_a_place_of_secrets_is_known_by_what_is_linked_to_it(user_home: Path) -> None:
    kept = user_home / "dotfiles" / "aws"
    kept.mkdir(parents=True)
    put(kept, "credentials", b"aws_secret=1")
    (user_home / ".aws").symlink_to(kept)
    assert (await read(user_home / ".aws" / "credentials")).unread is Unread.SECRET


def test_a_file_that_was_emptied_meanwhile_has_no_text() -> None:
    assert text_of_bytes(b"", 100).text == ""


def test_the_beginning_of_a_long_text_is_read_in_the_signs_that_it_is_written_in() -> None:
    long = ("ä" * 1_000).encode("cp1252")
    assert text_of_bytes(long, 10 * len(long)).text == "ä" * 1_000
    cut = ("ä" * 1_000).encode()[:-1]
    assert text_of_bytes(cut, 10 * len(cut)).text == "ä" * 999
