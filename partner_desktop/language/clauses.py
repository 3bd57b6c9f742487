"""Joints: the words and marks at which a request may be made of several; and words that are not wanted, a no
in front of a word. Pure; the rules are `clauses.toml` of each language, and each reads a text in one pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from enum import StrEnum
from functools import cache

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.language.rule_table import rule_table
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
class ClausePiece:
    """A stretch of the text between two joints: `text[start:end]`."""

    start: int
    end: int
    kind: JointKind
    """The joint before it."""
    opens: bool = False
    """A sentence begins with it."""
    joint: str = ""
    """The joint's own words."""


#: Characters of a request; what is longer is a document and no list of wishes.
MOST_TEXT = 4_000
#: In this order they are looked for at a place.
_KINDS = tuple(map(JointKind, ["together", "first", "next", "before", "after", "stop", "loose"]))
#: Of two joints in a row, what says most.
_TELLING = tuple(map(JointKind, ["first", "together", "before", "after", "next", "stop", "loose"]))
_MARKS = " \t\n\r,.:;!，。；：！"


@cache
def clause_rule(rule: str, *, often: bool = False) -> re.Pattern[str]:
    """A rule of `clauses.toml`, in every language; `often`: as often as it can be in a row."""
    said = "|".join(rule_table("clauses", language)[rule].pattern for language in ("en", "zh"))
    return re.compile(f"(?:{said})*" if often else said, re.IGNORECASE)


@cache
def _joint() -> re.Pattern[str]:
    kinds = (f"(?P<{kind}>{clause_rule(kind).pattern})" for kind in _KINDS)
    return re.compile("|".join(kinds), re.IGNORECASE)


def has_joint(text: str) -> bool:
    """Whether a name could be taken for two."""
    return _joint().search(text) is not None


def pieces_of(text: str, names: Iterable[str] = ()) -> list[ClausePiece]:
    """The text cut at every joint; empty pieces are left out.

    No joint lies in an argument (a path, a quotation, an address) nor in one of `names`.
    """
    plain = veiled(text.replace("’", "'"), names)
    found: list[ClausePiece] = []
    position, joint = 0, ClausePiece(0, 0, JointKind.NEXT, opens=True)
    for match in _joint().finditer(plain):
        if _says_something(plain[position : match.start()]):
            found.append(replace(joint, start=position, end=match.start()))
            joint = ClausePiece(0, 0, JointKind.LOOSE)
        joint = _joined(joint, match, after=bool(found))
        position = match.end()
    if _says_something(plain[position:]):
        found.append(replace(joint, start=position, end=len(text)))
    return found


def bare(words: str) -> str:
    """A piece without the marks of a list and the joints that are left at its edges."""
    opening, last = clause_rule("lead", often=True).match(words), clause_rule("last")
    rest = (words[opening.end() :] if opening is not None else words).rstrip(_MARKS)
    while (word := last.search(rest[-20:])) is not None:
        rest = rest[: -len(word.group())].rstrip(_MARKS)
    return rest.strip()


def may_be_compound(text: str) -> bool:
    """Whether there is anything in the words that joins requests."""
    return len(text) <= MOST_TEXT and len(pieces_of(text)) > 1


def orders_beside(text: str) -> bool:
    """Whether words to keep may be followed by an order about a file: `note it is paid, then delete a.pdf`.

    What somebody means to do is kept whole.
    """
    first, *others = pieces_of(text) or [ClausePiece(0, 0, JointKind.NEXT)]
    return clause_rule("intending").search(text[: first.end]) is None and any(
        piece.kind is JointKind.NEXT
        and any(span.kind is SpanKind.PATH for span in find_spans(text[piece.start : piece.end]))
        for piece in others
    )


def begins_with_joint(text: str) -> bool:
    """Whether the words begin as those do that go on with what was said just before: `and then zip it`."""
    first = next(iter(pieces_of(text)), None) if len(text) <= MOST_TEXT else None
    return first is not None and any(character.isalpha() for character in first.joint)


#: What a name that begins with Chinese has behind that: what stands before may be no part of it.
_LATIN_END = re.compile(r"[^\u3400-\u9fff]*$")


def veiled(text: str, names: Iterable[str] = (), *, folders: bool = True) -> str:
    """The text with arguments and names as underscores, every other character where it was.

    Without `folders`, those that everybody has stay as they were named (`my downloads`).
    """
    plain = text
    for name in names:
        pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
        plain = pattern.sub(lambda match: "_" * len(match.group()), plain)
    for span in find_spans(text):
        said = text[span.start : span.end]
        named = not folders and span.folder and re.search(r"[/~.\\]", said) is None
        if named or span.kind is SpanKind.NUMBER or (not folders and span.kind is SpanKind.MOMENT):
            continue
        start = span.start + (len(_LATIN_END.sub("", said)) if span.kind is SpanKind.PATH else 0)
        plain = f"{plain[:start]}{'_' * (span.end - start)}{plain[span.end :]}"
    return plain


def _joined(before: ClausePiece, match: re.Match[str], *, after: bool) -> ClausePiece:
    """The joint that two in a row make; at the beginning of the text everything opens."""
    kind = JointKind(match.lastgroup or "loose")
    opens = before.opens or kind is JointKind.STOP or not after
    told = min(before.kind, kind, key=_TELLING.index) if after else kind
    return ClausePiece(0, 0, told, opens=opens, joint=f"{before.joint} {match.group()}".strip())


def _says_something(words: str) -> bool:
    return any(character.isalpha() or character == "_" for character in words)


#: Characters before a word in which they belong to it.
_SHORTLY = 40


def is_negative(words: str) -> bool:
    """Whether the words tell only what is not wanted."""
    return clause_rule("negative").match(words) is not None


def is_negated(text: str, position: int) -> bool:
    """Whether a no stands shortly before, in the same clause."""
    before = re.split(r"[,.;:!?，。；]|\bbut\b|\band\b", text[max(0, position - _SHORTLY) : position])[-1]
    return bool(clause_rule("negation").search(before))
