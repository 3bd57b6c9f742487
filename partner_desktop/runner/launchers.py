"""Which program runs a script, and what of it a sandbox must show. Touches the disk; off the loop.

Nothing is run to find that out: a program that is only looked at may not do anything yet. Which libraries it
asks for is read from its headers (elf(5)), a few and no more, for a file may be made to keep a reader busy
for hours. The loader of glibc, asked the same by `ldd`, would run code that the file names.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import struct
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import BinaryIO

import platformdirs

from partner_desktop.base.errors import DescriptorError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of, system_reason
from partner_desktop.base.paths import display_path
from partner_desktop.runner.mounts import Mount

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
#: Run by programs that no script of ours is written for.
_MORE_CODE = (".ts", ".mts", ".cts", ".jsx", ".tsx", ".jar", ".pyz", ".wasm", ".so", ".dylib", ".exe", ".dll")
_PYTHON_NAMES = ("python", "python3")

#: Interpreters that come with a library beside their `bin`.
_INTERPRETER = re.compile(r"(python|pypy|node|nodejs|ruby|perl|lua|luajit|R|Rscript|php|julia|tclsh)[\d.t-]*")
_PREFIX_PARTS = ("bin", "lib", "lib64", "libexec", "share")
_MOST_LIBRARIES = 50
_FIRST_LINE_BYTES = 512


def interpreter() -> str:
    """The real interpreter under Partner: no virtual environment, no link."""
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
    if path.suffix:
        raise DescriptorError("descriptor.no_launcher", ending=path.suffix)
    raise DescriptorError("descriptor.no_launcher_plain")


def _first_installed(choices: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    names = []
    for name, *arguments in choices:
        found = _search(name)
        if found is not None:
            return (found, *arguments)
        names.append(name)
    raise _missing(names[0])


def _missing(name: str) -> DescriptorError:
    return DescriptorError("descriptor.launcher_missing", name=name)


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
        raise DescriptorError("descriptor.unread", reason=system_reason(error)) from error
    if not line.startswith(b"#!"):
        return []
    words = line[2:].decode("utf-8", "replace").split()
    if words and Path(words[0]).name == "env":
        words = words[1:]
        while words and (words[0].startswith("-") or "=" in words[0]):
            words = words[1:]
    return words


@dataclass(frozen=True)
class Program:
    """How a sandbox runs a program."""

    path: str
    """What to execute."""
    mounts: tuple[Mount, ...] = ()
    """What it needs outside the system folders, to read."""
    foreign: bool = False
    """Whether it is neither the system's nor Partner's own interpreter: what it does, its bytes say alone."""

    @property
    def opens(self) -> tuple[str, ...]:
        """The places that a foreign program brings along, itself among them."""
        return tuple(mount.source for mount in self.mounts) if self.foreign else ()


def in_system(place: str | Path) -> bool:
    """Whether every sandbox shows it anyway."""
    return any(str(place) == folder or str(place).startswith(folder + "/") for folder in SYSTEM_FOLDERS)


def find_program(program: str) -> Program:
    """What runs when `program` is started in a sandbox, and which places it needs there.

    Of an interpreter: the programs and libraries under its prefix. Of anything else: the file itself. Of
    both: the shared libraries that its own search path names. Never a home folder, even where it is a
    prefix, and no folder that is a link.
    """
    return _program(program, os.path.realpath(program))


def _program(program: str, real: str) -> Program:
    environment = _virtual_environment(program)
    shown = program if environment is not None or (in_system(program) and in_system(real)) else real
    own = real == interpreter()
    paths = [] if in_system(real) else [Path(real), *_prefix_parts(real)]
    if environment is not None:
        base = _base_of(environment)
        paths += [environment / "pyvenv.cfg", *_parts(environment), *(_parts(base) if base else ())]
    kept = [path for path in dict.fromkeys(paths) if not _in_a_folder_of(path, paths)]
    mounts = [Mount(str(path)) for path in kept]
    if not own and not in_system(real):
        for name, library in _libraries(real).items():
            if not _covered(Path(name), kept):
                mounts.append(Mount(library, place=name))
    foreign = environment is not None or not (own or in_system(real))
    return Program(shown, tuple(mounts), foreign)


def launcher_hash(program: str) -> str:
    """SHA-256 of what a foreign program is: its bytes, and the environment that it starts in.

    Empty for the system's programs and Partner's own interpreter; in an environment they stand by their path.

    Raises:
        OSError: It cannot be read.
    """
    real, environment = os.path.realpath(program), _virtual_environment(program)
    known = real == interpreter() or in_system(real)
    if known and environment is None:
        return ""
    parts = [real if known else _bytes_hash(real)]
    if environment is not None:
        parts += [program, _bytes_hash(str(environment / "pyvenv.cfg"))]
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


def has_script_name(place: Path) -> bool:
    """Whether a file is called as scripts are, of which a launcher is known."""
    return place.suffix.lower() in (*_LAUNCHERS, *_PYTHON_EXTENSIONS)


def is_code(place: Path) -> bool:
    """Whether a file looks like a program, or a part of one: by its name, its rights, how it begins.

    Raises:
        OSError: It cannot be read.
    """
    if place.suffix.lower() in (*_LAUNCHERS, *_PYTHON_EXTENSIONS, *_MORE_CODE) or os.access(place, os.X_OK):
        return True
    with place.open("rb") as file:
        return file.read(len(ELF)).startswith((b"#!", ELF, b"PK\x03\x04"))


def file_hashes(places: Iterable[str]) -> list[str]:
    """What each of these programs and files is by now, the system's own left at their path."""
    return [f"{place} {_known_hash(place)}" for place in places]


