"""The embedder through its port, with the real model in a real worker process."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import numpy as np
import psutil  # type: ignore[import-untyped] # has no types
import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import ModelError
from partner_desktop.model.llama_embedder import LlamaEmbedder, shipped_model
from partner_desktop.model.worker.watchdog import RestartPolicy
from tests.model.engine import LONG_TEXTS, embedder_of, gone, needs_engine, until
from tests.support import REPOSITORY, FakeClock

pytestmark = [needs_engine, pytest.mark.integration]

_ORPHAN = """
import asyncio
from partner_desktop.base.clock import SystemClock
from partner_desktop.model.llama_embedder import LlamaEmbedder
async def main():
    embedder = LlamaEmbedder(clock=SystemClock())
    await embedder.embed(["hello"])
    print(embedder.pid, flush=True)
    await embedder.embed(["long " * 500] * 1000)
asyncio.run(main())
"""


async def worker_of(embedder: LlamaEmbedder) -> psutil.Process:
    """The process, once it has answered."""
    await embedder.embed(["hello"])
    assert embedder.pid is not None
    return psutil.Process(embedder.pid)


def works(embedder: LlamaEmbedder) -> bool:
    """Whether a request is under way."""
    worker = embedder._worker
    return worker is not None and worker._session is not None and worker._session.busy


async def test_killing_the_worker_at_work_costs_nothing_but_time() -> None:
    async with embedder_of() as embedder:
        first = await embedder.embed(["back up my documents"])
        killed = (await worker_of(embedder)).pid
        os.kill(killed, signal.SIGSTOP)
        task = asyncio.create_task(embedder.embed(["back up my documents"]))
        await until(lambda: works(embedder))
        os.kill(killed, signal.SIGKILL)
        again = await task
        assert np.allclose(first, again)
        assert embedder.pid not in (None, killed)
        assert embedder.status().state == "ready"


async def test_killing_an_idle_worker_is_not_noticed_by_the_next_call() -> None:
    async with embedder_of() as embedder:
        process = await worker_of(embedder)
        process.kill()
        await until(lambda: gone(process.pid))
        assert (await embedder.embed(["hello"])).shape == (1, 384)


async def test_an_urgent_text_goes_before_a_long_list() -> None:
    async with embedder_of() as embedder:
        await embedder.embed(["hello"])
        bulk = asyncio.create_task(embedder.embed(LONG_TEXTS))
        await until(lambda: works(embedder))
        await embedder.embed(["what was said just now"], urgent=True)
        assert not bulk.done()
        bulk.cancel()
        await asyncio.wait([bulk])
        assert (await embedder.embed(["and the next one"])).shape == (1, 384), "what was cancelled is dropped"


async def test_closing_leaves_no_process_even_in_the_middle_of_work() -> None:
    async with embedder_of() as embedder:
        process = await worker_of(embedder)
        task = asyncio.create_task(embedder.embed(LONG_TEXTS))
        await until(lambda: works(embedder))
        await embedder.shutdown()
        assert gone(process.pid)
        with pytest.raises(ModelError):
            await task
        with pytest.raises(ModelError, match="closing"):
            await embedder.embed(["too late"])
    assert not [child for child in psutil.Process().children() if "model.worker" in " ".join(child.cmdline())]


async def test_the_worker_ends_with_its_app_however_that_ends() -> None:
    app = subprocess.Popen(  # noqa: ASYNC220 - what is waited for is another process's end
        [sys.executable, "-c", _ORPHAN],
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert app.stdout is not None
    worker = int(await asyncio.to_thread(app.stdout.readline))
    assert not gone(worker)
    app.kill()
    app.wait()
    app.stdout.close()
    await until(lambda: gone(worker))


async def test_the_worker_has_pipes_and_no_socket_and_stands_back() -> None:
    async with embedder_of() as embedder:
        process = await worker_of(embedder)
        assert not process.net_connections(kind="all")
        links = [str(path.readlink()) for path in Path(f"/proc/{process.pid}/fd").iterdir()]
        assert not [link for link in links if link.startswith("socket:")]
        assert process.nice() > psutil.Process().nice()


async def test_a_worker_that_nobody_asks_gives_its_memory_back_and_comes_again() -> None:
    async with embedder_of(policy=RestartPolicy(idle_s=0.05)) as embedder:
        process = await worker_of(embedder)
        await until(lambda: gone(process.pid))
        assert embedder.status().state == "idle"
        assert (await embedder.embed(["hello"])).shape == (1, 384)


async def test_a_missing_model_is_said_before_anything_is_started(tmp_path: Path) -> None:
    async with embedder_of(model=tmp_path / "lost.gguf") as embedder:
        assert embedder.status().state == "absent"
        assert "lost.gguf is not there" in embedder.status().reason
        with pytest.raises(ModelError, match=r"lost\.gguf is not there"):
            await embedder.embed(["hello"])


@pytest.mark.parametrize("damage", ["cut", "foreign"])
async def test_a_damaged_model_is_explained_and_a_repaired_one_works(
    tmp_path: Path, clock: FakeClock, damage: str
) -> None:
    model = tmp_path / "model.gguf"
    whole = shipped_model().read_bytes()
    model.write_bytes(whole[: len(whole) // 2] if damage == "cut" else b"no model at all" * 100)
    async with embedder_of(model=model, clock=clock) as embedder:
        with pytest.raises(ModelError, match=r"model\.gguf cannot be read: .*(incomplete|magic)"):
            await embedder.embed(["hello"])
        status = embedder.status()
        assert status.state == "failed"
        assert not status.available
        assert "cannot be read" in status.reason
        shutil.copy(shipped_model(), model)
        with pytest.raises(ModelError, match="cannot be read"):
            await embedder.embed(["not tried again so soon"])
        clock.move(timedelta(minutes=1))
        assert (await embedder.embed(["hello"])).shape == (1, 384)
        assert embedder.status().available


async def test_any_text_can_be_embedded() -> None:
    texts = ["", " ", "\0", "half a sign \ud83d", "x" * 1_000_000, "🙂" * 3000, "[CLS] [SEP] [unused7]"]
    async with embedder_of() as embedder:
        rows = await embedder.embed(texts)
        assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
        assert (await embedder.embed([])).shape == (0, 384)


async def test_partner_starts_no_worker_until_it_is_asked_and_ends_it_with_itself(partner: Partner) -> None:
    assert partner.models.embedding().state == "idle"
    assert partner.models.embedding().available
    rows = await partner.embedder.vectors(["Count words: counts the words of a file"])
    assert rows.shape == (1, 384)
    assert partner.models.embedding().state == "ready"
    (worker,) = (p for p in psutil.Process().children() if "partner_desktop.model.worker" in p.cmdline())
    await partner.close()
    assert gone(worker.pid)
    assert (partner.home.root / "cache" / "embeddings.db").is_file()
