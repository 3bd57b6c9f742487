"""The text of a block that is still being written, read on from where nothing can change any more.

Such a place is a space (or an ideograph, where no spaces are) with ordinary characters around it, before
which every sign has found its partner: no star, bracket or backtick of what stands there waits for another.
What was read up to there stays; a long paragraph then costs a few words a frame, and comes to the same runs
as if it were read as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from partner_desktop.desktop.markup.grammar import is_east_asian
from partner_desktop.desktop.markup.inline import Definitions, as_it_is, read_inline
from partner_desktop.desktop.markup.parts import Run, Runs

#: As long as less than this is open, it is simply read again.
_LONG = 200
#: The end is left open: a word, or an address, may go on.
_END = 60
#: What may stand next to such a place.
_ORDINARY = re.compile(r"[^\W_]|[,.;:?，。；：？、]")
#: Signs that could still mean something. Stars between spaces and strokes inside of words never do.
_WAITING = re.compile(r"(?<!\s)\*|\*(?!\s)|(?<![^\W_])_|_(?![^\W_])|~~|[`\[<&\\]")


class OpenText:
    """Reads the same growing text again and again; another text is simply read anew."""

    def __init__(self, *, long: int = _LONG, end: int = _END) -> None:
        self._long, self._end = long, end
        self._raw = ""
        self._runs: Runs = ()
        self._try_at = long
        self.read_again = 0
        """Characters that were read, in all: what tests watch."""

    def read(self, raw: str, definitions: Definitions) -> Runs:
        """The runs of the text as it is now."""
        if as_it_is(raw):
            return read_inline(raw, definitions)
        if not raw.startswith(self._raw):
            self.forget()
        self._advance(raw, definitions)
        return joined(self._runs, self._read(raw[len(self._raw) :], definitions))

    def forget(self) -> None:
        """Everything may read differently now."""
        self._raw, self._runs, self._try_at = "", (), self._long

    def _read(self, raw: str, definitions: Definitions) -> Runs:
        self.read_again += len(raw)
        return read_inline(raw, definitions)

    def _advance(self, raw: str, definitions: Definitions) -> None:
        """Go on to the last place that is safe, now and then."""
        rest = raw[len(self._raw) :]
        if len(rest) < self._try_at:
            return
        place = next(_places(rest, len(rest) - self._end), 0)
        runs = self._read(rest[:place], definitions) if place else ()
        if not place or any(_WAITING.search(run.text) for run in runs if not run.style.code):
            self._try_at = int(len(rest) * 1.5)
            return
        self._raw, self._runs, self._try_at = self._raw + rest[:place], joined(self._runs, runs), self._long


def joined(first: Runs, more: Runs) -> Runs:
    """Both, with what meets in one style as one run."""
    if first and more and first[-1].style == more[0].style:
        return (*first[:-1], Run(first[-1].text + more[0].text, more[0].style), *more[1:])
    return first + more


def _places(text: str, end: int) -> Iterator[int]:
    """Where a text could be cut before `end`, the last first."""
    for at in range(end, 1, -1):
        before, here, after = text[at - 1], text[at], text[at + 1]
        if not (_ORDINARY.match(before) and _ORDINARY.match(after)):
            continue
        if here == " " or (
            _ORDINARY.match(here) and _apart(before, here) and "://" not in text[at - 200 : at]
        ):
            yield at


def _apart(before: str, here: str) -> bool:
    return is_east_asian(before) and is_east_asian(here)
