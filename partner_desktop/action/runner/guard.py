# ruff: noqa: PTH110, PTH112, PTH123, PTH208, SIM105, S606
# (pathlib and contextlib would lengthen every start; to exec is this script's purpose)
"""Makes sure that a run dies: a script of its own that stands between Partner and the command.

    python -I -S guard.py --life=FD [--name=value …] -- command…

Contract: `life` is a stream socket whose other end only Partner holds. The guard starts the command in
its own session and kills everything that came from it, daemonised children included, when
- the socket closes (Partner ended, even by SIGKILL) or is shut down (Partner wants the run to end now),
- SIGTERM arrives: the run gets SIGTERM and `grace-ms`, then the rest is killed,
- the command ended: what it left behind gets `linger-ms` to end by itself (a pipe's last reader),
- a limit is passed: `processes`, `memory` (bytes in RAM, shared pages apart), `folder` + `folder-bytes`.
With `leave=1` it kills nothing: the command outlives the guard (a document handed to its program).

It writes lines to the socket: `pid N`, then `exit N` | `signal N` | `errno N` (the command could not be
started) and `stopped processes|memory|folder`. Its exit status is the command's, 128 + n for signal n.
Further options: `wrappers` (how many levels below the guard belong to the sandbox), `nice`, and
`rlimit-NAME` for any of the resource module's limits.

On Linux the guard is a child subreaper and finds the tree in /proc; elsewhere it kills the group.
Standard library only, and little of it: it starts with every run.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections.abc import Callable

_PERIOD_S = 0.1
_FOLDER_PERIOD_S = 1.0
_KILL_LIMIT_S = 3.0
_MAX_ENTRIES = 50_000
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_ON_LINUX = sys.platform.startswith("linux")


def descendants(root: int) -> list[tuple[int, int]]:
    """(pid, depth below `root` from 0) of every process under `root`, parents first."""
    found: list[tuple[int, int]] = []
    seen, level, depth = {root}, [root], 0
    children = _children if os.path.exists(f"/proc/{root}/task/{root}/children") else _scan()
    while level:
        level = [child for pid in level for child in children(pid) if child not in seen]
        seen.update(level)
        found += [(pid, depth) for pid in level]
        depth += 1
    return found


def _children(pid: int) -> list[int]:
    found: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                found += [int(word) for word in file.read().split()]
    except OSError:  # it ended meanwhile
        pass
    return found


class _scan:  # noqa: N801 - used as a function
    """Children by one pass over /proc, for kernels without the `children` files."""

    def __init__(self) -> None:
        self._by_parent: dict[int, list[int]] = {}
        for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
            if name.isdigit():
                try:
                    with open(f"/proc/{name}/stat", "rb") as file:
                        parent = int(file.read().rpartition(b")")[2].split()[1])
                except (OSError, IndexError):
                    continue
                self._by_parent.setdefault(parent, []).append(int(name))

    def __call__(self, pid: int) -> list[int]:
        return self._by_parent.get(pid, [])


def resident_bytes(pid: int) -> int:
    """What the process alone holds in RAM."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            fields = file.read().split()
    except OSError:
        return 0
    return (int(fields[1]) - int(fields[2])) * os.sysconf("SC_PAGE_SIZE")


def holds_more(folder: str, limit: int) -> bool:
    """Whether the folder's files take more than `limit` bytes on disk (or are too many to count)."""
    total, entries, pending = 0, 0, [folder]
    while pending:
        try:
            with os.scandir(pending.pop()) as found:
                for entry in found:
                    entries += 1
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
                    else:
                        total += entry.stat(follow_symlinks=False).st_blocks * 512
                    if total > limit or entries > _MAX_ENTRIES:
                        return True
        except OSError:  # removed meanwhile
            continue
    return False


