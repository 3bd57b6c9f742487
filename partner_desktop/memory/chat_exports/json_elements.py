"""The elements of a list in a JSON file, one by one, however long the list is; blocking.

The parser is fed piece by piece: one call of `json.loads` would hold the interpreter, and with it the window,
for as long as a long chat takes. What one element may cost is bounded; one that costs more is passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import BinaryIO

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import Json

_PIECE_BYTES = 64 * 1024
_LARGEST = 32 * 2**20
#: Of a text that is not complete the parser reads everything again with each piece.
_LONGEST_TEXT = 8 * 2**20
_DEEPEST = 200
#: What a value costs beside its characters, about.
_VALUE_BYTES = 64


@dataclass(frozen=True)
class UnreadElement:
    """Stands where an element cannot be had, or where nothing more can."""

    problem: str


def list_elements(stream: BinaryIO, whole: Callable[[], bool]) -> Iterator[Json | UnreadElement]:
    """Yield the elements in order; where `whole` says no, with their own plain values only."""
    import ijson  # noqa: PLC0415 - few processes ever read an export

    events = ijson.sendable_list()
    # `items` would keep for a value what grows with the square of its depth, and without `use_float` the
    # parser in C crashes on a whole number of thousands of digits.
    parser = ijson.basic_parse_coro(events, use_float=True)
    builder = _ElementBuilder(whole)
    silent, end = 0, ""  # how the sentence goes on that says why nothing more can be had
    while not end:
        piece = b""
        try:
            piece = stream.read(_PIECE_BYTES)
            if piece:
                parser.send(piece)
            else:
                end = "end"
                parser.close()
        except OSError as error:
            end = f"cannot be read ({error.strerror or error})"
        except ijson.JSONError:
            end = "is no JSON; it was left out" if piece else "is missing: the file breaks off there"
        silent = 0 if events else silent + len(piece)
        if silent > _LONGEST_TEXT:
            end = f"begins with a text of more than {_LONGEST_TEXT // 2**20} MB; it was left out"
        for event, value in events:
            if builder.take(event, value):
                yield builder.element
        del events[:]
    if end != "end":
        yield UnreadElement(f"What follows chat {builder.number} {end}.")


class _ElementBuilder:
    """Puts the elements together from the events of the parser."""

    element: Json | UnreadElement = None
    number = 0
    """How many elements are complete."""

    def __init__(self, whole: Callable[[], bool]) -> None:
        self._asks_whole = whole
        self._whole = True
        self._filled: list[Json] = []
        """The containers that are being filled, the list first; fewer than `_depth` where nothing is kept."""
        self._depth = 0
        self._key = ""
        self._size = 0
        self._unfit = ""

    def take(self, event: str, value: Json) -> bool:
        """Take an event in; true where it completes an element."""
        self._size += _VALUE_BYTES + (len(value) if isinstance(value, str) else 0)
        if event == "map_key":
            self._key = str(value)
        elif event in ("start_map", "start_array"):
            self._begin({} if event == "start_map" else [])
        elif event in ("end_map", "end_array"):
            self._depth -= 1
            del self._filled[self._depth :]
            return self._depth == 1 and self._complete()
        elif self._depth > 1:
            self._keep(value)
        else:
            self.element = value
            return self._complete()
        return False

    def _begin(self, container: Json) -> None:
        if self._depth == 1:
            self.element, self._whole = container, self._asks_whole()
        elif self._depth > 1:
            self._keep(container)
        if len(self._filled) == self._depth and (self._whole or self._depth < 2):
            self._filled.append(container)
        self._depth += 1
        if self._depth > _DEEPEST:
            self._give_up("is nested too deeply")

    def _keep(self, value: Json) -> None:
        if self._size > _LARGEST:
            self._give_up(f"is larger than {_LARGEST // 2**20} MB")
        if len(self._filled) < self._depth:
            return
        container = self._filled[-1]
        if isinstance(container, dict):
            container[self._key] = value
        elif isinstance(container, list):
            container.append(value)

    def _give_up(self, why: str) -> None:
        self._unfit, self.element = why, None
        del self._filled[1:]

    def _complete(self) -> bool:
        self.number += 1
        if self._unfit:
            self.element = UnreadElement(f"Chat {self.number} {self._unfit}; it was left out.")
        self._unfit, self._size = "", 0
        return True
