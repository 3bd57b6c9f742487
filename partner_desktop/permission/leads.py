"""What a place from where programs are started leads to: links in it, and the folders that git is told of.

All blocking, and bounded in how much is read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

#: A file of git's that names another place is short; of a longer one the beginning counts.
_MOST_BYTES = 65_536
#: The folders below a place in which links count (`.git/hooks`).
_DEPTH = 2
#: What names a folder of hooks, a program that each command starts, or more settings.
_NAMED = re.compile(
    r"^[ \t]*(?:hookspath|fsmonitor|path)[ \t]*=[ \t]*(.+?)[ \t]*$", re.IGNORECASE | re.MULTILINE
)
_WORKTREE = re.compile(r"^[ \t]*worktree[ \t]*=[ \t]*(.+?)[ \t]*$", re.IGNORECASE | re.MULTILINE)


def is_store(place: Path) -> bool:
    """Whether git keeps its own there: such a folder tells of others."""
    return bool(_text(place / "HEAD"))


def leads(place: Path) -> list[Path]:
    """Where a place leads, resolved: itself, if it is a link, else by the links in it and git's own words."""
    if os.path.realpath(place) != str(place):
        return [_real(place)]
    found = [_real(link) for link in _links(place, _DEPTH)]
    if place.name.casefold() == ".git":
        said = re.match(r"gitdir:[ \t]*(.+)", _text(place))
        found += [_real(place.parent / said[1].strip())] if said else []
    store = place.parent if place.name.casefold() == "config" else place
    common = _text(store / "commondir").strip()
    if common:
        found.append(_real(store / common))
    for name in ("config", "config.worktree"):
        for text in _NAMED.findall(_text(store / name)):
            named = os.path.expanduser(text.strip('"'))  # noqa: PTH111 - unknown users
            # Hooks are meant from the working folder, further settings from the file that names them.
            found += [_real(folder / named) for folder in (store, _working_folder(store))]
    return found


def _working_folder(store: Path) -> Path:
    told = _WORKTREE.search(_text(store / "config"))
    said = _text(store / "gitdir").strip()  # of a further working folder: where its `.git` lies
    if told:
        return store / told[1].strip('"')
    return (store / said).parent if said else store.parent


def _links(folder: Path, depth: int) -> Iterator[Path]:
    try:
        with os.scandir(folder) as entries:
            found = [
                (Path(entry.path), entry.is_symlink(), entry.is_dir(follow_symlinks=False))
                for entry in entries
            ]
    except OSError:
        return
    for inside, is_link, is_folder in found:
        if is_link:
            yield inside
        elif is_folder and depth > 1:
            yield from _links(inside, depth - 1)


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _text(path: Path) -> str:
    try:
        if not path.is_file():  # nothing is waited for: not at a pipe
            return ""
        with path.open("rb") as file:
            return os.fsdecode(file.read(_MOST_BYTES)).replace("\0", "")
    except OSError:
        return ""
