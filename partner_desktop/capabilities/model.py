"""Models: who answers which question, within which limits. `model/shelf.py` has this face."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Protocol

from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.turn_ref import TurnRef
from partner_desktop.model.chat import ChatEvent, ChatMessage
from partner_desktop.model.room import PromptRoom

__all__ = ["ModelCapability", "PromptRoom"]


class ModelCapability(Protocol):
    """What the models offer to minds and modules."""

    def serves(self, question: str) -> str:
        """The name of the model that answers this question; empty: none, the starter mind does."""
        ...

    def persona(self, question: str) -> str:
        """Who speaks, where the settings say it otherwise than the shipped text; empty mostly."""
        ...

    def language(self) -> str:
        """`en` or `zh`: which of the shipped prompts are used."""
        ...

    def room(self, question: str) -> PromptRoom | None:
        """How long this question's prompt may be; `None` while nobody knows."""
        ...

    def call(
        self,
        question: str,
        messages: Sequence[ChatMessage],
        *,
        trunk: int,
        turn: TurnRef | None,
        schema: JsonObject | None = None,
        max_tokens: int | None = None,
    ) -> AsyncGenerator[ChatEvent, None]:
        """Ask the model of this question, as `ChatModel.chat` does; the call is booked however it ends.

        `max_tokens` lowers the settings' limit, never raises it.

        Raises:
            ModelError: No model serves the question, or see `ChatModel.chat`.
        """
        ...
