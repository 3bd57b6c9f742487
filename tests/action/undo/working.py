"""A script that does to a folder whatever it is told, run in the real sandbox."""

from __future__ import annotations

import asyncio
import os
import stat
from pathlib import Path

from partner_desktop.app import Partner
from partner_desktop.base.ids import new_id
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.events import DoneEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.permission.request import ApprovalMode
from tests.support import WAIT_S, Watcher

KEY = "local::worker"

WORKER = """\
# /// partner
# description = "Work in a folder"
# [params.code]
# type = "string"
# description = "what to do"
# [params.folder]
# type = "string"
# format = "path"
# access = "write"
# description = "the folder to work in"
# ///
import os, pathlib, shutil, sys, time
given = dict(a.removeprefix("--").split("=", 1) for a in sys.argv[1:])
workspace = pathlib.Path.cwd()
if os.path.isdir(given["folder"]):
    os.chdir(given["folder"])
exec(given["code"])
"""


class Fifo:
    """A pipe in the folder through which the script says where it is."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self._handle = os.open(path, os.O_RDWR | os.O_NONBLOCK)

    async def written(self) -> None:
        loop, news = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self._handle, news.set)
        try:
            async with asyncio.timeout(WAIT_S):
                await news.wait()
        finally:
            loop.remove_reader(self._handle)
            os.close(self._handle)


class Worker:
    """Runs code in a folder and waits for the end; the record."""

    def __init__(self, partner: Partner, watcher: Watcher) -> None:
        self.partner = partner
        self.watcher = watcher

    async def __call__(self, code: str, folder: Path) -> ActionRecord:
        return await self.call(KEY, {"code": code, "folder": str(folder)})

    async def call(self, key: str, params: JsonObject, *, wait_s: float = WAIT_S) -> ActionRecord:
        exchange_id = new_id()
        await self.begin(key, params, exchange_id)
        await self.watcher.until(
            lambda event: isinstance(event, DoneEvent) and event.exchange_id == exchange_id, wait_s=wait_s
        )
        return (await self.partner.actions.list(limit=1))[0]

    async def begin(self, key: str, params: JsonObject, exchange_id: str) -> None:
        await self.partner.abilities.run(
            key, params, cwd="", standing=ApprovalMode.ALL, exchange_id=exchange_id
        )


def tree_of(folder: Path) -> dict[str, tuple[object, ...]]:
    """All that a person could see of what lies in a folder."""
    found: dict[str, tuple[object, ...]] = {}
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(place) / name
            info = path.lstat()
            kind, mode = stat.S_IFMT(info.st_mode), stat.S_IMODE(info.st_mode)
            if path.is_symlink():
                what: tuple[object, ...] = (str(path.readlink()),)
            elif path.is_dir():
                what = (mode,)
            else:
                what = (mode, info.st_mtime_ns, path.read_bytes() if path.is_file() else "")
            found[str(path.relative_to(folder))] = (kind, *what)
    return found
