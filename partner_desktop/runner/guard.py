# ruff: noqa: PTH102, PTH106, PTH110, PTH112, PTH116, PTH123, PTH208, SIM105, S606
# (pathlib and contextlib would lengthen every start; to exec is this script's purpose)
"""Makes sure that a run dies: a script of its own that stands between Partner and the command.

    python -I -S guard.py --life=FD [--name=value …] -- command…

Contract: `life` is a stream socket whose other end only Partner holds. The guard starts the command in
its own session and kills everything that came from it, daemonised children included, when
- the socket closes (Partner ended, even by SIGKILL) or is shut down (Partner wants the run to end now),
- SIGTERM arrives: the run gets SIGTERM and `grace-ms`, then the rest is killed,
- the command ended: what it left behind gets `linger-ms` to end by itself (a pipe's last reader),
- a limit is passed: `processes`, `memory` (bytes in RAM, of files only what is written to no disk),
  `folder` + `folder-bytes` (deleted files that are still open count, too).
With `cgroup=FOLDER` the run gets a cgroup of its own below that one, where the kernel itself keeps it to
`tasks` and `memory`, and dies in one piece; where that fails the watching alone must do.
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
import sys
import time

TYPE_CHECKING = False  # as of `typing`, whose import is saved
if TYPE_CHECKING:
    import signal
    from collections.abc import Callable
else:
    import _signal as signal  # the same without its enums: to make those was a fourth of each start

_PERIOD_S = 0.1
_FOLDER_PERIOD_S = 1.0
_KILL_LIMIT_S = 3.0
_MAX_ENTRIES = 50_000
_MOST_AT_ONCE = 500
_FEW = 32
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_ON_LINUX = sys.platform.startswith("linux")


def descendants(root: int, most: float = float("inf")) -> list[tuple[int, int]]:
    """(pid, depth below `root` from 0) of every process under `root`, parents first.

    It stops soon after `most`: among the processes of a fork bomb there is no time to count them all.
    """
    found: list[tuple[int, int]] = []
    seen, level, depth = {root}, [root], 0
    children = _children if os.path.exists(f"/proc/{root}/task/{root}/children") else _scan()
    while level and len(found) <= most:
        parents, level = level, []
        for parent in parents:
            new = [child for child in children(parent) if child not in seen]
            seen.update(new)
            level += new
            if len(found) + len(level) > most:
                break
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


def hold_more(pids: list[int], limit: int) -> bool:
    """Whether the processes hold more than `limit` bytes in RAM, files of a disk apart.

    Rough counts first. The exact one, in which shared memory counts once, waits for locks of the processes:
    it is for a few, and never for a crowd that grows meanwhile.
    """
    if sum(map(resident_bytes, pids)) <= limit or sum(map(anonymous_bytes, pids)) <= limit:
        return False
    return len(pids) > _FEW or sum(map(own_bytes, pids)) > limit


def resident_bytes(pid: int) -> int:
    """All that the process has in RAM, shared pages and mapped files included."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def anonymous_bytes(pid: int) -> int:
    """What of it is no file of a disk."""
    return _kib(f"/proc/{pid}/status", (b"RssAnon:", b"RssShmem:")) * 1024


def own_bytes(pid: int) -> int:
    """The same, but of what it shares only its part."""
    try:
        return _kib(f"/proc/{pid}/smaps_rollup", (b"Pss_Anon:", b"Pss_Shmem:")) * 1024
    except PermissionError:  # it hides itself: then everything counts
        return anonymous_bytes(pid)


def _kib(path: str, names: tuple[bytes, ...]) -> int:
    """The sum of these lines; 0 of a process that ended."""
    try:
        with open(path, "rb") as file:
            found = [line.split() for line in file]
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return sum(int(words[1]) for words in found if words and words[0] in names)


def deleted_bytes(pids: list[int], folder: str) -> int:
    """What deleted files still take on the folder's disk, because a process has them open."""
    device, found = os.stat(folder).st_dev, {}
    for pid in pids:
        try:
            for fd in os.listdir(f"/proc/{pid}/fd"):
                file = os.stat(f"/proc/{pid}/fd/{fd}")
                if file.st_nlink == 0 and file.st_dev == device:
                    found[file.st_ino] = file.st_blocks * 512
        except OSError:  # it ended, or closed the file meanwhile
            continue
    return sum(found.values())


