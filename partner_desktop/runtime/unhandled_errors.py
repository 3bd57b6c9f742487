"""UnhandledErrors: what falls through everything in this process is caught and reported.

Inside its `with`: exceptions that reach the top of the program or of a thread, those that Python can only
mention (in `__del__`), and crashes of the interpreter itself, whose traceback goes to a file that the next
start finds. Contract: `report` is called on whatever thread the error came from.
"""

from __future__ import annotations

import faulthandler
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from partner_desktop.base import log, private

_log = log.area("exceptions")

Report = Callable[[BaseException, str], None]


class UnhandledErrors:
    """One a process; what was there before is put back."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._fatal_file: IO[str] | None = None

    def __enter__(self) -> Self:
        self._old = (sys.excepthook, threading.excepthook, sys.unraisablehook)
        sys.excepthook = self._at_the_top
        threading.excepthook = self._in_a_thread
        sys.unraisablehook = self._unraisable
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        sys.excepthook, threading.excepthook, sys.unraisablehook = self._old
        if self._fatal_file is not None:
            faulthandler.disable()
            self._fatal_file.close()

    def watch_for_crashes(self, fatal_file: Path) -> None:
        """From now on a crash of the interpreter leaves its traceback there; the home must be prepared."""
        if self._fatal_file is not None or faulthandler.is_enabled():
            return  # somebody watches already, and wants it where they said
        try:
            private.claim(fatal_file)
            self._fatal_file = fatal_file.open("a", encoding="utf-8")
            faulthandler.enable(self._fatal_file)
        except OSError as error:
            _log.warning("a crash would leave no traceback: %s", error.strerror)

    def _at_the_top(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        del kind, trace
        self._tell(error, "Partner")

    def _in_a_thread(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
            self._tell(args.exc_value, f"the thread {args.thread.name if args.thread else '?'}")

    def _unraisable(self, args: sys.UnraisableHookArgs) -> None:
        if args.exc_value is not None:
            self._tell(args.exc_value, args.err_msg or "the clean-up of an object")

    def _tell(self, error: BaseException, where: str) -> None:
        try:
            self._report(error, where)
        except Exception:  # noqa: BLE001 - an excepthook is the last one who could say anything
            _log.exception("a report failed")
            _log.error("the error itself was", exc_info=error)
