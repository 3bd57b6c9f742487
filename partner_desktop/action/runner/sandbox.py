"""What holds a script: the port, and bubblewrap (`bwrap`) behind it.

A run in the sandbox sees the system read-only, the interpreter, its own script, a workspace of its own and
the paths that were approved; nothing of the home folder, no other process, and no network unless asked for.
Its root is a fresh tmpfs; whatever it writes outside the workspace and the approved paths is gone with it.

Limits of this sandbox, to be known: a file that is mounted alone cannot be replaced by renaming over it; with
`net` the services of this machine can be reached too, by their ports (abstract sockets are closed: where
Landlock cannot do it, a run with `net` opens no local sockets at all); a socket inside an approved folder can
be spoken to; an approved folder to write may be filled up to the limit of each file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from partner_desktop.action.runner.launchers import SYSTEM_FOLDERS, program_mounts
from partner_desktop.base.errors import AskHumanError
from partner_desktop.base.paths import display_path
from partner_desktop.base.syscall_filter import filter_program

#: Its home and identity inside; the person's own stay outside.
_HOME = "/sandbox"
_USER = "partner"
_ID = "1000"
_HIDDEN_BYTES = 4096

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
#: Stands among the files for the filter of system calls, which has no place inside.
FILTER = "seccomp"
#: No path parameter opens these.
_NEVER = ("/", "/proc", "/sys", "/dev")


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
    read_paths: tuple[Path, ...] = ()
    """Missing ones are left out."""
    write_paths: tuple[Path, ...] = ()
    """A missing one is made for the run: a file if its name has an extension, else a folder."""
    shared_paths: tuple[Path, ...] = ()
    """What the settings open to every script, to read; those that are gone or links by now stay closed."""
    hidden_paths: tuple[Path, ...] = ()
    """Folders that stay hidden even inside an approved folder (Partner's own home)."""
    net: bool = False
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

    def scoped(self, spec: SandboxSpec) -> bool:
        """Whether the guard closes abstract sockets to the run."""
        ...

    def files(self, spec: SandboxSpec) -> dict[str, bytes]:
        """What it wants to read from descriptors, each below 64 KiB: name → content."""
        ...

    def command(
        self, argv: Sequence[str], spec: SandboxSpec, *, files: Mapping[str, int], status_fd: int | None
    ) -> list[str]:
        """The command line that runs `argv` inside; see `bwrap_command`."""
        ...


@dataclass(frozen=True)
class Bubblewrap:
    """bwrap, as the probe found it."""

    program: str
    disable_userns: bool = True
    """Whether it can forbid namespaces inside (since 0.8)."""
    task_limiter: str | None = None
    """`prlimit`, where a limit of tasks set inside counts for the sandbox alone."""
    landlock: bool = False
    """Whether the kernel can close abstract sockets (Landlock, since Linux 6.12)."""
    cgroup: str = ""

    wrappers = 2

    def scoped(self, spec: SandboxSpec) -> bool:
        """Without the network they are out of reach anyway."""
        return spec.net and self.landlock

    def files(self, spec: SandboxSpec) -> dict[str, bytes]:
        """The filter of system calls, and an identity that says nothing about the person's."""
        calls = filter_program(local_sockets=self.landlock or not spec.net)
        files = {FILTER: calls} if calls else {}
        files |= {
            "/etc/passwd": f"{_USER}:x:{_ID}:{_ID}::{_HOME}:/bin/sh\nnobody:x:65534:65534::/:/".encode(),
            "/etc/group": f"{_USER}:x:{_ID}:\nnogroup:x:65534:\n".encode(),
        }
        if not spec.net:
            files["/etc/hosts"] = b"127.0.0.1 localhost sandbox\n::1 localhost\n"
        return files

    def command(
        self, argv: Sequence[str], spec: SandboxSpec, *, files: Mapping[str, int], status_fd: int | None
    ) -> list[str]:
        """As `bwrap_command`."""
        return bwrap_command(self, argv, spec, files=files, status_fd=status_fd)


def bwrap_command(
    bwrap: Bubblewrap,
    argv: Sequence[str],
    spec: SandboxSpec,
    *,
    files: Mapping[str, int] | None = None,
    status_fd: int | None = None,
) -> list[str]:
    """The command line that runs `argv` (its program absolute) in a sandbox. Reads the disk, changes nothing.

    `files`: path inside, or `FILTER` → inherited descriptor with its content; `status_fd`: bwrap reports
    there.

    Raises:
        AskHumanError: A path is relative, leads through a link, or is one that is never opened.
    """
    check_paths(spec)
    program = program_mounts(argv[0])
    status = ["--json-status-fd", str(status_fd)] if status_fd is not None else []
    contents = dict(files or {})
    calls = ["--seccomp", str(contents.pop(FILTER))] if FILTER in contents else []
    limiter = [bwrap.task_limiter, f"--nproc={spec.limits.tasks}", "--"] if bwrap.task_limiter else []
    return [
        bwrap.program,
        *namespaces(bwrap, net=spec.net),
        *status,
        *calls,
        *system(net=spec.net, tmp_bytes=spec.limits.tmp_bytes),
        *(part for place, fd in contents.items() for part in ("--ro-bind-data", str(fd), place)),
        *_own_mounts(spec, program.paths),
        *("--remount-ro", "/"),
        *_environment(spec, program.program),
        *("--chdir", str(spec.workspace), "--"),
        *limiter,
        program.program,
        *argv[1:],
    ]


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


def _own_mounts(spec: SandboxSpec, program_paths: Sequence[Path]) -> list[str]:
    """The run's own paths, outer ones first, so that the inner ones lie on top; writable beats read-only."""
    read = (path for path in (*_shared(spec), *spec.read_paths) if path.exists())
    kinds = dict.fromkeys((*program_paths, spec.script, *read), "--ro-bind")
    kinds |= dict.fromkeys((spec.workspace, *(path for path in spec.write_paths if path.exists())), "--bind")
    hidden = [path for path in spec.hidden_paths if any(mount in (path, *path.parents) for mount in kinds)]
    kinds |= {
        path: "--tmpfs" for path in hidden if path.is_dir() and path not in (spec.workspace, spec.script)
    }
    arguments: list[str] = []
    for path, kind in sorted(kinds.items(), key=lambda item: len(item[0].parts)):
        if kind == "--tmpfs":
            arguments += ["--perms", "0700", "--size", str(_HIDDEN_BYTES), kind, str(path)]
        else:
            arguments += [kind, str(path), str(path)]
    return arguments + [
        part for path, kind in kinds.items() if kind == "--tmpfs" for part in ("--remount-ro", str(path))
    ]


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
    """Refuse what would open something else than was shown.

    Raises:
        AskHumanError: A path is relative, leads through a link, or is one that is never opened.
    """
    for path in (spec.script, spec.workspace, *spec.read_paths, *spec.write_paths, *spec.hidden_paths):
        shown = display_path(path)
        if not path.is_absolute():
            raise AskHumanError(f"{shown} is not an absolute path, so I do not open it to a script.")
        real = os.path.realpath(path)
        if real != str(path):
            raise AskHumanError(
                f"{shown} is a link, or lies behind one: it leads to {display_path(Path(real))}."
                " I open only the place that was shown; ask again with that one."
            )
        if never_opened(real):
            raise AskHumanError(f"I do not open {shown} to a script; name the folder or file that it needs.")
    for path in (spec.script, spec.workspace):
        if not path.exists():
            raise AskHumanError(f"{display_path(path)} is no longer there, so I cannot run the script.")


def never_opened(real: str) -> bool:
    """Whether a resolved path is the whole disk, or one of the kernel's."""
    return any(real == never or (never != "/" and real.startswith(never + "/")) for never in _NEVER)


def make_missing(spec: SandboxSpec) -> list[Path]:
    """Make the paths that the run may write and that are not there yet; what was made.

    Raises:
        AskHumanError: One cannot be made.
    """
    made = []
    for path in spec.write_paths:
        try:
            if path.suffix and not path.exists():
                path.touch(mode=0o600, exist_ok=False)
            elif not path.exists():
                path.mkdir(mode=0o700)
            else:
                continue
        except OSError as error:
            raise AskHumanError(f"I cannot make {display_path(path)}: {error.strerror}.") from error
        made.append(path)
    return made


def remove_unused(made: Sequence[Path]) -> None:
    """Take away what `make_missing` made and the run left empty."""
    for path in made:
        try:
            if path.is_dir():
                path.rmdir()
            elif path.stat().st_size == 0:
                path.unlink()
        except OSError:  # it is used
            continue
