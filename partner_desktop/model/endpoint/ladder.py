"""What each server was found to take, kept on disk for a day: a file that is rebuilt when lost."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from partner_desktop.base import log, private
from partner_desktop.base.clock import Clock
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.files.atomic import write_whole
from partner_desktop.model.endpoint.address import shown_address
from partner_desktop.model.endpoint.manner import RUNGS, Manner

_log = log.area("model")

#: Then everything is tried again, so that a server that was updated gets its schemas back.
KEPT = timedelta(days=1)
_MOST = 200
_MOST_BYTES = 1024 * 1024


class LadderMemory:
    """By address and model. Never in the way: what cannot be read or written is not kept.

    Without a path it forgets everything with itself.
    """

    def __init__(self, path: Path | None, *, clock: Clock) -> None:
        self._path, self._clock = path, clock
        self._found: dict[str, tuple[datetime, Manner]] | None = None
        self._writing = asyncio.Lock()

    async def manner(self, address: str, model: str) -> Manner:
        """How to ask; the default where nothing is known or it is too old."""
        found = await self._all()
        at, manner = found.get(_key(address, model), (datetime.min.replace(tzinfo=UTC), Manner()))
        return manner if timedelta(0) <= self._clock.now() - at < KEPT else Manner()

    async def keep(self, address: str, model: str, manner: Manner) -> None:
        """Remember it."""
        found = await self._all()
        found[_key(address, model)] = (self._clock.now(), replace(manner, stream=True))
        if self._path is None:
            return
        newest = sorted(found.items(), key=lambda pair: pair[1][0])[-_MOST:]
        async with self._writing:
            await asyncio.to_thread(_write, self._path, dict(newest))

    async def _all(self) -> dict[str, tuple[datetime, Manner]]:
        if self._found is None:
            read = await asyncio.to_thread(_read, self._path) if self._path else {}
            if self._found is None:  # another call may have been as fast
                self._found = read
        return self._found


def _key(address: str, model: str) -> str:
    return f"{shown_address(address)} {model}"


def _read(path: Path) -> dict[str, tuple[datetime, Manner]]:
    try:
        with path.open("rb") as file:
            raw = json.loads(file.read(_MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    pairs = raw.items() if isinstance(raw, dict) else ()
    return {key: kept for key, value in pairs if (kept := _kept(value)) is not None}


def _kept(value: Json) -> tuple[datetime, Manner] | None:
    match value:
        case {
            "at": str(at),
            "rung": str(rung),
            "usage": bool(usage),
            "modern": bool(modern),
            "sampling": bool(sampling),
        }:
            try:
                when = datetime.fromisoformat(at)
            except ValueError:
                return None
            for known in RUNGS:
                if known == rung and when.tzinfo is not None:
                    return when, Manner(known, usage, modern, sampling)
    return None


def _write(path: Path, found: dict[str, tuple[datetime, Manner]]) -> None:
    shown: JsonObject = {key: {"at": at.isoformat(), **asdict(manner)} for key, (at, manner) in found.items()}
    try:
        private.make_folder(path.parent)
        write_whole(path, json.dumps(shown, indent=1).encode(), private=True)
    except OSError as error:
        _log.info("what endpoints take was not kept: %s", error.strerror)
