"""What a picture says of itself, read before anything decodes it: how large it would be.

A few bytes can say of themselves that they are a picture that fills all memory, and a decoder believes them.
Pure; what kinds there are is what the decoder of the engine (stb_image) knows and a message may carry.
"""

from __future__ import annotations

import zlib

from partner_desktop.model.worker.llama.native_log import ModelFaultError

#: Above what cameras of 2026 take, and some 150 MB once it is decoded.
MOST_PIXELS = 52_000_000
#: What is longer than that is no picture that a model could see something on.
MOST_RATIO = 200

_PNG, _JPEG, _GIFS, _WEBP = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", (b"GIF87a", b"GIF89a"), b"WEBP"
#: Markers of a JPEG that have no length: stuffed bytes, restarts, begin and end.
_BARE = frozenset((0x00, 0x01, *range(0xD0, 0xDA)))
#: Markers that begin a frame, which says how large it is.
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def require_seeable(data: bytes) -> None:
    """See that these bytes are a picture that can be decoded here, by what they say.

    Raises:
        ModelFaultError: It is none (`picture`); the message is a clause that says why.
    """
    if data.startswith(b"RIFF") and data[8:12] == _WEBP:
        raise _fault("it is a WebP, which llama.cpp does not read; a PNG or JPEG of it can be sent")
    size = _size_of(data)
    if size is None:
        raise _fault("it is no PNG, JPEG or GIF")
    width, height = size
    if not width or not height:
        raise _fault("it is empty")
    if width * height > MOST_PIXELS:
        raise _fault(f"it has {width} × {height} pixels, which is too many")
    if max(size) > MOST_RATIO * min(size):
        raise _fault(f"it has {width} × {height} pixels, which is too narrow")
    if data.startswith(_PNG) and _inflated(data) > (most := height * (1 + 8 * (width + 8)) + _SLACK):
        raise _fault(f"it holds more than the {most:,} bytes that its size allows")


#: What passes and filters of an interlaced picture add.
_SLACK = 1 << 16
_PIECE = 1 << 16


def _inflated(data: bytes) -> int:
    """How many bytes the picture data of a PNG hold; a bomb holds more than any picture of its size.

    They are counted, not kept, and no further than what the largest picture has.
    """
    inflate, count, at = zlib.decompressobj(), 0, 8
    most = 8 * MOST_PIXELS + 2 * _SLACK
    while at + 8 <= len(data):
        length = _big(data, at, 4)
        if data[at + 4 : at + 8] == b"IDAT":
            piece = data[at + 8 : at + 8 + length]
            while piece and count <= most:
                try:
                    count += len(inflate.decompress(piece, _PIECE))
                except zlib.error:
                    return count  # the decoder says what is wrong with it
                piece = inflate.unconsumed_tail
        at += 12 + length
    return count


def _fault(why: str) -> ModelFaultError:
    return ModelFaultError("picture", why)


def _size_of(data: bytes) -> tuple[int, int] | None:
    """Width and height in pixels; `None`: it says none."""
    if data.startswith(_PNG):
        known = data[12:16] == b"IHDR" and len(data) >= 24
        return (_big(data, 16, 4), _big(data, 20, 4)) if known else None
    if data.startswith(_GIFS):
        known = len(data) >= 10
        return (int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little")) if known else None
    return _jpeg_size(data) if data.startswith(_JPEG) else None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(data):
        if data[at] != 0xFF or data[at + 1] == 0xFF:
            at += 1
        elif data[at + 1] in _FRAMES:
            return _big(data, at + 7, 2), _big(data, at + 5, 2)
        elif data[at + 1] in _BARE:
            at += 2
        else:
            at += 2 + _big(data, at + 2, 2)
    return None


def _big(data: bytes, at: int, count: int) -> int:
    return int.from_bytes(data[at : at + count], "big")
