"""`frozen_start`: start → first paint of the folder for machines without Python, against this environment's.

Both run in turn, so that a busy machine slows both. Cold: before each start the pages of all its files are
given back, as far as no other process holds them. Warm: as they lie in memory from the start before.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.benchmarks.startup import run_once

ROUNDS = 7
LIMIT = 1.6
PACKAGE = Path(__file__).resolve().parents[2] / "partner_desktop"


def forget_pages(*folders: Path) -> None:
    """Let the next reader fetch these files from the disk."""
    for folder in folders:
        for path in folder.rglob("*"):
            if path.is_file() and not path.is_symlink():
                file = os.open(path, os.O_RDONLY)
                os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
                os.close(file)


def measure(folder: Path) -> dict[str, Any]:
    """The figures for one that `packaging/frozen_folder.py` made, and whether they keep their limit."""
    ours = (Path(sys.prefix), Path(sys.base_prefix) / "lib", PACKAGE)
    starts = {
        "frozen": ([str(folder.resolve() / "partner-desktop")], (folder,)),
        "environment": ([sys.executable, "-m", "partner_desktop"], ours),
    }
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="partner-bench-") as place:
        report = Path(place) / "report.json"
        where = ["--home", f"{place}/home", "--action-dir", f"{place}/action"]
        for command, _ in starts.values():  # one start makes the home, and compiles what is not compiled yet
            run_once([*command, *where], report)
        for kind in ("warm", "cold"):
            times: dict[str, list[float]] = {name: [] for name in starts}
            for _ in range(ROUNDS):
                for name, (command, folders) in starts.items():
                    if kind == "cold":
                        forget_pages(*folders)
                    times[name].append(run_once([*command, *where], report)[0])
            figures |= {f"{kind}_{name}_s": round(statistics.median(took), 3) for name, took in times.items()}
            pairs = zip(times["frozen"], times["environment"], strict=True)
            figures[f"{kind}_ratio"] = round(statistics.median(one / other for one, other in pairs), 2)
    figures["ok"] = max(figures["cold_ratio"], figures["warm_ratio"]) <= LIMIT
    return figures
