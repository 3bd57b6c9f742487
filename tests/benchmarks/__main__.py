"""Runs one benchmark by name; exit 1 when a figure misses its limit."""

from __future__ import annotations

import argparse
import json
import os
import sys
from importlib import import_module

NAMES = ("startup", "reload")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    parser.add_argument("name", choices=NAMES)
    parser.add_argument("--json", action="store_true", help="one JSON object")
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    figures = import_module(f"tests.benchmarks.{options.name}").measure()
    if options.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:<32} {value}")
    return 0 if figures["ok"] else 1


if __name__ == "__main__":
    sys.exit(main())
