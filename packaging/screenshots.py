#!/usr/bin/env python3
"""Takes the pictures of the README: the real window on made-up days, the same on every machine.

screenshots.py                  all scenes of `SCENES`, into packaging/screenshots/
screenshots.py light dark       only these
screenshots.py --out DIR --scale 2 …   elsewhere, with two pixels a point

Offscreen, with the shipped fonts; the content and the clock stand still. Run it in the project's environment.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "packaging" / "screenshots"


@dataclass(frozen=True)
class Scene:
    """What a picture shows; `day` is one of tests/desktop/days.py's."""

    day: str
    look: str = "light"
    size: tuple[int, int] = (1280, 800)
    language: str = "en"
    zoom: float = 1.0


SCENES = {
    "light": Scene("waiting"),
    "dark": Scene("waiting", look="dark"),
    "chinese": Scene("waiting", language="zh_CN"),
    "first-start": Scene("empty"),
    "keys": Scene("keys"),
    "context": Scene("context"),
    "settings": Scene("settings"),
    "models": Scene("models-day"),
    "abilities": Scene("servers-day"),
    "question": Scene("asked"),
    "plan": Scene("chain-running"),
}


def main() -> int:
    """Take the pictures that were asked for."""
    parser = argparse.ArgumentParser(description="Take the README's pictures.")
    parser.add_argument("names", nargs="*", metavar="SCENE", help=", ".join(SCENES))
    parser.add_argument("--out", type=Path, default=TARGET, help="the folder they go to")
    parser.add_argument("--scale", type=int, default=1, help="pixels a point")
    options = parser.parse_args()
    unknown = sorted(set(options.names) - set(SCENES))
    if unknown:
        parser.error(f"no such scene: {', '.join(unknown)}; there are {', '.join(SCENES)}")
    # Before Qt is asked for anything: no display is needed, and the size of a pixel is ours.
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["QT_SCALE_FACTOR"] = str(options.scale)
    sys.path.insert(0, str(ROOT))
    photographer_of = importlib.import_module("tests.desktop.photo").Photographer  # Qt comes in with it

    options.out.mkdir(parents=True, exist_ok=True)
    photographer = photographer_of()
    for name in options.names or SCENES:
        scene = SCENES[name]
        picture = options.out / f"{name}.png"
        photographer.take(
            picture,
            day=scene.day,
            look=scene.look,
            size=scene.size,
            language=scene.language,
            zoom=scene.zoom,
        )
        print(picture)
    return 0


if __name__ == "__main__":
    sys.exit(main())
