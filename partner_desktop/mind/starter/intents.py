"""Intents: a request of several things, part by part. It is cut only where each part alone clearly chooses.

What chooses nothing belongs to the part before it, unless a plain `then` leads to it: that is asked for, and
nobody is to believe that it is done. What is only refused (`but don't zip it`) goes. A text
that is long, holds code, or merely tells of something is one part.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.surroundings import NOWHERE
from partner_desktop.language.clauses import (
    ClausePiece,
    JointKind,
    bare,
    clause_rule,
    has_joint,
    pieces_of,
)
from partner_desktop.language.deed_frames import NOTHING, Left, completed, points
from partner_desktop.language.home_references import resolve_references
from partner_desktop.language.pasted_code import is_script, parted
from partner_desktop.language.spans import SpanKind, blank, find_spans
from partner_desktop.language.speech_acts.imperatives import asks, is_conditional, is_doing
from partner_desktop.language.speech_acts.speech_act import SpeechActKind, speech_act
from partner_desktop.language.terms import FUNCTION_WEIGHT, has_cjk, terms
from partner_desktop.mind.answerers import Ask
from partner_desktop.mind.parameter_finder import ParameterFinder
from partner_desktop.mind.question import EvaluateIntent, ExtractIntents, ExtractParams, Intents
from partner_desktop.mind.starter.profile import analyse

#: Pieces looked at: with more, only what begins a sentence or says `then` counts; with still more, nothing.
#: How many steps are done in one go is not for words to say.
_MOST_PIECES, _MOST_STRONG = 24, 60
#: A longer text is a document.
_LONGEST = 2_000
_ARGUMENTS = frozenset({SpanKind.PATH, SpanKind.QUOTE, SpanKind.URL})


@dataclass(frozen=True)
class _Part:
    """What asks for one thing."""

    start: int
    end: int
    kind: JointKind
    opens: bool
    words: str
    """At last all that asks for it, with what it leaves to the parts before it."""
    meant: tuple[MetaActionInfo, ...]
    """Empty: nothing does it, and it is asked for all the same."""
    refused: bool = False
    said: str = ""
    """Its first piece with what that leaves to the part before it; empty: it leaves nothing."""
    said_end: int = 0
    """Where its first piece ends."""


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
    if (
        len(text) > _LONGEST
        or not has_joint(text)
        or not speech_act(text).may_make_card
        or is_script(text)
        or parted(text).code
    ):
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
        self._text, self._abilities, self._resolved = request.text, request.abilities, request.resolved
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
                self._found.append(
                    _Part(piece.start, piece.end, piece.kind, piece.opens, words, (), said_end=piece.end)
                )
            elif last is not None:
                self._found[-1] = replace(last, end=piece.end)
            else:
                self._open = self._open or piece
        parts = self._found
        for number, part in enumerate(parts):
            first = part.said or self._text[part.start : part.said_end]
            rest = self._text[part.said_end : part.end]
            own = part.meant and points(rest) and (await self._left_by(part)).made
            words = bare(f"{first}{rest}")
            words = words if own else await self._with_place(words, parts[:number])
            if any(before.meant and analyse(before.meant[0]).takes_rest for before in parts[:number]):
                words = await self._resolved_text(words)  # it was free text until now
            parts[number] = replace(part, words=words)
        return parts

    async def _part(self, piece: ClausePiece) -> _Part | None:
        words = bare(self._text[piece.start : piece.end])
        last = self._found[-1] if self._found else None
        before = last.words if last is not None and last.meant else ""
        if _is_place(words) and not completed(words, before):
            return None
        self._closed = (self._closed and not piece.opens) or is_conditional(words)
        if self._closed or not words:
            return None
        refusing = clause_rule("refusing").match(words)
        words = words[refusing.end() :] if refusing is not None else words
        words = await self._with_place(words, self._found)
        evaluation = await self._ask(EvaluateIntent(words, self._abilities))
        meant, said = evaluation.meant, ""
        whole = completed(words, before)
        if whole and refusing is None and not (meant and asks(words, meant)):
            again = await self._ask(EvaluateIntent(whole, self._abilities))
            if again.chosen is not None:
                meant, words, said = again.meant, whole, whole
        guess = evaluation.step
        if not meant and guess is not None and refusing is None and self._asks_plainly(piece, words):
            meant = (guess,)
        if not meant:
            return None
        opened = self._open if not self._found and self._open is not None else piece
        return _Part(
            *(opened.start, piece.end, piece.kind, opened.opens, words, meant, refusing is not None),
            said=said,
            said_end=piece.end,
        )

    async def _with_place(self, words: str, parts: Sequence[_Part]) -> str:
        """The words with what `in it` means in them: the folder or the file that a part before leaves."""
        for part in reversed(parts if points(words) else ()):
            if part.meant and not part.refused:
                left = await self._left_by(part)
                if (written := left.written_into(words)) != words:
                    return await self._resolved_text(written, left)
        return words

    async def _left_by(self, part: _Part) -> Left:
        asked = ExtractParams(part.words, part.meant[0], resolved=self._resolved)
        found = await ParameterFinder(self._ask).find(asked)
        return Left.by(part.meant[0], found.values, part.words)

    async def _resolved_text(self, words: str, left: Left = NOTHING) -> str:
        around = self._resolved.surroundings if self._resolved is not None else NOWHERE
        return (await asyncio.to_thread(resolve_references, words, left.among(around))).text

    def _asks_plainly(self, piece: ClausePiece, words: str) -> bool:
        """Whether a clause asks for something, whatever that is."""
        if not _is_clause(words) or clause_rule("no_task").match(words) is not None:
            return False
        return piece.kind is JointKind.NEXT or asks(words, ())

    def _tell_open(self, piece: ClausePiece) -> None:
        """`fly to the moon and then zip ~/Pictures`: what a plain `then` follows is asked for as well."""
        opened = self._open
        if self._found or opened is None or piece.kind is not JointKind.NEXT or self._closed:
            return
        words = bare(self._text[opened.start : opened.end])
        if (
            _is_clause(words)
            and clause_rule("aside").match(words) is None
            and clause_rule("refusing").match(words) is None
        ):
            self._found.append(
                _Part(opened.start, opened.end, opened.kind, opened.opens, words, (), said_end=opened.end)
            )
            self._open = None

    def _is_unmet(self, piece: ClausePiece, last: _Part) -> bool:
        """Whether something is asked for that nothing does: an explicit `then` says so; behind `and` most may
        say how the thing before is to be done."""
        if self._closed or last.refused or piece.kind not in (JointKind.NEXT, JointKind.LOOSE):
            return False
        if last.meant and analyse(last.meant[0]).takes_rest:
            return False
        words = bare(self._text[piece.start : piece.end])
        if not _is_clause(words) or clause_rule("refusing").match(words) is not None:
            return False
        if piece.kind is JointKind.LOOSE:
            return (
                clause_rule("sending").match(words) is not None
                or clause_rule("telling").match(words) is not None
            )
        return clause_rule("no_task").match(words) is None or clause_rule("telling").match(words) is not None

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
        return piece.kind in (JointKind.LOOSE, JointKind.STOP) or bool(clause_rule("says").search(last.words))


def _is_wished(part: _Part, piece: ClausePiece, last: _Part) -> bool:
    """Whether the part asks for something, and is no more of what was asked for before it."""
    if piece.kind is JointKind.LOOSE and not (_is_clause(part.words) and _is_clause(last.words)):
        return False
    if piece.kind is JointKind.STOP and not last.refused and not _asks(last):
        return False  # `I am planning a tour. Find a car.`
    if piece.kind in (JointKind.BEFORE, JointKind.AFTER):
        return "you" in piece.joint.casefold() or is_doing(part.words)
    first = next(iter(terms(part.words[:200])), None)
    if piece.kind is JointKind.NEXT and first is not None and not first.word.endswith("ed"):
        return True
    return asks(part.words, part.meant, doing=piece.kind is JointKind.TOGETHER)


def _asks(part: _Part) -> bool:
    return asks(part.words, part.meant) or speech_act(part.words).kind is SpeechActKind.LOOK


def _commands(part: _Part) -> bool:
    """Whether what is refused is a thing to do: `zip it`, `压缩`; `touch the PDFs` and `动 PDF` are none."""
    if has_cjk(part.words):
        first = next(iter(terms(part.words)), None)
        return first is not None and first.start == 0 and bool(first.concepts)
    return asks(part.words, part.meant, doing=True)


def _is_place(words: str) -> bool:
    """`In ~/Documents`: where, and nothing of what is to be done there."""
    spans = find_spans(words)
    rest = clause_rule("topic").sub("", blank(words, spans), count=1)
    if len(spans) != 1 or speech_act(words).kind is SpeechActKind.LOOK:
        return False
    return all(term.weight <= FUNCTION_WEIGHT for term in terms(rest))


def _has_argument(words: str) -> bool:
    return any(span.kind in _ARGUMENTS for span in find_spans(words))


def _is_clause(words: str) -> bool:
    """More than a verb: of `find and open report.pdf` the first half is none."""
    return has_cjk(words) or len(terms(words)) > 1 or bool(find_spans(words))


def _stages(text: str, parts: Sequence[_Part]) -> Iterator[tuple[str, ...]]:
    """The parts in the order in which they are to be done."""
    together = clause_rule("together_end").search(text) is not None and all(
        part.kind is JointKind.LOOSE for part in parts[1:]
    )
    stages: list[list[str]] = []
    later: list[str] = []
    for number, part in enumerate(parts):
        words = part.words
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
