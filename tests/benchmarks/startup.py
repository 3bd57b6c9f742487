"""`startup`: process start → first paint with the composer accepting keys, against a bare window.

Both run in turn, so that a busy machine slows both. Memory: resident size once the app behind the window
is up and idle, against the bare window's after its paint.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROUNDS = 9
TIME_LIMIT = 2.3
MEMORY_LIMIT = 2.1
TIMEOUT_S = 60


def run_once(command: list[str], report: Path) -> tuple[float, int]:
    """Seconds to the first paint and resident bytes of one start."""
    report.unlink(missing_ok=True)
    environment = os.environ | {"PARTNER_STARTUP_REPORT": str(report), "PARTNER_STARTUP_QUIT": "1"}
    begun = time.monotonic_ns()
    subprocess.run(command, env=environment, check=True, timeout=TIMEOUT_S)
    body = json.loads(report.read_text())
    return (body["first_paint_monotonic_ns"] - begun) / 1e9, body["rss_bytes"]


def measure() -> dict[str, Any]:
    """The figures, and whether they keep their limits."""
    ours, bare = [], []
    with tempfile.TemporaryDirectory(prefix="partner-bench-") as place:
        report = Path(place) / "report.json"
        where = ["--home", f"{place}/home", "--action-dir", f"{place}/action"]
        app = [sys.executable, "-m", "partner_desktop", *where]
        window = [sys.executable, "-m", "tests.benchmarks.bare_window"]
        run_once(window, report), run_once(app, report)  # warm the disk cache and the bytecode
        for _ in range(ROUNDS):
            bare.append(run_once(window, report))
            ours.append(run_once(app, report))
    figures: dict[str, Any] = {
        "bare_s": round(statistics.median(s for s, _ in bare), 3),
        "partner_s": round(statistics.median(s for s, _ in ours), 3),
        "bare_mib": round(statistics.median(b for _, b in bare) / 2**20, 1),
        "partner_mib": round(statistics.median(b for _, b in ours) / 2**20, 1),
    }
    figures["time_ratio"] = round(figures["partner_s"] / figures["bare_s"], 2)
    figures["memory_ratio"] = round(figures["partner_mib"] / figures["bare_mib"], 2)
    figures["ok"] = figures["time_ratio"] <= TIME_LIMIT and figures["memory_ratio"] <= MEMORY_LIMIT
    return figures
