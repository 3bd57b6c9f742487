"""StdioWire: lines in and out over two file descriptors, without ever holding the loop.

Contract: a thread reads and a thread writes, both daemons, because a pipe that nobody fills or empties holds
its thread for good. A line that is too long is skipped up to its end. Reading waits while nobody takes what
was read. `close` sends nothing more; what a `send` returned for is written.
"""

from __future__ import annotations

import asyncio
import os
import queue
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Generic, TypeVar

from partner_desktop.base.errors import UsageError

T = TypeVar("T")

#: The longest line that is taken.
LINE_LIMIT_BYTES = 4 * 1024 * 1024
_CHUNK_BYTES = 256 * 1024
#: Lines that may be read ahead.
_AHEAD = 16


class TooLong:
    """Stands for a line that was longer than is taken."""


TOO_LONG = TooLong()


def claim_stdio() -> tuple[int, int]:
    """The descriptors of stdin and stdout for ourselves; whoever else reads gets nothing, prints to stderr.

    Raises:
        UsageError: One of them is closed.
    """
    if sys.stdin is None or sys.stdout is None:
        raise UsageError("gateways.stdio_closed")
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2 if sys.stderr is not None else os.open(os.devnull, os.O_WRONLY), 1)
    return source, sink


class StdioWire(Generic[T]):
    """`parse` is called on the reading thread, where a large message holds nothing up; it never raises."""

    def __init__(self, source: int, sink: int, parse: Callable[[bytes], T]) -> None:
        self._source = source
        self._sink = sink
        self._parse = parse
        self._loop = asyncio.get_running_loop()
        self._read: asyncio.Queue[T | TooLong | None] = asyncio.Queue()
        self._ahead = threading.Semaphore(_AHEAD)
        self._to_write: queue.SimpleQueue[tuple[bytes, asyncio.Future[bool]] | None] = queue.SimpleQueue()
        self._closed = False
        self._broken = False

    def start(self) -> None:
        """Begin to read and write."""
        for name, work in (("mcp-read", self._read_all), ("mcp-write", self._write_all)):
            threading.Thread(target=work, name=name, daemon=True).start()

    def close(self) -> None:
        """Let the threads end; one that waits for the other side ends with the process."""
        self._closed = True
        self._ahead.release()
        self._to_write.put(None)

    async def receive(self) -> T | TooLong | None:
        """The next message; `None` when there are no more."""
        item = await self._read.get()
        self._ahead.release()
        return item

    async def send(self, line: bytes) -> None:
        """Write one line; returns when it is written, or nobody will read it.

        Where nobody reads any more, nothing more is received either.
        """
        if self._closed or self._broken:
            return
        written: asyncio.Future[bool] = self._loop.create_future()
        self._to_write.put((line + b"\n", written))
        if not await written and not self._broken:
            self._broken = True
            self._read.put_nowait(None)

    # The threads.

    def _read_all(self) -> None:
        held, skipping = bytearray(), False
        while chunk := self._chunk():
            held += chunk
            *lines, rest = held.split(b"\n")
            for line in lines:
                self._take(TOO_LONG if skipping or len(line) > LINE_LIMIT_BYTES else bytes(line))
                skipping = False
            held = rest
            if len(held) > LINE_LIMIT_BYTES:
                held, skipping = bytearray(), True
        if held.strip() and not skipping:
            self._take(bytes(held))
        self._put(None)

    def _chunk(self) -> bytes:
        try:
            return b"" if self._closed else os.read(self._source, _CHUNK_BYTES)
        except OSError:
            return b""

    def _take(self, line: bytes | TooLong) -> None:
        if isinstance(line, TooLong):
            self._put(line)
        elif line.strip():
            self._put(self._parse(line))

    def _put(self, item: T | TooLong | None) -> None:
        self._ahead.acquire()
        self._on_loop(self._read.put_nowait, item)

    def _write_all(self) -> None:
        while (item := self._to_write.get()) is not None:
            line, written = item
            self._on_loop(_settle, written, self._written(line))

    def _written(self, line: bytes) -> bool:
        view = memoryview(line)
        try:
            while view:
                view = view[os.write(self._sink, view) :]
        except OSError:
            return False
        return True

    def _on_loop(self, call: Callable[..., object], *arguments: object) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits for this
            self._loop.call_soon_threadsafe(call, *arguments)


def _settle(written: asyncio.Future[bool], done: bool) -> None:
    if not written.done():
        written.set_result(done)
