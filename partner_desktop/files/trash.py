"""The desktop's trash: the one door to send2trash. Blocking, for use off the loop."""

from __future__ import annotations

from pathlib import Path


def move_to_trash(path: Path) -> None:
    """Put a file or folder where the desktop's own trash shows it, with the place it came from.

    Raises:
        OSError: It is not there, or nothing here has a trash for it; it is where it was.
    """
    from send2trash import send2trash  # noqa: PLC0415 - rarely needed, and it looks for the desktop's libraries

    send2trash(path)
