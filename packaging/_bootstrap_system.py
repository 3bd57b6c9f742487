"""What Qt and the sandbox need from the operating system: find what is missing, install it or say how."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from _bootstrap_checkout import Checkout, hold, say
from _bootstrap_process import run_logged

SANDBOX_PROGRAM = "bwrap"
SANDBOX_PACKAGE = "bubblewrap"

# What the window loads at the start; what these link to, directly or not, is what has to be there.
QT_BINARIES = (
    "plugins/platforms/libqxcb.so",
    "plugins/xcbglintegrations/libqxcb-egl-integration.so",
    "plugins/xcbglintegrations/libqxcb-glx-integration.so",
    "lib/libQt6Network.so.6",
    "lib/libQt6Svg.so.6",
)

# Every library outside PySide6 that those name in their ELF headers -> the Debian package that has it.
DEBIAN_PACKAGES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libX11.so.6": "libx11-6",
    "libbrotlicommon.so.1": "libbrotli1",
    "libbrotlidec.so.1": "libbrotli1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libstdc++.so.6": "libstdc++6",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-glx.so.0": "libxcb-glx0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb.so.1": "libxcb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libz.so.1": "zlib1g",
    "libzstd.so.1": "libzstd1",
}


def provide_system_packages(checkout: Checkout) -> None:
    """Install what is missing as root on Debian; elsewhere say in one line how; never an error.

    The app starts without the sandbox (it then asks before every script), and a missing library is Qt's to
    report: a command that needs no window works without it.
    """
    if not sys.platform.startswith("linux"):
        return
    libraries = missing_libraries(checkout)
    programs = [] if shutil.which(SANDBOX_PROGRAM) else [SANDBOX_PROGRAM]
    if not libraries and not programs:
        return
    if not shutil.which("apt-get"):
        say(f"Missing on this system, please install: {', '.join([*libraries, *programs])}.")
        return
    packages = debian_packages(libraries, programs)
    if os.geteuid() == 0 and _apt_install(checkout, packages):
        return
    say(f"Missing on this system; to install it: {'' if os.geteuid() == 0 else 'sudo '}{_apt_line(packages)}")


def missing_libraries(checkout: Checkout) -> list[str]:
    """Return the sonames that the dynamic linker does not find for Qt's window; empty without ldd or Qt."""
    qt = checkout.site_packages / "PySide6" / "Qt"
    binaries = [str(qt / each) for each in QT_BINARIES if (qt / each).is_file()]
    if not binaries or not shutil.which("ldd"):
        return []
    found = subprocess.run(["ldd", *binaries], capture_output=True, text=True, check=False).stdout
    return sorted(set(re.findall(r"^\s*(\S+) => not found", found, flags=re.MULTILINE)))


def debian_packages(libraries: list[str], programs: list[str]) -> list[str]:
    """Return the packages that bring them; a library that is not in the table is named as it is."""
    packages = {DEBIAN_PACKAGES.get(library, library) for library in libraries}
    return sorted(packages) + ([SANDBOX_PACKAGE] if SANDBOX_PROGRAM in programs else [])


def _apt_line(packages: list[str]) -> str:
    return f"apt-get install --no-install-recommends {' '.join(packages)}"


def _apt_install(checkout: Checkout, packages: list[str]) -> bool:
    """Install packages as root, refreshing the package lists only when it does not work without."""
    say(f"Installing system packages: {' '.join(packages)}.")
    install = ["install", "--yes", "--no-install-recommends", *packages]
    if _has_package_lists() and _apt_get(checkout, *install):
        return True
    return _apt_get(checkout, "update") and _apt_get(checkout, *install)


def _has_package_lists() -> bool:
    return any(Path("/var/lib/apt/lists").glob("*_Packages*"))


def _apt_get(checkout: Checkout, *arguments: str) -> bool:
    command = ["apt-get", "--quiet", "--option", "DPkg::Lock::Timeout=120", *arguments]
    silent = {"DEBIAN_FRONTEND": "noninteractive"}
    sentence = "Another bootstrap is installing; waiting for it to end."
    with hold(checkout.install_lock, sentence_while_waiting=sentence) as lock:
        return run_logged(command, checkout.install_log, lock=lock, cwd=checkout.root, variables=silent) == 0
