"""The folders in the home that runs leave: what they printed beyond the record, and their workspace.

What the next step of a chain may read of a workspace is read where it lies and not copied: nothing that was
held reaches an ended run's workspace any more (its processes ended with their namespace, and what it saw
beside lay on other mounts, over which no hard link reaches), a copy would cost the time and the disk of up to
a gigabyte, and the card names the file as it is. So what is left to look at is what the run itself put there.
Links, pipes and sockets are handed to nobody, inside of folders neither: a builtin, or a script that nothing
holds, would follow them with the person's own rights.

Blocking.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from partner_desktop.base.errors import AskHumanError
from partner_desktop.base.messages import sentence_of, system_reason
from partner_desktop.base.text import shown
from partner_desktop.domain.action import RunFile
from partner_desktop.domain.run_facts import PathUse
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
    """What a run left in its workspace."""
    workspace = folder / WORKSPACE
    found: list[RunFile] = []
    for path, size_bytes in _files(workspace):
        if len(found) == MOST_FILES:
            break
        found.append(RunFile(_shown(path.relative_to(workspace)), size_bytes))
    return tuple(sorted(found, key=lambda file: file.name))


def remove_unused_workspace(folder: Path) -> None:
    """Remove a run's workspace, where no file is in it; never raises."""
    if not any(_files(folder / WORKSPACE)):
        remove_workspace(folder)


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


#: What a folder may hold that is handed on: each thing in it is looked at.
_MOST_THINGS = 20_000


def left_by(path: Path, runs: Path) -> str:
    """The id of the run in whose workspace a path lies by its name alone; empty: in none."""
    if not path.is_relative_to(runs):
        return ""
    parts = path.relative_to(runs).parts
    inside = len(parts) >= 2 and parts[1] == WORKSPACE and ".." not in parts
    return parts[0] if inside else ""


def fault(path: Path) -> str:
    """Why a thing in a workspace is not handed on, as the end of a sentence; empty where nothing is wrong."""
    try:
        if os.path.realpath(path) != str(path):
            return sentence_of("runner.left.is_link")
        return _fault_of(path)
    except FileNotFoundError:
        return sentence_of("runner.left.gone")
    except (OSError, ValueError) as error:
        reason = system_reason(error) if isinstance(error, OSError) else error
        return sentence_of("runner.left.unlooked", reason=reason)


def check_step_outputs(uses: Iterable[PathUse], runs: Path) -> None:
    """Look once more, as the run begins, at what it reads of the workspaces of others. `runs`: resolved.

    Raises:
        AskHumanError: Something there is no longer what was decided on.
    """
    for use in uses:
        path = Path(use.path)
        why = fault(path) if left_by(path, runs) else ""
        if why:
            raise AskHumanError("runner.sentence", clause=not_readable(path, why))


def not_readable(path: Path, why: str) -> str:
    """The sentence, without its full stop."""
    return sentence_of("runner.not_handed_on", name=shown(path.name), why=why)


def _fault_of(path: Path) -> str:
    mode = path.lstat().st_mode
    if stat.S_ISREG(mode):
        return ""
    if not stat.S_ISDIR(mode):
        return sentence_of("runner.left.neither")
    seen = 0
    for place, folders, names in os.walk(path, onerror=_raise):
        for name in (*folders, *names):
            seen += 1
            inner = os.lstat(os.path.join(place, name)).st_mode  # noqa: PTH118 - strings throughout, for speed
            if not stat.S_ISREG(inner) and not stat.S_ISDIR(inner):
                return sentence_of("runner.left.holds_link")
        if seen > _MOST_THINGS:
            return sentence_of("runner.left.holds_many", most=_MOST_THINGS)
    return ""


def _raise(error: OSError) -> None:
    raise error
