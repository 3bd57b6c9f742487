"""SIGINT, SIGTERM and SIGHUP as an ordinary call on the loop; a second one while it closes ends at once.

Python runs its signal handlers between two of its own instructions, and Qt's loop may not execute any for a
long time: a socket that the interpreter writes to wakes it.
"""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Self

from PySide6.QtCore import QSocketNotifier

_WATCHED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class ExitSignals:
    """Inside its `with`, the signals call `leave` instead of ending the process."""

    def __init__(self, leave: Callable[[], object]) -> None:
        self._leave = leave
        self._received_one = False

    def __enter__(self) -> Self:
        self._reader, self._writer = socket.socketpair()
        self._reader.setblocking(False)
        self._writer.setblocking(False)
        self._old_fd = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        heard = [
            number for number in _WATCHED if signal.getsignal(number) is not signal.SIG_IGN
        ]  # as by nohup
        self._old = {number: signal.signal(number, self._received) for number in heard}
        self._notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read)
        self._notifier.activated.connect(self._drain)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._notifier.setEnabled(False)
        for number, handler in self._old.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._old_fd)
        self._reader.close()
        self._writer.close()

    def _received(self, number: int, _frame: FrameType | None) -> None:
        if self._received_one:
            from partner_desktop.commands.exit_signals import end_at_once  # noqa: PLC0415 - the last thing done

            end_at_once(number)
        self._received_one = True
        self._leave()

    def _drain(self) -> None:
        """Reading the byte is all: the handler itself has run by the time Python is here."""
        with suppress(BlockingIOError):
            self._reader.recv(64)
