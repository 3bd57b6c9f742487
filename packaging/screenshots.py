#!/usr/bin/env python3
"""Takes the pictures of the README: the real window on made-up days, the same on every machine.

screenshots.py                  all scenes of `SCENES`, into packaging/screenshots/
screenshots.py light dark       only these
screenshots.py --out DIR --scale 2 …   elsewhere, with two pixels a point
screenshots.py --all --out DIR  every state of every page that `tests/desktop/days.py` knows, in both looks,
                                both languages and three sizes, with a page to look through them; narrowed by
                                --look, --language and --size

Offscreen, with the shipped fonts; the content and the clock stand still. Run it in the project's environment.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
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


LOOKS, LANGUAGES = ("light", "dark"), ("en", "zh_CN")
SIZES = ("900x600", "1280x800", "1920x1080")


def every_scene(
    days: Sequence[str], looks: Sequence[str], languages: Sequence[str], sizes: Sequence[str]
) -> Iterator[tuple[str, Scene]]:
    """All states in all their looks, by the name of their picture."""
    for day, look, language, size in product(days, looks, languages, sizes):
        width, height = map(int, size.split("x"))
        yield f"{day}.{look}.{language}.{size}", Scene(day, look, (width, height), language)


def write_index(folder: Path, names: Sequence[str]) -> None:
    """A page with all pictures, each under its name."""
    figures = "".join(
        f'<figure><a href="{name}.png"><img src="{name}.png" width="640" loading="lazy"></a>'
        f"<figcaption>{name}</figcaption></figure>"
        for name in names
    )
    page = f'<!doctype html><meta charset="utf-8"><title>Every state of the window</title>{figures}'
    (folder / "index.html").write_text(page, encoding="utf-8")


def main() -> int:
    """Take the pictures that were asked for."""
    parser = argparse.ArgumentParser(description="Take the README's pictures.")
    parser.add_argument("names", nargs="*", metavar="SCENE", help=", ".join(SCENES))
    parser.add_argument("--out", type=Path, default=TARGET, help="the folder they go to")
    parser.add_argument("--scale", type=float, default=1.0, help="pixels a point; 1.5 for 150 %%")
    parser.add_argument("--all", action="store_true", help="every state of every page; needs --out")
    for name, known in (("look", LOOKS), ("language", LANGUAGES), ("size", SIZES)):
        parser.add_argument(f"--{name}", choices=known, action="append", help=f"with --all: only this {name}")
    options = parser.parse_args()
    if options.all and options.out == TARGET:
        parser.error("--all takes hundreds of pictures: name a folder for them with --out")
    unknown = sorted(set(options.names) - set(SCENES))
    if unknown:
        parser.error(f"no such scene: {', '.join(unknown)}; there are {', '.join(SCENES)}")
    # Before Qt is asked for anything: no display is needed, and the size of a pixel is ours.
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["QT_SCALE_FACTOR"] = str(options.scale)
    sys.path.insert(0, str(ROOT))
    photographer_of = importlib.import_module("tests.desktop.photo").Photographer  # Qt comes in with it
    scenes = {name: SCENES[name] for name in options.names or SCENES}
    if options.all:
        days = ("empty", *importlib.import_module("tests.desktop.days").SCENES)
        scenes = dict(
            every_scene(days, options.look or LOOKS, options.language or LANGUAGES, options.size or SIZES)
        )

    options.out.mkdir(parents=True, exist_ok=True)
    photographer = photographer_of()
    for name, scene in scenes.items():
        picture = options.out / f"{name}.png"
        photographer.take(
            picture,
            day=scene.day,
            look=scene.look,
            size=scene.size,
            language=scene.language,
            zoom=scene.zoom,
        )
        print(picture, flush=True)
    if options.all:
        write_index(options.out, list(scenes))
    return 0


if __name__ == "__main__":
    sys.exit(main())
