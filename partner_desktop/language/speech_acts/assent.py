"""What a reply to something that waits is made of: yes, no, doubt, and what is left of its words. Pure.

The words are `resources/language/{en,zh}/assent.toml`. They are read as a bag: `oh yes please, go ahead lol`
is a yes as `yes` is one. Careful: a word that is in no list is left, and what is left says something.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import cache, lru_cache

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.domain.intervention import Confirmation
from partner_desktop.language.rule_table import Language, rule_table, rule_tables
from partner_desktop.language.terms import has_cjk


class Says(StrEnum):
    """What a piece of a reply says of what waits; named as the rules of the table."""

    UNSURE = "unsure"
    HALT = "halt"
    NO = "no"
    DOUBT = "doubt"
    YES = "yes"
    ACK = "ack"
    """A yes that may as well only take note."""
    AGREED = "agreed"
    """A yes to what was said last, and to nothing else."""
    PRAISE = "praise"
    """Alone it is none."""
    MUSING = "musing"
    """Nothing, beside anything else; alone a hesitation."""
    FILLER = "filler"
    AROUND = "around"
    """Nothing, beside a word for a deed."""
    LEFT = "left"
    """It is none of these."""


@dataclass(frozen=True)
class SaidPiece:
    """A part of a text, `text[start:end]`."""

    says: Says
    start: int
    end: int


#: A longer reply says more than yes and no.
_LONGEST = 80
#: A tilde or dots that begin a path are none.
_MARKS = late(r"(?:[\s,!;:…\-—，。！；：、～()（）\ufe0f\U0001f3fb-\U0001f3ff]|[.~](?!\.?/))+")
_APOSTROPHES = late("[’‘`´]")
_WORD = late(r"(?:(?![\u3400-\u9fff])[\w'./~-])+|.", re.DOTALL)
_YES = frozenset({Says.YES, Says.ACK, Says.AGREED})
_FIRM = frozenset({Says.YES, Says.ACK})
#: What no yes stands beside.
AGAINST = frozenset({Says.NO, Says.DOUBT, Says.HALT, Says.UNSURE})
_EMPTY = frozenset({Says.FILLER, Says.MUSING, Says.AROUND})
#: What a reply says besides.
_NAMING = frozenset({Says.LEFT, Says.AROUND})
_CLAUSES = late(r"[,，;；。!！?？、…\n]+(?!\d)|\.+(?=\s|$)|(?<=[\u4e00-\u9fff])\s+")
#: Words, or characters, that a deed is named by.
_LONGEST_DEED, _LONGEST_DEED_ZH = 2, 2


@cache
def _patterns(language: Language) -> tuple[tuple[Says, re.Pattern[str]], ...]:
    """What each kind of piece may be; a blank in it is any, and a word of letters is a whole one."""
    table, found = rule_table("assent", language), []
    for says in Says:
        for each in () if says is Says.LEFT else table.each(says.value):
            plain = each.pattern.replace(" ?", r"\s*").replace(" ", r"\s+")
            ended = plain if language == "zh" else rf"(?:{plain})(?!\w)"
            found.append((says, re.compile(ended, re.IGNORECASE)))
    return tuple(found)


@lru_cache(maxsize=256)
def said_pieces(text: str) -> tuple[SaidPiece, ...]:
    """All of a text in pieces, the longest that fits at each place; marks between them belong to none."""
    plain = _MARKS.sub(lambda marks: " " * len(marks.group()), _APOSTROPHES.sub("'", text))
    patterns = [each for language in _languages(text) for each in _patterns(language)]
    found: list[SaidPiece] = []
    position = 0
    while position < len(plain):
        if plain[position] == " ":
            position += 1
            continue
        end, says = _longest(plain, position, patterns)
        found.append(SaidPiece(says, position, end))
        position = end
    return tuple(found)


def _languages(text: str) -> tuple[Language, ...]:
    return ("zh", "en") if has_cjk(text) else ("en",)


def _longest(plain: str, start: int, patterns: Sequence[tuple[Says, re.Pattern[str]]]) -> tuple[int, Says]:
    ends = [
        (match.end(), -order, says)
        for order, (says, pattern) in enumerate(patterns)
        if (match := pattern.match(plain, start)) is not None and match.end() > start
    ]
    if ends:
        end, _, says = max(ends)
        return end, says
    word = _WORD.match(plain, start)
    return (word.end() if word is not None else start + 1), Says.LEFT


def judge(text: str) -> Confirmation:
    """CONFIRM or REJECT only when the whole message is an assent or a refusal.

    UNCLEAR where it is about what waits and neither. What stands in quotes is nobody's yes.
    """
    if len(text) > _LONGEST:
        return Confirmation.OTHER
    said = [piece.says for piece in said_pieces(text)]
    return Confirmation.OTHER if {Says.LEFT, Says.AROUND} & {*said} else sense(said)


def is_firm(text: str) -> bool:
    """Whether it says yes to whatever waits, and does not merely agree to what was said last."""
    return any(piece.says in _FIRM for piece in said_pieces(text))


def takes_note(text: str) -> bool:
    """Whether it is a yes that may only say that something was heard: `ok`."""
    return all(piece.says is not Says.YES for piece in said_pieces(text))


def halts(text: str) -> bool:
    """Whether it holds on: `no wait`. A bare yes to follow may be to anything."""
    return any(piece.says is Says.HALT for piece in said_pieces(text))


def speaks_against(text: str) -> bool:
    """Whether a piece of it is one that no yes stands beside."""
    return any(piece.says in AGAINST for piece in said_pieces(text))


def is_bare(text: str) -> bool:
    """Whether it is one word of consent: `yes`, `ok then`."""
    return sum(piece.says not in _EMPTY for piece in said_pieces(text)) == 1


def sense(kinds: Sequence[Says]) -> Confirmation:
    """What pieces come to together; OTHER: nothing of the kind."""
    said = [says for says in kinds if says not in _EMPTY and says is not Says.LEFT]
    if not said:
        return Confirmation.UNCLEAR if Says.MUSING in kinds else Confirmation.OTHER
    if Says.UNSURE in said:
        return Confirmation.UNCLEAR
    if Says.NO in said:
        last = len(said) - said[::-1].index(Says.NO)
        before, after = said[: said.index(Says.NO)], said[last:]
        if Says.HALT in after:
            return Confirmation.CONFIRM if after[-1] is Says.YES else Confirmation.UNCLEAR
        twofold = Says.YES in before or not _YES.isdisjoint(after)
        return Confirmation.UNCLEAR if twofold else Confirmation.REJECT
    if Says.DOUBT in said or (Says.HALT in said and said[-1] is not Says.YES):
        return Confirmation.UNCLEAR
    return Confirmation.UNCLEAR if _YES.isdisjoint(said) else Confirmation.CONFIRM


def lead(text: str) -> tuple[Confirmation | None, str]:
    """The yes or no that words begin with, and what is left of them; `None`: they begin with neither."""
    found = said_pieces(text)
    count = _run(found)
    rest = text[found[count].start :] if count < len(found) else ""
    return _sense_of(found[:count], rest, text), rest.strip()


def tail(text: str) -> tuple[Confirmation | None, str]:
    """The yes or no that words end with, and what stands before it."""
    found = said_pieces(text)
    count = len(found) - _run(found[::-1])
    rest = text[: found[count - 1].end] if count else ""
    return _sense_of(found[count:], rest, text), rest.strip()


def _run(found: Sequence[SaidPiece]) -> int:
    """How many pieces come before the first that is more than a part of a reply."""
    return next((at for at, piece in enumerate(found) if piece.says in _NAMING), len(found))


def _sense_of(run: Sequence[SaidPiece], rest: str, text: str) -> Confirmation | None:
    """Beside other words only what is firm says yes: `good photos` does not, nor does `好照片`."""
    kinds = [piece.says for piece in run]
    kind = sense(kinds)
    joined = bool(run) and has_cjk(text) and run[-1].end - run[0].start == 1
    glued = joined and not _MARKS.search(text[max(run[0].start - 1, 0) : run[-1].end + 1])
    weak = rest and (glued or {*kinds} - _EMPTY <= {Says.AGREED, Says.PRAISE})
    return None if weak or kind is Confirmation.OTHER else kind


def no_at_the_beginning(text: str) -> str | None:
    """What follows the no that words begin with, behind what says nothing; `None`: they begin with none."""
    found = said_pieces(text)
    count = _run(found)
    kinds = [piece.says for piece in found[:count]]
    if Says.NO not in kinds or Says.YES in kinds or Says.UNSURE in kinds:
        return None
    return text[found[count].start :].strip() if count < len(found) else ""


def clauses_of(text: str) -> list[str]:
    """Its clauses, without the marks between."""
    return [clause.strip() for clause in _CLAUSES.split(text) if clause.strip()]


def is_refused(text: str) -> bool:
    """Whether a clause of it is a refusal, and none a yes: `my son may want it. Leave it be.`"""
    kinds = {judge(clause) for clause in clauses_of(text)}
    return Confirmation.REJECT in kinds and Confirmation.CONFIRM not in kinds


def left_of(text: str) -> str:
    """What it says besides; empty: nothing. Marks between stay, so that clauses do."""
    said = [piece for piece in said_pieces(text) if piece.says in _NAMING]
    return text[said[0].start : said[-1].end] if said else ""


def without_words(words: str, rule: str) -> str:
    """Words without what a rule of the table says at their beginning."""
    begun = (table[rule].match(words) for table in rule_tables("assent", words))
    return words[max((match.end() for match in begun if match is not None), default=0) :].strip()


def deed_of(text: str) -> str:
    """The few words beside a reply that may name a deed: `delete` of `go on, delete it`; empty: none do."""
    words = [text[piece.start : piece.end] for piece in said_pieces(text) if piece.says is Says.LEFT]
    joined = "".join(words) if has_cjk(text) else " ".join(words)
    return joined if len(words) <= (_LONGEST_DEED_ZH if has_cjk(text) else _LONGEST_DEED) else ""
