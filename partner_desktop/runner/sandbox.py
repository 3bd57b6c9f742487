"""What holds a script: the port, and bubblewrap (`bwrap`) behind it.

A run in the sandbox sees the system read-only, the interpreter, its own script, a workspace of its own and
the paths that were approved; nothing of the home folder, no other process, and no network unless asked for.
Its root is a fresh tmpfs; whatever it writes outside the workspace and the approved paths is gone with it.

What is mounted is what was shown: see `mounts`. The sandbox waits at its filter of system calls, the last
thing that it reads before it starts the script, until what it shows has been compared; of a filter that comes
to an early end it makes an error, so that nothing starts if Partner dies meanwhile.

Limits of this sandbox, to be known: a file that is mounted alone cannot be replaced by renaming over it; with
`net` the services of this machine can be reached too, by their ports; with `sockets`, what listens at a
socket inside an approved folder, and with both the desktop's abstract sockets; an approved folder to write
may be filled up to the limit of each file; a pipe with a name in a folder to read can be written to; what is
mounted on the host during a run, below a folder that it was given, appears there; another file system that
shows Partner's files under names of its own (an overlay, FUSE) is not known for what it shows.

What other programs are started from (`.git`, editors' settings) stays as it is: it is mounted to be read
only, and every folder on the way to it on its own, since what something is mounted on can be neither renamed
nor replaced. What a run makes anew there is put aside when it has ended, under a name that nothing looks for:
nobody's next command starts it unseen, and nothing is lost.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from functools import lru_cache
from pathlib import Path, PurePath
from typing import Protocol

from partner_desktop.base.errors import AskHumanError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import system_reason
from partner_desktop.base.paths import display_path
from partner_desktop.base.syscall_filter import filter_program
from partner_desktop.domain.run_facts import PathUse
from partner_desktop.files import no_symlinks
from partner_desktop.files.atomic import free_name
from partner_desktop.permission.sensitive_paths import executed_below, never_below, never_mounted
from partner_desktop.runner.launchers import SYSTEM_FOLDERS, Program, find_program
from partner_desktop.runner.mounts import HeldMounts, Mount, hold

#: Its home and identity inside; the person's own stay outside.
_HOME = "/sandbox"
_USER = "partner"
_ID = "1000"

#: Pieces of /etc that programs need and that hold no secrets.
_ETC = (
    "alternatives", "debian_version", "fonts", "inputrc",
    "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "libpaper.d", "locale.alias", "locale.conf", "localtime",
    "login.defs", "magic", "magic.mime", "mime.types", "os-release", "papersize", "perl", "php", "protocols",
    "R", "services", "shells", "terminfo", "texmf", "timezone", "xml",
)  # fmt: skip
_ETC_VERSIONED = ("ImageMagick-*", "java*", "python*")
_ETC_FOR_NET = (
    "ca-certificates", "crypto-policies", "gai.conf", "host.conf", "hosts", "nsswitch.conf", "resolv.conf",
    "pki/ca-trust/extracted", "pki/tls/cert.pem", "pki/tls/certs", "pki/tls/openssl.cnf",
    "ssl/cert.pem", "ssl/certs", "ssl/openssl.cnf",
)  # fmt: skip


@dataclass(frozen=True)
class Limits:
    """What one run may use."""

    processes: int = 256
    memory_bytes: int = 2 * 1024**3
    """In RAM, all processes together; watched."""
    data_bytes: int = 4 * 1024**3
    """Writable memory of one process (RLIMIT_DATA). Not the address space: node, Java and threaded numeric
    libraries reserve many GiB of that without using them."""
    file_bytes: int = 512 * 1024**2
    """Of one file."""
    workspace_bytes: int = 1024**3
    """On disk, in the workspace; watched."""
    tmp_bytes: int = 64 * 1024**2
    """Of each folder that is kept in memory: /tmp, /dev/shm and the home inside."""
    open_files: int = 1024
    tasks: int = 512
    """Processes and threads together, where the kernel counts them for the sandbox alone."""


@dataclass(frozen=True)
class SandboxSpec:
    """One run's sandbox. All paths are absolute and resolved."""

    sandbox: Sandbox
    script: Path
    """The script file, or the folder of a folder ability: mounted read-only, nothing beside it."""
    workspace: Path
    """An empty folder of this run: its working folder, writable."""
    paths: tuple[PathUse, ...] = ()
    """What was approved. One to read that is missing is left out; one to write is made for the run: what its
    parameter says that it is, else a file if its name has an extension or begins with a dot, or a folder."""
    runs: Path | None = None
    """Where runs leave their files; what one of them left may be handed to another one, to be read."""
    shared_paths: tuple[Path, ...] = ()
    """What the settings open to every script, to read; those that are gone or links by now stay closed."""
    hidden_paths: tuple[Path, ...] = ()
    """Folders that stay hidden even inside an approved folder (Partner's own home)."""
    started: StartedPlaces | None = None
    """What other programs are started from, where it may write."""
    net: bool = False
    sockets: bool = False
    """Whether it may speak to other programs of this machine by local sockets (AF_UNIX)."""
    env: Mapping[str, str] = field(default_factory=dict)
    """On top of the minimal environment."""
    limits: Limits = Limits()


