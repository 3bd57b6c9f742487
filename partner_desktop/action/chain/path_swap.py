"""Swapping: one path in the place of another, on a waiting card, in every step that has it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from partner_desktop.domain.chain import Chain, Step
from partner_desktop.domain.intervention import ChainEdit, StepEdit
from partner_desktop.domain.json_value import Json, JsonObject

_PATH = r"[\"“'「`]?(?P<{name}>[~/][^\s,，\"”'」`]*?)[\"”'」`]?"
_NEW, _OLD = _PATH.format(name="new"), _PATH.format(name="old")
_SWAPS = (
    re.compile(rf".*?{_NEW}\s+(?:instead of|rather than|in place of|and not|not)\s+{_OLD}\W*", re.IGNORECASE),
    re.compile(
        rf".*?(?:replace|change|swap|from)\s+{_OLD}\s+(?:with|by|to|for|into)\s+{_NEW}\W*", re.IGNORECASE
    ),
    re.compile(rf".*?(?:把|将)?\s*{_OLD}\s*(?:都)?(?:换成|改成|改为|换为|替换成|替换为)\s*{_NEW}\W*"),
    re.compile(rf".*?(?:用|是|换成|改成)\s*{_NEW}\s*[，,]?\s*(?:而不是|不是|代替)\s*{_OLD}\W*"),
)


@dataclass(frozen=True)
class Swap:
    """`new` where `old` stands."""

    old: str
    new: str

    @classmethod
    def of(cls, before: JsonObject, after: JsonObject) -> Self | None:
        """What one changed path tells; `None` where more, or something else, was changed."""
        names = [name for name, value in after.items() if before.get(name) != value]
        if len(names) != 1:
            return None
        old, new = before.get(names[0]), after[names[0]]
        if not isinstance(old, str) or not isinstance(new, str) or not old.startswith(("~", "/")):
            return None
        return cls(old, new)

    def spread(self, chain: Chain) -> bool:
        """Whether it concerns several steps."""
        return sum(bool(self._named(step)) for step in chain.steps) > 1

    def names(self, chain: Chain) -> tuple[str, ...]:
        """The parameters that it changes."""
        return tuple(dict.fromkeys(name for step in chain.steps for name in self._named(step)))

    def edit(self, chain: Chain) -> ChainEdit:
        """The chain with it done."""
        return ChainEdit(
            tuple(
                tuple(
                    StepEdit(step.id, self.changed(step.params) if self._named(step) else None)
                    for step in stage.steps
                )
                for stage in chain.stages
            )
        )

    def changed(self, params: Mapping[str, Json]) -> JsonObject:
        """Arguments with it done."""
        return {name: self.new if _same(value, self.old) else value for name, value in params.items()}

    def _named(self, step: Step) -> list[str]:
        return [name for name, value in step.params.items() if _same(value, self.old)]


def swapped(words: str, chain: Chain) -> Swap | None:
    """The swap that the words spell out, where the chain has what is to go."""
    return next((swap for swap in _spelled(words) if swap.names(chain)), None)


def swapped_in(words: str, params: JsonObject) -> JsonObject | None:
    """Arguments with the swap done that the words spell out; `None` where none of them is what is to go."""
    changes = (swap.changed(params) for swap in _spelled(words))
    return next((changed for changed in changes if changed != params), None)


def _spelled(words: str) -> Iterator[Swap]:
    plain = " ".join(words.split())
    for pattern in _SWAPS:
        match = pattern.fullmatch(plain)
        if match is not None:
            yield Swap(match["old"], match["new"])


def _same(value: object, path: str) -> bool:
    if not isinstance(value, str) or not value:
        return False
    return value == path or _whole(value) == _whole(path)


def _whole(path: str) -> str:
    try:
        return str(Path(path).expanduser())
    except (OSError, RuntimeError, ValueError):
        return path
