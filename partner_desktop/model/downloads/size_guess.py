"""Whether a model that is not here yet would fit: a guess from its size, which is all that is known of most.

Where the list tells of what shape a model is, keys and values are reckoned; else they are taken for a share
of the weights. Nothing here replaces the look at the header, once there is one.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.model_file import FitLevel, MemoryFit
from partner_desktop.model.downloads.hub_files import quantisation_of

#: What is asked for usually, and what it is reckoned for.
_CONTEXT_TOKENS = 8_192
#: The process of a model with nothing in it, and room to compute.
_BASE_BYTES = 400 * 1024 * 1024
#: Keys and values as a share of the weights, where nothing is known.
_UNKNOWN_SHARE = 0.15
#: Below this share of what is free it fits; up to all of it is tight.
_EASY = 0.85
#: Bits of a weight on average, as llama.cpp's own table of quantisations has them.
_BITS = {
    "Q2_K": 3.0, "Q3_K_M": 3.9, "Q4_0": 4.6, "Q4_K_S": 4.6, "Q4_K_M": 4.9, "Q5_K_M": 5.7, "Q6_K": 6.6,
    "Q8_0": 8.5, "MXFP4": 4.6, "F16": 16.0, "BF16": 16.0, "F32": 32.0,
}  # fmt: skip
_USUAL_BITS = 4.9
_KILOBYTES = re.compile(r"^(MemTotal|MemAvailable):\s+(\d+) kB$", re.MULTILINE)


@dataclass(frozen=True)
class GuessedShape:
    """What the list tells; 0: it does not."""

    parameters: int = 0
    layers: int = 0
    kv_width: int = 0
    file: str = ""


def guessed_fit(size_bytes: int, free_bytes: int, shape: GuessedShape | None = None) -> MemoryFit:
    """Whether weights of this size, or of this shape, would fit beside what runs now."""
    shape = shape or GuessedShape()
    weights = size_bytes or int(shape.parameters * _BITS.get(quantisation_of(shape.file), _USUAL_BITS) / 8)
    if not weights:
        return MemoryFit(free_bytes=free_bytes)
    kept = 2 * 2 * shape.layers * shape.kv_width * _CONTEXT_TOKENS  # keys and values, of two bytes each
    needed = weights + (kept or int(weights * _UNKNOWN_SHARE)) + _BASE_BYTES
    if not free_bytes:
        return MemoryFit(needed_bytes=needed, context_tokens=_CONTEXT_TOKENS)
    level: FitLevel = "too_large"
    if needed <= free_bytes:
        level = "fits" if needed <= free_bytes * _EASY else "tight"
    return MemoryFit(level, needed, free_bytes, _CONTEXT_TOKENS)


def memory_bytes() -> tuple[int, int]:
    """What is free now, and what this machine has; 0: unknown. Blocking, for a moment."""
    with suppress(OSError):
        found = dict(_KILOBYTES.findall(Path("/proc/meminfo").read_text("ascii")))
        return int(found.get("MemAvailable", 0)) * 1024, int(found.get("MemTotal", 0)) * 1024
    with suppress(OSError, ValueError):
        return 0, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return 0, 0
