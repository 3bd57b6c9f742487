"""What llama.cpp says of its errors, and the import of the engine itself.

What goes wrong with a model is said as the worker tells it to the app.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

from partner_desktop.model.worker.frames import FailureKind

_LOG_LINES = 20
_DAMAGED = "it is damaged or incomplete"
#: `GGML_LOG_LEVEL_ERROR`
_ERROR_LEVEL = 4
#: Where in llama.cpp something was said.
_FUNCTIONS = re.compile(r"^(?:\w+: )*(?:error loading model: )?(?:\w+: )*")


class NativeLog:
    """What llama.cpp logs as errors; stderr gets it too. One a process: native code keeps calling it."""

    def __init__(self) -> None:
        self.errors: deque[str] = deque(maxlen=_LOG_LINES)
        self._stderr = os.dup(2)  # the binding closes descriptor 2 to native code while it loads
        self._callback: object = None

    @property
    def first_error(self) -> str:
        """The first is the cause, the rest says what failed with it. Empty if there was none."""
        return _FUNCTIONS.sub("", self.errors[0]) if self.errors else ""

    @property
    def why(self) -> str:
        """For a person, why a file is not read; which of its tensors ends too early is for nobody."""
        return _DAMAGED if "corrupted or incomplete" in self.first_error else self.first_error

    def listen(self) -> None:
        """Take the place of the binding's own callback."""
        import llama_cpp  # noqa: PLC0415 - as in require_engine

        if self._callback is None:

            @llama_cpp.llama_log_callback  # type: ignore[untyped-decorator] # made by ctypes
            def heard(level: int, text: bytes, _: Any) -> None:  # noqa: ANN401 - ctypes' void pointer
                self._hear(level, text)

            self._callback = heard
            self.listen_to(llama_cpp.llama_log_set)

    def listen_to(self, set_callback: Callable[[Any, None], object]) -> None:
        """Hear another of llama.cpp's libraries, too."""
        set_callback(self._callback, None)

    def _hear(self, level: int, text: bytes) -> None:
        if level != _ERROR_LEVEL:
            return
        os.write(self._stderr, text)
        line = " ".join(text.decode("utf-8", "replace").split()).rstrip(".")
        if line:
            self.errors.append(line)


@cache
def native_log() -> NativeLog:
    """The process's one."""
    return NativeLog()


def require_engine() -> ModuleType:
    """llama.cpp's binding, imported now, its errors heard.

    Raises:
        ModelFaultError: It cannot be loaded.
    """
    log = native_log()
    try:
        import llama_cpp  # noqa: PLC0415 - a third of a second; `hello` must not wait for it
    except Exception as error:
        # A half-installed or foreign build fails with whatever its loader raises.
        raise ModelFaultError("engine", f"The model engine llama.cpp cannot be loaded: {error}.") from error
    log.listen()
    log.errors.clear()
    return llama_cpp


class ModelFaultError(Exception):
    """A model cannot be opened or used; `message` is a sentence for a person."""

    def __init__(
        self,
        kind: FailureKind,
        message: str,
        *,
        prompt_tokens: int = 0,
        context_tokens: int = 0,
        needed_bytes: int = 0,
        free_bytes: int = 0,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.prompt_tokens = prompt_tokens
        self.context_tokens = context_tokens
        self.needed_bytes, self.free_bytes = needed_bytes, free_bytes


class CancelledFaultError(ModelFaultError):
    """Whoever asked gave up."""

    def __init__(self) -> None:
        super().__init__("cancelled", "It was cancelled.")
