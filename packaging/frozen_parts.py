"""What the folder for machines without Python has of each package, and what it leaves out.

Patterns are those of `fnmatch`, against the path below the folder of packages or of the standard library.
`make_smaller` takes from what was copied what only looking tells: Qt's libraries that nothing needs, symbols
for debuggers, second names of one library. Everything left out is counted by its reason, so that the
builder can say what it saved.
"""

import fnmatch
import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path

ELF = b"\x7fELF"

#: Of the standard library: what nobody runs from here, and what needs Tk.
LEFT_OUT_OF_PYTHON = (
    "site-packages/*", "test/*", "idlelib/*", "turtledemo/*", "tkinter/*", "turtle.py", "lib2to3/*",
    "ensurepip/*", "config-*", "pydoc_data/*", "lib-dynload/_tkinter*", "lib-dynload/_test*",
    "lib-dynload/_ctypes_test*", "lib-dynload/xx*", "lib-dynload/nis.*", "*/test/*", "*/tests/*",
    "distutils/command/*",
)  # fmt: skip
#: Packages that others ask for and Partner never reaches: `model/downloads` fetches without hf-xet.
LEFT_OUT_PACKAGES = ("hf-xet",)
#: Of packages by the reason: what is for those who build on them or test them, what of Qt no window of ours
#: opens, and what of others nothing of ours asks for.
LEFT_OUT_OF_PACKAGES = {
    "headers, stubs and tests": (
        "*.pyi", "*.h", "*.hpp", "*.pxd", "*.pxi", "*.pyx", "*.c", "*.cpp", "include/*", "lib/*", "tests/*",
        "*/tests/*", "*/testing/*", "*/benchmarks/*", "*/_examples/*", "*/conftest.py", "numpy/*/*.a",
        "numpy/_core/*_tests.*", "numpy/_core/_simd.*", "*/_pyinstaller/*",
    ),
    "Qt's other parts": (
        "PySide6/Qt/qml/*", "PySide6/Qt/libexec/*", "PySide6/Qt/metatypes/*", "PySide6/typesystems/*",
        "PySide6/glue/*", "PySide6/scripts/*", "PySide6/doc/*", "PySide6/assistant*", "PySide6/designer*",
        "PySide6/linguist*", "PySide6/lrelease*", "PySide6/lupdate*", "PySide6/qml*", "PySide6/balsam*",
        "PySide6/svgtoqml*", "PySide6/rcc*", "PySide6/uic*",
    ),
    "unused parts of packages": (
        "numpy/f2py/*", "numpy/distutils/*", "openai/cli/*", "llama_cpp/server/*", "lxml/objectify*",
        "lxml/html/*", "lxml/isoschematron/*", "spylls/hunspell/data/ru/*", "spylls/hunspell/data/sv/*",
        "dateparser_cli/*", "dateparser_scripts/*", "*.dist-info/sboms/*",
    ),
}  # fmt: skip
#: Of Qt's modules and plugins, what a window may load; of its libraries, what these need.
QT_MODULES = ("QtCore", "QtGui", "QtWidgets")
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
    "libxcb-keysyms.so*", "libxcb-randr.so*", "libxcb-render.so*", "libxcb-render-util.so*",
    "libxcb-shape.so*", "libxcb-shm.so*", "libxcb-sync.so*", "libxcb-util.so*", "libxcb-xfixes.so*",
    "libxcb-xinput.so*", "libxcb-xkb.so*", "libxkbcommon-x11.so*",
)  # fmt: skip


def matches(name: str, patterns: tuple[str, ...]) -> bool:
    """Whether one of them fits."""
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def reason_left_out(name: str) -> str | None:
    """Why a file of a package does not come along; `None` for one that does."""
    reasons = LEFT_OUT_OF_PACKAGES.items()
    return next((reason for reason, patterns in reasons if matches(name, patterns)), None)


def make_smaller(folder: Path, left_out: Counter[str]) -> None:
    """Take from the copied packages, or from the copied Python, what nothing here needs."""
    for qt in folder.glob("lib/*/site-packages/PySide6"):
        _trim_qt(qt, left_out)
    for program in [path for path in folder.rglob("*") if is_elf(path)]:
        _strip(program, left_out)
    _join_equal_libraries(folder, left_out)


def _trim_qt(folder: Path, left_out: Counter[str]) -> None:
    """Leave of Qt what QT_MODULES and QT_PLUGINS name, and the libraries that these need."""

    def drop(path: Path) -> None:
        left_out["Qt's other parts"] += path.stat().st_size
        path.unlink()

    for path in folder.glob("Qt*.abi3.so"):
        if path.name.partition(".")[0] not in QT_MODULES:
            drop(path)
    plugins, libraries = folder / "Qt" / "plugins", folder / "Qt" / "lib"
    for path in [path for path in plugins.rglob("*") if path.is_file()]:
        if not matches(path.relative_to(plugins).as_posix(), QT_PLUGINS):
            drop(path)
    for path in (folder / "Qt" / "translations").iterdir():
        if path.name not in QT_WORDS:
            drop(path)
    # What binds Python to Qt stands beside the modules, and is there for some of them only.
    bindings = {path.name: path for path in folder.glob("libpyside6*.so*")}
    pending = [*folder.glob("Qt*.so"), *plugins.rglob("*.so")]
    kept: set[str] = set()
    while pending:
        for name in libraries_of(pending.pop()):
            place = bindings.get(name, libraries / name)
            if name not in kept and place.is_file():
                kept.add(name)
                pending.append(place)
    for path in [*libraries.iterdir(), *bindings.values()]:
        if path.name not in kept:
            drop(path)
    # A plugin that asks for a library of Qt that is not there never loads.
    for path in plugins.rglob("*.so"):
        if any(name.startswith("libQt6") and name not in kept for name in libraries_of(path)):
            drop(path)


def _strip(program: Path, left_out: Counter[str]) -> None:
    """Take the symbols for debuggers, where the loader still takes what is left: of a library that a wheel's
    maker has moved (`patchelf`), `strip` sometimes leaves one that nobody can load.
    """
    before = program.stat().st_size
    stripped = program.with_name(f"{program.name}.stripped")
    done = told("strip", "--strip-unneeded", "-o", str(stripped), str(program))
    smaller = done is not None and stripped.stat().st_size < before
    if smaller and told("ldd", str(stripped)) is not None:
        left_out["symbols for debuggers"] += before - stripped.stat().st_size
        shutil.copymode(program, stripped)
        stripped.replace(program)
    stripped.unlink(missing_ok=True)


def _join_equal_libraries(folder: Path, left_out: Counter[str]) -> None:
    """Wheels hold a library once for each of its names; make links of them."""
    first: dict[bytes, Path] = {}
    for path in sorted(folder.rglob("*.so*"), key=lambda path: (path.parent, -len(path.name))):
        if path.is_file() and not path.is_symlink():
            content = path.read_bytes()
            known = first.setdefault(content, path)
            if known.parent == path.parent and known != path:
                left_out["second names of a library"] += len(content)
                path.unlink()
                path.symlink_to(known.name)


def is_elf(path: Path) -> bool:
    """Whether it is compiled code, and no link to some."""
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == ELF


def libraries_of(program: Path) -> list[str]:
    """The names of those that it asks for."""
    return (told("patchelf", "--print-needed", str(program)) or "").split()


def told(*command: str) -> str | None:
    """What a tool printed; `None` where it failed."""
    done = subprocess.run(
        command, env=os.environ | {"LC_ALL": "C"}, capture_output=True, text=True, check=False
    )
    return done.stdout if done.returncode == 0 else None
