"""A Debian without Python, made once by debootstrap, and how a program is started in a copy of it.

`chroot` alone would not do: in a chroot the kernel gives nobody a user namespace, which the sandbox needs.
So a program gets a mount namespace whose root is the copy, and becomes an ordinary user there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

USER = 1000
SUITE = "bookworm"
#: Kept from one run to the next: the system that is copied, and packages that apt has fetched.
CACHE = Path("/var/cache/partner-desktop-tests")

#: Says a word when it is done, and then only keeps the namespace there.
_HOLD = """
set -e
mount --bind "$1" "$1"
cd "$1"
mount -t proc proc proc
mount --rbind /dev dev
mkdir -p outside
pivot_root . outside
cd /
umount -l outside
echo ready
exec sleep infinity
"""


@dataclass(frozen=True)
class CleanRoot:
    """A system of its own; `holder` keeps it there."""

    folder: Path
    holder: int

    def entering(self, user: int = USER) -> tuple[str, ...]:
        """What comes before a command line, to run it there: it becomes the program itself."""
        become = () if user == 0 else ("setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups")
        return ("nsenter", f"--mount=/proc/{self.holder}/ns/mnt", "--", *become)

    def as_root(self, *command: str) -> str:
        """Run a command there as root; what it printed.

        Raises:
            AssertionError: It failed.
        """
        done = subprocess.run(
            [*self.entering(0), *command], env=ENVIRONMENT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout


ENVIRONMENT = {
    "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
    "DEBIAN_FRONTEND": "noninteractive",
    "LANG": "C.UTF-8",
}


def needed_tools(*names: str) -> None:
    """Skip where one is missing, or where this is not root."""
    missing = [name for name in names if shutil.which(name) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    if os.getuid() != 0:
        pytest.skip("only root can make a system of its own")


@contextmanager
def clean_root(folder: Path) -> Iterator[CleanRoot]:
    """A copy of a system that has apt and no Python; gone afterwards."""
    needed_tools("debootstrap", "unshare", "nsenter", "setpriv")
    made = CACHE / SUITE
    if not made.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        half = CACHE / f"{SUITE}.{os.getpid()}"
        subprocess.run(
            ["debootstrap", "--variant=minbase", SUITE, str(half)], check=True, capture_output=True
        )
        half.rename(made)
    root = folder / "root"
    subprocess.run(["cp", "-a", "--reflink=auto", str(made), str(root)], check=True)
    # As the machine reaches its packages, so does the copy.
    for name in ("resolv.conf", "apt/apt.conf.d", "apt/sources.list", "apt/sources.list.d", "ssl/certs"):
        source = Path("/etc", name)
        if source.is_dir():
            shutil.copytree(source, root / "etc" / name, dirs_exist_ok=True)
        elif source.is_file():
            shutil.copy(source, root / "etc" / name)
    person = root / "home" / "person"
    person.mkdir()
    os.chown(person, USER, USER)
    hold = ("unshare", "--mount", "--propagation", "private", "sh", "-c", _HOLD, "sh", str(root))
    with subprocess.Popen(hold, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "ready\n"
        system = CleanRoot(root, holder.pid)
        try:
            system.as_root("apt-get", "update", "-qq")
            assert not list(root.glob("usr/bin/python*"))
            yield system
        finally:
            holder.kill()
            holder.wait()
            shutil.rmtree(root, ignore_errors=True)
