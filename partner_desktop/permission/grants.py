"""What the person allowed beyond one run, as rows.

A grant holds for a program or, without one, for what is asked in Partner; and for the places that its card
showed, each with the access shown, and what lies in them, or everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import PurePath
from typing import cast

from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.domain.decoder import decoded
from partner_desktop.domain.forgetting import Forgotten, HeldWords
from partner_desktop.domain.permission import SAME_ARGUMENTS, GrantedPlace, Scope
from partner_desktop.domain.run_facts import PathUse
from partner_desktop.permission.request import PermissionRequest
from partner_desktop.storage.database import Connection, Database, Row

#: A deleted conversation can still be brought back, and its grants with it; until then they do not count.
_HOLDS = (
    "revoked_at IS NULL AND (scope <> 'conversation' OR EXISTS (SELECT 1 FROM conversations AS c "
    "WHERE c.id = approvals.conversation_id AND c.deleted_at IS NULL))"
)
#: The farthest last.
_REACH: tuple[Scope, ...] = ("conversation", "always", "everywhere")

Places = tuple[GrantedPlace, ...] | None


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
    program: str
    places: Places


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

    # A `Forgettable` that only tells: what the person allowed goes on to hold until they take it back.

    async def held(self, database: Database, gone: Forgotten) -> list[HeldWords]:
        """See `Forgettable.held`."""
        rows = await database.rows("SELECT * FROM approvals WHERE revoked_at IS NULL")
        return [
            HeldWords(
                "permission",
                row["id"],
                row["title"],
                row["conversation_id"],
                stays=sentence_of("permission.stays_allowed"),
            )
            for row in rows
            if gone.holds(f"{row['title']}\n{row['held']}\n{row['places'] or ''}")
        ]

    async def erase(self, database: Database, gone: Forgotten) -> None:
        """See `Forgettable.erase`."""

    async def reach(self, request: PermissionRequest) -> Scope | None:
        """How far the grant reaches that covers exactly this, the farthest one; `None`: there is none.

        One grant covers all chosen places: several that cover some of them were said of other runs.
        """
        rows = await self._database.rows(
            "SELECT scope, places, binding FROM approvals WHERE action_key = ? "  # noqa: S608 - a constant
            f"AND program = ? AND conversation_id IN ('', ?) AND {_HOLDS}",
            (request.action_key, request.program, request.conversation_id),
        )
        bindings = {scope: request.binding(scope) for scope in _REACH}
        scopes = {
            cast("Scope", row["scope"])  # we wrote them
            for row in rows
            if row["binding"] == bindings[row["scope"]]
            and (row["scope"] == "everywhere" or _hold(_places_of(row), request.chosen))
        }
        return max(scopes, key=_REACH.index, default=None)

    async def any_for(self, request: PermissionRequest) -> bool:
        """Whether the one who asks was granted anything of this version of the ability, wherever."""
        rows = await self._database.rows(
            "SELECT 1 FROM approvals WHERE action_key = ? AND content_hash = ? AND program = ? "  # noqa: S608 - a constant
            f"AND conversation_id IN ('', ?) AND {_HOLDS} LIMIT 1",
            (request.action_key, request.content_hash, request.program, request.conversation_id),
        )
        return bool(rows)

    async def covers_other_version(self, request: PermissionRequest) -> bool:
        """Whether a grant of this ability holds for another hash of it, and none for this one."""
        rows = await self._database.rows(
            "SELECT content_hash FROM approvals WHERE action_key = ? AND program = ? "  # noqa: S608 - a constant
            f"AND conversation_id IN ('', ?) AND content_hash != '' AND {_HOLDS}",
            (request.action_key, request.program, request.conversation_id),
        )
        return bool(rows) and all(row["content_hash"] != request.content_hash for row in rows)

    def adding(self, request: PermissionRequest, scope: Scope) -> Callable[[Connection], None]:
        """What stores a grant in the transaction of its decision; what was revoked is brought back so."""
        now = self._clock.now().isoformat()
        conversation_id = request.conversation_id if scope == "conversation" else ""
        values = (
            new_id(), request.action_key, request.binding(scope), now, scope, conversation_id,
            request.title, _held_by(request, scope), request.content_hash, request.program,
            "[]" if scope == "everywhere" else _text_of(request.chosen),
        )  # fmt: skip

        def add(db: Connection) -> None:
            db.execute(
                "INSERT INTO approvals (id, action_key, binding, created_at, scope, conversation_id, title, "
                "held, content_hash, program, places) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
                "ON CONFLICT (action_key, binding, scope, conversation_id, program, places) "
                "DO UPDATE SET revoked_at = NULL, created_at = excluded.created_at, title = excluded.title, "
                "held = excluded.held, content_hash = excluded.content_hash",
                values,
            )

        return add

    async def all(self) -> list[StoredGrant]:
        """Those that hold, newest first."""
        rows = await self._database.rows(
            f"SELECT * FROM approvals WHERE {_HOLDS} ORDER BY created_at DESC, rowid DESC"  # noqa: S608 - a constant
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
            raise UsageError("permission.no_grant")
        self.changed()

    def forgetting(self, action_key: str) -> Callable[[Connection], None]:
        """What revokes every grant of an ability, in another transaction; say `changed` after it."""
        values = (self._clock.now().isoformat(), action_key)

        def forget(db: Connection) -> None:
            db.execute(
                "UPDATE approvals SET revoked_at = ? WHERE action_key = ? AND revoked_at IS NULL", values
            )

        return forget

    async def forget(self, action_key: str) -> None:
        """Revoke every grant of an ability."""
        await self._database.write(self.forgetting(action_key))
        self.changed()


def _grant_of(row: Row) -> StoredGrant:
    return decoded(StoredGrant, dict(row), places=_places_of(row))


def _held_by(request: PermissionRequest, scope: Scope) -> str:
    bound = request.args_bound or (request.reaches_freely and scope != "everywhere")
    return " · ".join((request.isolation.summary, *((SAME_ARGUMENTS,) if bound else ())))


def _text_of(chosen: tuple[PathUse, ...]) -> str:
    # ASCII: a path may hold bytes that are no UTF-8, as lone surrogates.
    return json.dumps(sorted({(use.access, use.path) for use in chosen}))


def _places_of(row: Row) -> Places:
    if row["places"] is None:
        return None
    return tuple(GrantedPlace(path, access) for access, path in json.loads(row["places"]))


def _hold(places: Places, chosen: tuple[PathUse, ...]) -> bool:
    """Whether each of the chosen places is one of those, or lies in one, and nothing more is done there.

    What was said of places is nothing said of a run without one.
    """
    if places and not chosen:
        return False
    return all(any(_holds(place, use) for place in places or ()) for use in chosen)


def _holds(place: GrantedPlace, use: PathUse) -> bool:
    if use.access == "write" and place.access != "write":
        return False
    return PurePath(use.path).is_relative_to(place.path)
