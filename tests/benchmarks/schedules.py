"""`schedules`: what ten thousand armed schedules cost, and how late what is due begins.

The real window opens on a home without schedules and on one with ten thousand, in turn, so that a busy
machine slows both. Then a Partner without a window sits on each for a minute, while nothing is due:
`idle_more_percent` is the processor time that the schedules add, as a share of one core. `late` is from the
time of a reminder to its event, and from that of an action to its run, beside the ten thousand.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.benchmarks.figures import percentile
from tests.benchmarks.startup import run_once

COUNT = 10_000
ROUNDS = 7
START_LIMIT_S, MEMORY_LIMIT_MIB = 0.150, 12.0
IDLE_LIMIT_PERCENT, LATE_LIMIT_S = 0.1, 0.050


def measure() -> dict[str, Any]:
    """The figures, and whether they keep their limits."""
    with tempfile.TemporaryDirectory(prefix="partner-bench-") as place:
        root = Path(place)
        full, empty = root / "full", root / "empty"
        _child("fill", str(full), str(COUNT))
        seconds, sizes = _starts(root, full, empty)
        quiet, busy = _watched(root, empty), _watched(root, full)
    figures: dict[str, Any] = {
        "schedules": COUNT,
        "start_s": round(statistics.median(seconds[empty]), 3),
        "start_more_s": round(statistics.median(seconds[full]) - statistics.median(seconds[empty]), 3),
        "memory_mib": round(statistics.median(sizes[empty]) / 2**20, 1),
        "memory_more_mib": round(
            (statistics.median(sizes[full]) - statistics.median(sizes[empty])) / 2**20, 1
        ),
        "idle_percent": round(busy["idle_percent"], 3),
        "idle_more_percent": round(busy["idle_percent"] - quiet["idle_percent"], 3),
        "reminder_late_s": round(statistics.median(busy["late_s"]), 4),
        "reminder_late_p95_s": round(percentile(busy["late_s"], 95), 4),
        "action_late_s": round(statistics.median(busy["acts_late_s"]), 4),
        "action_late_p95_s": round(percentile(busy["acts_late_s"], 95), 4),
    }
    figures["ok"] = (
        figures["start_more_s"] <= START_LIMIT_S
        and figures["memory_more_mib"] <= MEMORY_LIMIT_MIB
        and figures["idle_more_percent"] <= IDLE_LIMIT_PERCENT
        and max(figures["reminder_late_p95_s"], figures["action_late_p95_s"]) <= LATE_LIMIT_S
    )
    return figures


def _starts(root: Path, *homes: Path) -> tuple[dict[Path, list[float]], dict[Path, list[int]]]:
    """Seconds to the first paint, and resident bytes, of each home."""
    report = root / "report.json"
    seconds: dict[Path, list[float]] = {home: [] for home in homes}
    sizes: dict[Path, list[int]] = {home: [] for home in homes}
    for number in range(ROUNDS + 1):
        for home in homes:
            where = ["--home", str(home), "--action-dir", str(root / "action")]
            took, size = run_once([sys.executable, "-m", "partner_desktop", *where], report)
            if number:  # the first warms the disk's cache
                seconds[home].append(took)
                sizes[home].append(size)
    return seconds, sizes


def _watched(root: Path, home: Path) -> dict[str, Any]:
    report = root / "watched.json"
    _child("watch", str(home), str(root / "action"), str(report))
    found: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return found


def _child(*arguments: str) -> None:
    command = [sys.executable, "-m", "tests.benchmarks.armed_home", *arguments]
    subprocess.run(command, check=True, timeout=600)
