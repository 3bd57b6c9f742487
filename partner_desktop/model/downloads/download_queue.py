"""ModelDownloads: the downloads of a home. One loads at a time; the others wait for it in their order.

Contract: what is said of a download is on the disk when the call returns. A pause or a cancellation returns
when the process is gone, so nothing is written after it. What is asked of downloads is done one after the
other, so that two who ask for the same do not begin it twice, and what is cancelled stays so. What was
loading when Partner ended, however it ended, goes on by itself at the next start: the person asked for the
model, and a computer that was switched off in between takes nothing of that back; what waits by the person's
own pause goes on waiting.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import PartnerError, UsageError
from partner_desktop.base.messages import system_reason
from partner_desktop.base.paths import display_path
from partner_desktop.base.tasks import TaskSet, uninterrupted
from partner_desktop.domain.events import DownloadsEvent, Event
from partner_desktop.domain.model_download import Download, DownloadState
from partner_desktop.model.downloads import download_folder
from partner_desktop.model.downloads.download_store import DownloadStore, KeptDownload, KeptPart
from partner_desktop.model.downloads.fetch_messages import (
    PASSING,
    FetchJob,
    FetchPlan,
    FetchProgress,
    HubTroubleError,
    HubWord,
    PartSpec,
)
from partner_desktop.model.downloads.fetch_process import ask_hub

_log = log.area("model")

#: The speed is that of so many seconds.
_SPEED_S = 5.0

#: Takes a model's file into the settings under a title; its name there.
TakeIn: TypeAlias = Callable[[Path, str], Awaitable[str]]


class ModelDownloads:
    """A part of the AgentContext, after the database and the models' settings."""

    #: What came may be gigabytes that go to the disk first. A disk that takes longer is not waited for.
    shutdown_limit_s = 20.0

    def __init__(
        self,
        store: DownloadStore,
        folder: Path,
        *,
        publish: Callable[[Event], None],
        clock: Clock,
        goes_on: bool,
        stall_s: Callable[[], float],
    ) -> None:
        """`folder`: where models lie. `goes_on`: whether what was loading is loaded on at the launch.
        `stall_s`: how long a download may bring nothing.
        """
        self._stall_s = stall_s
        self._store, self._folder = store, folder
        self._publish, self._clock, self._goes_on = publish, clock, goes_on
        self._take_in: TakeIn | None = None
        self._tasks = TaskSet("downloads")
        self._kept: dict[str, KeptDownload] = {}
        """The oldest first."""
        self._asked: set[str] = set()
        """What may load in this process."""
        self._loading: tuple[str, asyncio.Task[None]] | None = None
        self._speed = DownloadSpeed(clock)
        self._closing = self._given_up = False
        self._arriving = False
        """What loads is here, and goes to the disk."""
        self._changing = asyncio.Lock()
        """Whoever starts, pauses, resumes or cancels."""
        self._followers: set[asyncio.Event] = set()

    def take_in_by(self, take_in: TakeIn) -> None:
        """Set who takes what came into the settings."""
        self._take_in = take_in

    async def launch(self) -> None:
        """Read what there is, and go on with what was loading."""
        for kept in await self._store.all():
            begun = kept.state in ("loading", "checking", "waiting")
            self._kept[kept.id] = await self._as_it_lies(kept) if begun else kept
            if begun and self._goes_on:
                self._asked.add(kept.id)
        known = frozenset(kept.id for kept in self._kept.values() if kept.state != "done")
        try:
            await asyncio.to_thread(lambda: download_folder.sweep(self._folder, known))
        except OSError as error:  # a share that is gone keeps nobody from talking
            _log.warning("the folder of downloads was not looked through: %s", error)
        self._begin_next()

    async def shutdown(self) -> None:
        """End the process; what loads is kept as loading, and what is told as done is kept as that.

        Whoever cancels this has waited long enough: the next start looks through what is here.
        """
        self._closing = True
        try:
            if self._loading is not None and self._arriving:
                await asyncio.wait([self._loading[1]])
            await self._tasks.close()
        finally:
            self._given_up = True

    def all(self) -> tuple[Download, ...]:
        """The newest first."""
        return tuple(self._shown(kept) for kept in reversed(self._kept.values()))

    def get(self, download_id: str) -> Download:
        """One.

        Raises:
            UsageError: There is none of this id.
        """
        return self._shown(self._require(download_id))

    async def idle(self) -> None:
        """Wait until nothing loads."""
        while self._loading is not None:
            await asyncio.wait([self._loading[1]])

    async def follow(self, download_id: str) -> AsyncGenerator[Download, None]:
        """One, as often as it changes, until nothing goes on by itself any more.

        What is done is told at once; the end comes when it is on the disk and noted down as done.

        Raises:
            UsageError: There is none of this id.
        """
        changed = asyncio.Event()
        self._followers.add(changed)
        try:
            self._require(download_id)
            while download_id in self._kept:
                changed.clear()
                yield (download := self.get(download_id))
                if download.state not in ("done", "failed", "paused"):
                    await changed.wait()
                    continue
                if self._loading is not None and self._loading[0] == download_id:
                    await asyncio.wait([self._loading[1]])
                if self._kept.get(download_id) is not None and self.get(download_id) == download:
                    return
        finally:
            self._followers.discard(changed)

    async def start(self, wanted: KeptDownload) -> Download:
        """Begin one, or go on with the one that brings the same file; its id is the one that counts then.

        Raises:
            StorageError: It cannot be noted down.
        """
        async with self._changing:
            for kept in self._kept.values():
                if (kept.repository, kept.file) == (wanted.repository, wanted.file):
                    there = kept.state == "done" and await asyncio.to_thread(Path(kept.path).is_file)
                    if there or kept.state not in ("done", "paused", "failed"):
                        return self._shown(kept)
                    return await self._resumed(kept.id)
            await self._store.save(wanted)
            self._kept[wanted.id] = wanted
            self._asked.add(wanted.id)
            self._begin_next()
            self._tell()
            return self.get(wanted.id)

    async def pause(self, download_id: str) -> Download:
        """Let it wait, with what it has, until the person resumes it.

        Raises:
            UsageError: There is none of this id.
        """
        async with self._changing:
            kept = self._require(download_id)
            if kept.state in ("done", "failed"):
                return self._shown(kept)
            await self._stop(download_id)
            kept = self._require(download_id)
            if kept.state != "done":
                done = await self._there(kept)
                await self._save(replace(kept, state="paused", trouble="", values={}, done_bytes=done))
            self._begin_next()
            return self.get(download_id)

    async def resume(self, download_id: str) -> Download:
        """Let it go on where it was, or be tried again.

        Raises:
            UsageError: There is none of this id.
        """
        async with self._changing:
            return await self._resumed(download_id)

    async def _resumed(self, download_id: str) -> Download:
        kept = self._require(download_id)
        gone = kept.state == "done" and not await asyncio.to_thread(Path(kept.path).is_file)
        if kept.state in ("paused", "failed", "waiting") or gone:
            self._asked.add(download_id)
            done = 0 if gone else kept.done_bytes
            await self._save(replace(kept, state="waiting", trouble="", values={}, done_bytes=done))
            self._begin_next()
        return self.get(download_id)

    async def cancel(self, download_id: str) -> None:
        """Give it up and take away what came; a model that is here stays, and is listed no more.

        Raises:
            UsageError: There is none of this id.
        """
        async with self._changing:
            self._require(download_id)
            await self._stop(download_id)
            await self._store.remove(download_id)
            self._kept.pop(download_id, None)
            await asyncio.to_thread(download_folder.remove_stage, self._folder, download_id)
            self._begin_next()
            self._tell()

    async def _stop(self, download_id: str) -> None:
        self._asked.discard(download_id)
        if self._loading is not None and self._loading[0] == download_id:
            task = self._loading[1]
            task.cancel()
            await asyncio.wait([task])

    def _require(self, download_id: str) -> KeptDownload:
        if download_id not in self._kept:
            raise UsageError("downloads.none_such", id=download_id[:40])
        return self._kept[download_id]

    # Loading.

    def _begin_next(self) -> None:
        if self._loading is not None or self._closing:
            return
        for kept in self._kept.values():
            if kept.state == "waiting" and kept.id in self._asked:
                task = self._tasks.start("load", self._load(kept.id))
                self._loading = (kept.id, task)
                task.add_done_callback(lambda _task: self._loaded())
                return

    def _loaded(self) -> None:
        self._loading = None
        self._begin_next()

    async def _load(self, download_id: str) -> None:
        kept = self._require(download_id)
        self._speed.begin()
        try:
            await self._save(replace(kept, state="loading"))
            names = await asyncio.to_thread(
                download_folder.given_names, self._folder, download_id, kept.repository, kept.names
            )
            job = FetchJob(
                repository=kept.repository,
                revision=kept.revision,
                parts=_specs(kept.parts),
                told=_specs(kept.told),
                names=tuple(map(str, names)),
                folder=str(download_folder.stage_of(self._folder, download_id)),
                stall_s=self._stall_s(),
            )
            await ask_hub(job, lambda word: self._heard(download_id, word))
            self._arriving = True
            await uninterrupted(self._arrived(download_id))
        except HubTroubleError as error:
            await self._troubled(download_id, error)
        except OSError as error:
            await self._troubled(download_id, HubTroubleError("disk", reason=str(system_reason(error))))
        except PartnerError as error:  # of the database or of the settings
            await self._troubled(download_id, HubTroubleError("disk", reason=str(error)))
        finally:
            self._arriving = False
            self._speed.end()

    def _heard(self, download_id: str, word: HubWord) -> None:
        kept = self._kept[download_id]
        if isinstance(word, FetchPlan):
            kept = replace(
                kept,
                revision=word.revision,
                size_bytes=word.size_bytes,
                done_bytes=word.done_bytes,
                told=tuple(KeptPart(one.file, one.size_bytes, one.sha256) for one in word.parts),
            )
            self._speed.take(word.done_bytes)
            self._kept[download_id] = kept
            self._tasks.start("note", self._note(kept))
        elif isinstance(word, FetchProgress):
            self._speed.take(word.done_bytes)
            state: DownloadState = (
                "checking" if word.checking and word.done_bytes >= kept.size_bytes else "loading"
            )
            self._kept[download_id] = replace(kept, done_bytes=word.done_bytes, state=state)
        self._tell()

    async def _note(self, kept: KeptDownload) -> None:
        """What the hub said; a disk that refuses costs another question to the hub, after a crash."""
        try:
            await self._store.save(kept)
        except PartnerError as error:
            _log.warning("what the hub said of a download was not written down: %s", error)

    async def _arrived(self, download_id: str) -> None:
        """All is in the folder and checked: it gets its place and its name, and is used if it is a model.

        It may be used while it still goes to the disk. Until it is there, the database has it as loading: a
        machine whose power goes meanwhile looks through what is left of it, and fetches the rest.
        """
        kept = self._kept[download_id]
        path = await asyncio.to_thread(
            download_folder.take_place_of, self._folder, download_id, kept.repository, kept.names
        )
        if not await asyncio.to_thread(download_folder.is_model, path):
            await asyncio.to_thread(download_folder.remove_stage, self._folder, download_id)
            kept = self._kept[download_id] = replace(kept, path=str(path))
            raise HubTroubleError("unreadable", file=path.name, path=display_path(path))
        model = ""
        if kept.purpose == "chat" and self._take_in is not None:
            model = await self._take_in(path, kept.title)
        done = replace(
            kept, state="done", path=str(path), model=model, done_bytes=kept.size_bytes, trouble="", values={}
        )
        self._kept[download_id] = done
        self._tell()
        await asyncio.to_thread(download_folder.sync_files, path, kept.names)
        if self._given_up:
            return
        await self._store.save(done)
        await asyncio.to_thread(download_folder.remove_stage, self._folder, download_id)

    async def _troubled(self, download_id: str, error: HubTroubleError) -> None:
        trouble = error.trouble
        kept = self._kept[download_id]
        passing = trouble.kind in PASSING
        if not passing:  # what is tried next is the newest, whatever was wrong with this one
            kept = replace(kept, revision="")
        failed = replace(
            kept,
            state="paused" if passing else "failed",
            trouble=trouble.kind,
            values=dict(trouble.values),
            done_bytes=await self._there(kept),
        )
        _log.info("download %s of %s: %s", download_id, kept.repository, trouble.kind)
        try:
            await self._save(failed)
        except PartnerError as refused:
            _log.warning("the end of a download was not written down: %s", refused)
            self._kept[download_id] = failed
            self._tell()

    async def _as_it_lies(self, kept: KeptDownload) -> KeptDownload:
        """With all that came since it was last written down."""
        return replace(kept, state="waiting", done_bytes=await self._there(kept))

    async def _there(self, kept: KeptDownload) -> int:
        try:
            return await asyncio.to_thread(download_folder.staged_bytes, self._folder, kept.id)
        except OSError:  # it is told where it is needed
            return 0

    async def _save(self, kept: KeptDownload) -> None:
        await self._store.save(kept)
        self._kept[kept.id] = kept
        self._tell()

    def _shown(self, kept: KeptDownload) -> Download:
        loads = self._loading is not None and self._loading[0] == kept.id and kept.state == "loading"
        return kept.shown(bytes_per_s=self._speed.bytes_per_s if loads else 0.0)

    def _tell(self) -> None:
        self._publish(DownloadsEvent(downloads=self.all()))
        for changed in self._followers:
            changed.set()


def _specs(parts: tuple[KeptPart, ...]) -> tuple[PartSpec, ...]:
    return tuple(PartSpec(file=one.file, size_bytes=one.size_bytes, sha256=one.sha256) for one in parts)


class DownloadSpeed:
    """Bytes a second over the last seconds."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._seen: deque[tuple[float, int]] = deque()

    def begin(self) -> None:
        """Nothing is known."""
        self._seen.clear()

    end = begin

    def take(self, done_bytes: int) -> None:
        """So much is there now."""
        now_s = self._clock.monotonic_s()
        self._seen.append((now_s, done_bytes))
        while len(self._seen) > 2 and self._seen[1][0] < now_s - _SPEED_S:
            self._seen.popleft()

    @property
    def bytes_per_s(self) -> float:
        """0 where nothing is known."""
        if len(self._seen) < 2:
            return 0.0
        (first_s, first), (last_s, last) = self._seen[0], self._seen[-1]
        return max(0, last - first) / (last_s - first_s) if last_s > first_s else 0.0
