"""What of the disk a run is shown: refused, covered or compared, whatever its name; and what waits for it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from partner_desktop.base.errors import AskHumanError
from partner_desktop.base.syscall_filter import filter_program
from partner_desktop.runner.guarded_launch import Gate
from partner_desktop.runner.mounts import HeldMounts, Mount, hold, seen_of
from partner_desktop.runner.sandbox import Bubblewrap, namespaces, system
from partner_desktop.runner.sandbox_probe import probe_sandbox
from tests.support import REPOSITORY, WAIT_S

pytestmark = pytest.mark.promise("actions.sandbox.mounts")

_PROBE = asyncio.run(probe_sandbox())


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    """A disk with Partner's home and a folder of the person's."""
    folder = tmp_path.resolve() / "disk"
    (folder / "ann" / "own" / "logs").mkdir(parents=True)
    (folder / "ann" / "papers").mkdir()
    (folder / "user" / "a name").mkdir(parents=True)
    return folder


@contextlib.contextmanager
def held(*mounts: Mount, own: tuple[Path, ...] = (), closed: tuple[Path, ...] = ()) -> Iterator[HeldMounts]:
    found = hold(mounts, own, closed)
    try:
        yield found
    finally:
        found.close()


def test_what_is_compared_is_never_this_machines_own_root(disk: Path) -> None:
    with held(Mount(str(disk / "ann"))) as mounts, pytest.raises(AskHumanError, match="could not see"):
        mounts.check("/")


def test_a_place_is_held_only_as_it_was_shown(disk: Path) -> None:
    papers, note = disk / "ann" / "papers", disk / "ann" / "papers" / "note.txt"
    note.write_text("1")
    shown = [Mount(str(place), seen=seen_of(str(place))) for place in (papers, note, papers.parent)]
    papers.rename(disk / "ann" / "old")
    papers.mkdir()
    note.write_text("2")
    for mount in shown[:2]:
        with pytest.raises(AskHumanError, match="not what was shown any more"), held(mount):
            pass
    with held(shown[2]):
        pass


BOUND = """
import sys
from pathlib import Path
from partner_desktop.runner.mounts import Mount, hold
from partner_desktop.base.errors import AskHumanError
disk, shown = map(Path, sys.argv[1:])
try:
    found = hold([Mount(str(disk / shown))], [disk / "ann" / "own"])
    print(*sorted(found.covers), sep="\\n")
except AskHumanError as error:
    print(error)
"""


@pytest.mark.skipif(os.getuid() != 0, reason="to mount a folder at another place takes root")
@pytest.mark.parametrize(
    ("bound", "at", "shown", "covered"),
    [
        ("ann/own", "user/a name", "user/a name", None),
        ("ann/own/logs", "user/a name", "user/a name", None),
        ("ann/own", "user/a name", "user", "user/a name"),
        ("ann", "user/a name", "user", "user/a name/own"),
        ("ann", "user/a name", "user/a name", "user/a name/own"),
        ("ann/own/logs", "user/a name", "user", "user/a name"),
        ("ann/papers", "user/a name", "user", ""),
    ],
)
def test_what_is_partners_stays_closed_at_another_place_where_it_is_mounted(
    disk: Path, bound: str, at: str, shown: str, covered: str | None
) -> None:
    """`covered`: what is hidden in what is shown; empty: nothing; `None`: it is not shown at all."""
    bind = 'mount --bind "$0" "$1" && shift && exec "$@"'
    command = ["unshare", "-m", "sh", "-c", bind, str(disk / bound), str(disk / at)]
    command += [sys.executable, "-c", BOUND, str(disk), shown]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | {"PYTHONPATH": str(REPOSITORY)}
    )
    if "mount" in done.stderr or "unshare" in done.stderr:
        pytest.skip(f"nothing can be mounted here: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
    if covered is None:
        assert "holds Partner's own data" in done.stdout
    else:
        assert done.stdout.strip() == (str(disk / covered) if covered else "")


@pytest.mark.skipif(not _PROBE.available, reason=_PROBE.reason)
@pytest.mark.parametrize("opened", [True, False])
def test_what_waits_at_the_gate_starts_nothing_when_partner_ends(disk: Path, opened: bool) -> None:
    assert isinstance(_PROBE.sandbox, Bubblewrap)
    workspace = disk / "user"
    with contextlib.ExitStack() as stack:
        mounts = hold([Mount(str(workspace), writable=True)], ())
        stack.callback(mounts.close)
        gate = Gate(stack, filter_program(), mounts)
        process = subprocess.Popen(
            [
                *(_PROBE.sandbox.program, *namespaces(_PROBE.sandbox, net=False)),
                *("--json-status-fd", str(gate.status), "--seccomp", str(gate.filter)),
                *(*system(net=False, tmp_bytes=65536), *mounts.arguments()),
                *("--", shutil.which("touch") or "", str(workspace / "started")),
            ],
            pass_fds=(gate.filter, gate.status),
            stderr=subprocess.DEVNULL,
        )
        stands = select.poll()
        stands.register(gate.wait_fd, select.POLLOUT)
        assert stands.poll(WAIT_S * 1000), "the sandbox stands, and waits"
        if opened:
            gate.open()
            process.wait(WAIT_S)
    # All that Partner held is closed by now, as when it ends.
    assert (process.wait(WAIT_S) == 0) is opened
    assert (workspace / "started").exists() is opened
