"""The home that stories begin in: built once from `home.toml` or `mkhome.sh`, then copied for each story.

`home.toml` has `[files]`, for each path below the home: a text, a size in bytes (content of chance, the same
each time), `image:WxH:SEED`, or `same:PATH`; a path that ends in `/` is an empty folder. All is 60 days old,
unless `[age_days]` says otherwise of a path.
"""

from __future__ import annotations

import os
import random
import subprocess
import time
import tomllib
from collections.abc import Mapping
from pathlib import Path

from tests.benchmarks.calls import DataError

_AGE_DAYS = 60.0
_DAY_S = 86_400


def build_home(place: Path, home: Path) -> None:
    """Build the home of the stories in `place`.

    Raises:
        DataError: It has none, or none that can be built.
    """
    try:
        if (place / "home.toml").is_file():
            _furnish(tomllib.loads((place / "home.toml").read_text(encoding="utf-8")), home)
        elif (place / "mkhome.sh").is_file():
            subprocess.run(["bash", place / "mkhome.sh", home], check=True, capture_output=True)
        else:
            raise DataError(f"{place} has neither home.toml nor mkhome.sh: no home for its stories.")
    except (OSError, ValueError, KeyError, subprocess.CalledProcessError) as problem:
        raise DataError(f"The home of the stories in {place} cannot be built: {problem}.") from problem


def _furnish(described: Mapping[str, Mapping[str, str | float]], home: Path) -> None:
    home.mkdir(parents=True)
    files = described["files"]
    # A copy comes after what it is a copy of.
    for name in sorted(files, key=lambda each: str(files[each]).startswith("same:")):
        _put(home, name, files[name])
    ages = described.get("age_days", {})
    for path in (*home.rglob("*"), home):
        days = float(ages.get(path.relative_to(home).as_posix(), _AGE_DAYS))
        then = time.time() - days * _DAY_S
        os.utime(path, (then, then))


def _put(home: Path, name: str, content: str | float) -> None:
    path = home / name
    if name.endswith("/"):
        path.mkdir(parents=True, exist_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    if not isinstance(content, str):
        path.write_bytes(random.Random(name).randbytes(int(content)))
    elif content.startswith("image:"):
        _paint(path, content)
    elif content.startswith("same:"):
        path.write_bytes((home / content.removeprefix("same:")).read_bytes())
    else:
        path.write_text(content, encoding="utf-8")


def _paint(path: Path, described: str) -> None:
    """A picture of soft colours, of chance: few pixels made large."""
    from PySide6.QtCore import Qt  # noqa: PLC0415 - homes without pictures need no Qt
    from PySide6.QtGui import QImage  # noqa: PLC0415

    _, size, seed = described.split(":")
    width, height = map(int, size.split("x"))
    few = QImage(random.Random(seed).randbytes(16 * 12 * 4), 16, 12, QImage.Format.Format_RGB32)
    large = few.scaled(
        width, height, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
    if not large.save(str(path)):
        raise ValueError(f"{path.name} is no picture that can be written")
