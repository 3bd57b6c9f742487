"""Models that can be fetched: the shipped list, what a repository holds, and downloads under way."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.model_file import MemoryFit, ModelPurpose

CatalogUse = Literal["chat", "code", "embedding"]
DownloadState = Literal["waiting", "loading", "checking", "paused", "done", "failed"]


@dataclass(frozen=True)
class CatalogModel:
    """One of the shipped list."""

    id: str
    """Short and speakable, as `qwen3-4b`."""
    title: str
    use: CatalogUse
    repository: str
    """`owner/name` at the hub."""
    file: str
    size_bytes: int
    sha256: str
    """Empty: the hub's own word is taken."""
    memory_gb: int
    """For machines with so much memory: 4, 8, 16 or 32."""
    licence: str
    why: str
    """One sentence, in the language that is spoken."""
    fit: MemoryFit = MemoryFit()
    known_as: str = ""
    """Its name in the settings; empty: it is not there."""
    suggested: bool = False
    """The one that this machine should take first."""


@dataclass(frozen=True)
class HubFile:
    """One model file of a repository; a split one is one."""

    file: str
    """The path of its first part."""
    size_bytes: int
    quantisation: str = ""
    purpose: ModelPurpose = "chat"
    parts: int = 1
    fit: MemoryFit = MemoryFit()


@dataclass(frozen=True)
class HubListing:
    """The model files of a repository."""

    repository: str
    revision: str
    """The commit that was looked at."""
    files: tuple[HubFile, ...]
    licence: str = ""
    file: str = ""
    """The one that a pasted link named; empty: a person chooses."""


@dataclass(frozen=True)
class Download:
    """One model on its way here. One loads at a time, the others wait."""

    id: str
    title: str
    repository: str
    file: str
    state: DownloadState
    size_bytes: int = 0
    """0: unknown."""
    done_bytes: int = 0
    bytes_per_s: float = 0.0
    """Over the last seconds; 0 while it does not load."""
    left_s: float = 0.0
    """Seconds until it is here, as it looks; 0: unknown."""
    reason: str = ""
    """With `failed` or `paused`: why, in one sentence; empty where the person asked for it."""
    path: str = ""
    """With `done`: where it is."""
    model: str = ""
    """With `done`: its name in the settings."""
    begun_at: datetime | None = None
