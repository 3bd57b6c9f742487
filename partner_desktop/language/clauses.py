"""Joints: the words and marks at which a request may be made of several; what a request makes depend on
something; and what a message says not to do. Pure; the patterns are made when they are first needed, and
each reads a text in one pass.

Conditions (`if there are any`): nothing here can keep one, so it is found so that it is never dropped
without a word.

Negation: a message that says what not to do, words that are not wanted, a no in front of a word. For a
message that is declined nothing is chosen, however well its words fit. Only the verb that leads counts:
`tidy my downloads but don't touch the PDFs` asks for something, and so do `why don't you …`, `don't I have
…?` and `don't forget to …`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache

from partner_desktop.base.patterns import late
from partner_desktop.language.pasted_code import is_script, parted
from partner_desktop.language.spans import SpanKind, blank, find_spans


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


def _joined(before: ClausePiece, match: re.Match[str], *, after: bool) -> ClausePiece:
    """The joint that two in a row make; at the beginning of the text everything opens."""
    kind = JointKind((match.lastgroup or "loose").removesuffix("_zh"))
    opens = before.opens or kind is JointKind.STOP or not after
    told = min(before.kind, kind, key=_TELLING.index) if after else kind
    return ClausePiece(0, 0, told, opens=opens, joint=f"{before.joint} {match.group()}".strip())


def _says_something(words: str) -> bool:
    return any(character.isalpha() or character == "_" for character in words)


#: A longer text is a document.
_LONGEST = 2_000
#: `see if it rains` asks, and `even if` takes back.
_ASKED = (
    r"(?<!see )(?<!check )(?<!know )(?<!me )(?<!us )(?<!out )(?<!ask )(?<!wonder )(?<!test )(?<!sure )"
    r"(?<!even )(?<!what )(?<!as )(?<!verify )(?<!look )(?<!show )(?<!tell )"
)
_CLAUSE = late(
    rf"\b(?:only )?{_ASKED}(?:if|unless|in case|provided(?: that)?|only when|whenever|as soon as|every time)"
    r"\b(?=\s+\w)(?:(?!,\s|;|\bthen\b|[.!?](?:\s|$)|\n).)+"
    r"|(?:如果|要是|假如|除非|一旦|每当)(?:(?![，,。；！？\n]|就|那么).)+",
    re.IGNORECASE,
)
_CONDITION = late(
    r"\b(?:if|unless|whenever|in case|as soon as|every time|provided|only when)\b"
    r"|\bwhen (?!you're|you are)\w"
    r"|如果|要是|假如|除非|一旦|每次|每当|的话",
    re.IGNORECASE,
)
#: They look like conditions, and nothing hangs on them.
_COURTESY = late(
    r"\bif (?:you (?:don'?t|do not|wouldn'?t) mind|you (?:can|could|would|will|like|please"
    r"|want|wish|have time)"
    r"|(?:at all )?possible|(?:it'?s|it is) (?:ok(?:ay)?|possible"
    r"|not too much(?: trouble)?)(?: with you)?)\b"
    r"|(?:如果|要是)?(?:可以|方便|不麻烦|能行|有空)的话|如果(?:可以|方便|不麻烦)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Conditional:
    """A request that hangs on something."""

    before: str
    """What is asked for in any case."""
    clause: str
    """The condition alone."""
    stretch: str
    """The condition with all that hangs on it."""


def conditional(text: str) -> Conditional | None:
    """The first condition of a request; `None`: nothing of it depends on anything."""
    if len(text) > _LONGEST or is_script(text) or parted(text).code:
        return None
    plain = without_courtesy(veiled(text.replace("’", "'")))
    clause = _CLAUSE.search(plain)
    if clause is None:
        return None
    first = next((piece for piece in pieces_of(text) if is_conditional(plain[piece.start : piece.end])), None)
    start = min(first.start, clause.start()) if first is not None else clause.start()
    return Conditional(bare(text[:start]), bare(text[clause.start() : clause.end()]), bare(text[start:]))


def is_conditional(words: str) -> bool:
    """Whether something of the words depends on what is not known yet."""
    return _CONDITION.search(without_courtesy(words.replace("’", "'"))) is not None


def without_courtesy(words: str) -> str:
    """With blanks for what looks like a condition and is none: every character stays where it was."""
    return _COURTESY.sub(lambda match: " " * len(match.group()), words)


#: One piece at a time, each of which can be read in one way only.
_POLITE = (
    r"(?:(?:hey|hi|hello|ok|okay|so|now|no|oh|well|and|but|please|pls|kindly|partner)\b"
    r"|请|拜托|麻烦|那就|那|先|千万|现在|你|您|我|[,.!:，\s])*"
)
_REFUSES = (
    r"(?:you (?:really |absolutely )?(?:must|should|may|can) ?(?:not|n't)|you (?:must|should|need)n't"
    r"|(?:there(?: is|'s) )?no need (?:to|for you to)"
    r"|(?:you|i) (?:don'?t|do not) (?:need|have|want)(?: you)? to"
    r"|(?:can|could|would|will) you (?:please )?not|let'?s not|better not|rather not|refrain from"
    r"|don'?t|do not|never)\b"
)
#: Behind `don't`: somebody, and it is a question; or a verb that turns it into a wish.
_ASKS = (
    r"(?:i|you|we|they|he|she|it|the|these|those|this|that|my|our|your|any|some|all|there|just|only"
    r"|forget|hesitate|fail|stop|miss|mind)\b"
)
_DECLINED = late(rf"{_POLITE}{_REFUSES}(?!\s{{1,3}}(?:ever\s|you dare\s)?{_ASKS})", re.IGNORECASE)
_DECLINED_ZH = late(
    rf"{_POLITE}(?:不要|不用|不必|不许|不得|不需要|不想让?|没必要|无需|请勿|勿|甭|别)(?![的忘名人处停])"
)
#: Characters in which it is looked for, behind the paths and quotations that a message may begin with.
_BEGINNING = 120

#: What is not wanted names no value to take.
_NEGATIVE = late(r"\s*(?:not|no|never|except|without|don'?t|nothing)\b|\s*(?:不|别|除了|没)", re.IGNORECASE)
#: In front of a word or shortly before it, they turn it around.
_NEGATION = re.compile(
    r"\b(?:no|non|not|don'?t|do not|without|exclud\w*|skip\w*|ignor\w*|never|leave out|omit\w*|disabl\w*)\b"
    r"|不|除了|没有",
    re.IGNORECASE,
)
#: Characters before a word in which they belong to it.
_SHORTLY = 40


def is_declined(text: str) -> bool:
    """Whether the message only tells not to do something."""
    spans = find_spans(text)
    said = " ".join(blank(text, spans).replace("’", "'").split())[:_BEGINNING].lstrip(" ,:;，：；!")
    return bool(_DECLINED.match(said) or _DECLINED_ZH.match(said))


def is_negative(words: str) -> bool:
    """Whether the words tell only what is not wanted."""
    return _NEGATIVE.match(words) is not None


def is_negated(text: str, position: int) -> bool:
    """Whether a no stands shortly before, in the same clause."""
    before = re.split(r"[,.;:!?，。；]|\bbut\b|\band\b", text[max(0, position - _SHORTLY) : position])[-1]
    return bool(_NEGATION.search(before))
