"""The trunk: the beginning that all prompts of a conversation share. `communication/trunk.py` keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from partner_desktop.domain.snapshot import PromptPart
from partner_desktop.domain.turn_ref import TurnRef


@dataclass(frozen=True)
class Trunk:
    """Parts in order: persona, capabilities, retained dialog. The same for every question of a turn."""

    parts: tuple[PromptPart, ...]
    fresh: str = ""
    """Abilities that came, changed or went since the digest was made, as text for the tail; empty: none."""


class TrunkCapability(Protocol):
    """What communication offers to the mind."""

    async def trunk(self, turn: TurnRef) -> Trunk:
        """The trunk of a turn's prompts; made once a turn, and to the letter the same until the dialog rolls.

        Raises:
            StorageError: The dialog cannot be read.
        """
        ...
