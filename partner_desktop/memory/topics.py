"""Topics: what slices are about without a model, and how slices of a topic are ranked.

A path has two parts: what its unit speaks of most, and what this slice speaks of more than the others do.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from enum import StrEnum

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.remembered import MemorySlice

#: Between the parts of a path.
BELOW = "->"
_LEAST_MENTIONS = 2


class TopicSource(StrEnum):
    """How a slice came to a topic's list."""

    PRIMARY = "primary"
    RELATED = "related"
    PARENT = "parent"


_SOURCE = {TopicSource.PRIMARY: 1.0, TopicSource.RELATED: 0.65, TopicSource.PARENT: 0.45}
_RELATION = {TopicSource.PRIMARY: 0.3, TopicSource.RELATED: 1.0, TopicSource.PARENT: 0.2}
#: Up to so many days old, so much.
_RECENCY = ((1, 0.30), (3, 0.22), (7, 0.15), (30, 0.08))
#: A slice without related topics spreads no further than this; one of a single message says less of itself.
_MOST_DIFFUSION_ALONE = 0.45
_SINGLE_ACTIVATION = -0.05


def topic_score(one: MemorySlice, source: TopicSource, age: timedelta) -> float:
    """The rank of a slice in a topic's list."""
    days = max(0.0, age.total_seconds() / 86_400)
    recency = next((points for most, points in _RECENCY if days <= most), 0.0)
    spread = 0.2 * _RELATION[source] * one.diffusion
    return _SOURCE[source] + recency + 0.5 * one.activation + 0.3 * one.independence + spread


@dataclass(frozen=True)
class SliceTopics:
    """What one slice is about, and akin to; and its profile, 0 to 1 each."""

    path: str
    rows: tuple[tuple[str, str, int], ...]
    """Each path that it is of, what that is looked for by, and whether it is only akin (1)."""
    activation: float
    diffusion: float
    independence: float


_DEFAULT = (0.55, 0.35, 0.50)


def profile(slices: Sequence[Sequence[str]]) -> list[SliceTopics]:
    """The topics of a unit's slices, from their texts; what Partner says to anything is about nothing."""
    from partner_desktop.language.recollection import (  # noqa: PLC0415 - a start does not wait for it
        says_nothing,
        topic_words,
    )

    counts = [
        Counter(word for text in texts if not says_nothing(text) for word in topic_words(text))
        for texts in slices
    ]
    whole: Counter[str] = Counter()
    spread: Counter[str] = Counter()
    for count in counts:
        whole.update(count)
        spread.update(count.keys())
    common = [word for word, number in whole.most_common(4) if number >= _LEAST_MENTIONS]
    root = common[0] if common else ""
    found = []
    for texts, count in zip(slices, counts, strict=True):
        own = _telling(count, spread, len(slices), root)
        path = BELOW.join(part for part in (root, own) if part)
        related = tuple(word for word in common[1:] if word != own and count[word]) if path else ()
        activation, diffusion, independence = _DEFAULT
        if len(texts) == 1:
            activation += _SINGLE_ACTIVATION
        diffusion = diffusion if related else min(diffusion, _MOST_DIFFUSION_ALONE)
        found.append(SliceTopics(path, _rows(path, related), activation, diffusion, independence))
    return found


def _rows(path: str, related: Sequence[str]) -> tuple[tuple[str, str, int], ...]:
    """A path and those that it lies under are what a slice is about."""
    from partner_desktop.language.recollection import topic_term  # noqa: PLC0415 - as in `profile`

    parts = path.split(BELOW) if path else []
    own = [(BELOW.join(parts[: length + 1]), topic_term(part), 0) for length, part in enumerate(parts)]
    return (*own, *((each, topic_term(each), 1) for each in related))


def terms_of_topic(topic: str) -> list[str]:
    """What slices of a topic are looked for by; of a path its last part counts."""
    from partner_desktop.language.recollection import topic_term  # noqa: PLC0415 - as in `profile`

    return [topic_term(part) for part in topic.rsplit(BELOW, maxsplit=1)[-1].split()]


def _telling(count: Counter[str], spread: Counter[str], slices: int, root: str) -> str:
    """The word that this slice has more often than the others do."""

    def weight(word: str) -> float:
        return count[word] * math.log(1 + slices / spread[word])

    best = max((word for word in count if word != root), key=weight, default="")
    return best if best and (count[best] >= _LEAST_MENTIONS or slices > 1) else ""
