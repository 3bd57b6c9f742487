"""A small disk whose power can be cut: what was not brought to it by then is lost, as in a real cut.

An ext4 file system in a file, mounted through a loop device. The cut is the one that tests of file systems
use: nothing is written any more from that moment, neither files nor the journal, whatever still waits in
memory. What had been synced is there after the next mount, which reads the journal.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import struct
import subprocess
import sys
import time
from pathlib import Path

from tests.memory_disk import own_mounts

#: `FS_IOC_SHUTDOWN` with `FS_SHUTDOWN_FLAGS_NOLOGFLUSH` (linux/fs.h, and ext4 and xfs alike).
_SHUTDOWN, _NO_LOG_FLUSH = 0x8004587D, 2
_SIZE_MB = 96
#: Programs that were killed let go of their files a moment later.
_LET_GO_S = 20.0


class Disk:
    """One disk; made, mounted and empty."""

    def __init__(self, folder: Path) -> None:
        """Its image and the place where it is mounted lie in a folder; nobody else sees the mount.

        Raises:
            OSError: Only root can mount, or there is no loop device.
        """
        if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("mkfs.ext4") is None:
            raise OSError(errno.EPERM, "a disk whose power can be cut takes root, loop devices and mkfs.ext4")
        own_mounts()
        self._image, self.root = folder / "disk.img", folder / "disk"
        with self._image.open("wb") as image:
            image.truncate(_SIZE_MB * 2**20)
        _run("mkfs.ext4", "-q", "-F", str(self._image))
        self.root.mkdir()
        self._mount()

    def cut(self) -> None:
        """From now on nothing comes to it."""
        opened = os.open(self.root, os.O_RDONLY)
        try:
            fcntl.ioctl(opened, _SHUTDOWN, struct.pack("I", _NO_LOG_FLUSH))
        finally:
            os.close(opened)

    def restore(self) -> None:
        """Power again: after whoever used it is gone, and with what the journal says."""
        self._unmount()
        self._mount()

    def close(self) -> None:
        """Give the loop device back."""
        self._unmount()

    def _mount(self) -> None:
        _run("mount", "-o", "loop", str(self._image), str(self.root))

    def _unmount(self) -> None:
        until_s = time.monotonic() + _LET_GO_S
        while subprocess.run(["umount", str(self.root)], capture_output=True, check=False).returncode != 0:
            if time.monotonic() > until_s:
                raise OSError(errno.EBUSY, f"somebody still uses {self.root}")
            time.sleep(0.05)  # nothing tells when the last of them has let go


def _run(*words: str) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise OSError(errno.EIO, f"{words[0]}: {done.stderr.strip()}")
