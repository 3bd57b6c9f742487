"""A gateway that says one thing and writes down, line by line, what happens in its conversation."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from partner_desktop.domain.events import Event


class Notebook:
    """`params` may name the file; otherwise the environment does."""

    name = "notebook"

    def __init__(self, host: Any, params: Mapping[str, Any]) -> None:
        self._host = host
        self._path = Path(params.get("file") or os.environ["PARTNER_NOTEBOOK"])
        self._lines: asyncio.Queue[str] = asyncio.Queue()
        self._conversation_id = ""
        self._undo: Callable[[], None] = lambda: None
        self._writer: asyncio.Task[None] | None = None

    async def launch(self) -> None:
        """Begin to write, and say hello."""
        self._writer = asyncio.get_running_loop().create_task(self._write(), name="notebook")
        self._undo = self._host.subscribe(self._take)
        message = await self._host.messages.send("hello", conversation_id=None, source=self.name)
        self._conversation_id = message.conversation_id

    async def shutdown(self) -> None:
        """Take nothing more; what was taken is written."""
        self._undo()
        if self._writer is not None:
            self._lines.put_nowait("")
            await self._writer
            self._writer = None

    def _take(self, event: Event) -> None:
        if event.conversation_id in ("", self._conversation_id) or not self._conversation_id:
            self._lines.put_nowait(json.dumps(event.to_json()))

    async def _write(self) -> None:
        while line := await self._lines.get():
            await asyncio.to_thread(self._append, line)

    def _append(self, line: str) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
