"""Runs a command so that it always ends in good order.

SIGINT, SIGTERM and SIGHUP end it the same way: what it does is cancelled, everything that it opened is
closed, and the exit code says which signal it was (130, 143, 129). A second one while it closes ends the
process at once; the log says so.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Coroutine
from typing import Any

from partner_desktop.base import log

_log = log.area("lifecycle")

#: Windows has no SIGHUP.
WATCHED = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


def exit_code(number: int) -> int:
    """What a shell says of a program that ended by this signal."""
    return 128 + number


def end_at_once(number: int) -> None:
    """The person will not wait for the closing."""
    _log.error("%s while closing: ended at once, without closing", signal.Signals(number).name)
    os._exit(exit_code(number))


def run(command: Coroutine[Any, Any, int]) -> int:
    """Run `command` on a loop of its own; its exit code, or that of the signal that ended it."""
    return asyncio.run(_Watched(command).run())


class _Watched:
    def __init__(self, command: Coroutine[Any, Any, int]) -> None:
        self._command = command
        self._number = 0

    async def run(self) -> int:
        loop = asyncio.get_running_loop()
        task = loop.create_task(self._command, name="command")
        for number in WATCHED:
            if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup asks for
                loop.add_signal_handler(number, self._received, number, task)
        try:
            return await task
        except asyncio.CancelledError:
            if not self._number:
                raise
            return exit_code(self._number)
        finally:
            for number in WATCHED:
                loop.remove_signal_handler(number)

    def _received(self, number: int, task: asyncio.Task[int]) -> None:
        if self._number:
            end_at_once(number)
        self._number = number
        task.cancel()
