"""Tokens a second: bare, through worker, pipe and client to the consumer, and by the high-level stream.

One run on models made on the spot, one thread each. Every speed is from the first token to the last, so that
reading the prompt is in none of them. All are warmed up, the two of a pair run right after each other, each
as often first, medians are compared, and what runs here runs on a thread as humble as the worker is: other
work on the machine then hits all of them alike.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

from llama_cpp import Llama

from partner_desktop.base.clock import SystemClock
from partner_desktop.base.processes import NICENESS
from partner_desktop.model.chat import ChatMessage, ChatPiece, ChatRequest, Sampling
from partner_desktop.model.llama_chat import LocalChatModel
from partner_desktop.model.settings import FileModel
from tests.model.tiny import make_tiny_model

FULL_LIMIT, SLOW_LIMIT, STREAM_LIMIT = 0.80, 0.97, 10.0
_ROUNDS, _STREAM_ROUNDS, _WARM_TOKENS = 8, 3, 100
_FULL_TOKENS, _SLOW_TOKENS, _STREAM_TOKENS = 1500, 250, 400
_SLOW_PER_S = 200
_PROMPT = "<|im_start|>user\nTell me everything.<|im_end|>\n<|im_start|>assistant\n"
_CONTEXT_TOKENS = 4096


class Reader:
    """The consumer of events, over the app's own client and its worker."""

    def __init__(self, path: Path) -> None:
        settings = FileModel(name=path.stem, path=str(path), context_tokens=_CONTEXT_TOKENS, threads=1)
        self._model = LocalChatModel(settings, clock=SystemClock())

    async def open(self) -> None:
        """Start it with its model."""
        await self._model.load()

    async def per_s(self, tokens: int, seed: int) -> float:
        """Tokens a second, of an answer."""
        message = ChatMessage("user", "Tell me everything.")
        sampling = Sampling(temperature=0.8, max_tokens=tokens, seed=seed)
        begun_s, written = 0.0, 0
        async with aclosing(self._model.chat(ChatRequest((message,), sampling=sampling))) as events:
            async for event in events:
                if isinstance(event, ChatPiece):
                    begun_s = begun_s or time.perf_counter()
                else:
                    written = event.output_tokens
        return (written - 1) / (time.perf_counter() - begun_s)

    async def close(self) -> None:
        """End it."""
        await self._model.shutdown()


@asynccontextmanager
async def _reader(path: Path) -> AsyncIterator[Reader]:
    reader = Reader(path)
    try:
        await reader.open()
        yield reader
    finally:
        await reader.close()


def _bare(path: Path) -> Llama:
    return Llama(
        str(path), n_ctx=_CONTEXT_TOKENS, n_threads=1, n_threads_batch=1, flash_attn=True, verbose=False
    )


def _bare_per_s(bare: Llama, tokens: int, seed: int) -> float:
    bare.set_seed(seed)
    prompt = bare.tokenize(_PROMPT.encode(), add_bos=False, special=True)
    begun_s, count = 0.0, 0
    for _ in bare.generate(prompt, temp=0.8, repeat_penalty=1.0):
        begun_s = begun_s or time.perf_counter()
        count += 1
        if count == tokens:
            break
    return (count - 1) / (time.perf_counter() - begun_s)


def _stream_per_s(bare: Llama, tokens: int, seed: int) -> float:
    """The high-level call."""
    begun_s, count = 0.0, 0
    for _ in bare.create_completion(
        _PROMPT, max_tokens=tokens, stream=True, seed=seed, temperature=0.8, repeat_penalty=1.0
    ):
        begun_s = begun_s or time.perf_counter()
        count += 1
    return max(1, count - 1) / (time.perf_counter() - begun_s)


def _slow_model(folder: Path) -> Path:
    """As many layers as make this machine write some 200 tokens a second."""
    layers = 4
    for _ in range(4):
        path = make_tiny_model(folder / f"slow{layers}.gguf", width=256, layers=layers)
        bare = _bare(path)
        per_s = _bare_per_s(bare, 150, 1)
        bare.close()
        if 0.8 < per_s / _SLOW_PER_S < 1.25:
            break
        layers = max(1, round(layers * per_s / _SLOW_PER_S))
    return path


