"""CrashMarker: whether the Partner before this one came to its end, or was cut off.

The host of a home writes a small file when it begins and removes it when it has closed everything. A file
that is still there at the next start means that the process was killed, crashed, or lost its machine. A part
of the AgentContext, right after the host lock: only the host may judge.
"""

from __future__ import annotations

import asyncio
import json
import os
from datetime import datetime

from partner_desktop import __version__
from partner_desktop.base import log, private
from partner_desktop.base.clock import Clock
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.paths import Home, display_text
from partner_desktop.base.spoken import sentence_of
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import ErrorEvent, Event, NoticeEvent, ResultEvent

_log = log.area("lifecycle")

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
            _log.warning("a crash could not be noticed at the next start: %s", error.strerror)

    def _look(self) -> EarlierCrash | None:
        fatal = self._take_fatal()
        try:
            raw = self._marker.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except OSError:
            raw = ""
        _log.warning("the Partner before this one ended unexpectedly")
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
