"""What was chosen in the palette lately: it stands first while nothing is typed, else a little higher."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

MOST_KEPT = 30
#: What having been chosen lately counts beside a fit; less than a word that stands at the start of a name.
_NEWEST_BONUS = 0.6


class RecentChoices:
    """Keys of entries, the newest first."""

    def __init__(self, keys: Iterable[str] = ()) -> None:
        self._keys = list(dict.fromkeys(keys))[:MOST_KEPT]

    @property
    def keys(self) -> Sequence[str]:
        """The newest first."""
        return tuple(self._keys)

    def note(self, key: str) -> None:
        """This was chosen now."""
        self._keys = [key, *(each for each in self._keys if each != key)][:MOST_KEPT]

    def bonus(self, key: str) -> float:
        """What it adds to a fit."""
        if key not in self._keys:
            return 0.0
        return _NEWEST_BONUS * (1 - self._keys.index(key) / MOST_KEPT)
