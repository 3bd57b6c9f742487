"""Fills a window for looking at it: `python -m tests.desktop.demo [light|dark] [WIDTHxHEIGHT] [DAY]`."""

from __future__ import annotations

import sys

from .photo import Photographer


def main() -> None:
    """Show it until it is closed."""
    look, size, scene = (*sys.argv[1:], *("light", "1280x800", "waiting")[len(sys.argv) - 1 :])
    width, height = size.split("x")
    Photographer().show(day=scene, look=look, size=(int(width), int(height)))


if __name__ == "__main__":
    main()
