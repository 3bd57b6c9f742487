"""Names for processes that a person can say and tell apart, such as `relaxed_moore`."""

from __future__ import annotations

import tomllib
from functools import cache

from partner_desktop.base.paths import shipped


@cache
def process_words() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The first words, and the second ones."""
    told = tomllib.loads((shipped("resources") / "process_names.toml").read_text(encoding="utf-8"))
    return tuple(told["moods"].split()), tuple(told["people"].split())


def process_name(process_id: str) -> str:
    """The same for the same id; `process_id` is hexadecimal."""
    moods, people = process_words()
    number = int(process_id, 16)
    return f"{moods[number % len(moods)]}_{people[number // len(moods) % len(people)]}"
