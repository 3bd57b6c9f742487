"""Content hashes; blocking, for use off the loop."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def content_hash(parts: Iterable[bytes]) -> str:
    """SHA-256 over the parts, each preceded by its length so that boundaries count."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()
