"""Computing behind the window: a function of a module, run in a process of its own that steps back.

Contract: what computes in Python on a thread holds the interpreter, and each call of the window into it waits
then. So what has much to read is read here. The process is started with the first work, ends when there was
none for a while, and never outlives the app. Whoever waits is answered in any case: work whose process is
lost is done on a thread. Functions and values go through `pickle`, between two processes of one program.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, BinaryIO, ParamSpec, TypeVar, cast

from partner_desktop.base import log
from partner_desktop.base.own_program import PACKAGE_PARENT, module_command
from partner_desktop.base.processes import behave

P = ParamSpec("P")
T = TypeVar("T")

_log = log.area("process")
#: Seconds without work after which the process ends; and those after which work counts as stuck.
_IDLE_S, _LONGEST_S = 15.0, 120.0


class BackgroundProcess:
    """Owned by whoever has work for it. `ran` counts what was done in a process."""

    def __init__(self) -> None:
        self._thread: ThreadPoolExecutor | None = None
        """It starts the process and waits for it: the kernel ends a process with the thread that began it."""
        self._process: subprocess.Popen[bytes] | None = None
        self._idle: asyncio.TimerHandle | None = None
        self._closed = False
        self._running = 0
        self.ran = 0

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What a function of a module returns or raises."""
        self._running += 1
        if self._thread is None:
            self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="background")
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(_LONGEST_S):
                done, value = await loop.run_in_executor(self._thread, self._ask, (function, args, kwargs))
        except (OSError, EOFError, pickle.PickleError) as error:  # a timeout is an OSError
            self._kill()
            if not self._closed:
                _log.warning("the process behind the window is lost: %s", repr(error))
            return await asyncio.to_thread(function, *args, **kwargs)
        finally:
            self._running -= 1
            self._rest_soon(loop)
        self.ran += 1
        if not done:
            raise value
        return cast("T", value)

    def _rest_soon(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._idle is not None:
            self._idle.cancel()
        self._idle = None
        if not self._closed and not self._running:
            self._idle = loop.call_later(_IDLE_S, self._end)

    def _end(self) -> None:
        """Its input ends, and with it the process; the next work begins another."""
        if self._running:
            return  # what ends next looks again
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.submit(self._collect)
            thread.shutdown(wait=False)

    def _kill(self) -> None:
        process = self._process
        if process is not None:
            process.kill()

    async def shutdown(self) -> None:
        """End it, whatever it computes; idempotent."""
        self._closed = True
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
        self._kill()
        thread, self._thread = self._thread, None
        if thread is not None:
            await asyncio.get_running_loop().run_in_executor(thread, self._collect)
            thread.shutdown(wait=False)

    # On the thread.

    def _ask(self, work: object) -> tuple[bool, Any]:  # Any: of some function
        process = self._process
        if process is None or process.poll() is not None:
            self._collect()
            process = self._process = _started()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            pickle.dump(work, process.stdin, protocol=pickle.HIGHEST_PROTOCOL)
            process.stdin.flush()
            answer: tuple[bool, Any] = pickle.load(process.stdout)  # noqa: S301 - from a process of ours
        except (OSError, EOFError, pickle.PickleError):
            process.kill()
            self._collect()
            raise
        return answer

    def _collect(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                assert pipe is not None
                pipe.close()
        try:
            process.wait(_IDLE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _started() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        module_command(__name__),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=PACKAGE_PARENT,
        start_new_session=True,
    )


def _serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Until there are no more."""
    while True:
        try:
            function, args, kwargs = pickle.load(requests)  # noqa: S301 - from the app that started this
        except EOFError:
            return
        try:
            answer = True, function(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 - whoever asked for it gets it
            answer = False, error
        pickle.dump(answer, answers, protocol=pickle.HIGHEST_PROTOCOL)
        answers.flush()


if __name__ == "__main__":
    behave()
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever is printed is no answer
    with contextlib.suppress(BrokenPipeError):
        _serve(sys.stdin.buffer, answers)
    os._exit(0)
