"""What holds the worker: a model is a stranger's file, and C++ takes it apart.

Contract: where bubblewrap works, the worker sees the system and its own Python read-only, the model's file or
files, and nothing else: no home, no network, no other process, and of the environment a list. Where it does
not work, the worker gives up new rights and most of the kernel's rarer calls by itself (`hold_itself`), and
has a clean environment; what it can read then is what the person can. Blocking; all of it is asked off the
loop.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import signal
import site
import stat
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.own_program import module_command
from partner_desktop.base.syscall_filter import filter_program

_PACKAGE = Path(__file__).resolve().parents[2]
_TRY_TIMEOUT_S = 5.0
_TMP_BYTES = 64 * 1024**2
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store")
#: What the loader and the choice of a context need besides.
_ALSO = (
    "/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime", "/sys/devices/system/cpu",
    "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current",
)  # fmt: skip
#: And with a graphics card: its drivers, and what they ask of the machine.
_GPU_ALSO = (
    "/opt/cuda", "/opt/rocm", "/etc/OpenCL", "/etc/vulkan", "/etc/nvidia", "/run/opengl-driver", "/sys",
)  # fmt: skip
_GPU_DEVICES = ("dri", "kfd", "nvidia*")
_PREFIX_PARTS = ("bin", "lib", "lib64", "pyvenv.cfg")
#: The variables that reach it, and what the names of others begin with: how the engine computes.
_PASSED_ON = ("PYTHONPATH", "LD_LIBRARY_PATH")
_ABOUT_COMPUTING = ("GGML_", "OMP_", "CUDA_", "HIP_", "HSA_", "ROCR_", "VK_")
_PARTS = re.compile(r"(?P<name>.+-)\d{5}(?P<of>-of-\d{5}\.gguf)")


@dataclass(frozen=True)
class Launch:
    """How a worker is started."""

    argv: list[str]
    environment: dict[str, str] | None = None
    """`None`: the app's own."""
    filters: bytes = b""
    """What goes through a pipe that `argv` names as descriptor `FILTER_FD`."""
    held: bool = False


#: Stands in `argv` for the descriptor that the filter is read from, which is known at the start only.
FILTER_FD = "{filter}"


def launch_of(models: Sequence[Path], *, gpu: bool) -> Launch:
    """How a worker for these files is started, held as well as this machine can."""
    command = module_command("partner_desktop.model.worker")
    bwrap = bubblewrap()
    if not bwrap:
        return Launch(command, _environment())
    filters = filter_program(local_sockets=False)
    return Launch(
        [
            bwrap,
            *_namespaces(),
            *(("--seccomp", FILTER_FD) if filters else ()),
            *_system(),
            *_mounts("--ro-bind-try", [*map(Path, _ALSO), *_python(), _PACKAGE]),
            *(_gpu() if gpu else ()),
            *_mounts("--ro-bind-try", [file for model in models for file in _files_of(model)]),
            *("--chdir", str(_PACKAGE.parent), "--remount-ro", "/", "--"),
            *command,
        ],
        _environment(),
        filters,
        held=True,
    )


def isolation_sentence() -> tuple[bool, str]:
    """Whether models are held by a sandbox here, and a sentence about it."""
    if bubblewrap():
        return True, sentence_of("model.isolated")
    if not sys.platform.startswith("linux"):
        return (
            False,
            sentence_of("model.not_isolated"),
        )
    return False, sentence_of("model.half_isolated")


@cache
def bubblewrap() -> str:
    """The program that holds workers, tried once for real; empty where it is missing or does not work."""
    program = shutil.which("bwrap") if sys.platform.startswith("linux") else None
    if program is None:
        return ""
    try:
        process = subprocess.Popen(
            [program, *_namespaces(), *_system(), "--", "true"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={"PATH": os.defpath},
        )
    except OSError:
        return ""
    with process:
        try:
            return program if process.wait(_TRY_TIMEOUT_S) == 0 else ""
        except subprocess.TimeoutExpired:
            kill_whole(process.pid)
            return ""


def hold_itself() -> None:
    """In the worker, before anything else: no new rights, and the filter, where no sandbox set them."""
    if not sys.platform.startswith("linux"):
        return
    set_no_new_rights, get_filter, set_filter, by_program = 38, 21, 22, 2
    program = filter_program(local_sockets=False)
    libc = ctypes.CDLL(None, use_errno=True)
    if not program or libc.prctl(get_filter, 0, 0, 0, 0) == by_program:
        return
    held = ctypes.create_string_buffer(program, len(program))

    class Program(ctypes.Structure):  # `struct sock_fprog`
        _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))

    pointer = Program(len(program) // 8, ctypes.addressof(held))
    if libc.prctl(set_no_new_rights, 1, 0, 0, 0) == 0:
        libc.prctl(set_filter, by_program, ctypes.byref(pointer), 0, 0)


def inner_pid(pid: int) -> int:
    """Of bubblewrap's process, the process that it holds; itself, where that cannot be told (yet)."""
    for _ in range(2):  # bubblewrap, its first process inside, and the one that was asked for
        pid = next(iter(_children(pid)), pid)
    return pid


def kill_whole(pid: int) -> None:
    """Kill a process that leads its session, and what it started: also a bubblewrap that is being set up.

    Its own tie, `--die-with-parent`, is there only when it has finished that. Its child may have a session of
    its own by then; while all is stopped, none can come to be that is not seen.
    """
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGSTOP)
    for child in _children(pid):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(child, signal.SIGKILL)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _children(pid: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()]
    except OSError:
        return []


