"""The folders in the home that runs leave: what they printed beyond the record, and their workspace."""

from __future__ import annotations

import asyncio
import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from partner_desktop.base.text import shown
from partner_desktop.domain.action import RunFile
from partner_desktop.files.atomic import clear_building, free_name, take_place

WORKSPACE = "workspace"
#: Files of a workspace that are named.
MOST_FILES = 100
_MOST_SIGNS = 200
_READING = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


async def forget_outputs(runs: Path, action_ids: Sequence[str]) -> None:
    """Remove what these actions printed; a workspace that a script left files in stays the person's."""
    await asyncio.to_thread(_forget, runs, action_ids)


def _forget(runs: Path, action_ids: Sequence[str]) -> None:
    for action_id in action_ids:
        folder = runs / action_id
        with suppress(OSError):  # it left nothing, or a workspace that is in use
            for spilled in folder.iterdir():
                if not spilled.is_dir():
                    spilled.unlink()
            (folder / WORKSPACE).rmdir()
        with suppress(OSError):
            folder.rmdir()


# All below blocks.


def left_files(folder: Path) -> tuple[RunFile, ...]:
    """What a run left in its workspace; a workspace without any file is removed."""
    workspace = folder / WORKSPACE
    found: list[RunFile] = []
    for path, size_bytes in _files(workspace):
        if len(found) == MOST_FILES:
            break
        found.append(RunFile(_shown(path.relative_to(workspace)), size_bytes))
    if not found:
        remove_workspace(folder)
    return tuple(sorted(found, key=lambda file: file.name))


def remove_workspace(folder: Path) -> None:
    """Remove a run's workspace, and its folder where nothing else is in it; never raises."""
    shutil.rmtree(folder / WORKSPACE, ignore_errors=True)
    with suppress(OSError):  # it printed more than the record keeps, or was removed before
        folder.rmdir()


def keep(workspace: Path, folder: Path) -> tuple[int, int]:
    """Copy all files of a workspace under names that are free; how many, and how many things were left out.

    Links are left out, for they may lead anywhere, and so are pipes, sockets and devices.

    Raises:
        OSError: It cannot be copied; what was begun is removed, what was copied before stays.
    """
    kept = left_out = 0
    for source in sorted(workspace.iterdir()):
        target = free_name(folder, source.name)
        building = folder / f".{workspace.parent.name}.tmp"
        try:
            copied, skipped = _copy(source, building)
            kept, left_out = kept + copied, left_out + skipped
            if copied:
                take_place(building, target)
        finally:
            clear_building(building)
    return kept, left_out


def _copy(source: Path, target: Path) -> tuple[int, int]:
    mode = source.lstat().st_mode
    if stat.S_ISREG(mode):
        with (
            os.fdopen(os.open(source, _READING), "rb") as old,
            target.open("xb") as new,
        ):
            shutil.copyfileobj(old, new)
        if mode & stat.S_IXUSR:
            target.chmod(target.stat().st_mode | 0o100)
        return 1, 0
    if not stat.S_ISDIR(mode):
        return 0, 1
    target.mkdir()
    copied = left_out = 0
    for item in source.iterdir():
        more, skipped = _copy(item, target / item.name)
        copied, left_out = copied + more, left_out + skipped
    return copied, left_out


def _files(workspace: Path) -> Iterator[tuple[Path, int]]:
    """Regular files below it and their sizes; links are not followed."""
    for place, folders, names in os.walk(workspace):
        folders.sort()
        for name in sorted(names):
            path = Path(place) / name
            with suppress(OSError):
                info = path.lstat()
                if stat.S_ISREG(info.st_mode):
                    yield path, info.st_size


def _shown(path: Path) -> str:
    return shown(os.fsencode(path).decode("utf-8", "replace"))[:_MOST_SIGNS]
