"""Runs one benchmark by name; exit 1 when a figure misses its limit, 2 when its data cannot be read."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.benchmarks.calls import DataError, MeaningError

NAMES = (
    "startup",
    "frozen_start",
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
    "recall",
    "rolling",
    "stories",
    "planning",
    "verification",
    "discovery",
    "schedules",
    "downloads",
    "history",
    "session",
)
#: Those that measure with what others made: rows of a file, conversations of a folder, a folder that runs.
WITH_DATA = frozenset({"routing", "recall", "rolling", "frozen_start"})


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    parser.add_argument("name", choices=NAMES)
    parser.add_argument(
        "--data",
        type=Path,
        nargs="+",
        metavar="PLACE",
        help="what to measure with: a file (routing), a folder (recall, rolling, frozen_start), files or "
        "folders (stories; without it the suite's own)",
    )
    parser.add_argument(
        "--scale", type=int, metavar="TURNS", help="speed and size with so many turns (recall)"
    )
    parser.add_argument("--ablation", action="store_true", help="with each signal off in turn (recall)")
    parser.add_argument("--weights", action="store_true", help="fit the weights on all of the data (recall)")
    parser.add_argument("--only", metavar="IDS", help="the stories whose ids begin so, with commas between")
    parser.add_argument(
        "--transcripts", type=Path, metavar="FILE", help="where to write all that was said (stories)"
    )
    parser.add_argument(
        "--pddl", type=Path, metavar="DIR", help="domains and problems besides the suite's own (planning)"
    )
    parser.add_argument("--minutes", type=float, default=10.0, help="how long it lasts (session)")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    options = parser.parse_args()
    if options.name != "stories":
        if (options.data is not None) != (options.name in WITH_DATA) or len(options.data or ()) > 1:
            parser.error(
                "--data belongs to routing, recall, rolling and frozen_start, and each of these needs one"
            )
        if options.only or options.transcripts:
            parser.error("--only and --transcripts belong to stories")
    if options.name != "planning" and options.pddl is not None:
        parser.error("--pddl belongs to planning")
    if options.name != "recall" and (options.scale is not None or options.ablation or options.weights):
        parser.error("--scale, --ablation and --weights belong to recall")
    if options.scale is not None and options.scale < 1_000:
        parser.error("--scale takes 1,000 turns or more")
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    try:
        figures = _figures(options)
    except DataError as problem:
        print(problem, file=sys.stderr)
        return 2
    except MeaningError as problem:
        print(problem, file=sys.stderr)
        return 1
    if options.json:
        print(json.dumps(figures))
    else:
        for name, value in _rows(figures):
            print(f"{name:<32} {value}")
    return 0 if figures.get("ok", True) else 1


def _figures(options: argparse.Namespace) -> dict[str, Any]:
    name = str(options.name)
    if name == "stories":
        only = tuple(filter(None, (options.only or "").split(",")))
        stories = import_module("tests.benchmarks.stories")
        return dict(stories.measure(options.data or (), only=only, transcripts=options.transcripts))
    if name == "session":
        return dict(import_module("tests.benchmarks.session").measure(options.minutes))
    if name == "planning":
        return dict(import_module("tests.benchmarks.planning").measure(options.pddl))
    data = options.data[0] if options.data else None
    if options.scale is not None:
        return dict(import_module(f"tests.benchmarks.{name}_scale").measure(data, options.scale))
    measure = import_module(f"tests.benchmarks.{name}").measure
    if name == "recall":
        return dict(measure(data, ablation=options.ablation, weights=options.weights))
    return dict(measure() if data is None else measure(data))


def _rows(figures: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, object]]:
    """Name and value; names of figures in figures have dots."""
    for name, value in figures.items():
        if isinstance(value, dict) and any(isinstance(item, dict | str) for item in value.values()):
            yield from _rows(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


if __name__ == "__main__":
    sys.exit(main())
