"""The shipped embedding model gives what its authors' weights give, and needs nothing but its file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import gguf
import numpy as np
import pytest

from partner_desktop.model.llama_embedder import shipped_model
from tests.model.engine import embedder_of, needs_engine
from tests.support import REPOSITORY

REFERENCE = json.loads(Path(__file__).with_name("reference.json").read_text(encoding="utf-8"))

pytestmark = [needs_engine, pytest.mark.integration]

_OFFLINE = """
import asyncio, json, sys
from partner_desktop.base.clock import SystemClock
from partner_desktop.model.llama_embedder import LlamaEmbedder
async def main():
    embedder = LlamaEmbedder(clock=SystemClock())
    rows = await embedder.embed(["The cat sits on the mat"])
    await embedder.shutdown()
    print(json.dumps(rows[0].tolist()))
asyncio.run(main())
"""


@pytest.mark.promise("model.embed")
async def test_the_shipped_model_gives_the_reference_vectors() -> None:
    expected = np.array([row["vector"] for row in REFERENCE], dtype=np.float32)
    async with embedder_of() as embedder:
        found = await embedder.embed([row["text"] for row in REFERENCE])
    assert found.shape == (len(REFERENCE), 384)
    assert found.dtype == np.float32
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
    # Made from the same weights in full precision, without llama.cpp: what differs is the quantising.
    assert (found * expected).sum(axis=1).min() > 0.998
    assert np.abs(found - expected).max() < 0.01
    cosines = found @ found.T
    assert cosines[0, 1] == pytest.approx(0.64, abs=0.01), "cat and kitten"
    assert cosines[2, 3] == pytest.approx(0.67, abs=0.01), "two ways to say backup"
    assert cosines[0, 2] == pytest.approx(0.03, abs=0.02), "cat and backup"


@pytest.mark.promise("model.embed")
@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_it_works_where_there_is_no_network() -> None:
    box = ["bwrap", "--unshare-net", "--dev-bind", "/", "/", "--"]
    if subprocess.run([*box, "true"], check=False, capture_output=True).returncode != 0:
        pytest.skip("bubblewrap may not be used here")
    done = subprocess.run(
        [*box, sys.executable, "-c", _OFFLINE],
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = np.array(json.loads(done.stdout), dtype=np.float32)
    assert float(found @ np.array(REFERENCE[0]["vector"], dtype=np.float32)) > 0.998


def test_the_model_file_says_what_it_is_and_under_which_licence() -> None:
    reader = gguf.GGUFReader(shipped_model())
    facts = {
        name: reader.fields[f"general.{name}"].contents() for name in ("architecture", "name", "license")
    }
    assert facts == {"architecture": "bert", "name": "all-MiniLM-L6-v2", "license": "Apache-2.0"}
    source = reader.fields["general.source.url"].contents()
    assert source == "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2"
    kinds = {tensor.name: tensor.tensor_type.name for tensor in reader.tensors}
    kept = {"position_embd.weight", "token_types.weight"}
    for name, kind in kinds.items():
        in_full = name in kept or name.endswith((".bias", "_norm.weight"))
        assert kind == ("F32" if in_full else "Q8_0"), name
