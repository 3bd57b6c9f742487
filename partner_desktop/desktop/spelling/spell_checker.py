"""SpellChecker: asks the process that holds the dictionaries, and remembers what it said.

Contract: one question at a time, nothing waits on the loop. The process comes with the first word that is not
known, and goes when nothing was asked for a while, or with `close`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import subprocess
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Literal

from partner_desktop.base import log
from partner_desktop.base.own_program import PACKAGE_PARENT, module_command
from partner_desktop.base.process_pump import ProcessPump
from partner_desktop.desktop.spelling.dictionaries import SpellDictionary

_log = log.area("spelling")
_IDLE_S = 300.0
#: A dictionary that ends its process again and again is left alone.
_MOST_FAILURES = 2
_MOST_KNOWN = 20_000


class SpellProcess(ProcessPump):
    """`on_line` and `on_end` are called in its thread; `on_end` once and last."""

    def __init__(
        self, stems: Sequence[Path], *, on_line: Callable[[bytes], None], on_end: Callable[[], None]
    ) -> None:
        super().__init__()
        self._stems = [str(stem) for stem in stems]
        self._on_line, self._on_end = on_line, on_end
        self._line = bytearray()

    def start(self) -> None:
        """Begin, on a thread of its own."""
        self._start("spelling")

    def _spawn(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [*module_command(f"{__package__}.spell_child"), *self._stems],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            cwd=PACKAGE_PARENT,
            start_new_session=True,
        )

    def _turn(self) -> float:
        if self._stop_asked:
            assert self._process is not None
            self._process.kill()
            self._finish()
        return math.inf

    def _take(self, output: Literal["stdout", "stderr"], chunk: bytes) -> bool:
        del output
        self._line += chunk
        *lines, rest = bytes(self._line).split(b"\n")
        self._line = bytearray(rest)
        for line in lines:
            self._on_line(line)
        if not chunk:
            self._finish()
        return True

    def _ended(self, failure: Exception | None) -> None:
        if failure is not None:
            _log.error("spelling cannot be checked", exc_info=failure)
        self._on_end()


class SpellChecker:
    """Of some dictionaries."""

    def __init__(self, dictionaries: Sequence[SpellDictionary], own: Collection[str] = ()) -> None:
        self.dictionaries = tuple(dictionaries)
        self._own = {word.casefold() for word in own}
        self._known: dict[str, bool] = {}
        self._suggested: dict[str, tuple[str, ...]] = {}
        self._alone = asyncio.Lock()
        self._process: SpellProcess | None = None
        self._answer: asyncio.Future[bytes] | None = None
        self._gone = asyncio.Event()
        self._gone.set()
        self._failures = 0
        self._idle: asyncio.TimerHandle | None = None

    def is_wrong(self, word: str) -> bool | None:
        """Whether no dictionary has it; `None`: that is not known yet."""
        return False if word.casefold() in self._own else self._known.get(word)

    def suggestions(self, word: str) -> tuple[str, ...] | None:
        """What may be meant; `None`: that is not known yet."""
        return self._suggested.get(word)

    def learn(self, word: str) -> None:
        self._own.add(word.casefold())

    async def check(self, words: Collection[str]) -> None:
        """Get to know some words."""
        if unknown := [word for word in words if self.is_wrong(word) is None]:
            answer = await self._ask({"check": unknown})
            if answer is not None:
                if len(self._known) > _MOST_KNOWN:
                    self._known.clear()
                wrong = set(answer.get("wrong", ()))
                self._known |= {word: word in wrong for word in unknown}

    async def suggest(self, word: str) -> None:
        """Get to know what may be meant by one."""
        if word not in self._suggested:
            answer = await self._ask({"suggest": word})
            self._suggested[word] = tuple(answer.get("words", ())) if answer is not None else ()

    async def close(self) -> None:
        """End the process, and wait for that."""
        self._failures = _MOST_FAILURES
        self._end()
        await self._gone.wait()

    async def _ask(self, question: dict[str, object]) -> dict[str, list[str]] | None:
        """`None`: there is no answer."""
        async with self._alone:
            if not self.dictionaries or self._failures >= _MOST_FAILURES:
                return None
            loop = asyncio.get_running_loop()
            process = self._process or self._begin(loop)
            self._answer = loop.create_future()
            try:
                process.write(json.dumps(question).encode() + b"\n")
                answer: dict[str, list[str]] = json.loads(await self._answer)
            except (BrokenPipeError, ValueError, asyncio.InvalidStateError):
                self._failures += 1
                return None
            finally:
                self._answer = None
                if self._idle is not None:
                    self._idle.cancel()
                self._idle = loop.call_later(_IDLE_S, self._end)
            return answer

    def _begin(self, loop: asyncio.AbstractEventLoop) -> SpellProcess:
        def soon(call: Callable[..., None], *said: object) -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(call, *said)

        process = SpellProcess(
            [one.stem for one in self.dictionaries],
            on_line=lambda line: soon(self._heard, line),
            on_end=lambda: soon(self._ended),
        )
        self._process = process
        self._gone.clear()
        process.start()
        return process

    def _heard(self, line: bytes) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(line)

    def _ended(self) -> None:
        self._process = None
        self._gone.set()
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(b"")  # no JSON: it is gone

    def _end(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
        if self._process is not None:
            self._process.stop()