class Sandbox(Protocol):
    """Something that can hold a run."""

    @property
    def wrappers(self) -> int:
        """How many processes of its own stand between the guard and the command."""
        ...

    @property
    def cgroup(self) -> str:
        """The folder below which the guard makes a cgroup for each run; empty: it watches alone."""
        ...

    def files(self, spec: SandboxSpec) -> dict[str, bytes]:
        """What it wants to read from descriptors, each below 64 KiB: place inside → content."""
        ...

    def filter(self, spec: SandboxSpec) -> bytes:
        """The filter of system calls, which it reads last, and whole."""
        ...

    def command(
        self, argv: Sequence[str], spec: SandboxSpec, *, mounts: HeldMounts, inherited: Inherited
    ) -> list[str]:
        """The command line that runs `argv` inside, its program as `Program.path`; see `bwrap_command`."""
        ...


@dataclass(frozen=True)
class Inherited:
    """The descriptors that the sandbox gets when it starts."""

    files: Mapping[str, int] = field(default_factory=dict)
    """Place inside → where its content is read."""
    filter: int | None = None
    status: int | None = None
    """Where it reports."""


@dataclass(frozen=True)
class Bubblewrap:
    """bwrap, as the probe found it."""

    program: str
    disable_userns: bool = True
    """Whether it can forbid namespaces inside (since 0.8)."""
    task_limiter: str | None = None
    """`prlimit`, where a limit of tasks set inside counts for the sandbox alone."""
    cgroup: str = ""

    wrappers = 2

    def files(self, spec: SandboxSpec) -> dict[str, bytes]:
        """An identity that says nothing about the person's."""
        files = {
            "/etc/passwd": f"{_USER}:x:{_ID}:{_ID}::{_HOME}:/bin/sh\nnobody:x:65534:65534::/:/".encode(),
            "/etc/group": f"{_USER}:x:{_ID}:\nnogroup:x:65534:\n".encode(),
        }
        if not spec.net:
            files["/etc/hosts"] = b"127.0.0.1 localhost sandbox\n::1 localhost\n"
        return files

    def filter(self, spec: SandboxSpec) -> bytes:
        return filter_program(local_sockets=spec.sockets)

    def command(
        self, argv: Sequence[str], spec: SandboxSpec, *, mounts: HeldMounts, inherited: Inherited
    ) -> list[str]:
        """As `bwrap_command`."""
        return bwrap_command(self, argv, spec, mounts=mounts, inherited=inherited)


