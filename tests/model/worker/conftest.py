"""What the worker's tests share: a worker, and tiny models made once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.model.tiny import make_tiny_model
from tests.model.worker.talk import Talk


@pytest.fixture
def talk() -> Iterator[Talk]:
    one = Talk()
    yield one
    one.close()


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_tiny_model(tmp_path_factory.mktemp("tiny") / "tiny.gguf")


@pytest.fixture(scope="session")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some 2,000 tokens of a prompt a second: long enough for a prompt to be met in the midst of it."""
    return make_tiny_model(
        tmp_path_factory.mktemp("slow") / "slow.gguf", width=256, layers=4, context_tokens=16_384
    )
