"""What flows through a turn: inputs from a source, and the context that modules run in."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from partner_desktop.base.ids import new_id
from partner_desktop.domain.evidence import Evidence
from partner_desktop.runtime.exchange import Exchange


@dataclass(frozen=True)
class Source:
    """Where input comes from. A conversation is part of it: its turns run one after another."""

    gateway: str
    conversation_id: str


@dataclass(frozen=True)
class FlowInput:
    """One thing said, or, in a self turn, what happened."""

    source: Source
    at: datetime
    exchange: Exchange
    text: str = ""
    evidence: tuple[Evidence, ...] = ()
    skip: frozenset[str] = frozenset()
    """Names of modules that leave this input out."""
    message_id: str = ""
    """The message, or the subject of the queue entry, that this input is about."""

    @property
    def is_self(self) -> bool:
        return not self.text


@dataclass(eq=False)
class RunningFlowContext:
    """One turn: its inputs in order of arrival, and where answers go."""

    conversation_id: str
    inputs: tuple[FlowInput, ...]
    turn_id: str = field(default_factory=new_id)

    @property
    def exchange(self) -> Exchange:
        """The exchange of the latest input; answers belong to it."""
        return self.inputs[-1].exchange

    @property
    def text(self) -> str:
        """All that was said, one line an input."""
        return "\n".join(item.text for item in self.inputs if item.text)

    @property
    def skip(self) -> frozenset[str]:
        """The union of what the inputs leave out."""
        return frozenset().union(*(item.skip for item in self.inputs))

    @property
    def is_self(self) -> bool:
        return all(item.is_self for item in self.inputs)
