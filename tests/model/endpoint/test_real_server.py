"""A real OpenAI-compatible server: llama.cpp's, on a tiny model, as a process of its own."""

from __future__ import annotations

import json
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import aclosing, suppress
from pathlib import Path

import pytest

from partner_desktop.base.clock import SystemClock
from partner_desktop.base.errors import ContextOverflowError, ModelError
from partner_desktop.base.paths import Home
from partner_desktop.config.secrets import SecretStore
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.model_status import EndpointDraft
from partner_desktop.model.chat import ChatPiece, ChatUsage
from partner_desktop.model.endpoint.chat_model import EndpointChatModel
from partner_desktop.model.endpoint.check import check
from partner_desktop.model.endpoint.constraint import DialectMemory
from partner_desktop.model.settings import EndpointModel
from tests.config.keyrings import system_keyring
from tests.model.endpoint.room import SCHEMA, answer, events, model_of, request
from tests.model.tiny import make_tiny_model

pytestmark = pytest.mark.integration

KEY = "sk-right"
_START_S = 60.0


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_tiny_model(tmp_path_factory.mktemp("model") / "tiny.gguf", context_tokens=512)


@pytest.fixture(scope="module")
def address(tiny: Path) -> Iterator[str]:
    """One server for all tests here: it takes seconds to start."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = int(one.getsockname()[1])
    arguments = ["--model", str(tiny), "--port", str(port), "--api_key", KEY, "--n_ctx", "512"]
    log = tiny.with_suffix(".log")
    with log.open("wb") as output:
        server = subprocess.Popen(
            [sys.executable, "-m", "llama_cpp.server", "--host", "127.0.0.1", "--n_threads", "1", *arguments],
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        _wait_for(port, server, log)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        server.wait(10)


def _wait_for(port: int, server: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + _START_S
    while server.poll() is None and time.monotonic() < until:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        select.select([], [], [], 0.05)
    raise AssertionError(f"the server did not start: {log.read_text(errors='replace')[-2000:]}")


@pytest.mark.promise("model.endpoint")
async def test_a_real_endpoint_answers_with_its_key_from_the_system_keyring(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with system_keyring(tmp_path / "keyring.json"):
        home = Home(tmp_path / "home")
        store = SecretStore(home)
        assert await store.set("endpoint:cluster", "sk-wrong") == "in the system keyring (test keyring)"
        settings = EndpointModel(name="cluster", base_url=address)
        dialects = DialectMemory(home.root / "cache" / "endpoints.json", clock=SystemClock())
        model = EndpointChatModel(
            settings, key=lambda: store.get("endpoint:cluster"), clock=SystemClock(), dialects=dialects
        )
        try:
            with pytest.raises(ModelError, match=r"“cluster” .* does not take the key"):
                await model.load()
            assert model.status().state == "failed"
            await store.set("endpoint:cluster", KEY)
            await model.load()
            assert model.status().state == "ready"
            assert model.status().description.endswith("tiny.gguf")
            said = await events(model, request(max_tokens=24))
            assert sum(isinstance(event, ChatPiece) for event in said) > 3
            assert isinstance(said[-1], ChatUsage)
        finally:
            await model.shutdown()
    assert KEY not in "".join(path.read_text() for path in home.root.rglob("*") if path.is_file())


@pytest.mark.promise("model.endpoint")
async def test_a_real_endpoint_keeps_a_schema_with_random_weights(address: str, tmp_path: Path) -> None:
    schema: JsonObject = {**SCHEMA, "properties": {"choice": {"enum": ["reply", "act"]}}}
    kept = tmp_path / "ladder.json"
    async with model_of(address, key=KEY, model="", dialects=kept) as model:
        for _ in range(3):
            text, usage = await answer(model, request(schema=schema, max_tokens=100))
            assert json.loads(text)["choice"] in ("reply", "act")
            assert usage.constrained == "json"  # it knows schemas, but not OpenAI's form of them
    assert json.loads(kept.read_text(encoding="utf-8")).popitem()[1]["rung"] == "json_schema"


async def test_leaving_a_real_answer_lets_the_next_one_begin(address: str) -> None:
    async with model_of(address, key=KEY, model="") as model:
        async with aclosing(model.chat(request(max_tokens=400))) as said:
            assert isinstance(await anext(said), ChatPiece)
        text, usage = await answer(model, request(max_tokens=4))
    assert text
    assert usage.end in ("stop", "length")


async def test_a_real_prompt_that_is_too_long_is_an_overflow_with_its_numbers(address: str) -> None:
    async with model_of(address, key=KEY, model="") as model:
        with pytest.raises(ContextOverflowError) as caught:
            await events(model, request("many words " * 200))
    assert caught.value.context_tokens == 512
    assert caught.value.prompt_tokens > 1000


async def test_the_test_button_says_what_works_of_a_real_endpoint(address: str) -> None:
    wrong = await check(EndpointDraft("cluster", address), "sk-wrong")
    assert [(one.what, one.ok) for one in wrong.checks] == [("reachable", True), ("key", False)]
    right = await check(EndpointDraft("cluster", address.removesuffix("/v1")), KEY)
    assert right.ok, right
    assert [one.what for one in right.checks] == ["reachable", "key", "model", "stream", "structured"]
    assert right.models[0].endswith("tiny.gguf")
    assert right.checks[-1].sentence == "Structured answers are held to JSON, and checked here."
