"""How long a context is chosen, by memory and by what the model was made for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from partner_desktop.model.memory_fit import (
    LEAST_TOKENS,
    MOST_CHOSEN_TOKENS,
    MemoryShape,
    chosen_tokens,
    free_bytes,
    spoken,
)

#: As of an 8B model in four bits: 32 layers, 8 heads of keys and values, 128 numbers each.
_EIGHT = MemoryShape(
    trained_tokens=131_072,
    kv_numbers_a_token=32 * 8 * 256,
    vocabulary=128_256,
    width=4096,
    size_bytes=4_900_000_000,
)


def test_plenty_of_memory_gives_the_most_that_is_chosen_or_trained() -> None:
    assert chosen_tokens(_EIGHT, 64 << 30) == MOST_CHOSEN_TOKENS
    assert chosen_tokens(_EIGHT, None) == MOST_CHOSEN_TOKENS
    assert chosen_tokens(replace(_EIGHT, trained_tokens=8192), 64 << 30) == 8192


@pytest.mark.parametrize("gigabytes", [7, 8, 9, 10])
def test_what_is_chosen_fits_with_weights_and_a_reserve(gigabytes: int) -> None:
    free = gigabytes << 30
    tokens = chosen_tokens(_EIGHT, free)
    assert LEAST_TOKENS < tokens < MOST_CHOSEN_TOKENS
    assert tokens % 256 == 0
    needed = _EIGHT.needed_bytes(tokens)
    assert needed <= free * 0.85 < needed + _EIGHT.context_bytes(512)


def test_it_is_never_below_what_can_be_talked_with() -> None:
    assert chosen_tokens(_EIGHT, 1 << 30) == LEAST_TOKENS
    assert chosen_tokens(replace(_EIGHT, kv_numbers_a_token=2**40), 64 << 30) == LEAST_TOKENS


def test_an_eight_billion_model_needs_what_is_known_of_it() -> None:
    assert 1.0 < (_EIGHT.needed_bytes(8192) - _EIGHT.needed_bytes(0)) / 2**30 < 1.1


def test_free_memory_is_known_here_and_said_in_round_numbers() -> None:
    free = free_bytes()
    assert free is None or free > 1 << 24
    assert (spoken(3 << 29), spoken(5 << 20)) == ("1.5 GB", "5 MB")
