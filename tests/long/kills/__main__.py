"""`python -m tests.long.kills [--times 1000] [--power] [--seed N] [--minutes M] [--record FILE]`

With `--power` each life ends by a cut of the power: the home lies on a disk of its own. That takes root.
Twenty-five lives are one home; each home has a seed of its own, so that a run goes on with the next one.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.long.kills.errands import fill
from tests.long.kills.ordeal import Ordeal
from tests.long.kills.power import Disk
from tests.long.run_record import RunRecord
from tests.model.hub import serving

_LIVES = 25


def main() -> int:
    """Print what was counted, and what was found lost; 1 if anything was."""
    parser = argparse.ArgumentParser(prog="python -m tests.long.kills")
    parser.add_argument("--power", action="store_true", help="cut the power instead")
    record, options = RunRecord.of_command(parser, times=1000)
    starts_s: list[float] = []
    while record.place() < options.times and not record.time_is_up:
        times = min(_LIVES, options.times - record.place())
        with (
            tempfile.TemporaryDirectory(prefix="partner-kills-") as name,
            _ground(Path(name), options.power) as disk,
            serving() as hub,  # its threads begin after the mount, or they would stay outside of it
        ):
            fill(hub)
            where = Path(name) if disk is None else disk.root
            ordeal = Ordeal(where, seed=record.seed + record.place(), hub_url=hub.url, disk=disk)
            record.wrong += asyncio.run(ordeal.run(times))
        for outcome, count in ordeal.counts.items():
            record.count(outcome, times=count)
        starts_s += ordeal.starts_s
        record.reached(record.place() + times)
        print(f"{record.place()}: {len(record.wrong)} wrong", file=sys.stderr, flush=True)
    middle_s = statistics.median(starts_s) if starts_s else 0.0
    return record.finish(
        middle_start_s=round(middle_s, 2), slowest_start_s=round(max(starts_s, default=0.0), 2)
    )


@contextmanager
def _ground(folder: Path, power: bool) -> Iterator[Disk | None]:
    """A disk of its own, where the power is cut."""
    if not power:
        yield None
        return
    disk = Disk(folder)
    try:
        yield disk
    finally:
        disk.close()


if __name__ == "__main__":
    sys.exit(main())
