"""The app's side of the process that fetches: one job from its start to its last word.

Contract: the loop never waits for a pipe or for a start. Whoever is cancelled while he waits ends the
process, and has his cancellation when it is gone: nothing is written after that.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from partner_desktop.base import log
from partner_desktop.base.messages import sentence_of, system_reason
from partner_desktop.base.own_program import module_command
from partner_desktop.base.process_pump import ProcessPump
from partner_desktop.model.downloads.fetch_messages import (
    MOST_LINE_BYTES,
    Fetched,
    FetchMessage,
    HubJob,
    HubTroubleError,
    HubWord,
    Looked,
    Trouble,
    message_line,
    read_word,
)

_log = log.area("model")
_PACKAGE_PARENT = Path(__file__).resolve().parents[3]
_TAIL_BYTES = 4096


class FetchProcess(ProcessPump):
    """One process. `on_word` and `on_end` are called in its thread; `on_end` once and last."""

    def __init__(
        self, job: FetchMessage, *, on_word: Callable[[HubWord], None], on_end: Callable[[str], None]
    ) -> None:
        super().__init__()
        self._job = message_line(job)
        self._on_word, self._on_end = on_word, on_end
        self._line = bytearray()
        self._tail = bytearray()

    def start(self) -> None:
        """Begin, on a thread of its own: the kernel ends the process with that thread."""
        self._start("model-fetch")

    def _spawn(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            module_command(f"{__package__}.fetcher"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            # `-m` looks here first: the code that is running, not what lies in some other folder.
            cwd=_PACKAGE_PARENT,
            start_new_session=True,
        )

    def _begin(self) -> None:
        with contextlib.suppress(BrokenPipeError):
            self.write(self._job)

    def _turn(self) -> float:
        if self._stop_asked:
            assert self._process is not None
            self._process.kill()
            self._finish()
        return math.inf

    def _take(self, output: Literal["stdout", "stderr"], chunk: bytes) -> bool:
        if output == "stderr":
            self._tail += chunk
            del self._tail[:-_TAIL_BYTES]
            return True
        self._line += chunk
        *lines, rest = bytes(self._line).split(b"\n")
        self._line = bytearray(rest)
        try:
            for line in lines:
                self._on_word(read_word(line))
        except ValueError as error:
            _log.error("the process that fetches says what cannot be read: %s", error)
            self.stop()
        if len(self._line) > MOST_LINE_BYTES:
            self.stop()
        if not chunk:
            self._finish()
        return True

    def _ended(self, failure: Exception | None) -> None:
        if isinstance(failure, OSError):
            self._on_end(str(system_reason(failure)))
        elif failure is not None:
            _log.error("the thread of a download failed", exc_info=failure)
            self._on_end(str(failure))
        else:
            assert self._process is not None
            self._on_end(self._why(self._process.returncode))

    def _why(self, status: int | None) -> str:
        if status is not None and status < 0:
            name = signal.Signals(-status).name if -status in set(signal.Signals) else str(-status)
            return sentence_of("model.worker_killed", signal=name)
        last = self._tail.decode("utf-8", "replace").strip().rpartition("\n")[2].strip().rstrip(".")
        how = sentence_of("model.worker_status", status=status)
        return f"{how} ({last})" if last else how


async def ask_hub(job: HubJob, on_word: Callable[[HubWord], None]) -> Looked | Fetched:
    """Do a job in a process of its own; what it says on its way comes to `on_word`, on the loop.

    Raises:
        HubTroubleError: It cannot be done.
    """
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[str] = loop.create_future()
    last: list[Looked | Fetched | Trouble] = []

    def heard(word: HubWord) -> None:
        if isinstance(word, Looked | Fetched | Trouble):
            last.append(word)
        elif not ended.done():
            on_word(word)

    def over(why: str) -> None:
        if not ended.done():
            ended.set_result(why)

    process = FetchProcess(
        job, on_word=lambda word: _soon(loop, heard, word), on_end=lambda why: _soon(loop, over, why)
    )
    process.start()
    try:
        why = await asyncio.shield(ended)
    except asyncio.CancelledError:
        process.stop()
        await asyncio.wait([ended])
        raise
    if not last:
        raise HubTroubleError("ended", how=why)
    if isinstance(last[0], Trouble):
        error = HubTroubleError(last[0].kind)
        error.trouble = last[0]
        raise error
    return last[0]


def _soon(loop: asyncio.AbstractEventLoop, call: Callable[..., None], said: object) -> None:
    with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
        loop.call_soon_threadsafe(call, said)
