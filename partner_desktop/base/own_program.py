"""How Partner starts itself: one of its modules in another process, and the whole of it for others to start.

`sys.executable` is a Python in every installation, also in the one for machines without Python, whose
`app/` is a virtual environment: so one command line does everywhere.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

PROGRAM = "partner-desktop"
#: The folder that holds our code, for the start of a module.
PACKAGE_PARENT = Path(__file__).resolve().parents[2]


def module_command(module: str) -> list[str]:
    """Run a module by our own Python. `-m` looks into the working folder first: start it where ours lies."""
    return [sys.executable, "-m", module]


def start_command() -> list[str]:
    """What another program starts this Partner with, by its whole path.

    The AppImage that this lies in, for its folder is another at each start; the script beside the program,
    the one that was started, or one on the PATH; else the interpreter with the package.
    """
    image, folder = os.environ.get("APPIMAGE", ""), os.environ.get("APPDIR", "")
    if image and folder and Path(sys.executable).is_relative_to(folder):
        return [image]
    places = (
        Path(sys.executable).with_name(PROGRAM),
        Path(sys.argv[0]).absolute(),
        Path(shutil.which(PROGRAM) or "."),
    )
    found = next((place for place in places if place.name == PROGRAM and os.access(place, os.X_OK)), None)
    return [str(found.absolute())] if found is not None else module_command("partner_desktop")
