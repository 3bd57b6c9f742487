"""TurnRef: which turn a question to the mind belongs to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TurnRef:
    """Enough to find the turn's dialog and to book what its calls cost."""

    conversation_id: str
    turn_id: str
    said: tuple[str, ...] = ()
    """Ids of the messages that the turn answers; the dialog before them is what a prompt begins with."""