def _namespaces() -> list[str]:
    return [
        *("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net"),
        *("--unshare-cgroup-try", "--cap-drop", "ALL", "--new-session", "--die-with-parent"),
    ]


def _system() -> Iterator[str]:
    for folder in _SYSTEM:
        if Path(folder).is_symlink():
            yield from ("--symlink", os.readlink(folder), folder)  # noqa: PTH115 - its own text
        elif Path(folder).is_dir():
            yield from ("--ro-bind", folder, folder)
    # As root, /proc/sys would be writable.
    yield from ("--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev")
    yield from ("--size", str(_TMP_BYTES), "--tmpfs", "/tmp")  # noqa: S108 - inside


def _mounts(kind: str, paths: Iterable[Path]) -> Iterator[str]:
    """Each at its own name, unless it lies in one that is mounted already."""
    done: set[Path] = set()
    for path in paths:
        if path.exists() and not _in_system(path) and done.isdisjoint((path, *path.parents)):
            done.add(path)
            yield from (kind, os.path.realpath(path), str(path))


def _in_system(path: Path) -> bool:
    return any(str(path).startswith(f"{folder}/") for folder in _SYSTEM)


def _python() -> Iterator[Path]:
    """The interpreter, its environment, and where its modules lie; outer ones first."""
    prefixes = [sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix]
    around = Path(sys.executable).parent.parent
    if (around / "pyvenv.cfg").is_file():  # as the worker finds it, also where this process was told not to
        prefixes.append(str(around))
    spelled = dict.fromkeys(part for prefix in prefixes for part in (prefix, os.path.realpath(prefix)))
    yield from (Path(prefix, part) for prefix in spelled for part in _PREFIX_PARTS)
    engine = find_spec("llama_cpp")  # wherever it is installed; not all of `sys.path`, which may hold a home
    if engine is not None and engine.origin is not None:
        yield Path(engine.origin).parent
    named = [*os.environ.get("PYTHONPATH", "").split(os.pathsep), site.getusersitepackages()]
    places = {Path(place) for place in named if os.path.isabs(place) and place in sys.path}  # noqa: PTH117
    yield from sorted(places - {_PACKAGE.parent}, key=lambda place: len(place.parts))
    if sys.pycache_prefix is not None:
        yield Path(sys.pycache_prefix)
    program = sys.executable
    while os.path.islink(program):  # noqa: PTH114 - each link on the way has to be there
        program = os.path.join(os.path.dirname(program), os.readlink(program))  # noqa: PTH115, PTH118, PTH120
        yield Path(os.path.normpath(program))


def _gpu() -> Iterator[str]:
    yield from _mounts("--ro-bind-try", map(Path, _GPU_ALSO))
    devices = sorted(path for name in _GPU_DEVICES for path in Path("/dev").glob(name))
    yield from (part for path in devices for part in ("--dev-bind-try", str(path), str(path)))


def _files_of(model: Path) -> list[Path]:
    """The file, or all parts of one that is split; regular files only, so that no folder is opened by it."""
    part = _PARTS.fullmatch(model.name)
    names = [model]
    if part is not None:
        names = sorted(path for path in model.parent.glob("*.gguf") if _same_model(path, part))
    return [path for path in names if _is_file(path)]


def _same_model(path: Path, part: re.Match[str]) -> bool:
    other = _PARTS.fullmatch(path.name)
    return other is not None and (other["name"], other["of"]) == (part["name"], part["of"])


def _is_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False


def _environment() -> dict[str, str]:
    found = {
        name: value
        for name, value in os.environ.items()
        if name in _PASSED_ON or name.startswith(_ABOUT_COMPUTING)
    }
    own = {"PATH": os.defpath, "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"}
    if sys.pycache_prefix is not None:
        own["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
    return found | own
