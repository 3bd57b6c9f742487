"""What the long runners share: a seed, bounds of time, a place to go on from, one JSON line at the end."""

from __future__ import annotations

import argparse
import json
import secrets
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any


class RunRecord:
    """What was tried and found, kept in a file after each portion.

    A second run with the same file and seed goes on where the first one ended: a runner asks `place` how far
    a part of it came, and tells `reached`.
    """

    def __init__(self, *, seed: int, minutes: float = 0, file: Path | None = None) -> None:
        """`minutes`: no portion begins after so many; 0: no bound."""
        self.seed = seed
        self.counts: dict[str, Counter[str]] = {}
        self.wrong: list[str] = []
        self._places: dict[str, int] = {}
        self._file = file
        self._begun_s = time.monotonic()
        self._spent_s = 0.0
        self._bound_s = minutes * 60
        if file is not None and file.exists():
            self._go_on(json.loads(file.read_text()))

    @classmethod
    def of_command(cls, parser: argparse.ArgumentParser, *, times: int) -> tuple[RunRecord, Any]:
        """Read the options that every runner has, and the runner's own.

        Any: what argparse makes.
        """
        parser.add_argument("--times", type=int, default=times)
        parser.add_argument("--seed", type=int, default=None)
        parser.add_argument("--minutes", type=float, default=0, help="begin nothing after so many")
        parser.add_argument("--record", type=Path, help="a file to go on from")
        options = parser.parse_args()
        known = json.loads(options.record.read_text()) if options.record and options.record.exists() else {}
        seed = options.seed if options.seed is not None else known.get("seed", secrets.randbelow(2**31))
        return cls(seed=seed, minutes=options.minutes, file=options.record), options

    def _go_on(self, known: dict[str, Any]) -> None:
        if known["seed"] != self.seed:
            raise SystemExit(f"{self._file} is of seed {known['seed']}: name another file or no seed.")
        self.counts = {part: Counter(counts) for part, counts in known["counts"].items()}
        self.wrong, self._places, self._spent_s = known["wrong"], known["places"], known["seconds"]

    @property
    def time_is_up(self) -> bool:
        """Whether nothing more is to begin."""
        return 0 < self._bound_s < time.monotonic() - self._begun_s

    def place(self, part: str = "") -> int:
        """How many cases of a part are done."""
        return self._places.get(part, 0)

    def count(self, outcome: str, *, part: str = "", times: int = 1) -> None:
        """Something came about."""
        self.counts.setdefault(part, Counter())[outcome] += times

    def reached(self, place: int, *, part: str = "") -> None:
        """So many cases of a part are done; the file says so from now on."""
        self._places[part] = place
        if self._file is not None:
            beside = self._file.with_suffix(".new")
            beside.write_text(json.dumps(self._told() | {"places": self._places, "wrong": self.wrong}))
            beside.replace(self._file)

    def _told(self) -> dict[str, Any]:
        spent_s = self._spent_s + time.monotonic() - self._begun_s
        return {"seed": self.seed, "seconds": round(spent_s, 1), "counts": self.counts}

    def finish(self, **figures: object) -> int:
        """Print the line, and what must not have happened; 1 if anything did."""
        told = self._told()
        if list(told["counts"]) in ([], [""]):
            told["counts"] = told["counts"].get("", {})
        for each in self.wrong:
            print(each, file=sys.stderr)
        print(json.dumps(told | figures | {"wrong": len(self.wrong)}))
        return 1 if self.wrong else 0
