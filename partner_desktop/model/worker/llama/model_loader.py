"""Opening a chat model: file → weights → a context of a length that fits.

Contract: whoever opens may give up at any time (`gave_up`), also in the midst of the file; what was taken is
given back then, and on every error.

How much memory that takes is reckoned by `model/memory_fit.py`, as for whoever looked at the file before.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import llama_cpp

from partner_desktop.base.errors import ModelError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.model.gguf_header import read_header
from partner_desktop.model.memory_fit import (
    BATCH_TOKENS,
    MemoryShape,
    chosen_tokens,
    free_bytes,
    projector_bytes,
    shape_of,
)
from partner_desktop.model.worker.llama.native_log import CancelledFaultError, ModelFaultError, native_log

_STEP = 0.01
_LEAST_PAUSE_S = 0.05
_TEXT_BYTES = 4096

#: Name of ours → the file's key, and from where to where a value can be meant.
_SAMPLING = {
    "temperature": ("temp", 0.0, 2.0),
    "top_p": ("top_p", 0.01, 1.0),
    "top_k": ("top_k", 0, 1_000_000),
    "min_p": ("min_p", 0.0, 1.0),
    "repeat_penalty": ("penalty_repeat", 0.5, 2.0),
}


@dataclass(frozen=True)
class LoadOptions:
    """What was asked for; 0 tokens and -1 layers leave the choice here."""

    context_tokens: int
    threads: int
    gpu_layers: int
    projector: Path | None = None
    """What sees for it; opened with the first picture, and room is left for it."""


class LoadProgress:
    """Passes on how far a load is, in steps, and whether to stop it."""

    def __init__(self, tell: Callable[[float], None], gave_up: Callable[[], bool]) -> None:
        self._tell, self._gave_up = tell, gave_up
        self._last, self._last_s = 0.0, 0.0

    def __call__(self, progress: float, _: object) -> bool:
        now = time.monotonic()
        far_enough = progress >= self._last + _STEP and now >= self._last_s + _LEAST_PAUSE_S
        if far_enough or (progress >= 1.0 > self._last):
            self._last, self._last_s = progress, now
            self._tell(min(1.0, max(0.0, progress)))
        return not self._gave_up()


class NativeModel:
    """llama.cpp's model and context. `close` gives both back; idempotent."""

    def __init__(
        self, path: Path, options: LoadOptions, progress: LoadProgress, gave_up: Callable[[], bool]
    ) -> None:
        """Open it.

        Raises:
            ModelFaultError: It cannot be read, or used for talking, or does not fit into memory.
            CancelledFaultError: It was given up.
        """
        self._name = path.name
        self.notes: list[str] = []
        self.context: Any = None  # a pointer of the binding, as are `model` and `vocab`
        free = free_bytes()
        llama_cpp.llama_backend_init()
        self.gpu_layers = _layers(options.gpu_layers)
        self.model: Any = self._read(path, progress, gave_up)
        try:
            self.vocab: Any = llama_cpp.llama_model_get_vocab(self.model)
            self._check()
            self.shape = replace(self._measure(path), projector_bytes=_room_to_see(options.projector))
            self._open_context(options, free)
        except BaseException:
            self.close()
            raise
        if self.gpu_layers:
            self.gpu_layers = min(self.gpu_layers, llama_cpp.llama_model_n_layer(self.model) + 1)
        elif options.gpu_layers > 0:
            self.notes.append(
                "There is no graphics card that llama.cpp can use; all layers are computed here."
            )
        self.threads = options.threads
        self.context_tokens = int(llama_cpp.llama_n_ctx(self.context))

    def _read(self, path: Path, progress: LoadProgress, gave_up: Callable[[], bool]) -> Any:  # noqa: ANN401 - see above
        params = llama_cpp.llama_model_default_params()
        params.n_gpu_layers = self.gpu_layers
        callback = llama_cpp.llama_progress_callback(progress)
        params.progress_callback = callback
        model = llama_cpp.llama_model_load_from_file(str(path).encode(), params)
        if gave_up():
            if model:
                llama_cpp.llama_model_free(model)
            raise CancelledFaultError
        if not model:
            why = native_log().why or "llama.cpp does not say why"
            raise ModelFaultError("model", f"The model file {path.name} cannot be read: {why}.")
        return model

    def _check(self) -> None:
        why = ""
        if not self.vocab or llama_cpp.llama_vocab_type(self.vocab) == llama_cpp.LLAMA_VOCAB_TYPE_NONE:
            why = "it has no vocabulary"
        elif llama_cpp.llama_vocab_n_tokens(self.vocab) < 1:
            why = "its vocabulary is empty"
        elif llama_cpp.llama_model_has_encoder(self.model) or not llama_cpp.llama_model_has_decoder(
            self.model
        ):
            why = "it has no decoder of the usual kind"
        elif llama_cpp.llama_model_is_diffusion(self.model):
            why = "it writes by diffusion"
        elif self._is_embedder():
            why = "it makes embeddings only"
        elif llama_cpp.llama_model_n_ctx_train(self.model) < 1:
            raise ModelFaultError(
                "model", f"{self._name} cannot be used: by its header it holds a context of zero tokens."
            )
        if why:
            raise ModelFaultError("model", f"{self._name} is no model to chat with: {why}.")

    def _is_embedder(self) -> bool:
        kind = self.metadata("general.architecture")
        return self.metadata(f"{kind}.pooling_type") not in ("", "0") or (
            self.metadata(f"{kind}.attention.causal") == "false"
        )

    def _measure(self, path: Path) -> MemoryShape:
        """As the header says it; what arrays are made by is as llama.cpp has it."""
        try:
            shape = shape_of(read_header(path))
        except ModelError as error:
            raise ModelFaultError("model", str(error)) from error
        return replace(
            shape,
            trained_tokens=llama_cpp.llama_model_n_ctx_train(self.model),
            vocabulary=llama_cpp.llama_vocab_n_tokens(self.vocab),
            size_bytes=llama_cpp.llama_model_size(self.model),
        )

    def _open_context(self, options: LoadOptions, free: int | None) -> None:
        tokens = options.context_tokens or chosen_tokens(self.shape, free, process_bytes=0)
        if options.context_tokens > self.shape.trained_tokens:
            tokens = self.shape.trained_tokens
            self.notes.append(f"It was trained for {tokens} tokens, so its context is no longer than that.")
        need = self.shape.context_bytes(tokens)
        if free is not None and not self.gpu_layers and need > free:
            raise ModelFaultError(
                "memory",
                f"{self._name} does not fit into memory.",
                context_tokens=tokens,
                needed_bytes=need + self.shape.size_bytes,
                free_bytes=free,
            )
        params = llama_cpp.llama_context_default_params()
        params.n_ctx, params.n_seq_max = tokens, 1
        params.n_batch = params.n_ubatch = BATCH_TOKENS
        params.n_threads = params.n_threads_batch = options.threads
        params.swa_full = True  # a window that slides cannot be cut back; whole, it can
        params.no_perf = True
        self.context = llama_cpp.llama_init_from_model(self.model, params)
        if not self.context:
            why = native_log().first_error or "llama.cpp does not say why"
            raise ModelFaultError(
                "memory",
                f"{self._name} cannot be run with {tokens} tokens of context: {why}.",
                context_tokens=tokens,
            )

    def metadata(self, key: str) -> str:
        """What the file says; empty if nothing."""
        buffer = ctypes.create_string_buffer(_TEXT_BYTES)
        length = llama_cpp.llama_model_meta_val_str(self.model, key.encode(), buffer, _TEXT_BYTES)
        return buffer.value.decode("utf-8", "replace") if length >= 0 else ""

    @property
    def recommended(self) -> dict[str, float]:
        """How its words are best chosen, as newer files say it; what cannot be meant is passed over.

        The keys are those of llama.cpp's `LLM_KV_GENERAL_SAMPLING_*`.
        """
        found: dict[str, float] = {}
        for name, (key, least, most) in _SAMPLING.items():
            value = _float(self.metadata(f"general.sampling.{key}"))
            if value is not None and least <= value <= most:
                found[name] = value
        return found

    @property
    def description(self) -> str:
        """Family, size and how it was made small."""
        buffer = ctypes.create_string_buffer(_TEXT_BYTES)
        llama_cpp.llama_model_desc(self.model, buffer, _TEXT_BYTES)
        return _plain(buffer.value.decode("utf-8", "replace"))

    @property
    def template(self) -> str | None:
        """The chat template, if it has one."""
        found = llama_cpp.llama_model_chat_template(self.model, None)
        return found.decode("utf-8", "replace") if found else None

    @property
    def forgets_whole_only(self) -> bool:
        """Whether its memory is a state that cannot be cut back to a shorter text."""
        return bool(
            llama_cpp.llama_model_is_recurrent(self.model) or llama_cpp.llama_model_is_hybrid(self.model)
        )

    def close(self) -> None:
        """Give the memory back."""
        if self.context:
            llama_cpp.llama_free(self.context)
        if self.model:
            llama_cpp.llama_model_free(self.model)
        self.context = self.model = self.vocab = None


def _room_to_see(projector: Path | None) -> int:
    """What the projector will take; one that cannot be read takes nothing, and its first picture says why."""
    try:
        return projector_bytes(read_header(projector)) if projector is not None else 0
    except ModelError:
        return 0


def _plain(description: str) -> str:
    """Without what llama.cpp does not know (`?B`), and without its word for one format throughout."""
    return " ".join(word for word in description.split() if word not in ("?B", "all"))


def _layers(wished: int) -> int:
    """As llama.cpp wants it: a device must be there, and too many are all."""
    if not llama_cpp.llama_supports_gpu_offload():
        return 0
    return wished if wished >= 0 else 1 << 20


def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
