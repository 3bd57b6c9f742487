"""The folders in the home that runs leave: what they printed beyond the record, and their workspace."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path


async def forget_outputs(runs: Path, action_ids: Sequence[str]) -> None:
    """Remove what these actions printed; a workspace that a script left files in stays the person's."""
    await asyncio.to_thread(_forget, runs, action_ids)


def _forget(runs: Path, action_ids: Sequence[str]) -> None:
    for action_id in action_ids:
        folder = runs / action_id
        with suppress(OSError):  # it left nothing, or a workspace that is in use
            for spilled in folder.iterdir():
                if not spilled.is_dir():
                    spilled.unlink()
            (folder / "workspace").rmdir()
        with suppress(OSError):
            folder.rmdir()
