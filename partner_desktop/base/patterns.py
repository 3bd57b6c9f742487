"""Patterns that are compiled when they are first needed.

Hundreds of them stand at the top of modules and in tables, and most texts have none of the words that a
pattern is about. What such a text is asked is answered without it, so that a pattern is never compiled until
somebody speaks of what it reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from typing import Any, cast

from partner_desktop.base.pattern_words import needed_words

#: Letters of other scripts that patterns take for `i`, `s` and `k` where large and small ones are alike.
_FOLDED = str.maketrans("İıſ\N{KELVIN SIGN}", "iisk")
_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "split")


#: Letters up to which a text is kept as it was lowered: hundreds of patterns are asked of the same one.
_SHORT = 500


@lru_cache(maxsize=256)
def lowered(text: str) -> str:
    """A text in small letters, alike where `re.IGNORECASE` takes them for one another: `İ` is an `i`."""
    return text.lower() if text.isascii() else text.translate(_FOLDED).lower()


class _LatePattern:
    """Stands for a pattern, and hands on to the compiled one from its first text on that it might fit."""

    def __init__(self, text: str, flags: int) -> None:
        self.pattern = text
        self._given_flags = flags

    def __getattr__(self, name: str) -> object:
        # Only what is not there yet comes here.
        found: object = getattr(self._compiled, name)
        setattr(self, name, found)
        return found

    def search(self, text: str, *bounds: int) -> re.Match[str] | None:
        return self._compiled.search(text, *bounds) if self._may_fit(text) else None

    def match(self, text: str, *bounds: int) -> re.Match[str] | None:
        return self._compiled.match(text, *bounds) if self._may_fit(text) else None

    def fullmatch(self, text: str, *bounds: int) -> re.Match[str] | None:
        return self._compiled.fullmatch(text, *bounds) if self._may_fit(text) else None

    def finditer(self, text: str, *bounds: int) -> Iterator[re.Match[str]]:
        return self._compiled.finditer(text, *bounds) if self._may_fit(text) else iter(())

    def findall(self, text: str, *bounds: int) -> list[Any]:  # Any: as `re` has it
        return self._compiled.findall(text, *bounds) if self._may_fit(text) else []

    def sub(self, by: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        return self._compiled.sub(by, text, count) if self._may_fit(text) else text

    def split(self, text: str, maxsplit: int = 0) -> list[str | Any]:  # Any: as `re` has it
        return self._compiled.split(text, maxsplit) if self._may_fit(text) else [text]

    def _may_fit(self, text: str) -> bool:
        words = self._words
        if not words:
            return True
        small = lowered(text) if len(text) <= _SHORT else lowered.__wrapped__(text)
        for word in words:  # noqa: SIM110 - a generator takes twice as long, and this is asked a thousand times a turn
            if word in small:
                return True
        return False

    @cached_property
    def _words(self) -> frozenset[str]:
        return needed_words(self.pattern)

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        made = re.compile(self.pattern, self._given_flags)
        for name in ("match", "fullmatch"):
            setattr(self, name, getattr(made, name))
        return made


def late(text: str, flags: int = 0) -> re.Pattern[str]:
    """Like `re.compile`, but a pattern that is wrong is noticed when it is first needed.

    Ask it by its methods: the functions of `re` take none but their own, and a match's `re` is not this one.
    """
    return cast("re.Pattern[str]", _LatePattern(text, flags))
