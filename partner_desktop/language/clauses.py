"""Joints: the words and marks at which a request may be made of several. Pure; the patterns are made when
they are first needed, and each reads a text in one pass."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache

from partner_desktop.language.spans import SpanKind, find_spans


class JointKind(StrEnum):
    """How what follows goes on from what stands before."""

    NEXT = "next"
    """`then`, `after that`, `然后`."""
    STOP = "stop"
    """The end of a sentence or of a line, the number of a list."""
    LOOSE = "loose"
    """`and`, a comma: it joins words as well as clauses."""
    TOGETHER = "together"
    """`at the same time`, `同时`."""
    BEFORE = "before"
    """`before you zip it`: what follows is done later."""
    AFTER = "after"
    """`after you have zipped it`: what follows is done earlier."""
    FIRST = "first"
    """`but first`, `before that`, `之前先`: what follows is done before what was said."""


@dataclass(frozen=True)
class Piece:
    """A stretch of the text between two joints: `text[start:end]`."""

    start: int
    end: int
    kind: JointKind
    """The joint before it."""
    opens: bool = False
    """A sentence begins with it."""
    joint: str = ""
    """The joint's own words."""


_ENGLISH = r"""
(?P<together>\b(?:and\s)?(?:at\sthe\ssame\stime|simultaneously|in\sparallel|meanwhile)\b|\bwhile\s(?:you|you're)\b)
|(?P<first>\bbut\s(?:please\s)?first\b|\b(?:and\s|but\s)?before\s(?:that|this|doing\sso)\b)
|(?P<next>
  \b(?:and\s|but\s)?(?:after\s(?:that|this)|afterwards?|thereafter|subsequently|when\s(?:you're|you\sare)\sdone
    |(?:once|when)\s(?:that|this|it)(?:'s|\sis)\s(?:done|finished|ready))\b
  |(?<!back\s)(?<!since\s)(?<!by\s)(?<!until\s)(?<!till\s)(?<!from\s)(?<!even\s)(?<!and\s)\bthen\b
  |\band\s(?:then|than|next|finally|lastly)\b|(?<=[,.;\n]\s)(?:next|finally|lastly)\b|\bfollowed\sby\b|;)
|(?P<before>\bbefore(?:\syou)?\b)
|(?P<after>\b(?:after|once)(?:\syou(?:'ve|\shave)?)?\b)
|(?P<stop>(?<!\S)\(?[0-9]{1,2}[.)](?=\s)|[.!?](?=\s|$)|\n)
|(?P<loose>\b(?:and|but|plus)\b|(?<=\s)&(?=\s)|,(?=\s)|(?<=\s)(?=without\s\w{2,20}ing\b))
"""
_CHINESE = r"""
|(?P<together_zh>与此同时|的?同时)
|(?P<first_zh>(?:但是?|不过)(?:请|要)?先|(?:在?[这此那])?之前[，,]?\s?先?)
|(?P<next_zh>然后再?|接着再?|接下来|随后|[之以]后[，,]?\s?再?|(?<=[完好了])后[，,]?\s?再?
  |(?<=[，,。；;\s])最后|(?<![一不别])再(?![见次三度也说者现生来])|；)
|(?P<stop_zh>[。！？])
|(?P<loose_zh>，|并且|(?<!合)并(?![发列排行存非不没])|顺便|而且|另外|还要|但是?|不过)
"""
#: Of two joints in a row, what says most.
_TELLING = (
    JointKind.FIRST, JointKind.TOGETHER, JointKind.BEFORE, JointKind.AFTER, JointKind.NEXT, JointKind.STOP,
    JointKind.LOOSE,
)  # fmt: skip
_LIST_MARK = (
    r"(?:[-*•·]|\(?[0-9]{1,2}[.)、]|step\s[0-9]{1,2}[:.,]?"
    r"|第[一二三四五六七八九十]步[:：,，]?|[一二三四五六七八九十]、)\s*"
)
_LEAD = (
    rf"(?:[\s,.:;!，。；：！]+|{_LIST_MARK}"
    r"|(?:and|but|also|first(?:ly| of all)?|second(?:ly)?|third(?:ly)?|finally|lastly|next|then)"
    r"(?:\s*,|\s)\s*"
    r"|首先|其次|最后|然后|先|再|请?在(?=[^\s]{1,20}$)|也|并)*"
)
_LAST_WORD = r"\s(?:and|but|first|afterwards|at the same time|simultaneously|in parallel)$"
_MARKS = " \t\n\r,.:;!，。；：！"


@cache
def _joint() -> re.Pattern[str]:
    return re.compile(_ENGLISH + _CHINESE, re.IGNORECASE | re.VERBOSE)


@cache
def _edges() -> tuple[re.Pattern[str], re.Pattern[str]]:
    return re.compile(_LEAD, re.IGNORECASE), re.compile(_LAST_WORD, re.IGNORECASE)


def has_joint(text: str) -> bool:
    """Whether a name could be taken for two."""
    return _joint().search(text) is not None


def pieces_of(text: str, names: Iterable[str] = ()) -> list[Piece]:
    """The text cut at every joint; empty pieces are left out.

    No joint lies in an argument (a path, a quotation, an address) nor in one of `names`.
    """
    plain = veiled(text.replace("’", "'"), names)
    found: list[Piece] = []
    position, joint = 0, Piece(0, 0, JointKind.NEXT, opens=True)
    for match in _joint().finditer(plain):
        if _says_something(plain[position : match.start()]):
            found.append(replace(joint, start=position, end=match.start()))
            joint = Piece(0, 0, JointKind.LOOSE)
        joint = _joined(joint, match, after=bool(found))
        position = match.end()
    if _says_something(plain[position:]):
        found.append(replace(joint, start=position, end=len(text)))
    return found


def bare(words: str) -> str:
    """A piece without the marks of a list and the joints that are left at its edges."""
    lead, last = _edges()
    opening = lead.match(words)
    rest = (words[opening.end() :] if opening is not None else words).rstrip(_MARKS)
    while (word := last.search(rest[-20:])) is not None:
        rest = rest[: -len(word.group())].rstrip(_MARKS)
    return rest.strip()


def veiled(text: str, names: Iterable[str] = ()) -> str:
    """The text with arguments and names as underscores, every other character where it was."""
    for span in find_spans(text):
        if span.kind is not SpanKind.NUMBER:
            text = f"{text[: span.start]}{'_' * (span.end - span.start)}{text[span.end :]}"
    for name in names:
        pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
        text = pattern.sub(lambda match: "_" * len(match.group()), text)
    return text


def _joined(before: Piece, match: re.Match[str], *, after: bool) -> Piece:
    """The joint that two in a row make; at the beginning of the text everything opens."""
    kind = JointKind((match.lastgroup or "loose").removesuffix("_zh"))
    opens = before.opens or kind is JointKind.STOP or not after
    told = min(before.kind, kind, key=_TELLING.index) if after else kind
    return Piece(0, 0, told, opens=opens, joint=f"{before.joint} {match.group()}".strip())


def _says_something(words: str) -> bool:
    return any(character.isalpha() or character == "_" for character in words)
