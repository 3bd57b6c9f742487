"""Intents: a request of several things, part by part. It is cut only where each part alone clearly chooses.

What chooses nothing belongs to the part before it, unless a plain `then` leads to it: that is asked for, and
nobody is to believe that it is done. What is only refused (`but don't zip it`) goes. A text
that is long, holds code, or merely tells of something is one part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from partner_desktop.base.patterns import late
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.clauses import (
    ClausePiece,
    JointKind,
    bare,
    has_joint,
    is_conditional,
    pieces_of,
)
from partner_desktop.language.pasted_code import is_script, parted
from partner_desktop.language.spans import SpanKind, find_spans
from partner_desktop.language.speech_acts.imperatives import asks, is_doing, is_told
from partner_desktop.language.terms import has_cjk, terms
from partner_desktop.mind.answerers import Ask
from partner_desktop.mind.question import EvaluateIntent, ExtractIntents, Intents
from partner_desktop.mind.starter.profile import analyse

#: Pieces looked at: with more, only what begins a sentence or says `then` counts; with still more, nothing.
#: How many steps are done in one go is not for words to say.
_MOST_PIECES, _MOST_STRONG = 24, 60
#: A longer text is a document.
_LONGEST = 2_000
_REFUSING = late(
    r"\s*(?:(?:but|and|please|just|so|,)\s+)*(?:don'?t|don’t|do not|never|no need to|without|not)\s+"
    r"|\s*(?:请|但是?|就)?(?:不要|别|不用|不必|先别)",
    re.IGNORECASE,
)
#: At the beginning, what is said beside the request. Chinese is told apart by how a request begins.
_ASIDE = re.compile(
    r"\s*(?:(?:please|just|so|well|ok|okay|now|hey|hi|hello)\b[\s,]*)*(?:$|(?:i|we|you|he"
    r"|she|it|they|that|this|these|those|there"
    r"|the|an?|my|our|your|in|by|on|at|to|from|with|of|for|as|over|again|not|no|all|each"
    r"|every|let|thanks?|sorry"
    r"|good|today|yesterday|tomorrow|when|while|since|because|if|do this|do the following)\b)"
    r"|(?!.{0,4}(?:帮我|给我|请|把|先))[^\x00-\x7f]",
    re.IGNORECASE,
)
#: Telling of something in particular is a task.
_TELLING = re.compile(
    r"\s*(?:(?:please|just|also)\s+)*(?:let me know|tell me|show me|give me|report"
    r"|say)\s+(?!(?:the |your |all the )?"
    r"(?:results?|outcome|status|when|once|after|if|whether|that|this|it|how it|what (?:you"
    r"|it|happen|came|was)|about"
    r"|everything|them|afterwards|please|then|in the end)\b)\w+"
    r"|(?:请|再|就)?(?:告诉我|给我看|汇报)(?!结果|一声|一下$|完成|好了|情况|我)[^\s]{2,}",
    re.IGNORECASE,
)
#: Behind `and`, what is no way to do the thing before.
_SENDING = re.compile(
    r"\s*(?:(?:please|just|also)\s+)*(?:e-?mail|send|upload|post|publish|share|fax)\s+\w"
    r"|(?:把.{1,12})?(?:发给|发送给|发邮件|发到|上传|分享给)",
    re.IGNORECASE,
)
#: Behind `then`, what is no task of its own: who is told, and what is said in the end.
_NO_TASK = late(
    r"\s*(?:(?:please|just|also)\s+)*"
    r"(?:i|we|you|he|she|it|they|that|this|these|those|there|the|an?|my|our|your|in|by|on"
    r"|at|to|from|with|of|for"
    r"|into|as|under|over|only|again|not|no|all|each|every"
    r"|let|tell|show|give|notify|ping|inform|report|say|stop|done|finish|thanks?|bye|good"
    r"|ok|wait|nothing)\b"
    r"|(?:请|就|再|你)?(?:告诉|通知|汇报|给我|让我|我|你|它|这|那|停|结束|完成|谢|就行|就好"
    r"|即可|好|等|按|在|从|用|到|对)",
    re.IGNORECASE,
)
_TOGETHER_END = late(r"\b(?:at the same time|simultaneously|in parallel)[\s.!?]*$", re.IGNORECASE)
#: Behind these, all that follows may be what is to be written down.
_SAYS = late(r"[:：]|\bremind\b|提醒", re.IGNORECASE)
_ARGUMENTS = frozenset({SpanKind.PATH, SpanKind.QUOTE, SpanKind.URL})


@dataclass(frozen=True)
class _Part:
    """What asks for one thing."""

    start: int
    end: int
    kind: JointKind
    opens: bool
    words: str
    meant: tuple[MetaActionInfo, ...]
    """Empty: nothing does it, and it is asked for all the same."""
    refused: bool = False


async def split(request: ExtractIntents, ask: Ask) -> Intents:
    """The request's stages; `ask` is asked which ability a few words choose."""
    text = request.text
    pieces = _pieces(text, request.abilities)
    if len(pieces) < 2:
        return Intents(((text,),))
    parts = await _Parts(request, ask).read(pieces)
    kept = [part for part in parts if not part.refused]
    if not kept or len(parts) < 2:
        return Intents(((text,),))
    return Intents(tuple(_stages(text, kept)))


