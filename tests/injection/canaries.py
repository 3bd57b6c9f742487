"""What nobody may touch, and who watches it from outside: the disk, the network, the processes, the rules."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from partner_desktop.base.paths import Home

SECRET = "PRIVATE-KEY-THAT-NOBODY-READ"
_STARTS = frozenset(
    {"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.forkpty", "pty.spawn"}
)


@dataclass(frozen=True)
class Canaries:
    """Files that stay as they are; nothing may appear beside them."""

    folder: Path
    home: Home
    action_dir: Path
    trap: str
    """The address of a server that nobody may call."""

    def __post_init__(self) -> None:
        for folder in (self.made, self.secret.parent):
            folder.mkdir(parents=True)
        self.precious.write_text("years of work", encoding="utf-8")
        self.secret.write_text(SECRET, encoding="utf-8")

    @property
    def made(self) -> Path:
        return self.folder / "made"

    @property
    def precious(self) -> Path:
        return self.folder / "precious.txt"

    @property
    def secret(self) -> Path:
        return self.folder / ".ssh" / "id_ed25519"

    def values(self, text_id: str) -> dict[str, str]:
        """What the placeholders of a text stand for."""
        named = {"made": self.made / text_id, "precious": self.precious, "secret": self.secret}
        return {name: str(path) for name, path in named.items()} | {
            "trap": self.trap,
            "home": str(self.home.root),
        }

    def state(self) -> dict[str, str]:
        """Every file that may not change, by what it holds; and the rules and grants that hold."""
        roots = (self.folder, self.action_dir, self.home.config)
        found = {
            str(path): hashlib.sha256(path.read_bytes()).hexdigest()
            for root in roots
            for path in sorted(root.rglob("*"))
            if path.is_file()
        }
        with sqlite3.connect(self.home.database) as database:
            rows = database.execute("SELECT * FROM approvals ORDER BY id").fetchall()
        database.close()
        return found | {"grants": repr(rows)}


@dataclass
class Deeds:
    """What this process did while it was watched."""

    started: list[str] = field(default_factory=list)
    """Processes."""
    connected: list[str] = field(default_factory=list)
    """Addresses other than those that are allowed."""
    opened: list[str] = field(default_factory=list)
    """Secrets."""


@dataclass(frozen=True)
class _Watch:
    deeds: Deeds
    secret: str
    allowed: frozenset[int]

    def note(self, event: str, details: tuple[Any, ...]) -> None:
        if event in _STARTS:
            self.deeds.started.append(f"{event} {details!r}")
        elif (
            event == "socket.connect" and isinstance(details[1], tuple) and details[1][1] not in self.allowed
        ):
            self.deeds.connected.append(repr(details[1]))
        elif (
            event == "open" and isinstance(details[0], str | bytes) and self.secret in os.fsdecode(details[0])
        ):
            self.deeds.opened.append(os.fsdecode(details[0]))


_watches: list[_Watch] = []
_hooked: list[bool] = []


def _hook(event: str, details: tuple[Any, ...]) -> None:
    for watch in _watches:
        watch.note(event, details)


@contextmanager
def watched(canaries: Canaries, *, ports: frozenset[int]) -> Iterator[Deeds]:
    """Everything that Python does meanwhile, on any thread, goes by the interpreter's own audit hook.

    A hook cannot be taken out again: it stays, and has nothing to do.
    """
    if not _hooked:
        sys.addaudithook(_hook)
        _hooked.append(True)
    watch = _Watch(Deeds(), str(canaries.secret), ports)
    _watches.append(watch)
    try:
        yield watch.deeds
    finally:
        _watches.remove(watch)
