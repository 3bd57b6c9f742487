"""Identifiers: random, opaque, safe in file names."""

from __future__ import annotations

from uuid import uuid4


def new_id() -> str:
    """A fresh identifier of 32 hexadecimal digits."""
    return uuid4().hex
