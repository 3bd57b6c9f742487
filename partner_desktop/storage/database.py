"""One SQLite file, on one thread of its own.

Contract: the loop never waits for the disk. A unit of work is one function that gets the connection
and runs inside one transaction: it is committed when `write` returns, or nothing of it happened.
A caller that is cancelled while its work runs does not undo the work.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from partner_desktop.base import log, private
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import CorruptError, DiskFullError, StorageError
from partner_desktop.base.messages import LazySentence
from partner_desktop.base.paths import display_path
from partner_desktop.storage import rescue
from partner_desktop.storage.migrations import migrate

_log = log.area("storage")

T = TypeVar("T")

#: The types that stores see; nothing outside this package imports `sqlite3`.
Connection: TypeAlias = sqlite3.Connection
Row: TypeAlias = sqlite3.Row
#: For the placeholders of a statement.
Values: TypeAlias = Sequence[object] | Mapping[str, object]
ENGINE_VERSION = sqlite3.sqlite_version

#: Milliseconds that SQLite itself waits for another process's lock.
_BUSY_TIMEOUT_MS = 5_000


class Database:
    """The home's database. Opened and closed by the app; shared by the stores."""

    def __init__(self, path: Path, *, backups: Path, clock: Clock) -> None:
        self._path = path
        self._backups = backups
        self._clock = clock
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sqlite")
        self._connection: sqlite3.Connection | None = None
        self._rescue: LazySentence | None = None

    async def launch(self) -> None:
        """Open, check and migrate.

        Raises:
            NewerSchemaError: A newer Partner wrote the file; it is left as it is.
            StorageError: The file cannot be opened (rights, disk).
        """
        await self._in_thread(self._open)

    def _open(self) -> None:
        try:
            self._connection = self._connect()
        except CorruptError as error:
            kept = rescue.set_database_aside(self._path, now=self._clock.now())
            restored = rescue.restore_newest(self._path, self._backups)
            self._rescue = rescue.report(error, kept=kept, restored=restored)
            _log.error("%s", self.rescue_report)
            self._connection = self._connect()

    def _connect(self) -> sqlite3.Connection:
        for suffix in ("-wal", "-shm"):
            private.close(self._path.with_name(self._path.name + suffix))
        private.claim(self._path)  # SQLite gives its logs the rights of the file
        try:
            connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as error:
            raise StorageError("storage.cannot_open", path=self._path, error=error) from error
        try:
            connection.row_factory = sqlite3.Row
            connection.execute(f"PRAGMA busy_timeout = {_BUSY_TIMEOUT_MS}")
            rescue.check(connection)
            connection.execute("PRAGMA journal_mode = WAL")
            # FULL: a commit that was acknowledged survives a power cut, not only a crash.
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            # What the person erases is overwritten, not only let go of.
            connection.execute("PRAGMA secure_delete = ON")
            migrate(connection, path=self._path, backups=self._backups, now=self._clock.now())
        except sqlite3.OperationalError as error:
            connection.close()
            raise refused(
                error, self._path, lead=LazySentence("storage.lead_unusable", path=display_path(self._path))
            ) from error
        except sqlite3.DatabaseError as error:
            connection.close()
            raise CorruptError("common.told", text=error) from error
        except BaseException:
            connection.close()
            raise
        return connection

    @property
    def rescue_report(self) -> str:
        """One sentence when the database had to be set aside at opening; empty otherwise."""
        return str(self._rescue or "")

    async def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run a query function on the database's thread."""
        return await self._in_thread(lambda: self._query(work))

    def _query(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return work(self._live())
        except (sqlite3.Error, OverflowError) as error:
            raise refused(error, self._path, lead=LazySentence("storage.lead_no_answer")) from error

    async def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work` in one transaction; it is on disk when this returns.

        Raises:
            DiskFullError: There is no room left; nothing of the work happened.
            StorageError: SQLite refused for another reason; nothing of the work happened.
        """
        return await self._in_thread(lambda: self._transaction(work))

    async def rows(self, query: str, values: Values = ()) -> list[sqlite3.Row]:
        """All that one query finds."""
        return await self.read(lambda db: db.execute(query, values).fetchall())

    async def row(self, query: str, values: Values = ()) -> Any:  # noqa: ANN401 - as sqlite3 itself has it
        """The first row that one query finds; `None` where there is none."""
        return await self.read(lambda db: db.execute(query, values).fetchone())

    async def execute(self, statement: str, values: Values = ()) -> None:
        """One statement, as a transaction of its own; raises as `write`."""
        await self.write(lambda db: db.execute(statement, values))

    def _transaction(self, work: Callable[[sqlite3.Connection], T]) -> T:
        connection = self._live()
        try:
            connection.execute("BEGIN IMMEDIATE")
            result = work(connection)
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            self._rollback(connection)
            raise refused(error, self._path, lead=LazySentence("storage.lead_unsaved")) from error
        except BaseException:
            self._rollback(connection)
            raise
        return result

    async def forget_erased(self) -> None:
        """Move the write-ahead log into the file and empty it: what was erased stands in neither any more."""
        await self._in_thread(
            lambda: self._query(lambda db: db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall())
        )

    @staticmethod
    def _rollback(connection: sqlite3.Connection) -> None:
        """What raises here is of the trouble that led here, which is the one to tell."""
        if connection.in_transaction:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")

    def _live(self) -> sqlite3.Connection:
        if self._connection is None:
            raise StorageError("storage.not_open")
        return self._connection

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def shutdown(self) -> None:
        """Close the file and end the thread; idempotent."""
        if self._connection is not None:
            await self._in_thread(self._connection.close)
            self._connection = None
        self._thread.shutdown(wait=False)


#: Less room than this, and an error in writing is the full disk's (its files grow by whole pages).
#: Values that one query is asked about.
_VALUES_AT_ONCE = 200


def rows_among(db: Connection, query: str, values: Sequence[str]) -> list[Row]:
    """The rows of a query that ends in `… IN`, for any number of values."""
    found: list[Row] = []
    for start in range(0, len(values), _VALUES_AT_ONCE):
        some = values[start : start + _VALUES_AT_ONCE]
        found += db.execute(f"{query} ({','.join('?' * len(some))})", some)
    return found


_NO_ROOM_BYTES = 64 * 1024

_CAUSES = {
    sqlite3.SQLITE_BUSY: "held",
    sqlite3.SQLITE_LOCKED: "held",
    sqlite3.SQLITE_READONLY: "read_only",
    sqlite3.SQLITE_CANTOPEN: "cannot_open",
    sqlite3.SQLITE_IOERR: "disk",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_NOTADB: "damaged",
}


def refused(error: Exception, path: Path, *, lead: LazySentence) -> StorageError:
    """The error to raise from `error`; `lead` says what did not happen."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _no_room(path)):
        return DiskFullError("storage.full", lead=lead, folder=display_path(path.parent))
    if code in _CAUSES:
        return StorageError(
            "storage.refused_because",
            lead=lead,
            cause=LazySentence(f"storage.cause_{_CAUSES[code]}"),
            error=error,
        )
    return StorageError("storage.refused", lead=lead, error=error)


def _no_room(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < _NO_ROOM_BYTES
    except OSError:
        return False
