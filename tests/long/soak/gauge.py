"""What a process holds, and what its database does."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
from dataclasses import asdict, dataclass

import psutil  # type: ignore[import-untyped] # has no types

from partner_desktop.storage.database import Database


@dataclass(frozen=True)
class Sample:
    """At one moment, when nothing was under way."""

    memory_bytes: int
    """Of this process alone."""
    descriptors: int
    threads: int
    processes: int
    tasks: int
    timers: int
    objects: int
    database_bytes: int
    rows: dict[str, int]

    def told(self) -> dict[str, object]:
        """Without the rows."""
        return {name: value for name, value in asdict(self).items() if name != "rows"}


async def sample(database: Database) -> Sample:
    """Look once."""
    gc.collect()
    process = psutil.Process()
    names = [
        row["name"] for row in await database.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
    ]
    rows = {}
    for name in names:
        if "_fts" not in name and not name.startswith("sqlite_"):
            rows[name] = (await database.row(f'SELECT count(*) AS n FROM "{name}"'))["n"]
    pages = await database.row("PRAGMA page_count")
    size = await database.row("PRAGMA page_size")
    free = await database.row("PRAGMA freelist_count")
    return Sample(
        memory_bytes=process.memory_full_info().uss,
        descriptors=len(os.listdir("/proc/self/fd")),  # noqa: PTH208 - names alone
        threads=threading.active_count(),
        processes=len(process.children(recursive=True)),
        tasks=len(asyncio.all_tasks()),
        timers=len(asyncio.get_running_loop()._scheduled),  # type: ignore[attr-defined]  # there is no other way
        objects=len(gc.get_objects()),
        database_bytes=(pages[0] - free[0]) * size[0],
        rows=rows,
    )
