"""Code of a stranger (a chat template) runs within bounds of time and memory, or it fails.

Time: an alarm in the main thread, where there is one; what it cannot interrupt, such as one endless native
call, is ended by a watchdog together with the process. Memory: a limit on the address space while the code
runs, where the system has one.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

_MARGIN_S = 3.0


class BoundsError(Exception):
    """It took too long or too much."""


@contextlib.contextmanager
def bounded(*, seconds: float, megabytes: int) -> Iterator[None]:
    """Run the body within these bounds, in the main thread.

    Raises:
        BoundsError: It left them.
    """
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123 - the watchdog needs its descriptor
        faulthandler.dump_traceback_later(seconds + _MARGIN_S, exit=True, file=nowhere)
        try:
            with _memory(megabytes), _alarm(seconds):
                yield
        except MemoryError:
            raise BoundsError(f"it took more than {megabytes} MB") from None
        finally:
            faulthandler.cancel_dump_traceback_later()


@contextlib.contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    armed = True

    def rang(_signal: int, _frame: FrameType | None) -> None:
        if armed:
            raise BoundsError(f"it took longer than {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, rang)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        yield
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def _memory(megabytes: int) -> Iterator[None]:
    try:
        import resource  # noqa: PLC0415 - not on every system

        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        limit = pages * resource.getpagesize() + megabytes * 2**20
        if hard != resource.RLIM_INFINITY:
            limit = min(limit, hard)
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    except (ImportError, OSError, ValueError):
        yield
        return
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
