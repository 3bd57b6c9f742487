"""A SQLite file whose loss costs only time: opened on first use, thrown away when it cannot be read.

Contract: as `Database`, work runs on a thread of its own, one transaction each. What cannot be read is
removed and begun anew, with the work that found it so done again on the empty file.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from partner_desktop.base import log, private
from partner_desktop.base.errors import StorageError
from partner_desktop.base.paths import display_path

_log = log.area("storage")

T = TypeVar("T")

_BUSY_TIMEOUT_MS = 1_000
_UNREADABLE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


class RebuildableDatabase:
    """`schema` makes the tables; a file with another `version` is thrown away as well."""

    def __init__(self, path: Path, *, schema: str, version: int) -> None:
        self._path, self._schema, self._version = path, schema, version
        self._thread: ThreadPoolExecutor | None = None
        self._connection: sqlite3.Connection | None = None
        self.lost = 0
        """How often a file that was there was thrown away."""

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work` in one transaction.

        Raises:
            StorageError: The file cannot be used (rights, disk, another process's lock).
        """
        if self._thread is None:
            self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=self._path.stem)
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._once_more, work)

    async def forget_erased(self) -> None:
        """Move the write-ahead log into the file and empty it: what was removed stands in neither any more.

        Raises:
            StorageError: The file cannot be used.
        """
        await self.run(lambda _db: None)
        if self._thread is not None:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._empty_log)

    def _empty_log(self) -> None:
        try:
            if self._connection is not None:
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        except sqlite3.Error as error:
            raise StorageError("storage.unusable", path=display_path(self._path), error=error) from error

    def _once_more(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            try:
                return self._transaction(work)
            except sqlite3.DatabaseError as error:
                if not _is_unreadable(error):
                    raise
                _log.warning("%s cannot be read (%s) and is made anew", display_path(self._path), error)
                self._throw_away()
                return self._transaction(work)
        except (sqlite3.Error, OSError) as error:
            raise StorageError("storage.unusable", path=display_path(self._path), error=error) from error

    def _transaction(self, work: Callable[[sqlite3.Connection], T]) -> T:
        connection = self._opened()
        connection.execute("BEGIN IMMEDIATE")
        try:
            result = work(connection)
            connection.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            raise
        return result

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            private.make_folder(self._path.parent)
            self._connection = self._prepared() or self._anew()
        return self._connection

    def _anew(self) -> sqlite3.Connection:
        self._throw_away()
        connection = self._prepared()
        if connection is None:
            raise sqlite3.OperationalError("another process makes it of another version")
        return connection

    def _prepared(self) -> sqlite3.Connection | None:
        """A connection that can be used, and only such a one; `None` for a file of another version."""
        private.claim(self._path)
        connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
        try:
            if self._prepare(connection):
                return connection
        except BaseException:
            connection.close()
            raise
        connection.close()
        return None

    def _prepare(self, connection: sqlite3.Connection) -> bool:
        connection.execute(f"PRAGMA busy_timeout = {_BUSY_TIMEOUT_MS}")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        # What is made of a person's words and removed is overwritten, not only let go of.
        connection.execute("PRAGMA secure_delete = ON")
        found = connection.execute("PRAGMA user_version").fetchone()[0]
        if found == self._version:
            return True
        if found or connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone():
            return False
        connection.executescript(
            f"BEGIN IMMEDIATE;\n{self._schema}\nPRAGMA user_version = {self._version};\nCOMMIT;"
        )
        return True

    def _throw_away(self) -> None:
        self._close()
        self.lost += 1
        for suffix in ("", "-wal", "-shm"):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)

    def _close(self) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            with contextlib.suppress(sqlite3.Error):
                connection.close()

    async def shutdown(self) -> None:
        """Close the file and end the thread; idempotent."""
        if self._thread is not None:
            thread, self._thread = self._thread, None
            await asyncio.get_running_loop().run_in_executor(thread, self._close)
            thread.shutdown(wait=False)


def _is_unreadable(error: sqlite3.DatabaseError) -> bool:
    return error.sqlite_errorcode & 0xFF in _UNREADABLE
