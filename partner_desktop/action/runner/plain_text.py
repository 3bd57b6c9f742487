"""What programs print, as text that can be shown: UTF-8, without terminal codes and control characters."""

from __future__ import annotations

import codecs
import re

_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])")
_LINE_ENDS = re.compile(r"\r\n?")
_CONTINUATION = bytes(range(0x80, 0xC0))
_CONTROLS = {code: None for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}
#: The beginning of what only the next piece can tell: a terminal code, or one half of a line end.
_BEGUN = re.compile(r"(?:\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*\x1b?)?|\r)\Z")
_BEGUN_BYTES = re.compile(_BEGUN.pattern.encode())
#: A terminal code that goes on for longer is none.
_LONGEST_CODE = 512


def readable(data: bytes) -> tuple[str, bool]:
    """The text, and whether bytes in it were not UTF-8."""
    try:
        text, damaged = data.decode(), False
    except UnicodeDecodeError:
        text, damaged = data.decode("utf-8", "replace"), True
    return _clean(text), damaged


def _clean(text: str) -> str:
    return _LINE_ENDS.sub("\n", _ANSI.sub("", text)).translate(_CONTROLS)


def whole_characters(data: bytes) -> bytes:
    """Without the beginning of a character at its end."""
    for back in range(1, min(3, len(data)) + 1):
        byte = data[-back]
        if byte & 0xC0 != 0x80:
            length = 2 if byte >= 0xC0 else 1
            length += (byte >= 0xE0) + (byte >= 0xF0)
            return data[:-back] if length > back else data
    return data


def from_a_character(data: bytes) -> bytes:
    """Without the end of a character at its beginning."""
    return data[:3].lstrip(_CONTINUATION) + data[3:]


def whole_signs(data: bytes) -> bytes:
    """Without what only the next piece can tell: half a character, terminal code or line end."""
    data = whole_characters(data)
    begun = _BEGUN_BYTES.search(data, max(0, len(data) - _LONGEST_CODE))
    return data[: begun.start()] if begun else data


class PlainStream:
    """A stream that comes in pieces; what a piece only begins is kept for the next one."""

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._begun = ""

    def feed(self, data: bytes, *, last: bool = False) -> str:
        """The text of the next piece."""
        text = self._begun + self._decode(data, last)
        begun = None if last else _BEGUN.search(text, max(0, len(text) - _LONGEST_CODE))
        self._begun = begun.group() if begun else ""
        return _clean(text[: begun.start()] if begun else text)
