"""numpy, brought in on first use and off the loop (it takes 0.1 s). It comes with the engine."""

from __future__ import annotations

import asyncio
import importlib

from partner_desktop.base.errors import ModelError
from partner_desktop.model.engine import read_engine_status

_imported = False


async def require_numpy() -> None:
    """After this, `import numpy` is free.

    Raises:
        ModelError: It is not installed, because the model engine is not.
    """
    global _imported  # noqa: PLW0603 - as a module's state is: one a process
    if not _imported:
        await asyncio.to_thread(_bring_in)
        _imported = True


def _bring_in() -> None:
    importlib.invalidate_caches()
    try:
        importlib.import_module("numpy")
    except ImportError as error:
        engine = read_engine_status()
        why = engine.detail if engine.state != "ready" else f"numpy cannot be loaded ({error})."
        raise ModelError(why or "The model engine is not there.") from error
