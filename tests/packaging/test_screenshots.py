"""The README's pictures can be taken anywhere, and come out the same each time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from tests.support import REPOSITORY

_PATIENCE_S = 60


def take(target: Path, *names: str) -> dict[str, bytes]:
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    script = REPOSITORY / "packaging" / "screenshots.py"
    subprocess.run(
        [sys.executable, str(script), *names, "--out", str(target)],
        env=kept,
        check=True,
        capture_output=True,
        timeout=_PATIENCE_S,
    )
    return {path.stem: path.read_bytes() for path in target.glob("*.png")}


@pytest.mark.slow
def test_pictures_are_the_same_each_time(tmp_path: Path) -> None:
    first = take(tmp_path / "first", "light", "chinese")
    assert set(first) == {"light", "chinese"}
    assert first["light"] != first["chinese"]
    assert take(tmp_path / "second", "chinese", "light") == first
    picture = QImage.fromData(first["light"])
    assert (picture.width(), picture.height()) == (1280, 800)


def test_the_pictures_of_the_readme_are_there() -> None:
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    for name in ("light", "dark"):
        assert (REPOSITORY / "packaging" / "screenshots" / f"{name}.png").is_file()
    assert "packaging/screenshots/light.png" in readme
