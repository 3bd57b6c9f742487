"""Folder watching: the one door to watchdog.

Contract: `on_change` is called on the loop, never two at once per watcher, after the folder has been
quiet for `QUIET_S` (or at the latest `PATIENCE_S` after the first event). It is told only that
something changed: whoever listens compares with what is there, so lost or merged events do no harm.
A folder that vanishes or appears is noticed within `POLL_S` and counts as a change.
"""

from __future__ import annotations

import asyncio
import logging
import os
import stat
import threading
import warnings
from collections.abc import Awaitable, Callable
from pathlib import Path

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch

from partner_desktop.base import log
from partner_desktop.base.tasks import TaskSet

_log = log.area("watch")

# Without a handler its warnings (a watch that ends as it begins) would go to the terminal.
logging.getLogger("watchdog").addHandler(logging.NullHandler())
# A folder that grows while watchdog takes it in is told of twice; the same callback is set again, no more.
warnings.filterwarnings("ignore", "Callback with id", RuntimeWarning)

QUIET_S = 0.06
PATIENCE_S = 0.25
POLL_S = 1.0
_END_TIMEOUT_S = 2.0

#: Events that only say that somebody looked; acting on them would make our own reads wake us.
_LOOKING = frozenset({"opened", "closed_no_write"})


class FolderWatch:
    """Watches folders until closed, with all below them; or, not `recursive`, what lies in them itself."""

    def __init__(
        self, folders: list[Path], on_change: Callable[[], Awaitable[None]], *, recursive: bool = True
    ) -> None:
        self._folders = folders
        self._on_change = on_change
        self._recursive = recursive
        self._handler: _Handler | None = None
        self._attaching = threading.Lock()
        self._tasks = TaskSet("watch")
        self._dirty = asyncio.Event()
        self._observer: BaseObserver | None = None
        self._watched: dict[Path, tuple[ObservedWatch, int]] = {}
        self._lost: set[str] = set()
        self._blind: set[Path] = set()
        self._ending = threading.Event()
        self._roots: threading.Thread | None = None

    async def launch(self) -> None:
        """Begin to watch what exists; the rest is picked up when it appears."""
        loop = asyncio.get_running_loop()
        handler = _Handler(loop, self._dirty.set, self._lost, {str(folder) for folder in self._folders})
        self._handler = handler
        self._observer = Observer()
        self._observer.daemon = True
        await asyncio.to_thread(self._begin, self._observer, handler)
        self._tasks.start("events", self._serve())
        self._roots = threading.Thread(
            target=self._follow_roots, args=(handler,), name="watched folders", daemon=True
        )
        self._roots.start()

    async def follow(self, folders: list[Path]) -> None:
        """Watch these from now on, in place of those before; the first ones begin it."""
        if folders == self._folders:
            return
        self._folders = folders
        if self._handler is None:
            await self.launch()
        else:
            self._handler.roots = {str(folder) for folder in folders}
            await asyncio.to_thread(self._attach, self._handler)

    def _begin(self, observer: BaseObserver, handler: _Handler) -> None:
        observer.start()
        self._attach(handler)

    def _attach(self, handler: _Handler) -> bool:
        """Watch folders that came, let go of those that went; whether anything changed. Blocking."""
        with self._attaching:
            return self._attach_alone(handler)

    def _attach_alone(self, handler: _Handler) -> bool:
        assert self._observer is not None
        changed = False
        folders = self._folders
        for folder in self._watched.keys() - set(folders):
            self._observer.unschedule(self._watched.pop(folder)[0])
        self._blind &= set(folders)
        for folder in folders:
            inode = _inode(folder)
            watch = self._watched.get(folder)
            # The inode alone does not tell: a new folder may get the number of the old one.
            if watch is not None and (watch[1] != inode or str(folder) in self._lost):
                self._observer.unschedule(watch[0])
                del self._watched[folder]
                changed, watch = True, None
            self._lost.discard(str(folder))
            if watch is None and inode:
                try:
                    self._watched[folder] = (
                        self._observer.schedule(handler, str(folder), recursive=self._recursive),
                        inode,
                    )
                    changed = True
                    self._blind.discard(folder)
                except OSError as error:
                    if folder not in self._blind:
                        _log.warning("%s cannot be watched, so it is looked at: %s", folder, error)
                    self._blind.add(folder)
        return changed

    def _follow_roots(self, handler: _Handler) -> None:
        """On a thread of its own: a look at a folder that is there wakes nobody else."""
        while not self._ending.wait(POLL_S):
            if self._attach(handler) or self._blind:
                handler.tell()

    async def _serve(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._dirty.wait()
            deadline = loop.time() + PATIENCE_S
            while self._dirty.is_set() and loop.time() < deadline:
                self._dirty.clear()
                await asyncio.sleep(QUIET_S)
            self._dirty.clear()
            try:
                await self._on_change()
            except Exception:  # noqa: BLE001 - a background task's boundary: watching goes on
                _log.exception("a change could not be taken in")

    async def shutdown(self) -> None:
        """Stop watching; idempotent."""
        await self._tasks.close()
        self._ending.set()
        if self._observer is not None:
            await asyncio.to_thread(self._end, self._observer)
            self._observer = None

    def _end(self, observer: BaseObserver) -> None:
        if self._roots is not None:
            self._roots.join(timeout=_END_TIMEOUT_S)
        observer.stop()
        observer.join(timeout=_END_TIMEOUT_S)


def _inode(folder: Path) -> int:
    try:
        info = os.stat(folder)  # noqa: PTH116 - asked every second of every folder
    except OSError:
        return 0
    return info.st_ino if stat.S_ISDIR(info.st_mode) else 0


class _Handler(FileSystemEventHandler):
    """Runs on watchdog's thread; hands a bare signal to the loop."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, signal: Callable[[], None], lost: set[str], roots: set[str]
    ) -> None:
        self._loop = loop
        self._signal = signal
        self._lost = lost
        self.roots = roots

    def on_any_event(self, event: FileSystemEvent) -> None:
        if event.event_type in _LOOKING:
            return
        if event.event_type in ("deleted", "moved") and event.src_path in self.roots:
            self._lost.add(os.fsdecode(event.src_path))
        self.tell()

    def tell(self) -> None:
        """Something changed."""
        if not self._loop.is_closed():
            try:
                self._loop.call_soon_threadsafe(self._signal)
            except RuntimeError:  # closed between the check and the call
                return
