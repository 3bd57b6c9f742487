"""Text for a terminal that cannot drive it: what scripts, models and files say is only ever shown."""

from __future__ import annotations

import re

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.text import shown
from partner_desktop.domain.json_value import Json
from partner_desktop.gateways.wire import json_line


def plain(value: Json) -> str:
    """Text in its lines with every sign visible, so that none drives a terminal; anything else as JSON."""
    return shown(value if isinstance(value, str) else json_line(value), lines=True)


def plain_line(value: Json) -> str:
    """The same on one line: what stands below it is not of it."""
    return shown(value if isinstance(value, str) else json_line(value))


_PROSE = re.compile(r"\\[!-/:-@\[-`{-~]|\\|`+|\n|[^\s`\\]+|.")
_CODE = re.compile(r"`+|\n|[^\s`]+|.")
_FENCE = 3
#: The address of a place in the chat, which only the window can show; a terminal names the conversation.
_PLACE = re.compile(r"\]\(partner:message/[0-9a-f]{32}\?conversation=([0-9a-f]{8})[0-9a-f]{24}\)")


@dataclass
class Literal:
    """The text of one reply, piece by piece as it comes."""

    _held: str = ""
    """The end of what came, where the next piece decides what it means."""
    _ticks: int = 0
    """How many backticks opened the code that is being read; 0: it is prose."""
    _line_empty: bool = True

    def feed(self, text: str, *, done: bool = False) -> str:
        """What can be shown by now; the rest with the next piece, or at once when it is `done`."""
        text, self._held = self._held + text, ""
        shown, at = [], 0
        while match := (_CODE if self._ticks else _PROSE).match(text, at):
            at, piece = match.end(), match.group()
            if at == len(text) and not done and (piece[0] == "`" or piece == "\\"):
                self._held = piece
            else:
                shown.append(self._read(piece))
        if done:
            self._ticks, self._line_empty = 0, True
        return "".join(shown)

    def _read(self, piece: str) -> str:
        if piece == "\n" and self._line_empty and self._ticks < _FENCE:
            self._ticks = 0  # a paragraph ends, and code within a line with it
        self._line_empty = piece == "\n" or (self._line_empty and piece.isspace())
        if piece[0] == "`":
            self._note_ticks(len(piece))
        elif not self._ticks and piece[0] == "\\":
            return piece[-1]
        elif not self._ticks:
            return _PLACE.sub(r" · conversation \1]", piece)
        return piece

    def _note_ticks(self, count: int) -> None:
        if not self._ticks:
            self._ticks = count
        elif count == self._ticks or count > self._ticks >= _FENCE:
            self._ticks = 0
