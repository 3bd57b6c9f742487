"""From a request to an open chat model. Imports the engine only once it is known to be there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from partner_desktop.model.worker.frames import Load
from partner_desktop.model.worker.llama.faults import ModelFaultError
from partner_desktop.model.worker.llama.native_log import require_engine

if TYPE_CHECKING:
    from partner_desktop.model.worker.llama.chat_model import ChatModel

_MAGIC = b"GGUF"


def open_chat_model(
    request: Load, *, tell: Callable[[float], None], gave_up: Callable[[], bool]
) -> ChatModel:
    """Open the file.

    Raises:
        ModelFaultError: There is no engine, or the file is none to chat with.
        CancelledFaultError: It was given up.
    """
    path = Path(request.path)
    _look_at(path)
    require_engine()
    from partner_desktop.model.worker.llama.chat_model import ChatModel  # noqa: PLC0415 - needs the engine
    from partner_desktop.model.worker.llama.loading import Wish  # noqa: PLC0415 - as above

    wish = Wish(request.context_tokens, request.threads, request.gpu_layers)
    return ChatModel(path, wish, tell=tell, gave_up=gave_up)


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
