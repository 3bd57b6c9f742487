"""What tests of models share: whether there is an engine, waiting for processes, a Python without it."""

from __future__ import annotations

import asyncio
import os
import sys
import sysconfig
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped] # has no types
import pytest

from partner_desktop.base.clock import Clock, SystemClock
from partner_desktop.model.llama_embedder import LlamaEmbedder
from tests.support import REPOSITORY, WAIT_S

needs_engine = pytest.mark.skipif(find_spec("llama_cpp") is None, reason="llama-cpp-python is not installed")

#: How the names of the engine's packages begin.
_ENGINE = ("llama_cpp", "numpy")

#: Far longer than the context, so that each takes its time.
LONG_TEXTS = tuple(f"{number} " + "words and words and words " * 200 for number in range(16))


@asynccontextmanager
async def embedder_of(*, clock: Clock | None = None, **options: Any) -> AsyncIterator[LlamaEmbedder]:
    """A real embedder, always closed. `options` are passed on."""
    one = LlamaEmbedder(clock=clock or SystemClock(), **options)
    try:
        yield one
    finally:
        await one.shutdown()


async def until(happened: Callable[[], bool]) -> None:
    """Wait for something outside the loop, bounded."""
    async with asyncio.timeout(WAIT_S):
        while not happened():  # noqa: ASYNC110 - what another process does sets no event here
            await asyncio.sleep(0.01)


def gone(pid: int) -> bool:
    """Whether the process has ended; one that waits to be collected has."""
    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


class PythonWithoutEngine:
    """The installed packages in one folder; llama-cpp-python, and numpy with it, only after `add_engine`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._packages = Path(sysconfig.get_path("purelib"))
        folder.mkdir()
        for entry in self._packages.iterdir():
            if not entry.name.startswith(_ENGINE):
                (folder / entry.name).symlink_to(entry)

    def add_engine(self) -> None:
        """As when its build behind the window has ended."""
        for entry in self._packages.iterdir():
            if entry.name.startswith(_ENGINE):
                (self._folder / entry.name).symlink_to(entry)

    def command(self, *arguments: str) -> list[str]:
        """Python that sees this folder only."""
        return [sys.executable, "-S", *arguments]

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, "PYTHONPATH": os.pathsep.join((str(REPOSITORY), str(self._folder)))}
