"""The audit log: append-only rows of every decision and run, without the person's text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from partner_desktop.base.clock import Clock
from partner_desktop.domain.audit import AuditEntry
from partner_desktop.permission.audit_reader import AuditReader
from partner_desktop.permission.request import Decision
from partner_desktop.storage.database import Connection, Database

_COLUMNS = "at, kind, action_id, action_key, content_hash, params_hash, outcome, scope, by_whom, reason"


#: How a reason begins that is about a path, which may have spaces.
_PATH_FIRST = re.compile(r"[~/].*? (?=holds |may hold )")
_PATH_SOMEWHERE = re.compile(r"(^|[\s(“\"'（：，、\u4e00-\u9fff])~?/\S")


def without_paths(reason: str) -> str:
    """What the log keeps of a reason: the names of the person's files stay in rows that can be erased."""
    kept = _PATH_FIRST.sub("a path of this run ", reason, count=1)
    return "it is about a path of this run" if _PATH_SOMEWHERE.search(kept) else kept


def _about(decision: Decision) -> dict[str, str]:
    return {
        "action_id": decision.action_id,
        "action_key": decision.action_key,
        "content_hash": decision.content_hash,
        "params_hash": decision.params_hash,
    }


class AuditLog:
    """Writes the log, and reads it through `reader`; the database itself refuses changes to it."""

    def __init__(self, database: Database, *, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self.reader = AuditReader(database)

    async def decision(self, *decisions: Decision, also: Callable[[Connection], None] | None = None) -> None:
        """Write decisions down, before they take effect; `also` is done in the same transaction."""

        def work(db: Connection) -> None:
            for decision in decisions:
                self._decision(db, decision)
            if also is not None:
                also(db)

        await self._database.write(work)

    def _decision(self, db: Connection, decision: Decision) -> None:
        self._append(
            db,
            "decision",
            **_about(decision),
            outcome=decision.outcome.value,
            scope=decision.scope,
            by_whom=decision.by,
            reason=without_paths(decision.reason),
        )

    def settled(self, db: Connection, action_id: str, action_key: str, *, outcome: str, reason: str) -> None:
        """The person's yes or no to a whole chain; each of its steps has a row of its own."""
        self._append(
            db,
            "decision",
            action_id,
            action_key,
            outcome=outcome,
            scope="once",
            by_whom="person",
            reason=reason,
        )

    # What happens to an action is written in the transaction that changes the action.

    def run(self, db: Connection, decision: Decision, *, isolation: str) -> None:
        """A run begins under `decision`."""
        self._append(db, "run", **_about(decision), outcome="started", reason=isolation)

    def chain_run(self, db: Connection, action_id: str, action_key: str, *, steps: int) -> None:
        """A chain begins; each of its steps has decisions and runs of its own."""
        self._append(db, "run", action_id, action_key, outcome="started", reason=f"{steps} steps")

    def resume(self, db: Connection, decision: Decision, *, isolation: str) -> None:
        """A run that Partner's end cut off begins again, under the approval that it had."""
        self._append(
            db,
            "resume",
            **_about(decision),
            outcome="started",
            scope=decision.scope,
            by_whom=decision.by,
            reason=isolation,
        )

    async def look(self, decision: Decision, outcome: str, isolation: str = "") -> None:
        """A look at what an action did begins (`started`) or is over; it is no action of its own."""
        kind = "run" if outcome == "started" else "result"
        await self._database.write(
            lambda db: self._append(db, kind, **_about(decision), outcome=outcome, reason=isolation)
        )

    async def decisions(self, action_id: str) -> list[AuditEntry]:
        """All decisions on an action, newest first."""
        rows = await self._database.rows(
            f"SELECT {_COLUMNS} FROM audit WHERE action_id = ? AND kind = 'decision' "  # noqa: S608 - a constant
            "ORDER BY position DESC",
            (action_id,),
        )
        return [AuditEntry(**dict(row)) for row in rows]

    async def said_last(self, action_key: str, content_hash: str) -> str:
        """What the person said last of just this version of an ability: `allow`, `deny`, or that a yes was
        taken back; empty: nothing."""
        rows = await self._database.rows(
            "SELECT outcome FROM audit WHERE action_key = ? AND content_hash = ? "
            "AND kind IN ('decision', 'settings') AND by_whom = 'person' ORDER BY position DESC LIMIT 1",
            (action_key, content_hash),
        )
        return str(rows[0]["outcome"]) if rows else ""

    def set_aside(self, db: Connection, action_id: str, action_key: str, *, content_hash: str) -> None:
        """The person set aside the part of a conversation in which an action waited: that is a no."""
        self._append(
            db,
            "decision",
            action_id,
            action_key,
            content_hash=content_hash,
            outcome="deny",
            scope="once",
            by_whom="person",
            reason="set aside with its part of the conversation",
        )

    def result(
        self, db: Connection, action_id: str, action_key: str, *, outcome: str, reason: str = ""
    ) -> None:
        """A run ended."""
        self._append(db, "result", action_id, action_key, outcome=outcome, reason=reason)

    def fired(self, db: Connection, action_id: str, schedule_key: str, *, outcome: str) -> None:
        """A schedule was due: what became of that time; what it began has rows of its own under its id."""
        self._append(db, "firing", action_id, schedule_key, outcome=outcome, by_whom="schedule")

    def forgotten(self, db: Connection, forgetting_id: str, *, messages: int) -> None:
        """The person had something forgotten: when and how much of it, and no word of it."""
        self._append(
            db,
            "forget",
            forgetting_id,
            "",
            outcome="done",
            by_whom="person",
            reason=f"{messages} message{'' if messages == 1 else 's'}",
        )

    def undone(self, db: Connection, action_id: str, action_key: str, *, outcome: str) -> None:
        """The person had what a run did to files taken back: `done`, or `half` where a step failed."""
        self._append(db, "undo", action_id, action_key, outcome=outcome, by_whom="person")

    def setting(
        self, db: Connection, key: str, *, outcome: str, content_hash: str = "", scope: str = ""
    ) -> None:
        """The person changed by hand what runs without a question: a grant, as `permissions` shows it."""
        self._append(
            db,
            "settings",
            "",
            key,
            content_hash=content_hash,
            outcome=outcome,
            scope=scope,
            by_whom="person",
        )

    async def settings(self, changes: Sequence[tuple[str, str, str]]) -> None:
        """What runs without a question was changed, by the window or in the file: key, outcome, how."""

        def work(db: Connection) -> None:
            for key, outcome, how in changes:
                self._append(db, "settings", "", key, outcome=outcome, reason=how)

        await self._database.write(work)

    def _append(
        self,
        db: Connection,
        kind: str,
        action_id: str,
        action_key: str,
        *,
        content_hash: str = "",
        params_hash: str = "",
        outcome: str = "",
        scope: str = "",
        by_whom: str = "",
        reason: str = "",
    ) -> None:
        at = self._clock.now().isoformat()
        values = (
            at, kind, action_id, action_key, content_hash, params_hash, outcome, scope, by_whom, reason,
        )  # fmt: skip
        db.execute(f"INSERT INTO audit ({_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?)", values)  # noqa: S608 - a constant
