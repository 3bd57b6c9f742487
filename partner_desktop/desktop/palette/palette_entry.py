"""What the palette finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from functools import cached_property
from typing import Literal, TypeAlias

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.desktop.palette.fuzzy_match import Fit, fit_text
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.ability import Ability

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
