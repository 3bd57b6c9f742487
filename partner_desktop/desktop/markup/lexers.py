"""Pygments' lexers by the names that fences use, each made once.

Making one compiles its patterns, for up to a tenth of a second: a thread of its own does that. It touches
nothing but the lexer and ends with it.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Generator

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

_NAME = re.compile(r"[\w+#.-]{1,40}")

_known: dict[str, Lexer | None] = {"": None, "text": None}
_coming: set[str] = set()


def find_lexer(name: str) -> Generator[None, None, Lexer | None]:
    """A generator that pauses until the lexer is there and returns it; None when the name is unknown."""
    name = name.lower()
    if name not in _known and not _NAME.fullmatch(name):
        return None
    if name not in _known and name not in _coming:
        _coming.add(name)
        threading.Thread(target=_make, args=(name,), name=f"lexer {name}", daemon=True).start()
    while name not in _known:
        yield
    return _known[name]


def _make(name: str) -> None:
    lexer: Lexer | None = None
    try:
        lexer = get_lexer_by_name(name)
    except ClassNotFound:
        pass
    finally:
        # Whatever went wrong in a lexer's own making, code without colours is still code.
        _known[name] = lexer
