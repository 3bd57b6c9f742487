"""What a model is said to take, before it is loaded, beside what its worker then takes.

Measured is the peak of the worker's resident memory over a load and an answer whose prompt fills a batch, the
mapped weights with it: that is what has to be free for a model that answers without reading its file again
and again. Of weights that llama.cpp lays out anew (`q4`) the copy in the file is left out, as far as the
answer did not look at it: nobody reads it again, and the system takes it back whenever it likes.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from gguf import GGMLQuantizationType as Kind

from partner_desktop.model.gguf_header import read_header
from partner_desktop.model.memory_fit import (
    fit_of,
    free_bytes,
)
from partner_desktop.model.worker.frames import Loaded, Written
from tests.model.engine import needs_engine
from tests.model.shaped import Shaped, make_shaped_model
from tests.model.worker.talk import Talk, chat_of

SHAPES = (
    Shaped(name="grouped-heads"),
    Shaped(name="one-kv-head", kv_heads=1, layers=10),
    Shaped(name="all-heads", kv_heads=16, layers=8),
    Shaped(name="heads-by-layer", kind="deci", kv_heads=(8, 1) * 5, layers=10),
    Shaped(
        name="qwen2",
        kind="qwen2",
        width=896,
        heads=14,
        kv_heads=2,
        layers=10,
        feed=4864,
        vocabulary=151_936,
        merges=151_387,
        tied=True,
        quantised=Kind.Q8_0,
    ),
    Shaped(
        name="large-vocabulary",
        kind="gemma3",
        width=640,
        heads=4,
        kv_heads=1,
        head=256,
        layers=10,
        feed=2048,
        vocabulary=262_144,
        tied=True,
    ),
    Shaped(name="q8", layers=16, quantised=Kind.Q8_0),
    Shaped(name="q4", layers=24, quantised=Kind.Q4_0),
    Shaped(name="long-context", kv_heads=8, layers=8, context_tokens=32_768),
    Shaped(name="mamba", kind="mamba", layers=16),
)
_TENTH = 0.1


def _pages(pid: int, path: Path, what: str) -> int:
    """Bytes of a file that a process has mapped."""
    smaps = Path(f"/proc/{pid}/smaps").read_text("utf-8")
    blocks = re.split(r"^(?=[0-9a-f]+-[0-9a-f]+ )", smaps, flags=re.MULTILINE)
    mapped = [block for block in blocks if block.partition("\n")[0].endswith(str(path))]
    return (
        sum(
            int(found)
            for block in mapped
            for found in re.findall(rf"^{what}:\s+(\d+) kB", block, re.MULTILINE)
        )
        << 10
    )


def _peak_bytes(pid: int) -> int:
    found = re.search(r"^VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text("ascii"), re.MULTILINE)
    assert found
    return int(found[1]) << 10


def _taken(path: Path, *, laid_out_anew: bool) -> tuple[int, int]:
    """The context that was chosen, and the bytes that the worker took."""
    talk = Talk()
    pid = talk.process.pid
    try:
        talk.hear()
        loaded = talk.load(path)
        assert isinstance(loaded, Loaded), loaded
        Path(f"/proc/{pid}/clear_refs").write_text("1", "ascii")
        assert isinstance(talk.ask(chat_of(1, "hello there " * 50, max_tokens=4)), Written)
        unread = _pages(pid, path, "Rss") - _pages(pid, path, "Referenced") if laid_out_anew else 0
        return loaded.context_tokens, _peak_bytes(pid) - unread
    finally:
        talk.close()


@pytest.mark.slow
@needs_engine
@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's own count of pages is read")
@pytest.mark.promise("model.fit")
@pytest.mark.parametrize("shape", SHAPES, ids=[shape.name for shape in SHAPES])
def test_what_is_told_before_a_load_is_what_the_worker_takes(shape: Shaped, tmp_path: Path) -> None:
    path = make_shaped_model(tmp_path, shape)
    header = read_header(path)
    told = fit_of(header, header.size_bytes, free_bytes())
    tokens, taken = _taken(path, laid_out_anew=shape.quantised == Kind.Q4_0)
    path.unlink()
    assert told.level == "fits"
    assert told.context_tokens == tokens == shape.context_tokens
    ratio = told.needed_bytes / taken
    print(f"{shape.name:<18} told {told.needed_bytes >> 20:>5} MB, took {taken >> 20:>5} MB: {ratio:.3f}")
    assert abs(ratio - 1) <= _TENTH, f"told {told.needed_bytes:,} bytes, took {taken:,}"
