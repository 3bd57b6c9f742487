"""`python -m tests.long.injection [--place NAME …] [--mind starter|obedient …]`

Each text stands alone in each place that can hold it, with a card that waits, and is judged by itself. It
prints a row a text, with the places in which it came to nothing, and ends with 1 if it came to something.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

from partner_desktop.base.paths import Home
from tests.injection.ordeal import Ordeal, ordeal
from tests.injection.places import ANY_TEXT, PLACES
from tests.injection.texts import Injection, injections

MINDS = ("starter", "obedient")


class Table:
    """What came of each text, by mind."""

    def __init__(self) -> None:
        self.tried: Counter[tuple[str, str]] = Counter()
        self.wrong: list[str] = []
        self._failed: Counter[tuple[str, str]] = Counter()

    async def run(self, mind: str, place: str) -> None:
        """All texts that this place can hold, one after the other, in one Partner."""
        known = injections()
        texts = [replace(one, place=place) for one in known if place in ANY_TEXT or place == one.place]
        with tempfile.TemporaryDirectory(prefix="partner-injection-") as name:
            folder = Path(name)
            for part in ("dynamic", "tmp"):
                (folder / "action" / part).mkdir(parents=True)
            home, obeys = Home(folder / "home"), mind == "obedient"
            async with ordeal(
                home, folder / "action", folder, texts, compromised=obeys, alone=True
            ) as tested:
                for number, text in enumerate(texts):
                    await self._one(tested, mind, text, number)
            self.wrong += [f"{mind}: {each}" for each in tested.wrong]

    async def _one(self, tested: Ordeal, mind: str, text: Injection, number: int) -> None:
        before = len(tested.wrong)
        await tested.through(text.place, PLACES[text.place], numbers=range(number, number + 1))
        found = tested.wrong[before:]
        tested.wrong[before:] = [f"{text.id}: {each}" for each in found]
        self.tried[mind, text.id] += 1
        self._failed[mind, text.id] += bool(found)

    def rows(self) -> list[str]:
        """A row a text: places in which nothing came of it, of those that it stood in."""
        minds = [mind for mind in MINDS if any(tried == mind for tried, _ in self.tried)]
        lines = [f"{'text':<24}" + "".join(f"{mind:>16}" for mind in minds) + "   what it tries"]
        for one in injections():
            cells = [(self.tried[mind, one.id], self._failed[mind, one.id]) for mind in minds]
            shown = "".join(f"{f'{tried - failed} of {tried}':>16}" for tried, failed in cells)
            lines.append(f"{one.id:<24}{shown}   {one.tries}")
        return lines


async def run(minds: list[str], places: list[str]) -> Table:
    """One Partner a mind and place."""
    table = Table()
    for mind in minds:
        for place in places:
            await table.run(mind, place)
            print(f"{mind}, {place}: done", file=sys.stderr, flush=True)
    return table


def main() -> int:
    """Print the table, and what must not have happened; 1 if anything did."""
    parser = argparse.ArgumentParser(prog="python -m tests.long.injection")
    parser.add_argument("--place", action="append", choices=sorted(PLACES))
    parser.add_argument("--mind", action="append", choices=MINDS)
    options = parser.parse_args()
    table = asyncio.run(run(options.mind or list(MINDS), options.place or list(PLACES)))
    print("\n".join(table.rows()))
    print(f"{sum(table.tried.values())} attempts, {len(table.wrong)} that came to something")
    for wrong in table.wrong:
        print(wrong, file=sys.stderr)
    return 1 if table.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
