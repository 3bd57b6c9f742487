"""Reports of unexpected errors: a text that a person can read and pass on, kept in the home.

A report tells what broke and where: time, versions, platform, the turn's id and the traceback. It holds no
word that the person wrote and no secret: what stands in quotes in an error's own message is left out, as is
what looks like a key; paths below the user's folder begin with `~`.

`CrashMarker` tells whether the Partner before this one came to its end, or was cut off. The host of a home
writes a small file when it begins and removes it when it has closed everything. A file that is still there
at the next start means that the process was killed, crashed, or lost its machine. A part of the
AgentContext, right after the host lock: only the host may judge.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import traceback
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

from partner_desktop import __version__
from partner_desktop.base import log, private
from partner_desktop.base.clock import Clock
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.paths import Home, display_text
from partner_desktop.base.patterns import late
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import ErrorEvent, Event, NoticeEvent, ResultEvent

_log = log.area("reports")

#: The folder keeps no more than this.
MOST_KEPT = 20
_LONGEST_MESSAGE = 200
_LONGEST_CHAIN = 8

_QUOTED = late(r"'[^'\n]*'|\"[^\"\n]*\"|`[^`\n]*`|“[^”\n]*”|‘[^’\n]*’|«[^»\n]*»|「[^」\n]*」")
_SECRET = late(
    r"(?i)\b(bearer|token|secret|password|passwd|api[_-]?key|authorization)\b\S*(\s*[:=]\s*|\s+)\S+"
)
_KEYLIKE = late(r"\b(?=[\w\-]*\d)[\w\-]{24,}\b")


@dataclass(frozen=True)
class ExceptionReport:
    """One unexpected error."""

    where: str
    text: str
    """All of it, ready to be copied."""
    kind: str
    """The same for errors of one type from one place."""
    error: BaseException


def make_report(
    error: BaseException,
    *,
    where: str,
    now: datetime | None = None,
    turn_id: str = "",
    private: Sequence[str] = (),
) -> ExceptionReport:
    """Write the report of an error; `private` are texts that must not appear in it."""
    head = [
        "Partner Desktop: an unexpected error",
        f"time: {(now or datetime.now(UTC)).isoformat(timespec='seconds')}",
        f"version: {__version__}",
        # Not `platform.platform()`: it starts a process to learn the processor's name.
        f"platform: {platform.system()} {platform.release()} {platform.machine()}",
        f"python: {platform.python_version()}",
        f"where: {where or 'unknown'}",
    ]
    if turn_id:
        head.append(f"turn: {turn_id}")
    text = display_text("\n".join([*head, "", *_chain(error, private)]))
    return ExceptionReport(where, text, _kind(error, where), error)


def _chain(error: BaseException, private: Sequence[str]) -> Iterator[str]:
    """The error and what led to it, oldest first, as Python prints them."""
    links: list[tuple[BaseException, str]] = []
    current: BaseException | None = error
    while current is not None and len(links) < _LONGEST_CHAIN:
        cause, context = current.__cause__, None if current.__suppress_context__ else current.__context__
        told = "This led directly to:" if cause is not None else "While that was handled, this happened:"
        links.append((current, told if cause or context else ""))
        current = cause or context
    for link, told in reversed(links):
        if told:
            yield told
        yield from _one(link, private)


def _one(error: BaseException, private: Sequence[str]) -> Iterator[str]:
    if error.__traceback__ is not None:
        yield "Traceback (most recent call last):"
        yield from "".join(traceback.format_tb(error.__traceback__)).splitlines()
    message = clean(str(error), private)
    yield f"{type(error).__qualname__}: {message}" if message else type(error).__qualname__
    if isinstance(error, BaseExceptionGroup):
        for number, inner in enumerate(error.exceptions[:_LONGEST_CHAIN], start=1):
            yield f"  {number}."
            yield from (f"  {line}" for line in _chain(inner, private))


def clean(message: str, private: Sequence[str] = ()) -> str:
    """An error's own words without what may be the person's, or a secret."""
    for text in sorted((text for text in private if text.strip()), key=len, reverse=True):
        message = message.replace(text, "…")
    message = display_text(message)
    message = _QUOTED.sub("‘…’", message)
    message = _SECRET.sub(r"\1 …", message)
    message = _KEYLIKE.sub("…", message)
    return message if len(message) <= _LONGEST_MESSAGE else message[:_LONGEST_MESSAGE] + "…"


def _kind(error: BaseException, where: str) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    last = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__qualname__} {last} {where}"


class ReportStore:
    """Keeps the last reports as files that only the person can read.

    Contract: `keep` returns at once, on any thread; the writing is done by a thread of its own, in order.
    `close` waits for what is to be written. A disk that refuses is logged and nothing more.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writer: ThreadPoolExecutor | None = None
        self._kept: set[str] = set()

    @property
    def folder(self) -> Path:
        return self._folder

    def keep(self, text: str, *, kind: str = "") -> Future[None] | None:
        """Write a report down; of one kind only the first of this process."""
        if kind and kind in self._kept:
            return None
        self._kept.add(kind)
        if self._writer is None:
            self._writer = ThreadPoolExecutor(1, thread_name_prefix="reports")
        return self._writer.submit(self._write, text)

    async def close(self) -> None:
        """Wait until everything is written; idempotent."""
        writer, self._writer = self._writer, None
        if writer is not None:
            await asyncio.to_thread(writer.shutdown)

    def _write(self, text: str) -> None:
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)  # a home is made by its host only
            path = self._folder / f"{datetime.now(UTC):%Y%m%dT%H%M%S.%f}.txt"
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
                file.write(text + "\n")
            for old in sorted(self._folder.glob("*.txt"))[:-MOST_KEPT]:
                old.unlink(missing_ok=True)
        except OSError as error:
            _log.warning("a report could not be kept: %s", error.strerror or error)


