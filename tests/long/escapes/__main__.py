"""`python -m tests.long.escapes [--only NAME]`: each attempt in the sandbox and, where harmless, without."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from tests.long.escapes.attempts import ATTEMPTS
from tests.long.escapes.ordeal import tried


def main() -> int:
    """Print the table; 1 if anything was not contained, or a control shows that it proves nothing."""
    parser = argparse.ArgumentParser(prog="python -m tests.long.escapes")
    parser.add_argument("--only", default="", help="attempts whose name holds this")
    chosen = [attempt for attempt in ATTEMPTS if parser.parse_args().only in attempt.name]
    os.environ["SERVICE_API_KEY"] = "replaced by each world"
    failed = []
    print("| attempt | what it tried | contained | how | without the sandbox |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="partner-escapes-") as folder:
        for number, attempt in enumerate(chosen):
            one = tried(attempt, Path(folder) / str(number))
            held = "yes" if one.contained else "**NO**"
            print(f"| {attempt.name} | {attempt.tried} | {held} | {one.how} | {one.control} |", flush=True)
            if not one.proven:
                failed.append(attempt.name)
    print(f"\n{len(chosen)} attempts, {len(chosen) - len(failed)} contained and proven.")
    if failed:
        print(f"Not so: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
