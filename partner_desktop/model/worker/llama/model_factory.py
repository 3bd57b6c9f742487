"""From a request to an open chat model. Imports the engine only once it is known to be there."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from partner_desktop.model.worker.frames import Load
from partner_desktop.model.worker.llama.native_log import ModelFaultError, native_log, require_engine

if TYPE_CHECKING:
    from partner_desktop.model.worker.llama.chat_model import LlamaChatModel

_MAGIC = b"GGUF"


def open_chat_model(
    request: Load, *, tell: Callable[[float], None], gave_up: Callable[[], bool]
) -> LlamaChatModel:
    """Open the file.

    Raises:
        ModelFaultError: There is no engine, or the file is none to chat with.
        CancelledFaultError: It was given up.
    """
    path = Path(request.path)
    _look_at(path)
    require_engine()
    from partner_desktop.model.worker.llama.chat_model import LlamaChatModel  # noqa: PLC0415 - needs the engine
    from partner_desktop.model.worker.llama.model_loader import LoadOptions  # noqa: PLC0415 - as above

    projector = Path(request.projector) if request.projector else None
    options = LoadOptions(request.context_tokens, request.threads, request.gpu_layers, projector)
    return LlamaChatModel(path, options, tell=tell, gave_up=gave_up)


def _look_at(path: Path) -> None:
    """What can be said of a file without llama.cpp, in words that help."""
    if not path.is_file():
        raise ModelFaultError("model", f"The model file {path.name} is not there.")
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except OSError as error:
        why = error.strerror or str(error)
        raise ModelFaultError("model", f"The model file {path.name} cannot be read: {why}.") from error
    if magic != _MAGIC:
        raise ModelFaultError(
            "model", f"{path.name} is not a GGUF file, so it is no model that can run here."
        )


if TYPE_CHECKING:
    from llama_cpp import Llama


class EmbeddingModel:
    """An open embedding model. One thread at a time."""

    def __init__(self, path: Path, *, context_tokens: int, threads: int) -> None:
        """Open it.

        Raises:
            ModelFaultError: There is no engine, or the file cannot be read, or is of another kind.
        """
        if not path.is_file():
            raise ModelFaultError("model", f"The model file {path.name} is not there.")
        engine = require_engine()
        self._llama = self._open(path, context_tokens, threads)
        if int(self._llama.pooling_type()) == engine.LLAMA_POOLING_TYPE_NONE:
            raise ModelFaultError("model", f"{path.name} is not an embedding model.")
        self.dimensions = self._llama.n_embd()
        self.context_tokens = context_tokens

    @staticmethod
    def _open(path: Path, context_tokens: int, threads: int) -> Llama:
        import llama_cpp  # noqa: PLC0415 - as in require_engine

        try:
            return llama_cpp.Llama(
                str(path),
                embedding=True,
                n_ctx=context_tokens,
                n_batch=context_tokens,  # where `embed` cuts
                n_threads=threads,
                n_threads_batch=threads,
                verbose=False,
            )
        except (ValueError, RuntimeError) as error:
            why = native_log().why or str(error)
            raise ModelFaultError("model", f"The model file {path.name} cannot be read: {why}.") from error

    def vector(self, text: str) -> bytes:
        """The text's vector: float32, little-endian, length 1. Too long a text is cut at the context's end.

        Texts go one by one: side by side in one batch, each would pay for the attention to all others.
        """
        numbers = self._llama.embed(text, normalize=True)
        return struct.pack(f"<{self.dimensions}f", *numbers)

    def close(self) -> None:
        """Give its memory back."""
        self._llama.close()
