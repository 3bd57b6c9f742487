"""ResultPart: a piece of a result that is more than its text: a picture, a sound, a link, a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class ResultPart:
    """One piece. What is large lies in the run's own folder, at `path`."""

    kind: Literal["image", "audio", "link", "resource", "file"]
    title: str = ""
    mime: str = ""
    path: str = ""
    uri: str = ""
    size_bytes: int = 0
