"""`python -m tests.long.soak [--times 10000] [--seed N] [--minutes M] [--folder DIR]`

With `--folder` the home stays, and a later run goes on in it, with what it holds already. What grows is
looked at from the end of the first tenth on; turns of the last tenth are held against those of the second.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
from pathlib import Path

from partner_desktop.base.processes import limit_arenas
from tests.long.run_record import RunRecord
from tests.long.soak.gauge import Sample
from tests.long.soak.session import Person

_PARTS = 10
#: What may grow after the first tenth; turns of the last against those of the second tenth.
_MOST_GROWTH, _MOST_SLOWER = 1.05, 1.2
#: So many more of descriptors, threads, tasks and timers are chance.
_SLACK = 4


async def run(folder: Path, record: RunRecord, times: int) -> dict[str, object]:
    """All turns; the figures."""
    person = Person(folder, seed=record.seed)
    await person.launch()
    samples: list[Sample] = []
    spent: list[list[tuple[float, float]]] = []
    try:
        for part in range(_PARTS):
            if record.time_is_up:
                break
            spent.append([await person.turn() for _ in range(max(1, times // _PARTS))])
            samples.append(await person.look())
            record.reached((part + 1) * (times // _PARTS))
            print(f"{record.place()} turns: {samples[-1].told()}", file=sys.stderr, flush=True)
    finally:
        await person.close()
    for kind, count in person.kinds.items():
        record.count(kind, times=count)
    record.wrong += person.trouble[:10]
    if len(samples) < 3:
        return {}
    first, last = samples[0], samples[-1]
    figures = {
        "turns": record.place(),
        "memory_mb": [round(each.memory_bytes / 2**20, 1) for each in samples],
        "memory_growth": round(last.memory_bytes / first.memory_bytes, 3),
        "turn_p95_ms": [_p95_ms(part, 0) for part in spent],
        "turn_p95_processor_ms": [_p95_ms(part, 1) for part in spent],
        "slower": round(_p95_ms(spent[-1], 1) / _p95_ms(spent[1], 1), 2),
        "database_kb_a_turn": round(
            (last.database_bytes - first.database_bytes)
            / 1024
            / max(1, record.place() - record.place() // len(samples)),
            2,
        ),
        "database_last_against_second": round(
            (last.database_bytes - samples[-2].database_bytes)
            / max(1, samples[1].database_bytes - samples[0].database_bytes),
            2,
        ),
        "rows": {name: count for name, count in sorted(last.rows.items()) if count},
        "rows_at_first": {name: count for name, count in sorted(first.rows.items()) if count},
        "ran": person.ran,
    }
    for name in ("descriptors", "threads", "processes", "tasks", "timers"):
        now, then = getattr(last, name), getattr(first, name)
        figures[name] = [getattr(each, name) for each in samples]
        if now > then + _SLACK:
            record.wrong.append(f"{name}: {then} after the first tenth, {now} at the end")
    if last.memory_bytes > first.memory_bytes * _MOST_GROWTH:
        record.wrong.append(f"memory has grown {figures['memory_growth']} ×")
    if figures["slower"] > _MOST_SLOWER:  # type: ignore[operator]  # it is a number
        record.wrong.append(f"a turn takes {figures['slower']} × of what it took")
    return figures


def _p95_ms(part: list[tuple[float, float]], which: int) -> float:
    return round(statistics.quantiles([each[which] * 1000 for each in part], n=20)[-1], 1)


def main() -> int:
    """Print the figures, and what has grown; 1 if anything did."""
    parser = argparse.ArgumentParser(prog="python -m tests.long.soak")
    parser.add_argument("--folder", type=Path)
    record, options = RunRecord.of_command(parser, times=10_000)
    limit_arenas()  # as every Partner that stays
    with tempfile.TemporaryDirectory(prefix="partner-soak-") as folder:
        figures = asyncio.run(run(options.folder or Path(folder), record, options.times))
    return record.finish(**figures)


if __name__ == "__main__":
    sys.exit(main())
