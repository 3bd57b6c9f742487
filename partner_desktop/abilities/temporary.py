"""What is known about the files in `tmp/`: which Partner made, and which were kept as abilities. Blocking.

The register lies beside the files, so that it goes where they go. It only ever lets Partner do less: a file
that is not in it, or whose bytes are not those that it names, is the person's own and stays where it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from partner_desktop.base import log
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.files.atomic import write_whole
from partner_desktop.files.trash import move_to_trash
from partner_desktop.runner.ability_content import hash_of, is_noise

_log = log.area("temporary")

REGISTER = ".made-by-partner.json"


@dataclass(frozen=True)
class Kept:
    """A temporary ability that was kept under a key of its own."""

    content_hash: str
    key: str


class TemporaryFiles:
    """The register of one `tmp/` folder. Used from one thread at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / REGISTER
        self._refused: set[str] = set()

    def made(self, name: str, *, content_hash: str = "") -> None:
        """Partner itself has put `name` there, with the bytes that it has now, or is about to, with those of
        `content_hash`.
        """
        found = self._read()
        # Empty, and so nobody's, where it cannot be read.
        found["made"][name] = content_hash or hash_of(self._folder / name)
        found["kept"].pop(name, None)
        self._write(found)

    def is_ours(self, name: str) -> bool:
        """Whether Partner made it, and nobody has changed it since."""
        known = self._read()["made"].get(name)
        return bool(known) and known == hash_of(self._folder / name)

    def keep(self, name: str, kept: Kept) -> None:
        """It is an ability of its own now: with these bytes it is not listed here any more."""
        found = self._read()
        found["made"].pop(name, None)
        found["kept"][name] = f"{kept.content_hash} {kept.key}"
        self._write(found)

    def renamed(self, old_key: str, new_key: str) -> None:
        """An ability that was kept has another key now."""
        found = self._read()
        changed = {name: text for name, text in found["kept"].items() if text.endswith(f" {old_key}")}
        for name, text in changed.items():
            found["kept"][name] = f"{text.removesuffix(old_key)}{new_key}"
        if changed:
            self._write(found)

    def kept(self) -> dict[str, Kept]:
        """What was kept, by its name in `tmp/`."""
        found = {}
        for name, text in self._read()["kept"].items():
            content_hash, _, key = text.partition(" ")
            found[name] = Kept(content_hash, key)
        return found

    def sweep(self, lasting_s: float, *, now_s: float) -> None:
        """Move what Partner made to the trash when its time is over; forget what is the person's by now."""
        found = self._read()
        for name in [*found["made"]]:
            path = self._folder / name
            try:
                if now_s - path.stat().st_ctime <= lasting_s:
                    continue
            except OSError:
                del found["made"][name]  # it is gone
                continue
            if not self._end(path, found["made"][name]):
                continue
            del found["made"][name]
        self._write(found)

    def _end(self, path: Path, made_hash: str) -> bool:
        """Remove one file whose time is over; whether its entry is settled."""
        if hash_of(path) != made_hash:
            return True  # changed since: it is the person's
        try:
            move_to_trash(path)
        except OSError as error:
            if path.name not in self._refused:
                self._refused.add(path.name)
                _log.warning("a temporary file could not be moved to the trash: %s", error)
            return False
        return True

    def _read(self) -> dict[str, dict[str, str]]:
        """The register; what does not look like one of ours counts for nothing."""
        try:
            raw = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            raw = None
        return {part: dict(_entries(raw, part)) for part in ("made", "kept")}

    def _write(self, found: dict[str, dict[str, str]]) -> None:
        if found == self._read():
            return
        body = json.dumps(found, indent=1, sort_keys=True)
        write_whole(self._path, body.encode("utf-8") + b"\n")


def _entries(raw: object, part: str) -> Iterator[tuple[str, str]]:
    """Only plain names: whatever the file says, nothing outside of `tmp/` is meant."""
    entries = raw.get(part) if isinstance(raw, dict) else None
    for name, text in entries.items() if isinstance(entries, dict) else ():
        plain = isinstance(text, str) and name == Path(name).name and not is_noise(name)
        if plain and text and name not in ("", ".", ".."):
            yield name, text
