"""Nothing is kept for each turn (`python -m tests.long.soak` has thousands of them)."""

from __future__ import annotations

import gc
from collections import Counter
from functools import _lru_cache_wrapper
from pathlib import Path

import pytest

from tests.long.soak.session import Person

#: Turns until what is kept of the last few is whole, and those that are looked at.
_BEFORE, _TURNS = 40, 24
_LOOKED_AT = ("partner_desktop.", "builtins.coroutine", "builtins.function", "_asyncio.", "sqlite3.")
#: Estimates of the last 64 turns, which wait for what a model counted; what the last recalls found.
_OF_THE_LAST = (
    "partner_desktop.domain.snapshot.PromptFill",
    "partner_desktop.domain.remembered.RememberedTurn",
)
_SAID = ("tell me something about the town on the river", "where does Ann work?", 'measure the word "tea"')


class _Repeating(Person):
    """Says the same again and again, so that what grows does not grow by what is said."""

    def _words(self) -> tuple[str, str]:
        return "again", _SAID[self._number % len(_SAID)]


async def _kinds_after(person: Person, turns: int) -> Counter[str]:
    """Objects by their class after so many more turns, without what is kept of the last texts."""
    for _ in range(turns):
        await person.turn()
    await person.look()
    for one in gc.get_objects():
        if isinstance(one, _lru_cache_wrapper) and one.cache_info().maxsize is not None:
            one.cache_clear()
    gc.collect()
    kinds = Counter(f"{type(one).__module__}.{type(one).__qualname__}" for one in gc.get_objects())
    # Timers that were called off are let go by the loop a hundred at a time; records of the log are pytest's.
    looked_at = {kind: count for kind, count in kinds.items() if kind.startswith(_LOOKED_AT)}
    return Counter({kind: count for kind, count in looked_at.items() if kind not in _OF_THE_LAST})


@pytest.mark.slow
async def test_nothing_is_kept_for_each_turn(tmp_path: Path) -> None:
    person = _Repeating(tmp_path, seed=1)
    await person.launch()
    try:
        before = await _kinds_after(person, _BEFORE)
        after = await _kinds_after(person, _TURNS)
    finally:
        await person.close()
    assert {kind: count for kind, count in (after - before).items() if count >= _TURNS} == {}
