"""`python -m partner_desktop.model.downloads.fetcher`: one job, then the end. Started by `fetch_process.py`.

When stdin closes, the app is gone or wants no more of it: the process ends at once, whatever it waits for.
"""

from __future__ import annotations

import hashlib
import os
import resource
import sys
import threading
import time
from pathlib import Path

from partner_desktop.base.processes import behave
from partner_desktop.model.downloads.fetch_messages import (
    Fetched,
    FetchJob,
    FetchMessage,
    FetchPlan,
    FetchProgress,
    HubTroubleError,
    HubWord,
    LookJob,
    PartSpec,
    message_line,
    part_name,
    read_job,
)
from partner_desktop.model.downloads.fetcher.hub_door import (
    LEAST_BYTES,
    FileFacts,
    facts_of_file,
    look_at,
    stream_of,
)
from partner_desktop.model.downloads.fetcher.part_file import PartFile, disk_trouble, forget, require_room

_TELL_S = 0.25
#: What a hub says is read whole by the library, however long it is.
_MOST_MEMORY_BYTES = 512 << 20
#: Pauses between tries that brought nothing; one that brought something is followed by the next at once.
_PAUSES_S = (0.0, 1.0, 2.0)
_TRIED_AGAIN = frozenset({"cut", "silent", "refused", "offline"})


class Speaker:
    """Writes lines; what else this process prints goes to stderr."""

    def __init__(self) -> None:
        self._writing = threading.Lock()
        self._out = os.dup(1)
        os.dup2(2, 1)

    def say(self, message: FetchMessage) -> None:
        """Write one, from any thread; an app that is gone ends this process elsewhere."""
        rest = memoryview(message_line(message))
        with self._writing:
            while rest:
                rest = rest[os.write(self._out, rest) :]


