"""`python -m tests.long.badfiles [--times 10000] [--seed N]`"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
import tempfile
from pathlib import Path

from tests.long.badfiles.ordeal import BadFiles
from tests.model.tiny import make_tiny_model


def main() -> int:
    """Print what was counted, and what must not have happened; 1 if anything did."""
    parser = argparse.ArgumentParser(prog="python -m tests.long.badfiles")
    parser.add_argument("--times", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**31))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="partner-badfiles-") as folder:
        model = make_tiny_model(Path(folder) / "tiny.gguf")
        ordeal = BadFiles(Path(folder), model, seed=options.seed)
        ordeal.run(options.times)
    print(json.dumps({"seed": options.seed, **ordeal.counts}))
    for wrong in ordeal.wrong:
        print(wrong, file=sys.stderr)
    return 1 if ordeal.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
