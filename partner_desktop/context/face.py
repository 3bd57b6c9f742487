"""The part of the app's public face that shows past turns; `app.Partner` inherits it."""

from __future__ import annotations

from partner_desktop.context.snapshots import SnapshotStore
from partner_desktop.domain.snapshot import ContextSnapshot, TurnSummary


class ContextFace:
    """Whoever inherits sets `snapshots`."""

    snapshots: SnapshotStore

    async def turns(
        self, conversation_id: str, *, before: int | None = None, limit: int = 50
    ) -> list[TurnSummary]:
        """A page of a conversation's past turns, oldest first; `before` is the position that it ends at."""
        return await self.snapshots.turns(conversation_id, before=before, limit=limit)

    async def snapshot(self, turn_id: str) -> ContextSnapshot | None:
        """The exact prompt of a past turn, and the blocks it was made of; `None` when it is not kept.

        Raises:
            StorageError: It cannot be read.
        """
        return await self.snapshots.snapshot(turn_id)
