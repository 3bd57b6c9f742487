"""Small forms of text."""

from __future__ import annotations


def cut(text: str, limit: int) -> str:
    """The text in at most `limit` characters; one that is longer ends with `…`."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