_marker_log = log.area("lifecycle")

#: Where an error came from that the process before this one ended with.
LAST_RUN = "the last run"

#: A crash of the interpreter writes a few kilobytes; more is cut.
_MOST_BYTES = 64 * 1024


@dataclass(frozen=True)
class EarlierCrash:
    """The Partner before this one ended without closing."""

    begun_at: str
    """When it had begun, ISO 8601; empty when the file cannot be read."""
    report: str
    """What the interpreter wrote while it crashed, ready to be copied; empty after a kill."""


class CrashMarker:
    """Knows how the last one ended once it has launched; as a channel, what of it was cut off."""

    name = "crash marker"

    def __init__(self, home: Home, *, clock: Clock) -> None:
        self._marker = home.root / "running.json"
        self._fatal = home.fatal_file
        self._clock = clock
        self.earlier: EarlierCrash | None = None
        self._interrupted = 0

    @property
    def notice(self) -> Event | None:
        """What to tell the person; `None` when the last one came to its end."""
        return _notice_of(self.earlier, self._interrupted)

    def accepts(self, event: Event) -> bool:
        return isinstance(event, ResultEvent) and event.action.status is ActionStatus.INTERRUPTED

    def deliver(self, event: Event) -> None:
        del event
        self._interrupted += 1

    async def launch(self) -> None:
        await asyncio.to_thread(self._begin)

    async def shutdown(self) -> None:
        await asyncio.to_thread(self._marker.unlink, missing_ok=True)

    def _begin(self) -> None:
        self.earlier = self._look()
        body = {"pid": os.getpid(), "version": __version__, "begun_at": self._clock.now().isoformat()}
        try:
            private.write_text(self._marker, json.dumps(body))
        except OSError as error:
            _marker_log.warning("a crash could not be noticed at the next start: %s", error.strerror)

    def _look(self) -> EarlierCrash | None:
        fatal = self._take_fatal()
        try:
            raw = self._marker.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except OSError:
            raw = ""
        _marker_log.warning("the Partner before this one ended unexpectedly")
        return EarlierCrash(_begun_at(raw), fatal)

    def _take_fatal(self) -> str:
        """The interpreter's last words; the file is empty afterwards."""
        try:
            with self._fatal.open("rb+") as file:
                told = file.read(_MOST_BYTES).decode("utf-8", "replace")
                file.truncate(0)
        except OSError:
            return ""
        if not told.strip():
            return ""
        head = f"Partner Desktop: the process crashed\nversion: {__version__}\n\n"
        return head + display_text(told.strip())


def _begun_at(raw: str) -> str:
    try:
        return datetime.fromisoformat(json.loads(raw)["begun_at"]).isoformat(timespec="seconds")
    except (ValueError, KeyError, TypeError):
        return ""


def _notice_of(earlier: EarlierCrash | None, interrupted: int) -> Event | None:
    """What the person is told; with the interpreter's own report, where there is one."""
    if earlier is None:
        return None
    stopped = {0: "", 1: sentence_of("runtime.one_action_ran")}.get(
        interrupted, sentence_of("runtime.actions_ran", count=interrupted)
    )
    title = sentence_of("runtime.ended_unexpectedly")
    text = sentence_of("runtime.everything_again", stopped=stopped)
    if earlier.report:
        return ErrorEvent(message=text, where=LAST_RUN, report=earlier.report)
    return NoticeEvent(title=f"{title}.", text=text, level="warning")
