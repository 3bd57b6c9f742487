"""Which program runs a script, and what of it a sandbox must show. Touches the disk; off the loop."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from partner_desktop.base.errors import DescriptorError

#: Where programs lie although a desktop session's PATH may not say so.
_USUAL_FOLDERS = ("/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin", "/opt/local/bin", "/snap/bin")
#: Every sandbox shows these.
SYSTEM_FOLDERS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")

_PYTHON_ARGUMENTS = ("-s", "-B")
#: Extension → the programs that run it, best first, each with its first arguments.
_LAUNCHERS: dict[str, tuple[tuple[str, ...], ...]] = {
    ".sh": (("bash",), ("sh",)),
    ".bash": (("bash",),),
    ".zsh": (("zsh",),),
    ".fish": (("fish",),),
    ".js": (("node",), ("nodejs",), ("bun",)),
    ".mjs": (("node",), ("nodejs",), ("bun",)),
    ".cjs": (("node",), ("nodejs",), ("bun",)),
    ".rb": (("ruby",),),
    ".pl": (("perl",),),
    ".lua": (("lua",), ("luajit",)),
    ".r": (("Rscript",),),
    ".php": (("php",),),
    ".jl": (("julia",),),
    ".tcl": (("tclsh",),),
    ".awk": (("awk", "-f"),),
}
_PYTHON_EXTENSIONS = (".py", ".pyw")
_PYTHON_NAMES = ("python", "python3")

#: Interpreters that come with a library beside their `bin`.
_INTERPRETER = re.compile(r"(python|pypy|node|nodejs|ruby|perl|lua|luajit|R|Rscript|php|julia|tclsh)[\d.t-]*")
_PREFIX_PARTS = ("bin", "lib", "lib64", "libexec", "share")
_LDD_TIMEOUT_S = 5.0
_FIRST_LINE_BYTES = 512


def interpreter() -> str:
    """The real interpreter under Partner: no virtual environment, no link."""
    if getattr(sys, "frozen", False):
        return _search("python3") or sys.executable
    return os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)


def find_launcher(path: Path, *, declared: Sequence[str] = ()) -> tuple[str, ...]:
    """The program that runs `path`, absolute, with its first arguments; the script's path comes after them.

    What the description declares goes first, then the extension, then a `#!` line.

    Raises:
        DescriptorError: No launcher is known for it, or it is not installed.
    """
    if declared:
        return (_installed(declared[0], path), *declared[1:])
    extension = path.suffix.lower()
    if extension in _PYTHON_EXTENSIONS:
        return (interpreter(), *_PYTHON_ARGUMENTS)
    if extension in _LAUNCHERS:
        return _first_installed(_LAUNCHERS[extension])
    words = _first_line(path)
    if words:
        return (_installed(words[0], path), *words[1:])
    what = f'"{path.suffix}" files' if path.suffix else "a file without an extension"
    raise DescriptorError(
        f"no launcher is known for {what}; name one as `launcher` in its description (desc.json)"
        " or in a `#!` line"
    )


def _first_installed(choices: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    names = []
    for name, *arguments in choices:
        found = _search(name)
        if found is not None:
            return (found, *arguments)
        names.append(name)
    raise _missing(names[0])


def _missing(name: str) -> DescriptorError:
    return DescriptorError(
        f"the launcher `{name}` is not installed; install it, or name another one as `launcher`"
        " in the description (desc.json)"
    )


def _installed(name: str, script: Path) -> str:
    """A declared program: a name is looked up, a path is taken relative to the script's folder."""
    if "/" not in name:
        found = _search(name)
        if found is None and name in _PYTHON_NAMES:
            found = interpreter()
    else:
        place = os.path.normpath(script.parent.absolute() / os.path.expanduser(name))  # noqa: PTH111 - unknown users
        found = place if _runnable(place) else None
        if found is None and place.startswith("/"):  # `#!/usr/local/bin/ruby` where ruby lies elsewhere
            return _installed(Path(name).name, script)
    if found is None:
        raise _missing(name)
    return found


def _search(name: str) -> str | None:
    """PATH, then the usual places; version managers' shims last, since they need the whole home folder."""
    folders = [*os.environ.get("PATH", "").split(os.pathsep), *_USUAL_FOLDERS]
    found = [place for folder in folders if folder.startswith("/") and _runnable(place := f"{folder}/{name}")]
    real = [place for place in found if Path(place).parent.name != "shims"]
    return next(iter(real or found), None)


def _runnable(place: str) -> bool:
    return os.path.isfile(place) and os.access(place, os.X_OK)  # noqa: PTH113 - strings throughout


