"""What was typed before: a private file in the home, capped."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

from prompt_toolkit.history import History

from partner_desktop.base import log

_log = log.area("console")

MOST_ENTRIES = 1_000
#: A longer paste is not worth being typed again.
_LONGEST = 20_000


class CappedHistory(History):
    """One JSON string a line, oldest first; only its owner can read it."""

    def __init__(self, path: Path, *, most: int = MOST_ENTRIES) -> None:
        super().__init__()
        self._path = path
        self._most = most

    def load_history_strings(self) -> Iterable[str]:
        """Newest first, as the base class wants it. A line that cannot be read is left out."""
        found = []
        for line in self._lines():
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            if isinstance(entry, str):
                found.append(entry)
        return reversed(found[-self._most :])

    def store_string(self, string: str) -> None:
        """Add an entry; now and then the oldest are dropped. A full disk costs the history only."""
        if len(string) > _LONGEST:
            return
        try:
            lines = self._lines()
            if len(lines) >= 2 * self._most:
                self._write([*lines[-self._most :], json.dumps(string)], os.O_TRUNC)
            else:
                self._write([json.dumps(string)], os.O_APPEND)
        except OSError as error:
            _log.warning("the history cannot be written: %s", error)

    def _lines(self) -> list[str]:
        try:
            return self._path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return []

    def _write(self, lines: list[str], how: int) -> None:
        handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | how, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write("".join(f"{line}\n" for line in lines))