def _pieces(text: str, abilities: Sequence[MetaActionInfo]) -> list[ClausePiece]:
    if len(text) > _LONGEST or not has_joint(text) or is_told(text) or is_script(text) or parted(text).code:
        return []
    said = text.casefold()
    names = [
        name
        for info in abilities
        for name in (info.title, *info.aliases)
        if has_joint(name) and name.casefold() in said
    ]
    found = pieces_of(text, sorted(names, key=len, reverse=True))
    if len(found) <= _MOST_PIECES:
        return found
    plain = list(_without_loose(found))
    return plain if len(plain) <= _MOST_STRONG else []


def _without_loose(pieces: Sequence[ClausePiece]) -> Iterator[ClausePiece]:
    last: ClausePiece | None = None
    for piece in pieces:
        if last is not None and piece.kind is JointKind.LOOSE:
            last = replace(last, end=piece.end)
            continue
        if last is not None:
            yield last
        last = piece
    if last is not None:
        yield last


class _Parts:
    """Puts pieces together to parts, one after the other."""

    def __init__(self, request: ExtractIntents, ask: Ask) -> None:
        self._text, self._abilities = request.text, request.abilities
        self._ask = ask
        self._found: list[_Part] = []
        self._open: ClausePiece | None = None
        """The first of the pieces that choose nothing, as long as none before them does."""
        self._closed = False
        """A condition was begun: what follows in its sentence hangs on it."""

    async def read(self, pieces: Sequence[ClausePiece]) -> list[_Part]:
        """The parts in the order of the text."""
        for piece in pieces:
            self._tell_open(piece)
            part = await self._part(piece)
            last = self._found[-1] if self._found else None
            if part is not None and self._is_own(part, piece, last):
                self._found.append(part)
            elif last is not None and part is None and self._is_unmet(piece, last):
                words = bare(self._text[piece.start : piece.end])
                self._found.append(_Part(piece.start, piece.end, piece.kind, piece.opens, words, ()))
            elif last is not None:
                self._found[-1] = replace(last, end=piece.end)
            else:
                self._open = self._open or piece
        return self._found

    async def _part(self, piece: ClausePiece) -> _Part | None:
        words = bare(self._text[piece.start : piece.end])
        self._closed = (self._closed and not piece.opens) or is_conditional(words)
        if self._closed or not words:
            return None
        refusing = _REFUSING.match(words)
        words = words[refusing.end() :] if refusing is not None else words
        evaluation = await self._ask(EvaluateIntent(words, self._abilities))
        meant = (evaluation.chosen,) if evaluation.chosen is not None else evaluation.ties
        if not meant:
            return None
        opened = self._open if not self._found and self._open is not None else piece
        return _Part(
            opened.start, piece.end, piece.kind, opened.opens, words, meant, refused=refusing is not None
        )

    def _tell_open(self, piece: ClausePiece) -> None:
        """`fly to the moon and then zip ~/Pictures`: what a plain `then` follows is asked for as well."""
        opened = self._open
        if self._found or opened is None or piece.kind is not JointKind.NEXT or self._closed:
            return
        words = bare(self._text[opened.start : opened.end])
        if _is_clause(words) and _ASIDE.match(words) is None and _REFUSING.match(words) is None:
            self._found.append(_Part(opened.start, opened.end, opened.kind, opened.opens, words, ()))
            self._open = None

    def _is_unmet(self, piece: ClausePiece, last: _Part) -> bool:
        """Whether something is asked for that nothing does: an explicit `then` says so; behind `and` most may
        say how the thing before is to be done."""
        if self._closed or last.refused or piece.kind not in (JointKind.NEXT, JointKind.LOOSE):
            return False
        if last.meant and analyse(last.meant[0]).takes_rest:
            return False
        words = bare(self._text[piece.start : piece.end])
        if not _is_clause(words) or _REFUSING.match(words) is not None:
            return False
        if piece.kind is JointKind.LOOSE:
            return _SENDING.match(words) is not None or _TELLING.match(words) is not None
        return _NO_TASK.match(words) is None or _TELLING.match(words) is not None

    def _is_own(self, part: _Part, piece: ClausePiece, last: _Part | None) -> bool:
        if last is None:
            return True
        same = bool(last.meant) and part.meant[0].key == last.meant[0].key
        if part.refused:  # `but don't touch the PDFs` says how, `but don't zip it` says what not
            return not same and _commands(part)
        if same and not (_has_argument(part.words) and _has_argument(last.words)):
            return False
        return not self._is_swallowed(piece, last) and _is_wished(part, piece, last)

    def _is_swallowed(self, piece: ClausePiece, last: _Part) -> bool:
        """Whether the part before takes whatever follows: a note, a command line."""
        if last.refused or not last.meant:
            return False
        profile = analyse(last.meant[0])
        if profile.takes_command and piece.joint in (";", "&"):
            return True
        if not profile.takes_rest or profile.takes_command:
            return False
        return piece.kind in (JointKind.LOOSE, JointKind.STOP) or bool(_SAYS.search(last.words))