def _known_hash(place: str) -> str:
    try:
        return launcher_hash(place)
    except (OSError, ValueError):
        return "not readable"


def _bytes_hash(place: str) -> str:
    # Read anew each time: what is mapped and written to leaves no time of change.
    with Path(place).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def launcher_fault(program: str, *, live: Path) -> str:
    """Why a program is not one that an ability may name; empty if it may.

    `live`: the folder that holds `dynamic/` and `tmp/`.
    """
    real = os.path.realpath(program)
    if in_system(real) or real == interpreter():
        return ""
    untidy = (platformdirs.user_downloads_dir(), platformdirs.user_desktop_dir())
    for place in (os.path.realpath(each) for each in (live, *untidy)):
        if real.startswith(place + "/") or program.startswith(place + "/"):
            return sentence_of("descriptor.launcher_untidy", place=display_path(Path(place)))
    loose = next((place for place in (Path(real), *Path(real).parents) if _is_loose(place)), None)
    if loose is None:
        return ""
    return sentence_of("descriptor.launcher_loose", place=display_path(loose))


def _is_loose(place: Path) -> bool:
    """Whether somebody else than the person and root may put another program there."""
    try:
        found = place.stat()
    except OSError:
        return True
    sticky = (
        stat.S_ISDIR(found.st_mode) and found.st_mode & stat.S_ISVTX
    )  # each replaces only what is his own
    return found.st_uid not in (0, os.getuid()) or bool(found.st_mode & stat.S_IWOTH and not sticky)


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
    """The folders of programs and libraries; one that is a link may lead anywhere, and is left out."""
    found = (prefix / part for part in _PREFIX_PARTS)
    return [part for part in found if part.is_dir() and not part.is_symlink()]


def _covered(path: Path, mounts: Iterable[Path]) -> bool:
    return any(path == mount or mount in path.parents for mount in mounts)


def _in_a_folder_of(path: Path, mounts: Iterable[Path]) -> bool:
    return not set(mounts).isdisjoint(path.parents)


def _libraries(real: str) -> dict[str, str]:
    """Shared libraries outside the system folders, as the loader would find them: its name → what lies there.

    Only what is really a library is named: a search path may point at any file. What the loader finds in
    the system's folders every sandbox shows.
    """
    if not sys.platform.startswith("linux"):
        return {}
    found: dict[str, str] = {}
    pending = [real]
    while pending and len(found) < _MOST_LIBRARIES:
        for name in _needed(pending.pop()):
            if name not in found and not in_system(name):
                library = os.path.realpath(name)
                found[name] = library
                pending.append(library)
    return found


