"""Reply: an answer in the making, said and thought."""

from __future__ import annotations

from dataclasses import dataclass, field

from partner_desktop.communication.marker import MarkerGate
from partner_desktop.runtime.flow import Draft


@dataclass
class Reply:
    """`draft` is its row, from the first piece on that is shown."""

    draft: Draft | None = None
    gate: MarkerGate = field(default_factory=MarkerGate)
    pieces: list[str] = field(default_factory=list)
    """All that was said, be it for the person or not."""
    shown: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    saved_at_s: float = 0.0
    cut: bool = False
    """It would have gone on."""

    @property
    def text(self) -> str:
        self.shown = ["".join(self.shown)]  # so that a checkpoint joins what is new, not every piece again
        return self.shown[0]

    @property
    def reasoning(self) -> str:
        """What was thought: beside the text, never in it."""
        self.thoughts = ["".join(self.thoughts)]
        return self.thoughts[0]

    @property
    def begun(self) -> bool:
        """Whether the mind has given anything yet."""
        return bool(self.pieces) or any(self.thoughts)
