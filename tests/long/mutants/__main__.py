"""`python -m tests.long.mutants [--package NAME …] [--times 300] [--seed N] [--minutes M] [--record FILE]`

Each mutant is one small fault in a copy of the tree. The tests that run its function are asked, the quickest
first; which those are is learnt once a folder, and kept in `--folder`. Those that survive are printed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.long.mutants.sampler import PACKAGES, Sampler
from tests.long.run_record import RunRecord


def main() -> int:
    """Print what became of the mutants; 1 if more than a tenth survived."""
    parser = argparse.ArgumentParser(prog="python -m tests.long.mutants")
    parser.add_argument("--package", action="append", choices=PACKAGES)
    parser.add_argument("--tests", action="append", help="folders of tests to learn from; the packages' own")
    parser.add_argument("--folder", type=Path, help="keeps the copy of the tree and what was learnt")
    record, options = RunRecord.of_command(parser, times=300)
    packages = tuple(options.package or PACKAGES)
    with tempfile.TemporaryDirectory(prefix="partner-mutants-") as folder:
        sampler = Sampler(options.folder or Path(folder), packages, seed=record.seed)
        sampler.learn(options.tests or [f"tests/{name}" for name in packages])
        place = record.place()
        while place < min(options.times, len(sampler.mutants)) and not record.time_is_up:
            mutant = sampler.mutants[place]
            outcome = sampler.outcome(mutant)
            record.count(outcome)
            if outcome in ("survived", "no test"):
                record.wrong.append(f"{outcome}: {mutant.name}")
            place += 1
            record.reached(place)
    counts = record.counts.get("", {})
    judged = counts.get("killed", 0) + counts.get("survived", 0)
    share = counts.get("killed", 0) / judged if judged else 1.0
    record.finish(mutants=len(sampler.mutants), killed_share=round(share, 3))
    return 1 if share < 0.9 else 0


if __name__ == "__main__":
    sys.exit(main())
