"""Patterns that are compiled when they are first used.

Hundreds of them stand at the top of modules, and a start that compiled them all would spend a seventh of its
time on what most runs never ask for.
"""

from __future__ import annotations

import re
from typing import cast


class _LatePattern:
    """Stands for a pattern; keeps what was asked of the compiled one, so that it is asked for once."""

    def __init__(self, text: str, flags: int) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        # Only what is not there yet comes here; `re` itself keeps the pattern for the next methods.
        found: object = getattr(re.compile(self._text, self._flags), name)
        setattr(self, name, found)
        return found


def late(text: str, flags: int = 0) -> re.Pattern[str]:
    """Like `re.compile`, but a pattern that is wrong is noticed at its first use.

    Ask it by its methods: the functions of `re` take none but their own, and a match's `re` is not this one.
    """
    return cast("re.Pattern[str]", _LatePattern(text, flags))
