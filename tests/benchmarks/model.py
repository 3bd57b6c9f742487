"""`model`: what a local model loses on its way to the eye, and what its prompts cost.

Three parts: tokens per second through worker and pipe against the bare engine, tokens read in a turn against
what was appended, and the loop's beats while tokens come into the real window.
"""

from __future__ import annotations

from typing import Any

from tests.benchmarks import model_prefix, model_speed, model_window


def measure() -> dict[str, Any]:
    """The figures, and whether they keep the limits."""
    parts = {
        "speed": model_speed.measure(),
        "prefix": model_prefix.measure(),
        "window": model_window.measure(),
    }
    return {**parts, "ok": all(part["ok"] for part in parts.values())}
