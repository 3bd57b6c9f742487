"""Where a JSON value ends, seen in the stream of its bytes."""

from __future__ import annotations


class JsonEnd:
    """Notices the end of a JSON object, array or string, so that nobody waits for the model to say so."""

    def __init__(self) -> None:
        self._depth = 0
        self._in_text = self._escaped = False

    @property
    def inside(self) -> bool:
        """Whether the value is open still."""
        return self._in_text or self._depth > 0

    def reached(self, data: bytes) -> bool:
        """Whether the value ends with the last of these bytes."""
        for byte in data:
            if self._in_text:
                if self._escaped:
                    self._escaped = False
                elif byte == 0x5C:
                    self._escaped = True
                elif byte == 0x22:
                    self._in_text = False
            elif byte == 0x22:
                self._in_text = True
            elif byte in b"{[":
                self._depth += 1
            elif byte in b"}]":
                self._depth -= 1
            else:
                continue
            if not self.inside:
                return True
        return False