def bwrap_command(
    bwrap: Bubblewrap,
    argv: Sequence[str],
    spec: SandboxSpec,
    *,
    mounts: HeldMounts,
    inherited: Inherited,
) -> list[str]:
    """The command line that runs `argv` (its program absolute) in a sandbox."""
    status = ["--json-status-fd", str(inherited.status)] if inherited.status is not None else []
    calls = ["--seccomp", str(inherited.filter)] if inherited.filter is not None else []
    limiter = [bwrap.task_limiter, f"--nproc={spec.limits.tasks}", "--"] if bwrap.task_limiter else []
    return [
        bwrap.program,
        *namespaces(bwrap, net=spec.net),
        *status,
        *calls,
        *system(net=spec.net, tmp_bytes=spec.limits.tmp_bytes),
        *(part for place, fd in inherited.files.items() for part in ("--ro-bind-data", str(fd), place)),
        *mounts.arguments(),
        *("--remount-ro", "/"),
        *_environment(spec, argv[0]),
        *("--chdir", str(spec.workspace), "--"),
        *limiter,
        *argv,
    ]


def program_of(spec: SandboxSpec, program: str) -> Program:
    """What runs when `program` is started; a launcher of the ability itself has what lies beside it."""
    return Program(program) if Path(program).is_relative_to(spec.script) else find_program(program)


def hold_mounts(spec: SandboxSpec, program: Program) -> HeldMounts:
    """Open everything that a run of `program` is shown: the one place where that is decided.

    Raises:
        AskHumanError: A path is relative, leads through a link, is never opened, is Partner's own, or is not
            what was shown any more.
    """
    check_paths(spec)
    closed = [place for use in spec.paths for place in never_below(Path(use.path)) if place.is_dir()]
    mounts = [
        *program.mounts,
        Mount(str(spec.script), ours=True),
        *(Mount(str(path), optional=True) for path in _shared(spec)),
        *(_approved(use, spec.runs) for use in spec.paths),
        *(spec.started.mounts() if spec.started is not None else ()),
        Mount(str(spec.workspace), writable=True, ours=True),
    ]
    return hold(mounts, spec.hidden_paths, closed)


def _approved(use: PathUse, runs: Path | None) -> Mount:
    writable = use.access == "write"
    handed = not writable and runs is not None and runs in Path(use.path).parents
    return Mount(use.path, writable=writable, ours=handed, optional=not writable, seen=use.seen)