class Guard:
    """One command and everything that comes from it."""

    def __init__(self, options: dict[str, str], command: list[str]) -> None:
        self._options = options
        self._command = command
        self._life = int(options["life"])
        self._leave = bool(self._number("leave"))
        self._wrappers = self._number("wrappers")
        self._prctl = _find_prctl()
        self._main = 0
        self._code: int | None = None
        self._asked_to_stop = False
        self._kill_at = float("inf")
        self._folder_at = 0.0
        self._wake_fd, wake_end = os.pipe()
        os.set_blocking(self._wake_fd, False)
        os.set_blocking(wake_end, False)
        signal.set_wakeup_fd(wake_end, warn_on_full_buffer=False)
        os.set_inheritable(self._life, False)

    def _number(self, name: str) -> int:
        return int(self._options.get(name, "0"))

    def run(self) -> int:
        """Start, watch, kill; the command's exit status."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._on_stop)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        if select.select([self._life], [], [], 0)[0]:  # nobody waits for this run any more
            return 128 + signal.SIGTERM
        if not self._leave:
            self._prctl(_PR_SET_CHILD_SUBREAPER, 1)
        self._start()
        self._watch()
        if not self._leave:
            self._kill_everything()
        return 128 + signal.SIGKILL if self._code is None else self._code

    def _on_stop(self, *_: object) -> None:
        self._asked_to_stop = True

    def _tell(self, line: str) -> None:
        try:
            os.write(self._life, line.encode() + b"\n")
        except OSError:  # Partner is gone
            self._kill_at = 0.0

    def _start(self) -> None:
        guard = os.getpid()
        self._main = os.fork()
        if self._main == 0:
            try:
                self._become_command(guard)
            except OSError as error:
                self._tell(f"errno {error.errno}")
            finally:
                os._exit(127)
        nothing = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):  # only the run holds its pipes, so that their end can be seen
            os.dup2(nothing, fd)
        self._tell(f"pid {self._main}")

    def _become_command(self, guard: int) -> None:
        os.setsid()
        signal.set_wakeup_fd(-1)
        for number in (
            signal.SIGTERM,
            signal.SIGINT,
            signal.SIGHUP,
            signal.SIGCHLD,
            signal.SIGPIPE,
            signal.SIGXFSZ,
        ):
            signal.signal(number, signal.SIG_DFL)
        if not self._leave:
            self._prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != guard:
                os._exit(127)
        os.nice(self._number("nice"))
        self._limit()
        os.execvp(self._command[0], self._command)

    def _limit(self) -> None:
        import resource  # noqa: PLC0415 - only the child needs it

        for name, value in self._options.items():
            if name.startswith("rlimit-"):
                kind = getattr(resource, "RLIMIT_" + name[len("rlimit-") :].upper())
                allowed = resource.getrlimit(kind)[1]
                soft = int(value) if allowed == resource.RLIM_INFINITY else min(int(value), allowed)
                # Past the soft CPU limit comes a signal that can be told apart; the hard one is SIGKILL.
                hard = soft + 5 if kind == resource.RLIMIT_CPU and allowed == resource.RLIM_INFINITY else soft
                resource.setrlimit(kind, (soft, hard))

    def _watch(self) -> None:
        """Return when nothing is left, or when what is left must die."""
        poller = select.poll()
        poller.register(self._life, select.POLLIN | select.POLLHUP)
        poller.register(self._wake_fd, select.POLLIN)
        period_ms = int(_PERIOD_S * 1000)
        while self._reap() and time.monotonic() < self._kill_at and not self._passed_a_limit():
            for fd, _ in poller.poll(period_ms):
                if fd == self._life and not os.read(fd, 64):
                    return
                if fd == self._wake_fd:
                    os.read(fd, 512)
            if self._asked_to_stop and (self._leave or self._code is not None):
                return
            if self._asked_to_stop and self._kill_at == float("inf"):
                self._kill_at = time.monotonic() + self._number("grace-ms") / 1000
                self._signal_all(signal.SIGTERM, skip=self._wrappers)

    def _reap(self) -> bool:
        """Collect what ended; whether anything still runs that is ours to watch."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return self._group_lives()
            if pid == 0:
                return True
            if pid == self._main:
                self._main_ended(status)
                if self._leave:
                    return False

    def _group_lives(self) -> bool:
        """Whether orphans of the command are left where they do not become the guard's own children."""
        if _ON_LINUX:
            return False
        try:
            os.killpg(self._main, 0)
        except (ProcessLookupError, PermissionError):
            return False
        return True

    def _main_ended(self, status: int) -> None:
        code = os.waitstatus_to_exitcode(status)
        self._tell(f"exit {code}" if code >= 0 else f"signal {-code}")
        self._code = code if code >= 0 else 128 - code
        linger_s = 0.0 if self._asked_to_stop else self._number("linger-ms") / 1000
        self._kill_at = min(self._kill_at, time.monotonic() + linger_s)

    def _passed_a_limit(self) -> bool:
        passed = self._limit_passed()
        if passed:
            self._tell(f"stopped {passed}")
        return bool(passed)

    def _limit_passed(self) -> str:
        processes, memory, folder = (
            self._number("processes"),
            self._number("memory"),
            self._options.get("folder"),
        )
        if processes or memory:
            pids = [pid for pid, depth in descendants(os.getpid()) if depth >= self._wrappers]
            if processes and len(pids) > processes:
                return "processes"
            if memory and sum(map(resident_bytes, pids)) > memory:
                return "memory"
        now = time.monotonic()
        if folder and now >= self._folder_at:
            if holds_more(folder, self._number("folder-bytes")):
                return "folder"
            # A full folder takes a while to count; most of the time is for listening.
            self._folder_at = time.monotonic() + _FOLDER_PERIOD_S + 4 * (time.monotonic() - now)
        return ""

    def _signal_all(self, number: int, *, skip: int = 0) -> None:
        pids = [pid for pid, depth in descendants(os.getpid()) if depth >= skip]
        for pid in pids:
            _kill(os.kill, pid, number)
        if not _ON_LINUX and self._main:
            _kill(os.killpg, self._main, number)

    def _kill_everything(self) -> None:
        give_up_at = time.monotonic() + _KILL_LIMIT_S
        while self._reap() and time.monotonic() < give_up_at:
            self._signal_all(signal.SIGKILL)
            select.select([self._wake_fd], [], [], 0.02)
            _drain(self._wake_fd)


def _kill(how: Callable[[int, int], None], pid: int, number: int) -> None:
    try:
        how(pid, number)
    except (ProcessLookupError, PermissionError):  # it ended meanwhile, or is not ours
        pass


def _drain(fd: int) -> None:
    try:
        os.read(fd, 512)
    except BlockingIOError:
        pass


def _find_prctl() -> Callable[[int, int], object]:
    if not _ON_LINUX:
        return lambda _option, _value: None
    import ctypes  # noqa: PLC0415 - Linux only

    call = ctypes.CDLL(None).prctl
    return lambda option, value: call(option, ctypes.c_ulong(value), *[ctypes.c_ulong(0)] * 3)


def main(arguments: list[str]) -> int:
    """Run as the module's head says."""
    at = arguments.index("--")
    options = dict(argument.removeprefix("--").split("=", 1) for argument in arguments[:at])
    return Guard(options, arguments[at + 1 :]).run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
