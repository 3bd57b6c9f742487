"""What the engine computes on is asked of a process of its own, and said with the way to a graphics card."""

from __future__ import annotations

import sys

import pytest

from partner_desktop.base.messages import reader_language
from partner_desktop.base.paths import Home
from partner_desktop.commands.doctor import examine
from partner_desktop.model.engine_devices import (
    BackendDevice,
    EngineBackends,
    backends_sentence,
    engine_backends,
)
from tests.model.engine import needs_engine

pytestmark = pytest.mark.integration
PROCESSOR = BackendDevice(backend="CPU", name="CPU", what="A processor")
CARD = BackendDevice(backend="CUDA", name="CUDA0", what="A card")


@needs_engine
async def test_the_installed_engine_tells_its_devices_and_is_not_loaded_here() -> None:
    loaded = "llama_cpp" in sys.modules
    found = await engine_backends()
    assert any(one.backend == "CPU" for one in found.devices)
    assert found.features
    assert ("llama_cpp" in sys.modules) == loaded


@needs_engine
async def test_doctor_says_it(home: Home) -> None:
    (told,) = [one for one in await examine(home, home.action_dir) if one.name == "engine devices"]
    assert told.state in ("ok", "note")
    assert "computed on" in told.detail


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (EngineBackends(offload=False, features=("SSE3", "AVX2"), devices=(PROCESSOR,)), "GGML_VULKAN"),
        (EngineBackends(offload=True, features=("AVX2",), devices=(PROCESSOR,)), "Look at its driver"),
        (EngineBackends(offload=True, features=("AVX2",), devices=(CARD, PROCESSOR)), "CUDA: A card"),
    ],
)
def test_what_is_said_depends_on_what_is_there(found: EngineBackends, said: str) -> None:
    sentence = backends_sentence(found)
    assert said in sentence
    assert "(AVX2)" in sentence
    token = reader_language.set("zh")
    try:
        assert "模型由" in backends_sentence(found)
    finally:
        reader_language.reset(token)
