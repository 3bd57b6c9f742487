"""What goes wrong with a model, as the worker says it to the app."""

from __future__ import annotations

from partner_desktop.model.worker.frames import FailureKind


class ModelFaultError(Exception):
    """A model cannot be opened or used; `message` is a sentence for a person."""

    def __init__(
        self, kind: FailureKind, message: str, *, prompt_tokens: int = 0, context_tokens: int = 0
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.prompt_tokens = prompt_tokens
        self.context_tokens = context_tokens


class CancelledFaultError(ModelFaultError):
    """Whoever asked gave up."""

    def __init__(self) -> None:
        super().__init__("cancelled", "It was cancelled.")