def _first_line(path: Path) -> list[str]:
    """The words of the `#!` line, `env` and its options left out."""
    try:
        with path.open("rb") as file:
            line = file.readline(_FIRST_LINE_BYTES).removeprefix(b"\xef\xbb\xbf")
    except OSError as error:
        raise DescriptorError(f"it cannot be read: {error.strerror}") from error
    if not line.startswith(b"#!"):
        return []
    words = line[2:].decode("utf-8", "replace").split()
    if words and Path(words[0]).name == "env":
        words = words[1:]
        while words and (words[0].startswith("-") or "=" in words[0]):
            words = words[1:]
    return words


@dataclass(frozen=True)
class ProgramMounts:
    """How a sandbox runs a program: what to execute, and which paths outside the system folders it needs."""

    program: str
    paths: tuple[Path, ...]


def in_system(place: str | Path) -> bool:
    """Whether every sandbox shows it anyway."""
    return any(str(place) == folder or str(place).startswith(folder + "/") for folder in SYSTEM_FOLDERS)


@lru_cache(maxsize=64)
def program_mounts(program: str) -> ProgramMounts:
    """What must be mounted, read-only and each at its own path, so that `program` runs.

    Of an interpreter: the programs and libraries under its prefix. Of anything else: the file itself. Of
    both: the shared libraries that the loader asks for. Never a home folder, even where it is a prefix.
    """
    real = os.path.realpath(program)
    environment = _virtual_environment(program)
    shown = program if environment is not None or (in_system(program) and in_system(real)) else real
    paths = [] if in_system(real) else [Path(real), *_prefix_parts(real)]
    if environment is not None:
        base = _base_of(environment)
        paths += [environment / "pyvenv.cfg", *_parts(environment), *(_parts(base) if base else ())]
    paths += [library for library in _libraries(real) if not _covered(library, paths)]
    return ProgramMounts(
        shown, tuple(dict.fromkeys(path for path in paths if not _in_a_folder_of(path, paths)))
    )


def _virtual_environment(program: str) -> Path | None:
    """The folder of the virtual environment that `program` belongs to."""
    folder = Path(program).parent.parent
    return (
        folder
        if (folder / "pyvenv.cfg").is_file() and not in_system(folder) and not _private(folder)
        else None
    )


def _base_of(environment: Path) -> Path | None:
    """The installation that the environment was made from, spelled as in its `pyvenv.cfg`."""
    for line in (environment / "pyvenv.cfg").read_text("utf-8", "replace").splitlines():
        key, _, value = line.partition("=")
        if key.strip() == "home":
            prefix = Path(os.path.realpath(value.strip())).parent
            return None if in_system(prefix) or _private(prefix) or not _is_python(prefix) else prefix
    return None


def _is_python(prefix: Path) -> bool:
    """A `pyvenv.cfg` may name any folder; one that holds no Python is not opened for its sake."""
    return any(_runnable(f"{prefix}/bin/{name}") for name in ("python3", "python", "pypy3"))


def _prefix_parts(real: str) -> list[Path]:
    path = Path(real)
    if path.parent.name != "bin" or not _INTERPRETER.fullmatch(path.name) or _private(path.parent.parent):
        return []
    return _parts(path.parent.parent)


def _private(prefix: Path) -> bool:
    """Whether a prefix holds more than programs: a home folder, what lies above it, `~/.local`."""
    home = Path(os.path.realpath(os.path.expanduser("~")))  # noqa: PTH111 - Path.home() raises where none is known
    return prefix in (home, home / ".local", *home.parents)


def _parts(prefix: Path) -> list[Path]:
    return [prefix / part for part in _PREFIX_PARTS if (prefix / part).is_dir()]


def _covered(path: Path, mounts: Iterable[Path]) -> bool:
    return any(path == mount or mount in path.parents for mount in mounts)


def _in_a_folder_of(path: Path, mounts: Iterable[Path]) -> bool:
    return any(mount in path.parents for mount in mounts)


def _libraries(real: str) -> list[Path]:
    """Shared libraries outside the system folders, as the loader would find them."""
    if not sys.platform.startswith("linux") or in_system(real):
        return []
    ldd = _search("ldd")
    if ldd is None:
        return []
    try:
        done = subprocess.run(
            [ldd, real], capture_output=True, timeout=_LDD_TIMEOUT_S, check=False, env={"LC_ALL": "C"}
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    words = os.fsdecode(done.stdout).split()
    found = [Path(os.path.normpath(word)) for word in words if word.startswith("/")]
    return [path for path in found if path.is_file() and not in_system(path)]
