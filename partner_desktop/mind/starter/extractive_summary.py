"""A summary without a model: the sentences that say most, in their order, each with who said it.

Sentences are chosen one by one: each time the one whose words say most that is not said yet for its length
(maximal coverage, as in https://aclanthology.org/N10-1134/). Names, numbers and times count more, questions
less; the beginning of a turn counts more, and so does what is near in meaning to the whole.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from partner_desktop.base import log
from partner_desktop.base.errors import ModelError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.base.text_compression import sentences
from partner_desktop.domain.remembered import PARTNER, PERSON
from partner_desktop.language.recollection import Marks, marks_of, remembered_terms, topic_words
from partner_desktop.language.speech_acts.small_talk import small_talk
from partner_desktop.mind.question import Summarise
from partner_desktop.model.embedder import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_log = log.area("mind")

#: Sentences that are looked at, and characters of one of them.
_MOST_SENTENCES, _LONGEST = 2_000, 240
#: Vectors are made for no more than this.
_MOST_VECTORS = 120
#: What a word counts: one that a turn may be about, and any other; of a name or a number so much more.
_TOPIC, _OTHER, _MARKED = 1.0, 0.4, 1.0
#: What a sentence is worth beside others: a question; each further one of a turn; one far from the whole.
_QUESTION, _LATER, _FAR = 0.5, 0.9, 0.7
#: And what Partner says; what it says where it knows nothing, or repeats what was said; a greeting.
_OF_PARTNER, _NOTHING, _GREETING = 0.6, 0.05, 0.1
_LONGEST_GREETING = 60
#: How much of its length a sentence is to earn (0 none, 1 all of it), and what is added to each length.
_LENGTH_POWER, _FRAME = 0.8, 40
#: What a sentence is to say after the others at least, as a part of what the best says.
_LEAST = 0.2
_CJK = late("[\u3040-\u30ff\u3400-\u9fff]")
_NUMBER = late(r"\d")
_NAME = late(r"(?<![.!?] )(?<!^)\b[A-Z][a-z]+")
_LEFT_OUT = late(r"^\[… [\d,]+ characters left out …\]$")
_NAMES = {PERSON: ("You", "你"), PARTNER: ("Partner", "Partner")}


@dataclass(frozen=True)
class _Said:
    """A sentence."""

    text: str
    line: str
    """With who said it."""
    factor: float = 1.0
    """What it is worth by its place and by who said it."""


async def extract_summary(request: Summarise, embedder: Embedder | None) -> str:
    """At most about `most_characters`; never empty where something was said."""
    said = await asyncio.to_thread(_read, request)
    nearness = None
    if embedder is not None and not request.plain and 1 < len(said) <= _MOST_VECTORS:
        nearness = await _nearness([one.text for one in said], embedder)
    return await asyncio.to_thread(_chosen, said, request.most_characters, nearness)


async def _nearness(texts: Sequence[str], embedder: Embedder) -> NDArray[np.float32] | None:
    """How near each is to all of them together, 0 to 1; `None` where meaning cannot be compared."""
    if not embedder.status().available:
        return None
    try:
        vectors = await embedder.embed(texts)
    except ModelError as error:
        _log.info("a summary goes by words only: %s", error)
        return None
    cosines: NDArray[np.float32] = vectors @ vectors.mean(axis=0)
    cosines -= cosines.min()
    cosines /= cosines.max() or 1.0
    return cosines


def _read(request: Summarise) -> list[_Said]:
    """The sentences; of parts that were summed up before, their lines."""
    found: list[_Said] = []
    for part in request.parts:
        found += [_Said(line, line) for line in map(str.strip, sentences(part)) if line]
    for turn in request.turns if not request.parts else ():
        factor = _OF_PARTNER if turn.speaker == PARTNER else 1.0
        if turn.speaker == PARTNER and marks_of(turn.text) & Marks.RECALLS:
            factor = _NOTHING
        for sentence in sentences(turn.text):
            text = " ".join(sentence.split())
            if not text or _LEFT_OUT.match(text):
                continue
            text = _short(text)
            english, chinese = _NAMES.get(turn.speaker, (turn.speaker, turn.speaker))
            line = f"{chinese}：{text}" if _CJK.search(text) else f"{english}: {text}"
            found.append(_Said(text, line, factor))
            factor *= _LATER
    return found[:_MOST_SENTENCES]


def _short(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    words, blank, _ = text[:_LONGEST].rpartition(" ")
    return (words if blank else text[: _LONGEST - 1]) + "…"


def _chosen(said: Sequence[_Said], most: int, nearness: NDArray[np.float32] | None) -> str:
    worth = [_weights(one.text) for one in said]
    factor = [
        (_QUESTION if marks_of(one.text) & Marks.ASKS else 1.0)
        * (_GREETING if len(one.text) <= _LONGEST_GREETING and small_talk(one.text) is not None else 1.0)
        * one.factor
        * (1.0 if nearness is None else _FAR + (1 - _FAR) * float(nearness[number]))
        for number, one in enumerate(said)
    ]
    left, room, known = set(range(len(said))), most, set[str]()
    taken: list[int] = []
    least = _LEAST * max(
        (each * sum(weights.values()) for each, weights in zip(factor, worth, strict=True)), default=0.0
    )
    while left:
        news = {
            number: sum(weight for term, weight in worth[number].items() if term not in known)
            for number in left
            if len(said[number].line) <= room or not taken
        }
        gains = {
            number: factor[number] * new / (len(said[number].line) + _FRAME) ** _LENGTH_POWER
            for number, new in news.items()
            if new * factor[number] >= least or not taken
        }
        best = max(gains, key=lambda number: (gains[number], -number), default=None)
        if best is None:
            break
        taken.append(best)
        left.discard(best)
        known |= worth[best].keys()
        room -= len(said[best].line) + 1
    return "\n".join(said[number].line for number in sorted(taken))


def _weights(text: str) -> dict[str, float]:
    """What each of its words counts."""
    topics = {term for word in topic_words(text) for term in remembered_terms(word)}
    marked = {term for name in _NAME.findall(text) for term in remembered_terms(name)}
    return {
        term: (_TOPIC if term in topics else _OTHER)
        + (_MARKED if term in marked or _NUMBER.search(term) else 0.0)
        for term in remembered_terms(text)
    }
