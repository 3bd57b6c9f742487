"""The one door to llama.cpp. Runs in the worker process only."""

from __future__ import annotations

import os
import re
import struct
from collections import deque
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from partner_desktop.model.worker.frames import FailureKind

if TYPE_CHECKING:
    from llama_cpp import Llama

_LOG_LINES = 20
#: `GGML_LOG_LEVEL_ERROR`
_ERROR_LEVEL = 4
#: Where in llama.cpp something was said.
_FUNCTIONS = re.compile(r"^(?:\w+: )*(?:error loading model: )?(?:\w+: )*")


class ModelFaultError(Exception):
    """A model cannot be opened or used; `message` is a sentence for a person."""

    def __init__(self, kind: FailureKind, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


class EmbeddingModel:
    """An open embedding model. One thread at a time."""

    def __init__(self, path: Path, *, context_tokens: int, threads: int) -> None:
        """Open it.

        Raises:
            ModelFaultError: There is no engine, or the file cannot be read, or is of another kind.
        """
        if not path.is_file():
            raise ModelFaultError("model", f"The model file {path.name} is not there.")
        self._log = _native_log()
        self._llama = self._open(path, context_tokens, threads)
        import llama_cpp  # noqa: PLC0415 - as in _open

        if int(self._llama.pooling_type()) == llama_cpp.LLAMA_POOLING_TYPE_NONE:
            raise ModelFaultError("model", f"{path.name} is not an embedding model.")
        self.dimensions = self._llama.n_embd()
        self.context_tokens = context_tokens

    def _open(self, path: Path, context_tokens: int, threads: int) -> Llama:
        try:
            import llama_cpp  # noqa: PLC0415 - a third of a second; `hello` must not wait for it
        except Exception as error:
            # A half-installed or foreign build fails with whatever its loader raises.
            raise ModelFaultError(
                "engine", f"The model engine llama.cpp cannot be loaded: {error}."
            ) from error
        self._log.listen()
        self._log.errors.clear()
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
            why = self._log.first_error or str(error)
            raise ModelFaultError("model", f"The model file {path.name} cannot be read: {why}.") from error

    def vector(self, text: str) -> bytes:
        """The text's vector: float32, little-endian, length 1. Too long a text is cut at the context's end.

        Texts go one by one: side by side in one batch, each would pay for the attention to all others.
        """
        numbers = self._llama.embed(text, normalize=True)
        return struct.pack(f"<{self.dimensions}f", *numbers)


class _NativeLog:
    """What llama.cpp logs as errors; stderr gets it too. One a process: native code keeps calling it."""

    def __init__(self) -> None:
        self.errors: deque[str] = deque(maxlen=_LOG_LINES)
        self._stderr = os.dup(2)  # the binding closes descriptor 2 to native code while it loads
        self._callback: object = None

    @property
    def first_error(self) -> str:
        """The first is the cause, the rest says what failed with it. Empty if there was none."""
        return _FUNCTIONS.sub("", self.errors[0]) if self.errors else ""

    def listen(self) -> None:
        """Take the place of the binding's own callback."""
        import llama_cpp  # noqa: PLC0415 - as above

        if self._callback is None:

            @llama_cpp.llama_log_callback  # type: ignore[untyped-decorator] # made by ctypes
            def heard(level: int, text: bytes, _: Any) -> None:  # noqa: ANN401 - ctypes' void pointer
                self._hear(level, text)

            self._callback = heard
            llama_cpp.llama_log_set(heard, None)

    def _hear(self, level: int, text: bytes) -> None:
        if level != _ERROR_LEVEL:
            return
        os.write(self._stderr, text)
        line = " ".join(text.decode("utf-8", "replace").split()).rstrip(".")
        if line:
            self.errors.append(line)


@cache
def _native_log() -> _NativeLog:
    return _NativeLog()
