"""What a person switched off: abilities, and servers."""

from __future__ import annotations

from partner_desktop.base.clock import Clock
from partner_desktop.storage.database import Database


class SwitchStore:
    """The abilities_off table."""

    def __init__(self, database: Database, *, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def off(self) -> frozenset[str]:
        """The keys of everything that is switched off."""
        rows = await self._database.rows("SELECT action_key FROM abilities_off")
        return frozenset(str(row["action_key"]) for row in rows)

    async def set(self, key: str, *, on: bool) -> None:
        """Switch one off or on; twice is once."""
        now = self._clock.now().isoformat()
        if on:
            await self._database.execute("DELETE FROM abilities_off WHERE action_key = ?", (key,))
        else:
            await self._database.execute("INSERT OR IGNORE INTO abilities_off VALUES (?, ?)", (key, now))