def _needed(program: str) -> list[str]:
    """What one ELF file needs of the folders that it names itself; empty for anything else."""
    names, folders = needs(program)
    places = (
        f"{folder}/{name}"
        for name in names
        if "/" not in name
        for folder in (_expanded(folder, program) for folder in folders)
        if folder.startswith("/")
    )
    return [os.path.normpath(place) for place in places if _is_library(place)]


def _expanded(folder: str, program: str) -> str:
    origin = os.path.dirname(program)  # noqa: PTH120 - strings throughout
    return folder.replace("${ORIGIN}", origin).replace("$ORIGIN", origin)


def _is_library(place: str) -> bool:
    try:
        if not stat.S_ISREG(os.stat(place).st_mode):  # noqa: PTH116 - to open a pipe would be heard at its end
            return False
        with os.fdopen(os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            return stat.S_ISREG(os.fstat(file.fileno()).st_mode) and file.read(len(ELF)) == ELF
    except (OSError, ValueError):
        return False


ELF = b"\x7fELF"
_LITTLE_64 = b"\x02\x01"
_PT_LOAD, _PT_DYNAMIC = 1, 2
_DT_NULL, _DT_NEEDED, _DT_STRTAB, _DT_RPATH, _DT_RUNPATH = 0, 1, 5, 15, 29
_MOST_HEADERS = 64
_MOST_TAGS = 1_000
_MOST_NAMES = 100
_MOST_FOLDERS = 16
_STRINGS_BYTES = 64 * 1024


def needs(program: str) -> tuple[list[str], list[str]]:
    """The names of the libraries that a program needs, and the folders in which it wants them looked for.

    Both empty for what is no program of 64 bits in this byte order, and for a damaged one.
    """
    try:
        with open(program, "rb") as file:  # noqa: PTH123 - strings throughout
            return _needs(file)
    except (OSError, OverflowError, struct.error, ValueError):
        return [], []


def _needs(file: BinaryIO) -> tuple[list[str], list[str]]:
    header = file.read(64)
    if not header.startswith(ELF + _LITTLE_64):
        return [], []
    (start,) = struct.unpack_from("<Q", header, 32)
    size, count = struct.unpack_from("<HH", header, 54)
    loads, dynamic = [], (0, 0)
    for number in range(min(count, _MOST_HEADERS)):
        kind, _, offset, address, _, length, *_ = struct.unpack(
            "<IIQQQQQQ", _at(file, start + number * size, 56)
        )
        if kind == _PT_LOAD:
            loads.append((address, offset, length))
        elif kind == _PT_DYNAMIC and not dynamic[1]:
            dynamic = (offset, length)
    entries = _at(file, dynamic[0], min(dynamic[1] // 16, _MOST_TAGS) * 16)
    tags = []
    for tag, value in struct.iter_unpack("<QQ", entries):
        if tag == _DT_NULL:
            break
        tags.append((tag, value))
    table = next((value for tag, value in tags if tag == _DT_STRTAB), 0)
    place = next((table - at + offset for at, offset, length in loads if at <= table < at + length), None)
    if place is None:
        return [], []
    strings = _at(file, place, _STRINGS_BYTES, whole=False)
    names = [_string(strings, value) for tag, value in tags if tag == _DT_NEEDED][:_MOST_NAMES]
    paths = [_string(strings, value) for tag, value in tags if tag in (_DT_RPATH, _DT_RUNPATH)]
    folders = [folder for path in paths for folder in path.split(":")]
    return [name for name in names if name], folders[:_MOST_FOLDERS]


def _at(file: BinaryIO, offset: int, length: int, *, whole: bool = True) -> bytes:
    file.seek(offset)
    found = file.read(length)
    if whole and len(found) < length:
        raise ValueError("it ends too early")
    return found


def _string(strings: bytes, offset: int) -> str:
    end = strings.find(b"\0", offset)
    return os.fsdecode(strings[offset:end]) if 0 <= offset < end else ""