def holds_more(folder: str, limit: int, total: int = 0) -> bool:
    """Whether the folder's files and `total` take more than `limit` bytes (or are too many to count)."""
    entries, pending = 0, [folder]
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
    return total > limit


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
        self._period_s = _PERIOD_S
        self._cgroup = ""
        self._nice = 0
        self._count = 0
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
        self._make_cgroup()
        self._nice = _come_first() if self._wrappers else os.nice(0)
        try:
            self._start()
            self._watch()
        finally:  # whatever went wrong here: the run does not outlive its guard
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

    def _make_cgroup(self) -> None:
        """A cgroup of this run's own, with its limits; none where the kernel does not let us."""
        if "cgroup" not in self._options:
            return
        self._cgroup = f"{self._options['cgroup']}/partner-run-{os.getpid()}"
        try:
            os.mkdir(self._cgroup)
        except OSError:
            self._cgroup = ""
            return
        for name, limit in (("pids.max", "tasks"), ("memory.max", "memory")):
            if limit in self._options:
                _write(f"{self._cgroup}/{name}", self._options[limit])
        _write(f"{self._cgroup}/memory.swap.max", "0")

    def _become_command(self, guard: int) -> None:
        os.setsid()
        if self._cgroup:
            _write(f"{self._cgroup}/cgroup.procs", "0")
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
        os.setpriority(os.PRIO_PROCESS, 0, min(19, self._nice + self._number("nice")))
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
        while self._reap() and time.monotonic() < self._kill_at and not self._passed_a_limit():
            for fd, _ in poller.poll(self._period_s * 1000):
                if fd == self._life and self._let_go():
                    return
                if fd == self._wake_fd:
                    os.read(fd, 512)
            if self._asked_to_stop and (self._leave or self._code is not None):
                return
            if self._asked_to_stop and self._kill_at == float("inf"):
                self._kill_at = time.monotonic() + self._number("grace-ms") / 1000
                self._signal_all(signal.SIGTERM, skip=self._wrappers)

    def _let_go(self) -> bool:
        """Whether Partner ended, or wants the run to end."""
        try:
            return not os.read(self._life, 64)
        except ConnectionError:  # it was killed before it read what it was told
            return True

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
        if self._refused("memory.events", b"oom_kill"):
            self._tell("stopped memory")
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
        pids: list[int] = []
        if processes or memory or folder:
            most = processes + self._wrappers if processes else _MOST_AT_ONCE
            pids = [pid for pid, depth in descendants(os.getpid(), most) if depth >= self._wrappers]
            # Some processes may be many in the next moment.
            self._period_s = _PERIOD_S if len(pids) <= processes / 8 else _PERIOD_S / 5
            if (processes and len(pids) > processes) or self._refused("pids.events", b"max"):
                return "processes"
            # While they grow in number only that is looked at: a process that never gets its turn would keep
            # the lock that an exact count of its memory waits for.
            growing, self._count = len(pids) > self._count, len(pids)
            over = bool(memory) and not growing and hold_more(pids, memory)
            if over or self._refused("memory.events", b"oom_kill"):
                return "memory"
        now = time.monotonic()
        if folder and now >= self._folder_at:
            if holds_more(folder, self._number("folder-bytes"), deleted_bytes(pids, folder)):
                return "folder"
            # A full folder takes a while to count; most of the time is for listening.
            self._folder_at = time.monotonic() + _FOLDER_PERIOD_S + 4 * (time.monotonic() - now)
        return ""

    def _refused(self, name: str, event: bytes) -> bool:
        """Whether the kernel has kept the run from something, by the events of its cgroup."""
        if not self._cgroup:
            return False
        try:
            with open(f"{self._cgroup}/{name}", "rb") as file:
                counts = dict(line.split() for line in file)
        except (OSError, ValueError):
            return False
        return int(counts.get(event, 0)) > 0

    def _signal_all(self, number: int, *, skip: int = 0) -> None:
        # Parents first: with its outermost process a sandbox dies as a whole, however many there are.
        pids = [pid for pid, depth in descendants(os.getpid(), _MOST_AT_ONCE) if depth >= skip]
        for pid in pids:
            _kill(os.kill, pid, number)
        if not _ON_LINUX and self._main:
            _kill(os.killpg, self._main, number)

    def _kill_everything(self) -> None:
        give_up_at = time.monotonic() + _KILL_LIMIT_S
        if self._cgroup:
            _write(f"{self._cgroup}/cgroup.kill", "1")
        while self._reap() and time.monotonic() < give_up_at:
            self._signal_all(signal.SIGKILL)
            select.select([self._wake_fd], [], [], 0.02)
            _drain(self._wake_fd)
        if self._cgroup:
            try:
                os.rmdir(self._cgroup)
            except OSError:  # the next start of Partner tries again
                pass


def _kill(how: Callable[[int, int], None], pid: int, number: int) -> None:
    try:
        how(pid, number)
    except (ProcessLookupError, PermissionError):  # it ended meanwhile, or is not ours
        pass


def _come_first() -> int:
    """Run before everything that is to be watched, where we may; how nice we were.

    Only root may. And only for root does the sandbox's limit of processes not hold, so that a fork bomb could
    keep the guard from its turn.
    """
    before = os.nice(0)
    try:
        os.setpriority(os.PRIO_PROCESS, 0, -20)
    except PermissionError:
        pass
    return before


def _write(path: str, text: str) -> None:
    """Into a file of the kernel that is there already."""
    try:
        fd = os.open(path, os.O_WRONLY)
    except OSError:  # it has no such limit
        return
    try:
        os.write(fd, text.encode())
    except OSError:
        pass
    finally:
        os.close(fd)


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
