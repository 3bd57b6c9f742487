"""Start Partner Desktop, or run its tests, from a fresh checkout.

    python3 packaging/bootstrap.py run [app arguments]
    python3 packaging/bootstrap.py test [pytest arguments]

This file starts on Python 3.6, so that a Python that is too old gets one clear sentence. Everything that
needs a newer one is in the `_bootstrap_*.py` files beside it and is imported after that check.
Standard library only. Every line of its own goes to stderr: stdout belongs to the app.
"""

import shutil
import subprocess
import sys
from pathlib import Path

OLDEST_PYTHON = (3, 11)
NEWER_PYTHONS = ("python3.14", "python3.13", "python3.12", "python3.11")


def complaint_about_python(found: "tuple[int, ...]", newer_python: str) -> str:
    """Say in one sentence why a Python cannot run the app; empty when it can.

    `found` is major, minor, micro; `newer_python` is a command that would do, or empty.
    """
    if found[:2] >= OLDEST_PYTHON:
        return ""
    found_version = ".".join(str(part) for part in found)
    needed_version = ".".join(str(part) for part in OLDEST_PYTHON)
    problem = f"Partner Desktop needs Python {needed_version} or newer, and this is Python {found_version}"
    if newer_python:
        return f"{problem}; run: {newer_python} packaging/bootstrap.py run"
    looked_for = f"{NEWER_PYTHONS[-1]} to {NEWER_PYTHONS[0]}"
    return f"{problem}; none of {looked_for} was found on PATH, so install one and start again with it."


def newer_python_on_path() -> str:
    """Return the newest Python command on PATH that really starts, or an empty string."""
    for name in NEWER_PYTHONS:
        path = shutil.which(name)
        # Being found is not enough: a version manager's shim may stand for a version that is not there.
        if path and subprocess.call([path, "-c", ""], stderr=subprocess.DEVNULL) == 0:
            return name
    return ""


def main() -> int:
    """Check the Python, then hand over; return the exit code."""
    version = tuple(sys.version_info[:3])
    if complaint_about_python(version, ""):
        print(complaint_about_python(version, newer_python_on_path()), file=sys.stderr)
        return 1
    sys.path.insert(0, str(Path(__file__).resolve().parent))  # not there by itself under PYTHONSAFEPATH
    from _bootstrap_commands import dispatch  # noqa: PLC0415  an old Python cannot even parse it

    return dispatch(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
