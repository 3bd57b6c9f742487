"""The model engine's state: installed, being built behind the window, or not there."""

from __future__ import annotations

import asyncio
import importlib
import json
import os
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from partner_desktop.base.errors import ModelError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.paths import display_path
from partner_desktop.base.processes import process_runs

#: Set by packaging/bootstrap.py to the file that its build writes its progress into.
STATUS_VARIABLE = "PARTNER_ENGINE_STATUS"

EngineState = Literal["absent", "building", "ready", "failed", "interrupted"]


@dataclass(frozen=True)
class EngineStatus:
    """What the status line and `doctor` say."""

    state: EngineState
    percent: int | None = None
    detail: str = ""


def read_engine_status() -> EngineStatus:
    """The state now. Looks at the disk only; never imports llama_cpp, which takes 0.15 s."""
    if find_spec("llama_cpp") is not None:
        return EngineStatus("ready", detail=sentence_of("model.engine_installed"))
    named = os.environ.get(STATUS_VARIABLE)
    if not named:
        return EngineStatus("absent", detail=sentence_of("model.engine_not_installed"))
    try:
        raw = json.loads(Path(named).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return EngineStatus("absent", detail=sentence_of("model.engine_not_built"))
    return _from_report(raw) if isinstance(raw, dict) else EngineStatus("absent")


def why_blind(projector: Path) -> str:
    """Why a model with this projector cannot see, in one sentence; empty if it may. A look at the disk."""
    if not projector.is_file():
        return sentence_of("model.projector_not_there", path=display_path(projector))
    engine = find_spec("llama_cpp")
    if engine is None or engine.origin is None:
        return ""  # which is said of the model itself
    libraries = Path(engine.origin).parent / "lib"
    return "" if any(libraries.glob("*mtmd.*")) else sentence_of("model.projector_needs_engine")


def _from_report(raw: dict[str, object]) -> EngineStatus:
    detail = str(raw.get("detail") or "")
    percent = raw.get("percent")
    if raw.get("state") == "failed":
        return EngineStatus("failed", detail=detail)
    if raw.get("state") == "building":
        pid = raw.get("pid")
        if not (isinstance(pid, int) and process_runs(pid)):
            return EngineStatus("interrupted", detail=sentence_of("model.engine_interrupted"))
        return EngineStatus("building", percent=percent if isinstance(percent, int) else None, detail=detail)
    return EngineStatus("absent", detail=detail)


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
        if engine.state == "ready":
            raise ModelError("model.no_numpy", error=error) from error
        raise engine_missing(engine) from error


def engine_missing(status: EngineStatus) -> ModelError:
    """Why the engine cannot be used: as its installation told it, where it did."""
    return ModelError("common.told", text=status.detail) if status.detail else ModelError("model.no_engine")