class Fetching:
    """One job of files."""

    def __init__(self, job: FetchJob, speaker: Speaker) -> None:
        self._job, self._speaker = job, speaker
        self._folder = Path(job.folder)
        self._before = 0
        """Bytes of the parts that are whole."""
        self._part: PartFile | None = None
        self._checking = False

    def run(self) -> HubWord:
        """Fetch and check all; what is here whole is checked without the hub."""
        job = self._job
        if self._is_here():
            return Fetched()
        facts: list[FileFacts] = []
        for part in job.parts:
            revision = facts[0].revision if facts else job.revision
            facts.append(facts_of_file(job.repository, part.file, revision))
        specs = tuple(
            PartSpec(file=part.file, size_bytes=one.size_bytes, sha256=part.sha256 or one.sha256)
            for part, one in zip(job.parts, facts, strict=True)
        )
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            there = sum(self._there(spec) for spec in specs)
        except OSError as error:
            raise disk_trouble(error, self._folder.parent, 0) from error
        whole = sum(spec.size_bytes for spec in specs)
        self._speaker.say(
            FetchPlan(revision=facts[0].revision, parts=specs, size_bytes=whole, done_bytes=there)
        )
        for wanted, spec in zip(job.parts, specs, strict=True):
            if wanted.size_bytes not in (0, spec.size_bytes):
                raise HubTroubleError(
                    "wrong_size", file=spec.file, wanted=wanted.size_bytes, found=spec.size_bytes
                )
        require_room(self._folder, whole - there)
        threading.Thread(target=self._keep_telling, name="progress", daemon=True).start()
        for spec, one in zip(specs, facts, strict=True):
            self._fetch(spec, one)
            self._before += spec.size_bytes
        return Fetched()

    def _is_here(self) -> bool:
        """Whether all parts are what the hub told of them; one that is whole and wrong is taken away."""
        told = self._job.told
        if not told or any(not one.sha256 or self._there(one) != one.size_bytes for one in told):
            return False
        whole = sum(one.size_bytes for one in told)
        self._speaker.say(FetchProgress(done_bytes=whole, checking=True))
        right = True
        for one in told:
            path = self._path(one)
            with path.open("rb") as file:
                if hashlib.file_digest(file, "sha256").hexdigest() == one.sha256:
                    continue
            forget(path, self._job.names)
            right = False
        return right

    def _there(self, spec: PartSpec) -> int:
        path = self._path(spec)
        return min(path.stat().st_size, spec.size_bytes) if path.exists() else 0

    def _path(self, spec: PartSpec) -> Path:
        return self._folder / part_name(spec.file)

    def _fetch(self, spec: PartSpec, facts: FileFacts) -> None:
        source = f"{facts.etag or facts.revision} {facts.size_bytes}"
        try:
            part = PartFile(self._path(spec), size_bytes=facts.size_bytes, source=source)
        except OSError as error:
            raise disk_trouble(error, self._folder, 0) from error
        with part:
            try:
                self._part, self._checking = part, False
                self._load(part, spec, facts)
                self._check(part, spec)
            except HubTroubleError as error:
                if error.trouble.kind in ("wrong_hash", "wrong_size", "not_gguf"):
                    forget(self._path(spec), self._job.names)
                raise

    def _load(self, part: PartFile, spec: PartSpec, facts: FileFacts) -> None:
        """Until all is there; a connection that breaks or falls silent is opened anew where it was."""
        idle = 0
        while part.done < facts.size_bytes:
            before = part.done
            try:
                self._pour(part, spec, facts)
            except HubTroubleError as error:
                idle = 0 if part.done >= before + LEAST_BYTES else idle + 1
                if error.trouble.kind not in _TRIED_AGAIN or idle >= len(_PAUSES_S):
                    raise
                time.sleep(_PAUSES_S[idle])

    def _pour(self, part: PartFile, spec: PartSpec, facts: FileFacts) -> None:
        with stream_of(
            facts,
            repository=self._job.repository,
            file=spec.file,
            start=part.done,
            etag=part.etag,
            stall_s=self._job.stall_s,
        ) as stream:
            if stream.start != part.done:
                part.restart()
            if stream.etag != part.etag or not part.done:
                part.comes_from(stream.etag)
            for chunk in stream.chunks:
                part.write(chunk)
        if part.done < facts.size_bytes:
            raise HubTroubleError("cut", host="")

    def _check(self, part: PartFile, spec: PartSpec) -> None:
        self._checking = True
        self._tell(part)
        found = part.digest()
        if spec.sha256 and found != spec.sha256:
            raise HubTroubleError("wrong_hash", file=spec.file)

    def _tell(self, part: PartFile) -> None:
        self._speaker.say(FetchProgress(done_bytes=self._before + part.done, checking=self._checking))

    def _keep_telling(self) -> None:
        """Also while nothing comes: a speed falls only where that is told."""
        while True:
            time.sleep(_TELL_S)
            if self._part is not None:
                self._tell(self._part)


def _listen() -> None:
    """Whatever comes after the job, and most of all the end."""
    while os.read(0, 4096):
        pass
    os._exit(0)


def _answer(line: bytes, speaker: Speaker) -> HubWord:
    job = read_job(line)
    threading.Thread(target=_listen, name="stdin", daemon=True).start()
    try:
        if isinstance(job, LookJob):
            return look_at(job.repository, job.revision)
        return Fetching(job, speaker).run()
    except HubTroubleError as error:
        return error.trouble
    except OSError as error:
        return disk_trouble(error, Path(getattr(job, "folder", ".")), 0).trouble


def _first_line() -> bytes:
    """Unbuffered, so that nothing of it is taken from the thread that waits for the end."""
    line = bytearray()
    while not line.endswith(b"\n"):
        piece = os.read(0, 1 if line else 65_536)
        if not piece:
            sys.exit(0)
        line += piece
    return bytes(line)


def _hold_memory() -> None:
    """A hub that never stops talking ends the job, not the machine."""
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    limit = _MOST_MEMORY_BYTES if most == resource.RLIM_INFINITY else min(_MOST_MEMORY_BYTES, most)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, most))


def run_job() -> None:
    """The process."""
    speaker = Speaker()
    behave()
    _hold_memory()
    speaker.say(_answer(_first_line(), speaker))
    os._exit(0)


if __name__ == "__main__":
    run_job()
