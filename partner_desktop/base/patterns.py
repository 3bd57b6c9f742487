"""Patterns that are compiled when they are first needed.

Hundreds of them stand at the top of modules and in tables, and most texts have none of the words that a
pattern is about. What such a text is asked is answered without it, so that a pattern is never compiled until
somebody speaks of what it reads.

What a text must have for a pattern to fit anywhere in it is told from the pattern without compiling it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from typing import Any, TypeAlias, cast

#: Letters of other scripts that patterns take for `i`, `s` and `k` where large and small ones are alike.
_FOLDED = str.maketrans("İıſ\N{KELVIN SIGN}", "iisk")
_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "split")


#: Letters up to which a text is kept as it was lowered: hundreds of patterns are asked of the same one.
_SHORT = 500


@lru_cache(maxsize=256)
def lowered(text: str) -> str:
    """A text in small letters, alike where `re.IGNORECASE` takes them for one another: `İ` is an `i`."""
    return text.lower() if text.isascii() else text.translate(_FOLDED).lower()


#: Of a long one only the last: a dozen patterns of one table are asked of it, one after another.
_lowered_long = lru_cache(maxsize=4)(lowered.__wrapped__)


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
        small = lowered(text) if len(text) <= _SHORT else _lowered_long(text)
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


#: More words than this are slower to look for than the pattern is.
_MOST = 400

_TOKEN = re.compile(
    r"(?P<escape>\\(?:x..|u....|U.{8}|N\{[^}]*\}|.))"
    r"|(?P<set>\[\^?\]?(?:[^\]\\]|\\.)*\])"
    # A group of nothing but words, of which patterns are full, is read at once.
    r"|(?P<words>\((?:\?:|\?P<\w+>)?(?P<each>[a-z' \u3400-\u9fff]+(?:\|[a-z' \u3400-\u9fff]+)*)\))"
    r"|(?P<open>\((?:\?(?:P?<\w+>|P=\w+|<?[=!]|>|[a-zA-Z-]*:|[a-zA-Z]+(?=\))|.))?)"
    r"|(?P<close>\))|(?P<or>\|)|(?P<often>(?:[*+?]|\{\d*,?\d*\})[?+]?)"
    r"|(?P<letters>[^\\\[(){|.^$*+?]+)|(?P<other>.)",
    re.DOTALL,
)
#: Groups that hold what a text need not have, or that are not read here.
_ASIDE = ("(?=", "(?!", "(?<=", "(?<!")
_UNREAD = re.compile(r"\(\?(?:[a-zA-Z-]*x|[(#])")

#: One of these is needed, the shortest of so many letters; of none nothing is known.
_Words: TypeAlias = tuple[int, frozenset[str]]
_NOTHING: _Words = (0, frozenset())


class _Group:
    """What was read of one group: the words of its finished branches, and the branch that is read."""

    __slots__ = ("_best", "_branches", "_last", "_letters", "_opened")

    def __init__(self, opened: str = "") -> None:
        self._opened = opened
        self._branches: list[_Words] = []
        self._best = _NOTHING
        self._last = _NOTHING
        """Of the group that was read just now: how often it stands there is not known yet."""
        self._letters = ""

    def add(self, letters: str) -> None:
        if self._last[0]:
            self._take(self._last)
            self._last = _NOTHING
        self._letters += letters

    def add_group(self, words: _Words) -> None:
        self.end_letters()
        self._last = words

    def end_letters(self) -> None:
        self.add("")
        if told := len(self._letters.strip()):
            self._take((told, frozenset((self._letters,))))
        self._letters = ""

    def _take(self, words: _Words) -> None:
        """Long ones tell more than short ones, few more than many."""
        length, best = words[0], self._best[0]
        if length > best or (length == best and len(words[1]) < len(self._best[1])):
            self._best = words

    def drop_last(self) -> None:
        """What was read just now need not be there."""
        self._last, self._letters = _NOTHING, self._letters[:-1]

    def end_branch(self) -> None:
        self.end_letters()
        self._branches.append(self._best)
        self._best = _NOTHING

    def needed(self) -> _Words:
        self.end_branch()
        shortest = min(branch[0] for branch in self._branches)
        if not shortest or self._opened.startswith(_ASIDE):
            return _NOTHING
        words = frozenset[str]().union(*(branch[1] for branch in self._branches))
        return (shortest, words) if len(words) <= _MOST else _NOTHING


def needed_words(pattern: str) -> frozenset[str]:
    """Pieces in small letters of which every text that the pattern fits has one; empty: nothing is known."""
    if _UNREAD.search(pattern):
        return frozenset()
    groups = [_Group()]
    for token in _TOKEN.finditer(pattern):
        group, kind, text = groups[-1], token.lastgroup, token[0]
        if kind == "letters" and (text.isascii() or text.lower() == text.upper()):
            group.add(text.lower())
        elif kind == "letters":
            _add_other_letters(group, text)
        elif kind == "escape" and len(text) == 2 and not text[1].isalnum():
            group.add(text[1])
        elif kind == "often":
            if text[0] != "+" and (text[0] != "{" or text[1] in "0,"):
                group.drop_last()
            group.end_letters()
        elif kind == "words":
            group.add_group(_words(token["each"].split("|")))
        elif kind == "or":
            group.end_branch()
        elif kind == "open":
            groups.append(_Group(text))
        elif kind == "close" and len(groups) > 1:
            groups.pop()
            groups[-1].add_group(group.needed())
        else:
            group.end_letters()
    return groups[0].needed()[1] if len(groups) == 1 else frozenset()


def _add_other_letters(group: _Group, letters: str) -> None:
    """Those of English, and such as are neither large nor small; `é` may be written in more ways than one."""
    for one in letters:
        if one.isascii() or one.lower() == one.upper():
            group.add(one.lower())
        else:
            group.end_letters()


def _words(each: list[str]) -> _Words:
    shortest = min(len(word.strip()) for word in each)
    return (shortest, frozenset(each)) if shortest and len(each) <= _MOST else _NOTHING
