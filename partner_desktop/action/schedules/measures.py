"""Measures that a threshold is set on, and when one is passed. What touches the disk blocks: off the loop."""

from __future__ import annotations

import os
import shutil
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.schedule import Threshold

#: Entries of a folder that are counted, and seconds that it may take.
_MOST_ENTRIES, _MOST_S = 200_000, 5.0
#: Of the limit: so far it goes back before it can be passed again.
_BACK = 0.05


@dataclass(frozen=True)
class MachineLoad:
    """In percent; `None`: the machine does not tell."""

    memory: float | None = None
    processor: float | None = None


#: Begins to watch the processors, and gives what tells their load since then. Both block, for a thread.
LookAtLoad: TypeAlias = Callable[[], Callable[[], MachineLoad]]


@dataclass(frozen=True)
class Measured:
    """A value, or the least that it can be."""

    value: float
    is_whole: bool = True


def folder_size(path: str) -> Measured:
    """The bytes of all files in a folder, each file once; no link is followed.

    Raises:
        OSError: The folder is not there, or cannot be read.
    """
    end_s, entries, total = time.monotonic() + _MOST_S, 0, 0
    seen: set[tuple[int, int]] = set()
    folders = [path]
    os.listdir(path)  # noqa: PTH208 - the folder itself must be there; one in it may go meanwhile
    while folders:
        try:
            found = os.scandir(folders.pop())
        except OSError:
            continue
        with found:
            for entry in found:
                entries += 1
                if entries > _MOST_ENTRIES or time.monotonic() > end_s:
                    return Measured(total, is_whole=False)
                try:
                    info = entry.stat(follow_symlinks=False)
                except OSError:
                    continue
                if stat.S_ISDIR(info.st_mode):
                    folders.append(entry.path)
                elif stat.S_ISREG(info.st_mode) and (info.st_dev, info.st_ino) not in seen:
                    total += info.st_size
                    if info.st_nlink > 1:
                        seen.add((info.st_dev, info.st_ino))
    return Measured(total)


def free_space(path: str) -> Measured:
    """The bytes that are free on the disk of a path.

    Raises:
        OSError: It is not there.
    """
    return Measured(shutil.disk_usage(path or Path.home()).free)


def is_beyond(threshold: Threshold, measured: Measured, *, before: bool | None) -> bool | None:
    """Whether the limit is passed, if it was or was not before; `None`: that cannot be told.

    Once passed it stays so until the value has gone back by a little more.
    """
    value, limit = measured.value, threshold.limit
    if threshold.over:
        if value > limit:
            return True
        if not measured.is_whole:
            return None
        return bool(before) and value >= limit * (1 - _BACK)
    if not measured.is_whole:
        return False if value > limit * (1 + _BACK) else None
    return value < limit or (bool(before) and value <= limit * (1 + _BACK))