def _is_wished(part: _Part, piece: ClausePiece, last: _Part) -> bool:
    """Whether the part asks for something, and is no more of what was asked for before it."""
    if piece.kind is JointKind.LOOSE and not (_is_clause(part.words) and _is_clause(last.words)):
        return False
    if piece.kind is JointKind.STOP and not last.refused and not asks(last.words, last.meant):
        return False  # `I am planning a tour. Find a car.`
    if piece.kind in (JointKind.BEFORE, JointKind.AFTER):
        return "you" in piece.joint.casefold() or is_doing(part.words)
    return asks(part.words, part.meant, doing=piece.kind is JointKind.TOGETHER)


def _commands(part: _Part) -> bool:
    """Whether what is refused is a thing to do: `zip it`, `压缩`; `touch the PDFs` and `动 PDF` are none."""
    if has_cjk(part.words):
        first = next(iter(terms(part.words)), None)
        return first is not None and first.start == 0 and bool(first.concepts)
    return asks(part.words, part.meant, doing=True)


def _has_argument(words: str) -> bool:
    return any(span.kind in _ARGUMENTS for span in find_spans(words))


def _is_clause(words: str) -> bool:
    """More than a verb: of `find and open report.pdf` the first half is none."""
    return has_cjk(words) or len(terms(words)) > 1 or bool(find_spans(words))


def _stages(text: str, parts: Sequence[_Part]) -> Iterator[tuple[str, ...]]:
    """The parts in the order in which they are to be done."""
    together = _TOGETHER_END.search(text) is not None and all(
        part.kind is JointKind.LOOSE for part in parts[1:]
    )
    stages: list[list[str]] = []
    later: list[str] = []
    for number, part in enumerate(parts):
        words = bare(text[part.start : part.end])
        if part.kind is JointKind.BEFORE and part.opens and number + 1 < len(parts):
            later.append(words)
            continue
        if stages and (part.kind is JointKind.TOGETHER or together):
            stages[-1].append(words)
        elif (stages and not part.opens and part.kind in (JointKind.FIRST, JointKind.AFTER)) or (
            stages and part.kind is JointKind.FIRST
        ):
            stages.insert(len(stages) - 1, [words])
        else:
            stages.append([words])
        stages += [[waited] for waited in later]
        later = []
    return (tuple(stage) for stage in stages)
