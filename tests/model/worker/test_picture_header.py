"""What a picture says of itself, before anything decodes it: no few bytes fill a memory."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable

import pytest

from partner_desktop.model.worker.llama.native_log import ModelFaultError
from partner_desktop.model.worker.llama.picture_header import MOST_PIXELS, require_seeable
from tests.model.seeing import png
from tests.tables import all_rows


def jpeg(width: int, height: int, *, frame: int = 0xC0) -> bytes:
    """The beginning of a JPEG; what it says first, within a comment, is not its size."""
    decoy = b"\xff\xc0" + struct.pack(">HBHH", 8, 8, 1, 1)
    comment = b"\xff\xfe" + struct.pack(">H", 2 + len(decoy)) + decoy
    tables = b"\xff\xc4" + struct.pack(">H", 9) + bytes(7)
    size = b"\xff\xff" + bytes((frame,)) + struct.pack(">HBHHB", 17, 8, height, width, 3)
    return b"\xff\xd8" + comment + tables + size + bytes(20)


def gif(width: int, height: int) -> bytes:
    return b"GIF89a" + struct.pack("<HH", width, height) + bytes(20)


def said_png(width: int, height: int) -> bytes:
    """A picture that lies about its size."""
    whole = png()
    return whole[:16] + struct.pack(">II", width, height) + whole[24:]


@all_rows("kind", [jpeg, gif, said_png])
@all_rows(
    "width, height, why",
    [
        (4000, 3000, ""),
        (8000, MOST_PIXELS // 8000, ""),
        (8000, MOST_PIXELS // 8000 + 1, "which is too many"),
        (65_535, 65_535, "65535 × 65535 pixels, which is too many"),
        (0, 300, "it is empty"),
        (300, 0, "it is empty"),
        (200, 1, ""),
        (201, 1, "too narrow"),
        (1, 201, "too narrow"),
    ],
)
def test_a_picture_is_taken_by_what_it_says_of_its_size(
    kind: Callable[[int, int], bytes], width: int, height: int, why: str
) -> None:
    if not why:
        require_seeable(kind(width, height))
        return
    with pytest.raises(ModelFaultError, match=why) as fault:
        require_seeable(kind(width, height))
    assert fault.value.kind == "picture"


def test_a_progressive_jpeg_says_its_size_too() -> None:
    with pytest.raises(ModelFaultError, match="60000 × 50000"):
        require_seeable(jpeg(60_000, 50_000, frame=0xC2))


@pytest.mark.parametrize(("whole", "least"), [(jpeg(40, 30), 36), (gif(40, 30), 10), (png(), 24)])
def test_no_beginning_of_a_picture_is_more_than_refused(whole: bytes, least: int) -> None:
    require_seeable(whole[:least])
    for length in range(least):
        with pytest.raises(ModelFaultError, match="no PNG, JPEG or GIF"):
            require_seeable(whole[:length])


def test_a_png_that_holds_more_than_its_size_is_refused() -> None:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")

    header = (1).to_bytes(4, "big") * 2 + bytes((8, 0, 0, 0, 0))
    bomb = zlib.compress(bytes(16 * 1024 * 1024))
    with pytest.raises(ModelFaultError, match="more than"):
        require_seeable(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", bomb))
    fair = zlib.compress(bytes(2))
    require_seeable(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", fair))