def namespaces(bwrap: Bubblewrap, *, net: bool) -> list[str]:
    return [
        *("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
        *(() if net else ("--unshare-net",)),
        *(("--disable-userns",) if bwrap.disable_userns else ()),
        *("--uid", _ID, "--gid", _ID, "--hostname", "sandbox"),
        *("--cap-drop", "ALL", "--new-session", "--die-with-parent", "--clearenv"),
    ]


def system(*, net: bool, tmp_bytes: int) -> list[str]:
    """The parts that every run sees."""
    arguments: list[str] = []
    for folder in SYSTEM_FOLDERS:
        if Path(folder).is_symlink():
            arguments += ["--symlink", os.readlink(folder), folder]  # noqa: PTH115 - its own text, not a Path
        elif Path(folder).is_dir():
            arguments += ["--ro-bind", folder, folder]
    for name in (*_ETC, *_versioned(), *(_ETC_FOR_NET if net else ())):
        arguments += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    # As root, /proc/sys would be writable: bwrap covers it only where access() says so.
    arguments += ["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"]
    for folder in ("/dev/shm", "/tmp", _HOME):  # noqa: S108 - inside the sandbox
        arguments += ["--perms", "0700", "--size", str(tmp_bytes), "--tmpfs", folder]
    return [*arguments, "--remount-ro", "/dev"]


@lru_cache(maxsize=1)
def _versioned() -> tuple[str, ...]:
    return tuple(sorted(path.name for pattern in _ETC_VERSIONED for path in Path("/etc").glob(pattern)))


def _shared(spec: SandboxSpec) -> list[Path]:
    """Of what the settings open: what is still itself, and no way into what stays hidden."""
    return [
        path
        for path in spec.shared_paths
        if os.path.realpath(path) == str(path)
        and not any(hidden in (path, *path.parents) for hidden in spec.hidden_paths)
    ]


def _environment(spec: SandboxSpec, program: str) -> list[str]:
    folders = ["/usr/local/bin", "/usr/bin", "/bin"]
    own = str(Path(program).parent)
    variables = {
        "PATH": ":".join(folders if own in folders else [own, *folders]),
        "HOME": _HOME,
        "USER": _USER,
        "LOGNAME": _USER,
        "LANG": "C.UTF-8",
        "TMPDIR": "/tmp",  # noqa: S108 - inside the sandbox
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        "PARTNER_WORKSPACE": str(spec.workspace),
        **spec.env,
    }
    return [part for name, value in variables.items() for part in ("--setenv", name, value)]


def check_paths(spec: SandboxSpec) -> None:
    """Refuse what is never opened, whatever lies there.

    Raises:
        AskHumanError: A path is relative, or one that is never opened.
    """
    for path in (spec.script, spec.workspace, *(Path(use.path) for use in spec.paths)):
        shown = display_path(path)
        if not path.is_absolute():
            raise AskHumanError("runner.not_absolute", path=shown)
        if never_opened(os.path.normpath(path)):
            raise AskHumanError("runner.never_opened", path=shown)


def never_opened(real: str) -> bool:
    """Whether a path is the whole disk, or where devices are and the desktop's programs listen."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "").rstrip("/")
    listens = runtime.startswith("/") and f"{real}/".startswith(f"{runtime}/")
    return real == "/" or listens or never_mounted(PurePath(real))


def make_missing(spec: SandboxSpec) -> list[Path]:
    """Make the paths that the run may write and that are not there yet; what was made.

    Raises:
        AskHumanError: One cannot be made.
    """
    made = []
    for use in spec.paths:
        path = Path(use.path)
        try:
            if use.access != "write" or os.path.lexists(path):
                continue
            named = "file" if path.suffix or path.name.startswith(".") else "folder"
            if (use.kind or named) == "file":
                os.close(no_symlinks.open_file(str(path), os.O_WRONLY | os.O_CREAT | os.O_EXCL))
            else:
                no_symlinks.make_folder_in(str(path))
        except FileExistsError:  # somebody made it just now: it is held like any that was there before
            continue
        except OSError as error:
            raise AskHumanError(
                "runner.not_made", path=display_path(path), reason=system_reason(error)
            ) from error
        made.append(path)
    return made


def remove_unused(made: Sequence[Path]) -> None:
    """Take away what `make_missing` made and the run left empty."""
    for path in made:
        try:
            found = path.lstat()
            if stat.S_ISDIR(found.st_mode):
                no_symlinks.remove_empty(str(path))
            elif stat.S_ISREG(found.st_mode) and found.st_size == 0:
                no_symlinks.remove_file(str(path))
        except OSError:  # it is used
            continue


class StartedPlaces:
    """Of one run. `written`: what it may write to; what of it is such a place itself was approved as one."""

    def __init__(self, written: Sequence[Path]) -> None:
        self._written = tuple(written)
        self._before: list[Path] | None = None

    def mounts(self) -> list[Mount]:
        """What keeps them as they are. Blocking.

        Raises:
            AskHumanError: There are too many folders to look through.
        """
        self._before = self._find()
        on_the_way = {
            folder
            for place in self._before
            for folder in place.parents
            if any(top in folder.parents for top in self._written)
        }
        return [
            *(Mount(str(folder), writable=True, optional=True) for folder in sorted(on_the_way)),
            *(Mount(str(place), optional=True) for place in self._before),
        ]

    def put_aside(self) -> list[Path]:
        """Give what the run has made there another name; what it was called. Blocking."""
        if self._before is None:  # it was not begun
            return []
        moved = []
        for place in set(self._find()) - set(self._before):
            with suppress(OSError):  # gone again, or not to be moved: then it is told all the same
                no_symlinks.rename(
                    str(place), str(free_name(place.parent, f"{place.name.lstrip('.')}.put-aside"))
                )
            moved.append(place)
        return sorted(moved)

    def _find(self) -> list[Path]:
        return [place for top in self._written for place in executed_below(top) if place not in self._written]
