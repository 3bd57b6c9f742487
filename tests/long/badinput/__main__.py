"""`python -m tests.long.badinput [--only NAME …] [--times 100000] [--seed N] [--minutes M] [--record FILE]`

With `--keep DIR` what did what must not be is put there, for `corpus/`.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from tests.long.badinput.families import FAMILIES
from tests.long.badinput.trial import Trial
from tests.long.run_record import RunRecord


def main() -> int:
    """Print what was counted, and what must not have happened; 1 if anything did."""
    parser = argparse.ArgumentParser(prog="python -m tests.long.badinput")
    parser.add_argument("--only", action="append", choices=sorted(FAMILIES))
    parser.add_argument("--keep", type=Path, help="a folder for inputs that did what must not be")
    record, options = RunRecord.of_command(parser, times=100_000)
    os.environ["TZ"] = "Europe/Berlin"
    for name in options.only or FAMILIES:
        Trial(FAMILIES[name], record, keep=options.keep).run(options.times)
        print(f"{name}: {record.place(name)}", file=sys.stderr, flush=True)
    return record.finish()


if __name__ == "__main__":
    sys.exit(main())
