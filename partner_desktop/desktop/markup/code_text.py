"""Code that is still being written: text that only grows, and is never copied as a whole for it."""

from __future__ import annotations


class CodeText:
    """Whole lines, one behind the other. `lines` counts them."""

    def __init__(self, text: str = "") -> None:
        self._pieces: list[str] = []
        self._size = 0
        self.lines = 0
        self.append(text)

    def __len__(self) -> int:
        return self._size

    def append(self, text: str) -> None:
        """More lines."""
        if text:
            self._pieces.append(text)
            self._size += len(text)
            self.lines += text.count("\n")

    def whole(self) -> str:
        """All of it."""
        self._pieces = ["".join(self._pieces)]
        return self._pieces[0]

    def since(self, start: int, end: int) -> str:
        """A stretch near the end; costs what stands behind its start."""
        found: list[str] = []
        at = self._size
        for piece in reversed(self._pieces):
            if at <= start:
                break
            at -= len(piece)
            found.append(piece)
        return "".join(reversed(found))[max(0, start - at) : end - at]
