"""What the palette finds, and how well what is typed fits its name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import field
from functools import cached_property
from typing import Literal, TypeAlias

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.ability import Ability

#: Shorter words have to stand there letter by letter: almost anything is like them.
_SHORTEST_ALIKE = 4
#: RapidFuzz's score (0 to 100) from which two words are alike: one wrong letter in six, two in twelve.
_ALIKE = 78.0
_WORDS = re.compile(r"\w{3,}")
_AT_START, _AT_WORD, _WITHIN = 4.0, 3.0, 2.0
#: A word that is no more than like one.
_MOST_ALIKE = 1.5


@dataclass(frozen=True)
class Fit:
    """`score`: the higher the better; `marks`: the stretches (from, to) of the name that were meant."""

    score: float
    marks: tuple[tuple[int, int], ...] = ()
    alike: bool = False
    """A word is only like one that stands there."""


def fit_text(words: Sequence[str], text: str, *, alike: bool = True) -> Fit | None:
    """How casefolded `words` fit a name; `None` when one of them does not. No words fit everything.

    Without `alike`, as for long texts, words have to stand there letter by letter.
    """
    low = text.casefold()
    total, is_alike = 0.0, False
    marks: list[tuple[int, int]] = []
    for word in words:
        found = _fit_word(word, low)
        if found is None and alike:
            found, is_alike = _fit_alike(word, low), True
        if found is None:
            return None
        score, start, end = found
        total += score
        if len(low) == len(text):  # else letters that grew when casefolded have moved the places
            marks.append((start, end))
    if not words:
        return Fit(0.0)
    # Of two names that have the words alike, the shorter says them more plainly.
    return Fit(total / len(words) - min(len(text), 200) / 400, tuple(sorted(marks)), is_alike)


def load_likeness() -> None:
    """Bring in what likeness is found with; may be called on any thread."""
    import rapidfuzz.fuzz  # noqa: F401, PLC0415


def _fit_word(word: str, low: str) -> tuple[float, int, int] | None:
    first = at = low.find(word)
    while at > 0 and low[at - 1].isalnum() and low[at - 1].isascii():
        at = low.find(word, at + 1)
    if at >= 0:
        return (_AT_START if at == 0 else _AT_WORD), at, at + len(word)
    if first >= 0:
        return _WITHIN, first, first + len(word)
    return None


def _fit_alike(word: str, low: str) -> tuple[float, int, int] | None:
    """The word of the text that is most like it; a word that is still being typed is like a beginning."""
    # One number is not like another.
    if len(word) < _SHORTEST_ALIKE or any(letter.isdigit() for letter in word):
        return None
    from rapidfuzz.fuzz import ratio  # noqa: PLC0415 - with the first word that nothing has

    best: tuple[float, int, int] | None = None
    for found in _WORDS.finditer(low):
        beginning = found[0][: len(word) + 1]
        score = max(ratio(word, found[0]), ratio(word, beginning), ratio(word, beginning[:-1]))
        if score >= _ALIKE and (best is None or score > best[0]):
            best = (score, found.start(), found.end())
    return None if best is None else (_MOST_ALIKE * best[0] / 100, best[1], best[2])


Kind: TypeAlias = Literal[
    "command", "conversation", "ability", "setting", "memory", "model", "schedule", "server"
]

#: What a fit in the second line, or in other names, counts beside one in the title.
_BESIDE = 0.55


def entry_kind_words(kind: Kind) -> str:
    """What an entry is, in a word."""
    return {
        "command": tr("Command"),
        "conversation": tr("Conversation"),
        "ability": tr("Ability"),
        "setting": tr("Setting"),
        "memory": tr("Memory"),
        "model": tr("Model"),
        "schedule": tr("Schedule"),
        "server": tr("Server"),
    }[kind]


@dataclass(frozen=True)
class PaletteEntry:
    """One thing to choose. `key` is the same in every language and after every start."""

    key: str
    kind: Kind
    title: str
    act: Callable[[], object] = field(compare=False)
    text: str = ""
    """A second line."""
    keys: str = ""
    """The keys that do it, too."""
    other_names: tuple[str, ...] = ()
    """By which it is found, but which are not shown."""

    @cached_property
    def _beside(self) -> str:
        return " ".join((self.text, *self.other_names))

    def fit(self, words: Sequence[str]) -> Fit | None:
        """How it fits casefolded words: by its title; else the title and what stands beside it together."""
        found = fit_text(words, self.title)
        if found is not None or not self._beside:
            return found
        parts = [
            (fit_text([word], self.title), fit_text([word], self._beside, alike=False)) for word in words
        ]
        if any(title is None and beside is None for title, beside in parts):
            return None
        scores = [
            title.score if title else _BESIDE * (beside.score if beside else 0) for title, beside in parts
        ]
        marks = tuple(sorted(mark for title, _ in parts if title for mark in title.marks))
        alike = any(title.alike for title, _ in parts if title)
        return Fit(sum(scores) / len(scores) * _BESIDE, marks, alike)


def ability_entry(ability: Ability, act: Callable[[], object]) -> PaletteEntry:
    """One that can be read; its names in every language find it."""
    assert ability.info is not None
    told = ability.info.told
    return PaletteEntry(
        f"ability:{ability.key}",
        "ability",
        told.title,
        act,
        text=told.description.partition("\n")[0],
        other_names=(ability.info.title, *ability.info.aliases),
    )
