"""What the model keeps is what it is said to keep, also when a batch is given up in the midst of it."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import llama_cpp
import pytest

from partner_desktop.model.worker.llama.kv_cache import ModelMemory
from partner_desktop.model.worker.llama.model_loader import LoadOptions, LoadProgress, NativeModel
from partner_desktop.model.worker.llama.native_log import CancelledFaultError
from tests.model.engine import needs_engine

pytestmark = needs_engine

_TOKENS = array("i", [40 + number % 80 for number in range(400)])


def _never() -> bool:
    return False


def _after(calls: int) -> Callable[[], bool]:
    counted = count(1)
    return lambda: next(counted) > calls


@pytest.fixture
def native(tiny: Path) -> Iterator[NativeModel]:
    one = NativeModel(tiny, LoadOptions(1024, 1, 0), LoadProgress(lambda _: None, _never), _never)
    yield one
    one.close()


def _likeliest(native: NativeModel) -> int:
    logits = llama_cpp.llama_get_logits_ith(native.context, -1)
    return max(range(native.shape.vocabulary), key=lambda token: logits[token])


def _written(native: NativeModel, memory: ModelMemory) -> list[int]:
    found = []
    for _ in range(40):
        found.append(_likeliest(native))
        memory.add(found[-1])
    return found


def _length(native: NativeModel) -> int:
    return int(llama_cpp.llama_memory_seq_pos_max(llama_cpp.llama_get_memory(native.context), 0)) + 1


@pytest.mark.parametrize("calls", [0, 1])
def test_a_load_is_given_up_in_the_midst_of_the_file(tiny: Path, calls: int) -> None:
    told: list[float] = []
    gave_up = _after(calls)
    with pytest.raises(CancelledFaultError):
        NativeModel(tiny, LoadOptions(1024, 1, 0), LoadProgress(told.append, gave_up), gave_up)
    assert 1.0 not in told


@pytest.mark.promise("model.cancel")
@pytest.mark.parametrize("calls", [0, 1, 20])
def test_a_batch_that_is_given_up_leaves_what_was_there_before(native: NativeModel, calls: int) -> None:
    memory = ModelMemory(native)
    memory.keep(_TOKENS, self_ := object())
    memory.read(_TOKENS, _never)
    expected = _written(native, memory)
    memory.keep(array("i", [1]), self_)
    memory.read(_TOKENS[:150], _never)
    with pytest.raises(CancelledFaultError):
        memory.read(_TOKENS[150:], _after(calls))
    assert memory.held == _TOKENS[:150]
    assert _length(native) == 150
    memory.read(_TOKENS[150:], _never)
    assert _written(native, memory) == expected


def test_the_last_token_is_always_read_anew(native: NativeModel) -> None:
    memory = ModelMemory(native)
    memory.keep(_TOKENS, None)
    memory.read(_TOKENS, _never)
    assert memory.keep(_TOKENS, None) == len(_TOKENS) - 1
    assert _length(native) == len(memory.held) == len(_TOKENS) - 1
    assert memory.keep(_TOKENS[:100] + _TOKENS[:50], None) == 100
    assert _length(native) == len(memory.held) == 100
    assert memory.keep(array("i", [1, 2, 3]), None) == 0
    assert _length(native) == len(memory.held) == 0


def test_what_cannot_be_cut_back_is_read_from_its_beginning(native: NativeModel) -> None:
    memory = ModelMemory(native)
    memory._whole_only = True
    memory.keep(_TOKENS, None)
    memory.read(_TOKENS, _never)
    assert memory.keep(_TOKENS + _TOKENS[:9], None) == len(_TOKENS), "what only goes on needs no cut"
    assert memory.keep(_TOKENS[:300], None) == 0
    assert _length(native) == len(memory.held) == 0