class Bench:
    """The models here and the workers there, and what was measured: pairs of (theirs, ours)."""

    def __init__(self, bare: Llama, bare_slow: Llama, reader: Reader, slow_reader: Reader) -> None:
        self._bare, self._bare_slow = bare, bare_slow
        self._reader, self._slow_reader = reader, slow_reader
        self._humble = ThreadPoolExecutor(1, initializer=_step_back)
        self.full: list[tuple[float, float]] = []
        self.slowed: list[tuple[float, float]] = []
        self.stream: list[tuple[float, float]] = []

    async def _here(
        self, speed: Callable[[Llama, int, int], float], bare: Llama, tokens: int, seed: int
    ) -> float:
        return await asyncio.get_running_loop().run_in_executor(self._humble, speed, bare, tokens, seed)

    async def warm_up(self) -> None:
        """Everybody once, for nothing."""
        for bare, reader in ((self._bare, self._reader), (self._bare_slow, self._slow_reader)):
            await self._pair(bare, reader, _WARM_TOKENS, 1)

    async def round(self, seed: int) -> None:
        """Each once, the two of a pair right after each other."""
        self.full.append(await self._pair(self._bare, self._reader, _FULL_TOKENS, seed))
        self.slowed.append(await self._pair(self._bare_slow, self._slow_reader, _SLOW_TOKENS, seed))
        if len(self.stream) < _STREAM_ROUNDS:
            theirs = await self._here(_stream_per_s, self._bare, _STREAM_TOKENS, seed)
            self.stream.append((theirs, await self._reader.per_s(_STREAM_TOKENS, seed)))

    async def _pair(self, bare: Llama, reader: Reader, tokens: int, seed: int) -> tuple[float, float]:
        ours = await reader.per_s(tokens, seed) if seed % 2 else 0.0
        theirs = await self._here(_bare_per_s, bare, tokens, seed)
        return theirs, ours or await reader.per_s(tokens, seed)

    def close(self) -> None:
        """Free what is here."""
        self._humble.shutdown()
        self._bare.close()
        self._bare_slow.close()


def _step_back() -> None:
    """As the worker does."""
    if sys.platform.startswith("linux"):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), os.nice(0) + NICENESS)


async def _measure(folder: Path) -> dict[str, Any]:
    tiny, slow = make_tiny_model(folder / "tiny.gguf"), _slow_model(folder)
    async with _reader(tiny) as reader, _reader(slow) as slow_reader:
        bench = Bench(_bare(tiny), _bare(slow), reader, slow_reader)
        await bench.warm_up()
        for seed in range(2, 2 + _ROUNDS):
            await bench.round(seed)
        bench.close()
    return _figures(bench.full, bench.slowed, bench.stream)


def _figures(
    full: list[tuple[float, float]], slowed: list[tuple[float, float]], stream: list[tuple[float, float]]
) -> dict[str, Any]:
    ratios = {
        name: statistics.median(ours / theirs for theirs, ours in pairs)
        for name, pairs in (("full", full), ("slow", slowed), ("stream", stream))
    }
    return {
        "bare_tokens_per_s": _median(full, 0),
        "worker_tokens_per_s": _median(full, 1),
        "full_ratio": round(ratios["full"], 3),
        "bare_slow_tokens_per_s": _median(slowed, 0),
        "worker_slow_tokens_per_s": _median(slowed, 1),
        "slow_ratio": round(ratios["slow"], 3),
        "high_level_stream_tokens_per_s": _median(stream, 0),
        "worker_stream_tokens_per_s": _median(stream, 1),
        "stream_ratio": round(ratios["stream"], 1),
        "rounds": len(full),
        "ok": (
            ratios["full"] >= FULL_LIMIT and ratios["slow"] >= SLOW_LIMIT and ratios["stream"] >= STREAM_LIMIT
        ),
    }


def _median(pairs: list[tuple[float, float]], which: int) -> float:
    return round(statistics.median(pair[which] for pair in pairs), 1)


def measure() -> dict[str, Any]:
    """The figures, and whether they keep the limits."""
    with tempfile.TemporaryDirectory(prefix="partner-bench-") as folder:
        return asyncio.run(_measure(Path(folder)))
