"""`stories`: plays all stories in a few processes and counts their verdicts.

Several processes, because the product finds a person's home by `HOME`, which a process has once. Turns are
timed in a Partner that is launched and on a disk in memory: the start of the program is `startup`'s.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import queue
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests import memory_disk
from tests.benchmarks.calls import DataError
from tests.benchmarks.figures import percentile
from tests.benchmarks.stories.furnished_home import build_home
from tests.benchmarks.stories.player import StoryPlayer, StoryResult
from tests.benchmarks.stories.story import Story, read_stories

OWN = Path(__file__).parent
VERDICTS = ("pass", "weak", "fail", "dangerous")
_ALIVE_S = 1.0


def measure(
    places: Sequence[Path] = (), *, only: Sequence[str] = (), transcripts: Path | None = None
) -> dict[str, Any]:
    """The figures, and why stories do not pass.

    Raises:
        DataError: Stories or their home cannot be read.
    """
    stories = read_stories(places or (OWN,), only)
    with memory_disk.temporary_folder("stories-") as room:
        results = _play_all(stories, room)
    order = {story.id: number for number, story in enumerate(stories)}
    results.sort(key=lambda result: order[result.id])
    if transcripts is not None:
        transcripts.write_text("\n\n".join(one.transcript for one in results) + "\n", encoding="utf-8")
    return figures(results)


def _play_all(stories: Sequence[Story], room: Path) -> list[StoryResult]:
    homes: dict[Path, Path] = {}
    for place in dict.fromkeys(story.place for story in stories):
        homes[place] = room / "homes" / str(len(homes))
        build_home(place, homes[place])
    return list(_played(stories, room, homes))


def _played(stories: Sequence[Story], room: Path, homes: dict[Path, Path]) -> Iterator[StoryResult]:
    spawn = multiprocessing.get_context("spawn")
    todo, done = spawn.Queue(), spawn.Queue()
    workers = [
        spawn.Process(
            target=_work, args=(room / f"worker{number}", homes, todo, done), name=f"stories-{number}"
        )
        for number in range(min(len(stories), max(2, os.cpu_count() or 1)))
    ]
    for worker in workers:
        worker.start()
    for item in (*stories, *([None] * len(workers))):
        todo.put(item)
    try:
        for _ in stories:
            yield _next(done, workers)
        for worker in workers:
            worker.join()
    finally:
        for worker in workers:
            worker.terminate()


def _next(done: Any, workers: Sequence[Any]) -> StoryResult:
    while True:
        try:
            result: StoryResult = done.get(timeout=_ALIVE_S)
        except queue.Empty:
            if any(worker.exitcode for worker in workers):
                raise DataError("A process that plays stories ended; its error is above.") from None
        else:
            return result


def _work(room: Path, homes: dict[Path, Path], todo: Any, done: Any) -> None:
    """A process of its own: plays what it is given until that is nothing."""
    asyncio.run(_play_given(room, homes, todo, done))


async def _play_given(room: Path, homes: dict[Path, Path], todo: Any, done: Any) -> None:
    player = StoryPlayer(room, homes)
    await player.launch()
    try:
        while (story := await asyncio.to_thread(todo.get)) is not None:
            done.put(await player.play(story))
    finally:
        await player.close()


def figures(results: Sequence[StoryResult]) -> dict[str, Any]:
    """Verdicts in all, by language and by group, times, and the reasons of what failed."""
    sets: defaultdict[str, list[StoryResult]] = defaultdict(list)
    for result in results:
        sets["all"].append(result)
        sets[result.lang].append(result)
    for result in sorted(results, key=lambda each: (each.group, each.kind)):
        sets[result.group].append(result)
        if result.kind:
            sets[f"{result.group}.{result.kind}"].append(result)
    return {
        "stories": {name: _counts(mine) for name, mine in sets.items()},
        "times": _times(results),
        "failures": {one.id: f"{one.verdict}: {'; '.join(one.reasons)}" for one in results if one.reasons},
    }


def _counts(results: Sequence[StoryResult]) -> dict[str, float | int]:
    counted: dict[str, float | int] = {
        verdict: sum(one.verdict == verdict for one in results) for verdict in VERDICTS
    }
    return {"share": round(counted["pass"] / len(results), 4), **counted, "count": len(results)}


def _times(results: Sequence[StoryResult]) -> dict[str, float]:
    first = [one.first_s for one in results]
    later = [took_s for one in results for took_s in one.later_s] or [0.0]
    return {
        "first_turn_p50_ms": round(percentile(first, 50) * 1000),
        "first_turn_p95_ms": round(percentile(first, 95) * 1000),
        "later_turn_p50_ms": round(percentile(later, 50) * 1000),
        "later_turn_p95_ms": round(percentile(later, 95) * 1000),
    }
