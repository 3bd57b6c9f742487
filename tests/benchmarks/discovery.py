"""`discovery`: 300 models in eight folders of other programs, looked for as the window does.

`seconds` is one look of a process that has looked before at nothing, with the measuring of the memory;
`again_s` one after it. `gap_ms` is the longest that a loop in the same process waited meanwhile, and
`quiet_gap_ms` the longest of a second in which nothing went on, which is the machine's own. `words_s` is one
header with 150,000 words and as many merges, as large models have them.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from partner_desktop.domain.model_file import FoundModels
from partner_desktop.model.discovery.model_discovery import ModelDiscovery
from partner_desktop.model.discovery.model_places import PlaceFinder
from partner_desktop.model.gguf_header import read_header
from tests.model.discovery.program_folders import ProgramFolders
from tests.model.shaped import Shaped, make_shaped_model
from tests.model.tiny import make_tiny_model

COUNT = 300
LIMIT_S, GAP_LIMIT_MS = 1.5, 16.0
_TURN_S = _ROUND_S = 0.001
T = TypeVar("T")


def measure() -> dict[str, Any]:
    """The figures, and whether they keep their limits."""
    with tempfile.TemporaryDirectory(prefix="partner-bench-") as place:
        root = Path(place)
        programs = ProgramFolders(root / "home", make_tiny_model(root / "tiny.gguf", width=32, layers=1))
        _fill(programs)
        shape = Shaped(name="words", layers=1, width=64, feed=64, heads=1, kv_heads=1, vocabulary=151_936)
        large = make_shaped_model(root, Shaped(**{**vars(shape), "merges": 151_387}))
        begun = time.perf_counter()
        read_header(large)
        words_s = time.perf_counter() - begun
        found, again, gap_ms, quiet_gap_ms = asyncio.run(_looked(root / "home"))
    seconds = found.looked_ms / 1000
    return {
        "models": len(found.models),
        "seconds": round(seconds, 3),
        "again_s": round(again.looked_ms / 1000, 3),
        "gap_ms": round(gap_ms, 1),
        "quiet_gap_ms": round(quiet_gap_ms, 1),
        "words_s": round(words_s, 3),
        "ok": len(found.models) == COUNT and seconds <= LIMIT_S and gap_ms <= quiet_gap_ms + GAP_LIMIT_MS,
    }


def _fill(programs: ProgramFolders) -> None:
    lay = (
        programs.ollama,
        programs.lm_studio,
        lambda name: programs.lm_studio(name, old=True),
        lambda name: programs.hub("owner", name, f"{name}.gguf"),
        programs.gpt4all,
        programs.jan,
        programs.old_jan,
        lambda name: programs.llama_cpp(f"{name}.gguf"),
    )
    for number in range(COUNT):
        lay[number % len(lay)](f"model-{number}")


async def _looked(user_home: Path) -> tuple[FoundModels, FoundModels, float, float]:
    """Both looks, and the longest gaps of the loop beside the first and beside nothing."""
    sys.setswitchinterval(_TURN_S)  # as Partner has it
    usual = PlaceFinder({}, user_home, "linux").places()
    places = [place for place in usual if place.folder.is_relative_to(user_home)]
    discovery = ModelDiscovery()
    found, gap_ms = await _beside(lambda: discovery.look(places))
    again, _ = await _beside(lambda: discovery.look(places))
    _, quiet_gap_ms = await _beside(lambda: time.sleep(1.0))
    return found, again, gap_ms, quiet_gap_ms


async def _beside(work: Callable[[], T]) -> tuple[T, float]:
    """What work in a thread comes to, and the longest gap of the loop meanwhile, in ms."""
    longest_s = 0.0
    working = asyncio.create_task(asyncio.to_thread(work))
    while not working.done():
        before = time.perf_counter()
        await asyncio.sleep(_ROUND_S)
        longest_s = max(longest_s, time.perf_counter() - before - _ROUND_S)
    return await working, longest_s * 1000
