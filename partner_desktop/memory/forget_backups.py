"""ForgetBackups: what backups still hold of what was forgotten, and the same erasing in them.

Contract: a backup is changed as a whole or not at all. One that was cleaned has the newest tables: an older
Partner cannot read it any more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import BackupError, PartnerError
from partner_desktop.base.paths import Home
from partner_desktop.capabilities import Forgettable
from partner_desktop.domain.forgetting import BackupHolding, Forgotten
from partner_desktop.memory.forget_procedure import erase_everywhere
from partner_desktop.runtime.conversations.dialog_erasure import (
    DialogErasure,
    SaidMessages,
    clean_search,
    count_there,
    drop_emptied,
)
from partner_desktop.runtime.conversations.picture_files import named_pictures
from partner_desktop.storage.backup_copies import database_of, put_back, read_backup
from partner_desktop.storage.database import Connection, Database


class ForgetBackups:
    """Looks at the copies in the home, and at backups that somebody names."""

    def __init__(
        self,
        home: Home,
        database: Database,
        *,
        keepers: Sequence[Forgettable],
        key: Callable[[], bytes],
        clock: Clock,
    ) -> None:
        self._home = home
        self._database = database
        self._keepers = keepers
        self._key = key
        self._clock = clock
        self._alone = asyncio.Lock()

    async def holding(self, paths: Sequence[Path] = ()) -> list[BackupHolding]:
        """Those that hold something of it, or cannot be looked at; the newest first."""
        ids = await self._ids()
        if not ids:
            return []
        looked = [await asyncio.to_thread(self._look, path, ids) for path in await self._paths(paths)]
        found = [one for one in looked if one.messages or one.problem]
        return sorted(found, key=lambda one: one.at, reverse=True)

    async def clean(self, paths: Sequence[Path] = ()) -> list[BackupHolding]:
        """Erase it from all of them; those that still hold some, and why."""
        async with self._alone:
            ids = await self._ids()
            left = []
            for one in await self.holding(paths):
                try:
                    await self._clean(one.path, ids)
                except PartnerError as error:
                    left.append(replace(one, problem=str(error)))
            return left

    async def _ids(self) -> list[str]:
        return [row["id"] for row in await self._database.rows("SELECT id FROM forgotten_ids")]

    async def _paths(self, named: Sequence[Path]) -> list[Path]:
        own = await asyncio.to_thread(
            lambda: [*self._home.backups.glob("*.db"), *self._home.root.glob("partner.db.corrupt-*[0-9]")]
        )
        return list(dict.fromkeys(path.absolute() for path in [*own, *named]))

    def _look(self, path: Path, ids: Sequence[str]) -> BackupHolding:
        """Blocking."""
        try:
            at = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        except OSError as error:
            return BackupHolding(path, self._clock.now(), 0, f"It cannot be read ({error.strerror}).")
        try:
            count = read_backup(path, self._home.root, lambda db: _count(db, ids))
        except PartnerError as error:
            return BackupHolding(path, at, 0, str(error))
        return BackupHolding(path, at, count)

    async def _clean(self, path: Path, ids: Sequence[str]) -> None:
        with await asyncio.to_thread(_Copy, path, self._home.root) as copy:
            database = Database(copy, backups=copy.parent, clock=self._clock)
            await database.launch()
            try:
                await self._erase(database, ids)
            finally:
                await database.shutdown()
            await asyncio.to_thread(lambda: put_back(copy, path, self._key(), pictures=named_pictures))

    async def _erase(self, database: Database, ids: Sequence[str]) -> None:
        from partner_desktop.language.quotations import Quotations  # noqa: PLC0415 - with the first backup

        said = SaidMessages(database)
        turns = await said.by_id(ids)
        quotations = await asyncio.to_thread(Quotations, [turn.text for turn in turns])
        gone = Forgotten(
            frozenset(ids),
            frozenset(turn.position for turn in turns),
            frozenset(turn.conversation_id for turn in turns),
            frozenset(await said.exchanges_of([turn.message_id for turn in turns])),
            frozenset(ids),
            quotations.holds,
            quotations.holds,
        )
        await erase_everywhere(database, gone, DialogErasure(), self._keepers)
        await drop_emptied(database, gone.conversation_ids)
        await database.execute("UPDATE forgettings SET plan = ''")
        await clean_search(database)
        await database.forget_erased()


def forgotten_in(home: Home, path: Path) -> int:
    """How many messages of a backup were forgotten in a home since; nobody may use the home. Blocking.

    Raises:
        BackupError: It is no backup of Partner's, or cannot be read.
    """
    ids: list[str] = []
    with suppress(BackupError):  # a home that cannot be read is what backups are for
        ids = read_backup(home.database, home.root, _forgotten) if home.database.exists() else []
    return read_backup(path, home.root, lambda db: count_there(db, ids)) if ids else 0


def _forgotten(db: Connection) -> list[str]:
    known = db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'forgotten_ids'").fetchone()
    return [str(row[0]) for row in db.execute("SELECT id FROM forgotten_ids")] if known else []


class _Copy:
    """`database_of` for use around what is awaited: its ends are quick, but for the copying itself."""

    def __init__(self, path: Path, scratch: Path) -> None:
        self._held = database_of(path, scratch)
        self._copy = self._held.__enter__()

    def __enter__(self) -> Path:
        return self._copy

    def __exit__(self, *_error: object) -> None:
        self._held.__exit__(None, None, None)


def _count(db: Connection, ids: Sequence[str]) -> int:
    """How many forgotten messages are there; and a forgetting that was under way holds its words."""
    tables = {row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    open_ = 0
    if "forgettings" in tables:
        open_ = int(db.execute("SELECT count(*) FROM forgettings WHERE plan <> ''").fetchone()[0])
    return max(count_there(db, ids), open_)
