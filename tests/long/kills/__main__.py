"""`python -m tests.long.kills [--times 200] [--seed N]`"""

from __future__ import annotations

import argparse
import asyncio
import json
import secrets
import sys
import tempfile
from pathlib import Path

from tests.long.kills.ordeal import Ordeal


def main() -> int:
    """Print what was counted, and what was found lost; 1 if anything was."""
    parser = argparse.ArgumentParser(prog="python -m tests.long.kills")
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**31))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="partner-kills-") as folder:
        ordeal = Ordeal(Path(folder), seed=options.seed)
        losses = asyncio.run(ordeal.run(options.times))
    print(json.dumps({"seed": options.seed, **ordeal.counts}))
    for loss in losses:
        print(loss, file=sys.stderr)
    return 1 if losses else 0


if __name__ == "__main__":
    sys.exit(main())
