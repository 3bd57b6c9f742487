"""When something is to be, in words: phrases with the times that they mean."""

from __future__ import annotations

import tomllib
from datetime import datetime
from itertools import islice
from pathlib import Path
from zoneinfo import ZoneInfo

from partner_desktop.domain.schedule import Once, occurrences
from partner_desktop.language.values.schedules import read_timing
from tests.tables import all_rows

#: A Wednesday.
ZONE = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 5, 13, 10, tzinfo=ZONE)
TABLE = tomllib.loads(Path(__file__).with_name("schedule_phrases.toml").read_text(encoding="utf-8"))


def told(text: str) -> tuple[str, str]:
    """What is read of a phrase, as the table writes it, and the rest."""
    found = read_timing(text, NOW)
    if found is None:
        return "no none", ""
    if found.timing is None:
        return f"no {found.problem}", found.rest
    zone = ZoneInfo(found.zone) if found.zone else ZONE
    times = ", ".join(map(_short, islice(occurrences(found.timing, zone, after=NOW), 3)))
    kind = "once" if isinstance(found.timing, Once) else "cycle"
    return f"{kind} {times} {found.zone}".strip(), found.rest


def _short(at: datetime) -> str:
    year = f"{at:%Y-}" if at.year != NOW.year else ""
    return f"{year}{at:%m-%d %H:%M}" + (f":{at:%S}" if at.second else "")


#: What the reader was tuned on.
TUNED = [row for name, rows in TABLE.items() if not name.endswith(("_kept", "_missed")) for row in rows]


@all_rows("text, when, rest", TUNED)
def test_a_phrase_is_read(text: str, when: str, rest: str) -> None:
    assert told(text) == (when, rest)


def test_of_the_phrases_that_are_kept_no_fewer_are_read_than_when_they_were_written() -> None:
    kept = [row for name, rows in TABLE.items() if name.endswith("_kept") for row in rows]
    right = [told(text) == (when, rest) for text, when, rest in kept]
    on_time = [told(text)[0] == when for text, when, _ in kept]
    assert len(kept) == 100
    assert (sum(right), sum(on_time)) >= (98, 99)
