"""Models to show: one that answers, one that loads, one that is broken, one elsewhere."""

from __future__ import annotations

from dataclasses import replace

from partner_desktop.domain.model_status import ModelStatus

QWEN = ModelStatus(
    name="Qwen3 4B",
    kind="file",
    where="/home/user/models/Qwen3-4B-Instruct-Q4_K_M.gguf",
    state="ready",
    in_use=True,
    description="qwen3 4B Q4_K_M",
    size_bytes=2_497_280_256,
    context_tokens=8_192,
    threads=4,
    gpu_layers=36,
    tokens_per_s=38.2,
)
LLAMA = replace(
    QWEN,
    name="Llama 8B",
    where="/home/user/models/Llama-3.1-8B-Instruct-Q5_K_M.gguf",
    state="loading",
    progress=0.4,
    in_use=False,
    description="llama 8B Q5_K_M",
    size_bytes=5_732_000_000,
    tokens_per_s=0.0,
)
BROKEN = ModelStatus(
    name="half-a-file",
    kind="file",
    where=f"/home/user/Downloads/{'a_very_long_folder_name/' * 5}half-a-file-Q8_0.gguf",
    state="failed",
    reason="The file half-a-file-Q8_0.gguf ends before its tensors do: it was not downloaded completely.",
)
CLUSTER = ModelStatus(
    name="The cluster in the cellar, with a name that does not fit into any line of any window",
    kind="endpoint",
    where="http://cellar.example.org:8000/v1",
    description="Qwen3-235B-A22B",
    context_tokens=131_072,
    state="ready",
    tokens_per_s=61.0,
)
