"""What is told of a backup that was written."""

from __future__ import annotations

from pathlib import Path

from partner_desktop.base.late_dataclass import dataclass


@dataclass(frozen=True)
class BackupReport:
    """One file with everything that must not be lost."""

    path: Path
    members: int
    size_bytes: int
    schema_version: int
    left_out: tuple[str, ...] = ()
    """What would belong to it and is not in it, as a person writes the path: links, what is no plain file."""
    plain: tuple[str, ...] = ()
    """What seems to be a secret and is in it as plain text, because it stands so in a server's file."""
