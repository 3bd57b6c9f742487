"""The workbench: looking at an ability's source, and putting new scripts into the live folders."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Literal

from partner_desktop.action.catalog import AbilityCatalog
from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import display_path
from partner_desktop.files.atomic import copy_into

_SHOWN_BYTES = 64 * 1024


class Workbench:
    """Touches files only; the folders' watch notices what changes."""

    def __init__(self, catalog: AbilityCatalog, action_dir: Path) -> None:
        self._catalog = catalog
        self._action_dir = action_dir

    async def source_text(self, key: str) -> str:
        """The script's text, at most 64 KiB of it; empty for builtins and for what is gone."""
        info = self._catalog.get(key)
        if info is None or info.source is None:
            return ""
        return await asyncio.to_thread(_read, info.source)

    async def add_script(self, path: Path, *, folder: Literal["dynamic", "tmp"]) -> str:
        """Copy a file or an ability folder into a live folder; the sentence to show.

        Raises:
            UsageError: It is not there, or cannot be copied.
        """
        try:
            target = await asyncio.to_thread(copy_into, path, self._action_dir / folder)
        except OSError as error:
            raise UsageError(f"{display_path(path)} could not be copied ({error.strerror}).") from error
        return f"{display_path(Path(target.name))} was copied into {display_path(target.parent)}."


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(_SHOWN_BYTES + 1)
    except OSError:
        return ""
    text = data[:_SHOWN_BYTES].decode("utf-8", "replace")
    return text + "\n…" if len(data) > _SHOWN_BYTES else text
