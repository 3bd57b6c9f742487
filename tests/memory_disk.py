"""The temporary folders of the suite and of benchmarks, kept in memory where that may be done.

Most of the time of a short test is waiting for the disk: folders made and removed, databases that are to
survive a power cut. A file system in memory behaves the same but for the power cut. It is mounted for this
process and those that it starts, in a mount namespace of their own, and goes with the last of them. It is not
`/dev/shm`, which Partner rightly never opens.
"""

from __future__ import annotations

import ctypes
import getpass
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_CLONE_NEWNS = 0x00020000
_MS_REC_PRIVATE = 0x4000 | 0x40000
_MNT_DETACH = 2


def mount(folder: Path | None = None) -> bool:
    """Lay a file system in memory over a folder, else over that of pytest; whether it is there.

    Called before any thread is begun: a thread that is there already would stay outside.
    """
    if not own_mounts():
        return False
    folder = folder or Path(tempfile.gettempdir()).resolve() / f"pytest-of-{getpass.getuser()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    libc = ctypes.CDLL(None, use_errno=True)
    return bool(libc.mount(b"tmpfs", os.fsencode(folder), b"tmpfs", ctypes.c_ulong(0), b"mode=700") == 0)


def own_mounts() -> bool:
    """What this process and those that it starts mount is theirs alone; whether that may be had."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_CLONE_NEWNS) != 0:
        return False
    # Nothing of it is seen outside, and a disk that a test mounts is not either.
    return bool(libc.mount(b"none", b"/", None, ctypes.c_ulong(_MS_REC_PRIVATE), None) == 0)


@contextmanager
def temporary_folder(prefix: str) -> Iterator[Path]:
    """A folder that is gone in the end, in memory where that may be done; before any thread, as `mount`."""
    with tempfile.TemporaryDirectory(prefix=prefix) as name:
        folder = Path(name).resolve()
        mounted = mount(folder)
        try:
            yield folder
        finally:
            if mounted:  # what is mounted over cannot be removed
                ctypes.CDLL(None).umount2(os.fsencode(folder), _MNT_DETACH)
