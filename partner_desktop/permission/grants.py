"""What the person allowed beyond one run, as rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.permission.request import PermissionRequest, Scope
from partner_desktop.storage.database import Connection, Database, Row

#: A deleted conversation can still be brought back, and its grants with it; until then they do not count.
_HOLDS = (
    "revoked_at IS NULL AND (scope = 'always' OR EXISTS (SELECT 1 FROM conversations AS c "
    "WHERE c.id = approvals.conversation_id AND c.deleted_at IS NULL))"
)


@dataclass(frozen=True)
class StoredGrant:
    """One grant that holds."""

    id: str
    action_key: str
    title: str
    scope: Scope
    conversation_id: str
    held: str
    content_hash: str
    """Empty for one from before this was kept."""
    created_at: datetime


class GrantStore:
    """Grants by action key and binding (see `PermissionRequest.binding`), for good or for a conversation."""

    def __init__(self, database: Database, *, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._changed: Callable[[], None] = lambda: None

    def on_change(self, tell: Callable[[], None]) -> None:
        """Call `tell` after each grant and each revocation; wired once by the app."""
        self._changed = tell

    def changed(self) -> None:
        """Something of the grants is different on the disk now."""
        self._changed()

    async def reach(self, request: PermissionRequest) -> Scope | None:
        """How far the grant reaches that covers exactly this, the farthest one; `None`: there is none."""
        rows = await self._database.read(
            lambda db: db.execute(
                "SELECT scope FROM approvals WHERE action_key = ? AND binding = ? "  # noqa: S608 - a constant
                f"AND conversation_id IN ('', ?) AND {_HOLDS}",
                (request.action_key, request.binding, request.conversation_id),
            ).fetchall()
        )
        scopes = {cast("Scope", row["scope"]) for row in rows}  # we wrote them
        return "always" if "always" in scopes else next(iter(scopes), None)

    async def covers_other_version(self, request: PermissionRequest) -> bool:
        """Whether a grant of this ability holds for another hash of it, and none for this one."""
        rows = await self._database.read(
            lambda db: db.execute(
                "SELECT content_hash FROM approvals WHERE action_key = ? "  # noqa: S608 - a constant
                f"AND conversation_id IN ('', ?) AND content_hash != '' AND {_HOLDS}",
                (request.action_key, request.conversation_id),
            ).fetchall()
        )
        return bool(rows) and all(row["content_hash"] != request.content_hash for row in rows)

    def adding(self, request: PermissionRequest, scope: Scope) -> Callable[[Connection], None]:
        """What stores a grant in the transaction of its decision; what was revoked is brought back so."""
        now = self._clock.now().isoformat()
        conversation_id = request.conversation_id if scope == "conversation" else ""
        values = (
            new_id(), request.action_key, request.binding, now, scope, conversation_id,
            request.title, request.isolation.summary, request.content_hash,
        )  # fmt: skip

        def add(db: Connection) -> None:
            db.execute(
                "INSERT INTO approvals (id, action_key, binding, created_at, scope, conversation_id, title, "
                "held, content_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "
                "ON CONFLICT (action_key, binding, conversation_id) DO UPDATE SET revoked_at = NULL, "
                "created_at = excluded.created_at, title = excluded.title, held = excluded.held, "
                "content_hash = excluded.content_hash",
                values,
            )

        return add

    async def all(self) -> list[StoredGrant]:
        """Those that hold, newest first."""
        rows = await self._database.read(
            lambda db: db.execute(
                f"SELECT * FROM approvals WHERE {_HOLDS} ORDER BY created_at DESC, rowid DESC"  # noqa: S608 - a constant
            ).fetchall()
        )
        return [_grant_of(row) for row in rows]

    async def revoke(
        self, grant_id: str, *, also: Callable[[Connection, StoredGrant], None] = lambda db, grant: None
    ) -> None:
        """Take one back; `also` is done in the same transaction.

        Raises:
            UsageError: There is none, or it was taken back already.
        """
        now = self._clock.now().isoformat()

        def work(db: Connection) -> bool:
            row = db.execute(
                "SELECT * FROM approvals WHERE id = ? AND revoked_at IS NULL", (grant_id,)
            ).fetchone()
            if row is not None:
                db.execute("UPDATE approvals SET revoked_at = ? WHERE id = ?", (now, grant_id))
                also(db, _grant_of(row))
            return row is not None

        if not await self._database.write(work):
            raise UsageError("There is no such grant (any more); `partner-desktop permissions` lists them.")
        self.changed()

    async def forget(self, action_key: str) -> None:
        """Revoke every grant of an ability."""
        now = self._clock.now().isoformat()
        await self._database.write(
            lambda db: db.execute(
                "UPDATE approvals SET revoked_at = ? WHERE action_key = ? AND revoked_at IS NULL",
                (now, action_key),
            )
        )
        self.changed()


def _grant_of(row: Row) -> StoredGrant:
    return StoredGrant(
        id=row["id"],
        action_key=row["action_key"],
        title=row["title"],
        scope=row["scope"],
        conversation_id=row["conversation_id"],
        held=row["held"],
        content_hash=row["content_hash"],
        created_at=datetime.fromisoformat(row["created_at"]),
    )
