"""`python -m tests.long.kills [--times 1000] [--seed N] [--minutes M] [--record FILE]`

Twenty-five lives are one home; each home has a seed of its own, so that a run goes on with the next one.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from tests.long.kills.ordeal import Ordeal
from tests.long.run_record import RunRecord

_LIVES = 25


def main() -> int:
    """Print what was counted, and what was found lost; 1 if anything was."""
    parser = argparse.ArgumentParser(prog="python -m tests.long.kills")
    record, options = RunRecord.of_command(parser, times=1000)
    starts_s: list[float] = []
    while record.place() < options.times and not record.time_is_up:
        times = min(_LIVES, options.times - record.place())
        with tempfile.TemporaryDirectory(prefix="partner-kills-") as folder:
            ordeal = Ordeal(Path(folder), seed=record.seed + record.place())
            record.wrong += asyncio.run(ordeal.run(times))
        for outcome, count in ordeal.counts.items():
            record.count(outcome, times=count)
        starts_s += ordeal.starts_s
        record.reached(record.place() + times)
    return record.finish(slowest_start_s=round(max(starts_s, default=0.0), 2))


if __name__ == "__main__":
    sys.exit(main())
