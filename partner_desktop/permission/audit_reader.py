"""Reading the audit log: a page at a time, by position, however long it is."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from pydantic import Field

from partner_desktop.base.operation import Caller, operation
from partner_desktop.domain.audit import KINDS, OUTCOMES, AuditEntry, AuditQuery, AuditWords
from partner_desktop.storage.database import Connection, Database, Row

_COLUMNS = (
    "position, at, kind, action_id, action_key, content_hash, params_hash, outcome, scope, by_whom, reason"
)
#: The most rows that one page holds.
MOST = 1_000
_FITS = (
    "(:action = '' OR instr(replace(lower(action_key), '_', ' '), :action) > 0) "
    "AND (:kind = '' OR kind = :kind) AND (:outcome = '' OR outcome = :outcome) "
    "AND (:since = '' OR at >= :since) AND (:until = '' OR at < :until)"
)


class AuditReader:
    """Looks; the log itself is written by `AuditLog`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @operation(Caller.ATTACHED)
    async def page(
        self,
        query: AuditQuery,
        *,
        before: int | None = None,
        limit: Annotated[int, Field(ge=1, le=MOST)] = 100,
    ) -> Sequence[AuditEntry]:
        """The newest rows that fit, newest first; with `before` those below that position."""
        values = _values(query) | {"before": before, "limit": min(limit, MOST)}
        return await self._entries(
            f"SELECT {_COLUMNS} FROM audit "  # noqa: S608 - constants
            f"WHERE (:before IS NULL OR position < :before) AND {_FITS} ORDER BY position DESC LIMIT :limit",
            values,
        )

    @operation(Caller.ATTACHED)
    async def pages(
        self, query: AuditQuery, *, limit: int | None = None
    ) -> AsyncGenerator[list[AuditEntry], None]:
        """The newest `limit` rows that fit (`None`: all of them), oldest first.

        What is written meanwhile is left out, so that it has an end.
        """
        first, last = await self._ends(query, limit)
        after = first - 1
        while after < last:
            values = _values(query) | {"after": after, "last": last, "limit": MOST}
            page = await self._entries(
                f"SELECT {_COLUMNS} FROM audit "  # noqa: S608 - constants
                f"WHERE position > :after AND position <= :last AND {_FITS} ORDER BY position LIMIT :limit",
                values,
            )
            if not page:
                return
            yield page
            after = page[-1].position

    async def of_action(self, action_id: str) -> list[AuditEntry]:
        """All rows about one action, oldest first; at most as many as a page holds."""
        query = f"SELECT {_COLUMNS} FROM audit WHERE action_id = :id ORDER BY position LIMIT :limit"  # noqa: S608 - a constant
        return await self._entries(query, {"id": action_id, "limit": MOST})

    async def newest(self, *, limit: int = 200, action: str = "") -> Sequence[AuditEntry]:
        """The newest rows, oldest of them first; `action` keeps those whose key contains it."""
        return (await self.page(AuditQuery(action=action), limit=limit))[::-1]

    @operation(Caller.ATTACHED)
    async def export(
        self, query: AuditQuery, path: Path, *, limit: int | None = None, force: bool = False
    ) -> int:
        """Write the entries that fit into a file, oldest first; how many. Its ending says the form.

        Raises:
            UsageError: The name does not do, or the file is there already (and not `force`).
            PartnerError: It could not be written; nothing was left behind.
        """
        from partner_desktop.permission.audit_export import export  # noqa: PLC0415 - rarely needed

        return await export(self.pages(query, limit=limit), path, force=force)

    @operation(Caller.ATTACHED)
    async def words(self) -> AuditWords:
        """What one can look for; parts that came later wrote words of their own."""

        def work(db: Connection) -> list[Row]:
            return db.execute("SELECT DISTINCT kind, outcome FROM audit ORDER BY kind, outcome").fetchall()

        rows = await self._database.read(work)
        return AuditWords(
            kinds=_with(KINDS, [row["kind"] for row in rows]),
            outcomes=_with(OUTCOMES, [row["outcome"] for row in rows]),
        )

    async def _ends(self, query: AuditQuery, limit: int | None) -> tuple[int, int]:
        """The first and last position of the newest `limit` rows that fit; `(1, 0)` where none do."""

        def work(db: Connection) -> Row:
            row: Row = db.execute(
                "SELECT min(position) AS first, max(position) AS last FROM "  # noqa: S608 - constants
                f"(SELECT position FROM audit WHERE {_FITS} ORDER BY position DESC LIMIT :limit)",
                _values(query) | {"limit": -1 if limit is None else limit},
            ).fetchone()
            return row

        row = await self._database.read(work)
        return (row["first"], row["last"]) if row["last"] is not None else (1, 0)

    async def _entries(self, sql: str, values: dict[str, str | int | None]) -> list[AuditEntry]:
        rows = await self._database.rows(sql, values)
        return [AuditEntry(**dict(row)) for row in rows]


def _values(query: AuditQuery) -> dict[str, str | int | None]:
    return {
        "action": query.action.strip()
        .encode("utf-8", "replace")
        .lower()
        .decode()  # ASCII, as SQLite does it
        .replace("_", " "),  # a script is called by its key's words
        "kind": query.kind,
        "outcome": query.outcome,
        "since": _moment(query.since),
        "until": _moment(query.until),
    }


def _moment(moment: datetime | None) -> str:
    """As the log writes it; its times sort as text."""
    return moment.astimezone(UTC).isoformat() if moment is not None else ""


def _with(known: tuple[str, ...], found: list[str]) -> tuple[str, ...]:
    """The known ones in their order, then what else was found."""
    return tuple(dict.fromkeys((*known, *(one for one in found if one))))
