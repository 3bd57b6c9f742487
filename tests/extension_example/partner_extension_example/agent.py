"""An agent class; Partner loads and lists it."""

from __future__ import annotations


class Gardener:
    """Waters the plants."""

    description = "Knows when the plants need water."
