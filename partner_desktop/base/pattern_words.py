"""What a text must have for a pattern to fit anywhere in it, told from the pattern without compiling it."""

from __future__ import annotations

import re

from partner_desktop.base.late_dataclass import dataclass

#: More words than this are slower to look for than the pattern is.
_MOST = 400

_TOKEN = re.compile(
    r"(?P<escape>\\(?:x..|u....|U.{8}|N\{[^}]*\}|.))"
    r"|(?P<set>\[\^?\]?(?:[^\]\\]|\\.)*\])"
    r"|(?P<open>\((?:\?(?:P?<\w+>|P=\w+|<?[=!]|>|[a-zA-Z-]*:|[a-zA-Z]+(?=\))|.))?)"
    r"|(?P<close>\))|(?P<or>\|)|(?P<often>(?:[*+?]|\{\d*,?\d*\})[?+]?)"
    r"|(?P<letters>[^\\\[(){|.^$*+?]+)|(?P<other>.)",
    re.DOTALL,
)
#: Groups that hold what a text need not have, or that are not read here.
_ASIDE = ("(?=", "(?!", "(?<=", "(?<!")
_UNREAD = re.compile(r"\(\?(?:[a-zA-Z-]*x|[(#])")


@dataclass(frozen=True)
class _Words:
    """One of these is needed; none: nothing is known.

    Long ones tell more than short ones, few more than many.
    """

    each: frozenset[str] = frozenset()
    shortest: int = 0

    def tells_more_than(self, other: _Words) -> bool:
        if self.shortest != other.shortest:
            return self.shortest > other.shortest
        return len(self.each) < len(other.each)


_NOTHING = _Words()


class _Group:
    """What was read of one group: the words of its finished branches, and the branch that is read."""

    def __init__(self, opened: str = "") -> None:
        self._opened = opened
        self._branches: list[_Words] = []
        self._best = _NOTHING
        self._last = _NOTHING
        """Of the group that was read just now: how often it stands there is not known yet."""
        self._letters = ""

    def add(self, letters: str) -> None:
        self._take(self._last)
        self._last = _NOTHING
        self._letters += letters

    def add_group(self, words: _Words) -> None:
        self.end_letters()
        self._last = words

    def end_letters(self) -> None:
        self.add("")
        if told := len(self._letters.strip()):
            self._take(_Words(frozenset({self._letters}), told))
        self._letters = ""

    def repeat(self, *, needed: bool) -> None:
        """What was read just now stands there often; not at all, where it is not `needed`."""
        if not needed:
            self._last, self._letters = _NOTHING, self._letters[:-1]
        self.end_letters()

    def end_branch(self) -> None:
        self.end_letters()
        self._branches.append(self._best)
        self._best = _NOTHING

    def needed(self) -> _Words:
        self.end_branch()
        shortest = min(branch.shortest for branch in self._branches)
        if not shortest or self._opened.startswith(_ASIDE):
            return _NOTHING
        words = frozenset[str]().union(*(branch.each for branch in self._branches))
        return _Words(words, shortest) if len(words) <= _MOST else _NOTHING

    def _take(self, words: _Words) -> None:
        if words.shortest and words.tells_more_than(self._best):
            self._best = words


def needed_words(pattern: str) -> frozenset[str]:
    """Pieces in small letters of which every text that the pattern fits has one; empty: nothing is known."""
    if _UNREAD.search(pattern):
        return frozenset()
    groups = [_Group()]
    for token in _TOKEN.finditer(pattern):
        group, kind, text = groups[-1], token.lastgroup, token[0]
        if kind == "letters" and text.isascii():
            group.add(text.lower())
        elif kind == "letters":
            _add_other_letters(group, text)
        elif kind == "escape" and len(text) == 2 and not text[1].isalnum():
            group.add(text[1])
        elif kind == "often":
            group.repeat(needed=text[0] == "+" or (text[0] == "{" and text[1] not in "0,"))
        elif kind == "or":
            group.end_branch()
        elif kind == "open":
            groups.append(_Group(text))
        elif kind == "close" and len(groups) > 1:
            groups.pop()
            groups[-1].add_group(group.needed())
        else:
            group.end_letters()
    return groups[0].needed().each if len(groups) == 1 else frozenset()


def _add_other_letters(group: _Group, letters: str) -> None:
    """Those of English, and such as are neither large nor small; `é` may be written in more ways than one."""
    for one in letters:
        if one.isascii() or one.lower() == one.upper():
            group.add(one.lower())
        else:
            group.end_letters()
