"""`python -m tests.long.mcp_configs [--times 100000] [--seed N]`"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
from collections import Counter

from tests.long.mcp_configs.mutations import check, mutated
from tests.runner.mcp_config.samples import ALL


def main() -> int:
    """Print what was counted, and what must not have happened; 1 if anything did."""
    parser = argparse.ArgumentParser(prog="python -m tests.long.mcp_configs")
    parser.add_argument("--times", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**31))
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    wrong = []
    for number in range(options.times):
        text = mutated(ALL[number % len(ALL)], options.seed + number)
        try:
            reading = check(text)
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            wrong.append(f"{options.seed + number}: {error!r}: {text!r}")
            continue
        if reading is None:
            counts["refused"] += 1
        else:
            counts["read with faults" if reading.faults else "read"] += 1
    print(json.dumps({"seed": options.seed, "wrong": len(wrong), **counts}))
    for each in wrong[:20]:
        print(each, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
