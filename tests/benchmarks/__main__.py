"""Runs one benchmark by name; exit 1 when a figure misses its limit, 2 when its data cannot be read."""

from __future__ import annotations

import argparse
import json
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.benchmarks.calls import DataError, MeaningError

NAMES = (
    "startup",
    "reload",
    "turn",
    "context",
    "routing",
    "model",
    "model_speed",
    "model_prefix",
    "model_window",
    "runner",
    "idle",
    "commands",
)
#: Those that measure with rows from a file.
WITH_DATA = frozenset({"routing"})


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    parser.add_argument("name", choices=NAMES)
    parser.add_argument("--data", type=Path, metavar="FILE", help="the rows to measure with (routing)")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    options = parser.parse_args()
    if (options.data is not None) != (options.name in WITH_DATA):
        parser.error("--data FILE belongs to routing, and routing needs it")
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    try:
        figures = _figures(options.name, options.data)
    except DataError as problem:
        print(problem, file=sys.stderr)
        return 2
    except MeaningError as problem:
        print(problem, file=sys.stderr)
        return 1
    if options.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:<32} {value}")
    return 0 if figures.get("ok", True) else 1


def _figures(name: str, data: Path | None) -> dict[str, Any]:
    measure = import_module(f"tests.benchmarks.{name}").measure
    return dict(measure() if data is None else measure(data))


if __name__ == "__main__":
    sys.exit(main())
