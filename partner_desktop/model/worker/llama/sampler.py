"""Chooses the next token.

With a grammar, the cheap way first, as llama.cpp's own sampler does: choose freely, ask the grammar about
that one token, and only if it refuses, weigh all tokens again with the grammar applied.
"""

from __future__ import annotations

import ctypes
from typing import Any

import llama_cpp
import numpy as np

from partner_desktop.model.worker.frames import Chat
from partner_desktop.model.worker.llama.characters import Ids
from partner_desktop.model.worker.llama.faults import ModelFaultError
from partner_desktop.model.worker.llama.model_loader import NativeModel
from partner_desktop.model.worker.llama.vocabulary import Vocabulary

_SEEDS = 2**32
_REFUSED = float("-inf")


class TokenSampler:
    """One answer's. `close` gives its memory back; idempotent."""

    def __init__(
        self, native: NativeModel, vocabulary: Vocabulary, request: Chat, grammar: str | None, *, seed: int
    ) -> None:
        """Raises:
        ModelFaultError: llama.cpp does not take the grammar (kind `schema`).
        """
        self._context = native.context
        self._chain: Any = llama_cpp.llama_sampler_chain_init(llama_cpp.llama_sampler_chain_default_params())
        self._grammar: Any = None
        for step in _steps(request, seed):
            llama_cpp.llama_sampler_chain_add(self._chain, step)
        if grammar is not None:
            self._grammar = llama_cpp.llama_sampler_init_grammar(native.vocab, grammar.encode(), b"root")
            if not self._grammar:
                self.close()
                raise ModelFaultError("schema", "llama.cpp can make no grammar of the schema.")
            self._candidates = _Candidates(native.shape.vocabulary)
            self._characters = vocabulary.characters()

    def next(self) -> int | None:
        """The next token, after the last that was evaluated; `None` when the grammar allows no more."""
        token = int(llama_cpp.llama_sampler_sample(self._chain, self._context, -1))
        if self._grammar is None:
            return token
        if not self._allows(token):
            other = self._weighed()
            if other is None:
                return None
            token = other
        return token

    def accept(self, token: int) -> None:
        """It was chosen and does not end the answer: the grammar goes on behind it."""
        if self._grammar is not None:
            llama_cpp.llama_sampler_accept(self._grammar, token)
            self._characters.accept(token)

    def _allows(self, token: int) -> bool:
        if not self._characters.allows(token):
            return False
        only = self._candidates.only(token)
        llama_cpp.llama_sampler_apply(self._grammar, ctypes.byref(only))
        return bool(only.data[0].logit != _REFUSED)

    def _weighed(self) -> int | None:
        logits = llama_cpp.llama_get_logits_ith(self._context, -1)
        all_ = self._candidates.all(logits, without=self._characters.refused())
        llama_cpp.llama_sampler_apply(self._grammar, ctypes.byref(all_))
        if not self._candidates.any_left:
            return None
        llama_cpp.llama_sampler_apply(self._chain, ctypes.byref(all_))
        return int(all_.data[all_.selected].id)

    def close(self) -> None:
        """Give its memory back."""
        for one in (self._chain, self._grammar):
            if one:
                llama_cpp.llama_sampler_free(one)
        self._chain = self._grammar = None


def _steps(request: Chat, seed: int) -> list[Any]:
    if request.temperature <= 0:
        return [llama_cpp.llama_sampler_init_greedy()]
    return [
        llama_cpp.llama_sampler_init_top_k(request.top_k),
        llama_cpp.llama_sampler_init_top_p(request.top_p, 1),
        llama_cpp.llama_sampler_init_min_p(request.min_p, 1),
        llama_cpp.llama_sampler_init_temp(request.temperature),
        llama_cpp.llama_sampler_init_dist(seed % _SEEDS),
    ]


class _Candidates:
    """Room for every token of the vocabulary, as llama.cpp wants them."""

    def __init__(self, size: int) -> None:
        self._rows = np.zeros(
            size, dtype=np.dtype([("id", np.intc), ("logit", np.single), ("p", np.single)], align=True)
        )
        self._ids = np.arange(size, dtype=np.intc)
        self._all: Any = llama_cpp.llama_token_data_array()
        self._single: Any = (llama_cpp.llama_token_data * 1)()
        self._only = llama_cpp.llama_token_data_array(
            data=ctypes.cast(self._single, llama_cpp.llama_token_data_p), size=1, selected=-1, sorted=False
        )

    def only(self, token: int) -> Any:  # noqa: ANN401 - a structure of the binding, as below
        self._single[0].id, self._single[0].logit, self._single[0].p = token, 1.0, 0.0
        return self._only

    def all(self, logits: Any, *, without: Ids) -> Any:  # noqa: ANN401
        size = len(self._rows)
        self._rows["id"] = self._ids
        self._rows["logit"] = np.ctypeslib.as_array(logits, shape=(size,))
        self._rows["logit"][without] = _REFUSED
        self._rows["p"] = 0.0
        self._all.data = self._rows.ctypes.data_as(llama_cpp.llama_token_data_p)
        self._all.size, self._all.selected, self._all.sorted = size, -1, False
        return self._all

    @property
    def any_left(self) -> bool:
        return bool(np.isfinite(self._rows["logit"]).any())
