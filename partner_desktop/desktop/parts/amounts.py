"""How much room something takes, as people say it."""

from __future__ import annotations

_UNITS = ((1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "KB"))
#: Below this many of a unit, its first decimal says something.
_FEW = 100


def size_words(size_bytes: int) -> str:
    """`2.5 GB`."""
    for size, unit in _UNITS:
        if size_bytes >= size:
            count = size_bytes / size
            return f"{count:.1f} {unit}" if count < _FEW else f"{count:,.0f} {unit}"
    return f"{size_bytes} B"
