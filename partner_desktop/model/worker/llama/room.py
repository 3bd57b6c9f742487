"""How long a context may be: by what the model was made for, and by the memory that is free.

The estimate is honest rather than tight: keys and values of every layer at full length, in 16 bits, and room
for one batch's computation. Weights count in full, although they are mapped: a model whose pages are thrown
out and read again is no model to talk with.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

#: The longest that is chosen without being asked for: more costs memory that a desktop has better use for.
MOST_CHOSEN_TOKENS = 32_768
LEAST_TOKENS = 512
_STEP_TOKENS = 256
_BYTES_OF_A_NUMBER = 2
#: What stays free for everything else, of what is free now.
_RESERVE = 0.15
_BATCH_TOKENS = 512


@dataclass(frozen=True)
class Shape:
    """What memory is needed for, out of a model's metadata."""

    trained_tokens: int
    kv_numbers_a_token: int
    """Keys and values of all layers."""
    vocabulary: int
    width: int
    size_bytes: int

    def needed_bytes(self, tokens: int) -> int:
        """For a context of `tokens`, weights apart."""
        computing = _BATCH_TOKENS * (8 * self.width + tokens) * 4 + 2 * self.vocabulary * 4
        return tokens * self.kv_numbers_a_token * _BYTES_OF_A_NUMBER + computing


def chosen_tokens(shape: Shape, free_bytes: int | None) -> int:
    """The context for someone who did not choose one."""
    most = min(shape.trained_tokens, MOST_CHOSEN_TOKENS)
    if free_bytes is not None:
        room = free_bytes * (1 - _RESERVE) - shape.size_bytes - shape.needed_bytes(0)
        each = shape.needed_bytes(1) - shape.needed_bytes(0)
        most = min(most, int(room / max(1, each)) // _STEP_TOKENS * _STEP_TOKENS)
    return max(LEAST_TOKENS, most)


def free_bytes() -> int | None:
    """Memory that can be had now; `None` where the system does not tell."""
    try:
        found = re.search(
            r"^MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text("ascii"), re.MULTILINE
        )
        if found:
            return min(int(found[1]) * 1024, _group_limit() or 1 << 62)
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return None


def _group_limit() -> int | None:
    """What a container leaves to this process."""
    try:
        folder = Path("/sys/fs/cgroup")
        most = int((folder / "memory.max").read_text("ascii"))
        return max(0, most - int((folder / "memory.current").read_text("ascii")))
    except (OSError, ValueError):
        return None


def spoken(size_bytes: int) -> str:
    """A size for a person."""
    return f"{size_bytes / 2**30:.1f} GB" if size_bytes >= 2**28 else f"{size_bytes / 2**20:.0f} MB"
