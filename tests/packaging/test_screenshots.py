"""The README's pictures can be taken anywhere, and come out the same each time."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from tests.support import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "packaging"))
screenshots = importlib.import_module("screenshots")

_PATIENCE_S = 60


#: The font of Chinese is the system's, and draws differently on each; what a first start offers is what fits
#: this machine.
_OF_OUR_FONTS = ("light", "dark", "keys", "context", "settings", "models", "abilities", "plan", "question")
#: Steps of a colour, of 255, that nobody sees, and the part of a picture that may differ by more.
_SAME_SHADE, _MOST_OTHERS = 8, 0.002


def pixels(picture: bytes) -> NDArray[np.int16]:
    """`(height, width, 4)`."""
    image = QImage.fromData(picture).convertToFormat(QImage.Format.Format_RGBA8888)
    flat = np.frombuffer(image.constBits(), dtype=np.uint8)
    return flat.reshape(image.height(), image.width(), 4).astype(np.int16)


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


@pytest.mark.slow
@pytest.mark.parametrize("some", [_OF_OUR_FONTS[::2], _OF_OUR_FONTS[1::2]], ids=["one half", "the other"])
def test_the_pictures_of_the_readme_show_the_window_as_it_is(some: Sequence[str], tmp_path: Path) -> None:
    for name, picture in take(tmp_path, *some).items():
        kept = pixels((REPOSITORY / "packaging" / "screenshots" / f"{name}.png").read_bytes())
        differs = (np.abs(kept - pixels(picture)) > _SAME_SHADE).any(axis=2)
        assert differs.mean() <= _MOST_OTHERS, f"{name}: take it anew with packaging/screenshots.py {name}"


def test_every_state_is_taken_in_every_look_language_and_size() -> None:
    scenes = dict(
        screenshots.every_scene(
            ["empty", "keys"], screenshots.LOOKS, screenshots.LANGUAGES, screenshots.SIZES
        )
    )
    assert len(scenes) == 2 * 2 * 2 * 3
    assert scenes["keys.dark.zh_CN.900x600"] == screenshots.Scene("keys", "dark", (900, 600), "zh_CN")


def test_the_pictures_of_the_readme_are_there() -> None:
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    for name in ("light", "dark"):
        assert (REPOSITORY / "packaging" / "screenshots" / f"{name}.png").is_file()
    assert "packaging/screenshots/light.png" in readme
