"""Characters that a server cut in two: JSON can say each half of one alone, and no text may hold a half."""

from __future__ import annotations

import re

_HALF = re.compile("[\ud800-\udfff]")
_FIRST_HALF_AT_END = re.compile("[\ud800-\udbff]$")


class Halves:
    """Puts the halves of neighbouring pieces together."""

    def __init__(self) -> None:
        self._held = ""

    def whole(self, text: str) -> str:
        """The piece without halves; a first half at its end waits for the next piece."""
        if not self._held and _HALF.search(text) is None:
            return text
        text = self._held + text
        self._held = ""
        if _FIRST_HALF_AT_END.search(text):
            text, self._held = text[:-1], text[-1]
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
