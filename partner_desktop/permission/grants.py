"""What the person allowed for good, as rows."""

from __future__ import annotations

from partner_desktop.base.clock import Clock
from partner_desktop.base.ids import new_id
from partner_desktop.storage.database import Database


class GrantStore:
    """Grants by action key and binding (see `PermissionRequest.binding`)."""

    def __init__(self, database: Database, *, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def covers(self, action_key: str, binding: str) -> bool:
        """Whether an unrevoked grant exists for exactly this."""
        row = await self._database.read(
            lambda db: db.execute(
                "SELECT 1 FROM approvals WHERE action_key = ? AND binding = ? AND revoked_at IS NULL",
                (action_key, binding),
            ).fetchone()
        )
        return row is not None

    async def add(self, action_key: str, binding: str) -> None:
        """Store a grant; granting again what was revoked brings it back."""
        now = self._clock.now().isoformat()
        await self._database.write(
            lambda db: db.execute(
                "INSERT INTO approvals (id, action_key, binding, created_at) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (action_key, binding) DO UPDATE SET revoked_at = NULL, created_at = ?",
                (new_id(), action_key, binding, now, now),
            )
        )

    async def forget(self, action_key: str) -> None:
        """Revoke every grant of an ability."""
        now = self._clock.now().isoformat()
        await self._database.write(
            lambda db: db.execute(
                "UPDATE approvals SET revoked_at = ? WHERE action_key = ? AND revoked_at IS NULL",
                (now, action_key),
            )
        )
