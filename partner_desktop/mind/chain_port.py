"""What the runtime asks a mind about work of several steps: typed requests and answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.intervention import Intervention
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.turn_ref import TurnRef


@dataclass(frozen=True)
class ExtractIntents:
    """Which things are asked for in this text, and in which order?"""

    text: str
    abilities: Sequence[MetaActionInfo]
    turn: TurnRef | None = None


@dataclass(frozen=True)
class Intents:
    """One request: its stages in order, each the words of the parts that may be done together.

    A request that is not compound is one stage of one part: the text as it was said.
    """

    stages: tuple[tuple[str, ...], ...]

    @property
    def compound(self) -> bool:
        """Whether there is more than one part."""
        return sum(len(stage) for stage in self.stages) > 1


@dataclass(frozen=True)
class CorrectChain:
    """Something went wrong: how is the chain to be changed so that it still does what was asked?"""

    action: ActionRecord
    """The chain, as it stands; `request_text` is what was asked."""
    steps: Sequence[ActionRecord]
    """What ran so far, in order, with the outcomes."""
    problem: str
    """What went wrong, in a sentence."""
    abilities: Sequence[MetaActionInfo]
    turn: TurnRef | None = None


@dataclass(frozen=True)
class JudgeChain:
    """Is the chain on its way to what was asked (`final`: is that done)?"""

    action: ActionRecord
    steps: Sequence[ActionRecord]
    final: bool
    turn: TurnRef | None = None


@dataclass(frozen=True)
class ChainVerdict:
    """`reason` is one sentence for the person; it may be empty with `ok`."""

    ok: bool
    reason: str = ""


@dataclass(frozen=True)
class ReadIntervention:
    """Do these words want something of a chain that waits or runs to be otherwise?"""

    text: str
    chains: Sequence[ActionRecord]
    """The chains that wait or run, oldest first."""
    abilities: Sequence[MetaActionInfo]
    turn: TurnRef | None = None


@dataclass(frozen=True)
class WordedIntervention:
    """What the words want of which chain."""

    action_id: str
    interventions: tuple[Intervention, ...]
    order: tuple[str, ...] = ()
    """The ids of all its steps as they are to follow each other; empty: the order stays."""


class ChainMind(Protocol):
    """The questions about chains."""

    async def extract_intents(self, request: ExtractIntents) -> Intents: ...

    async def correct_chain(self, request: CorrectChain) -> tuple[Intervention, ...]:
        """What to change; nothing where the mind knows no way."""
        ...

    async def judge_chain(self, request: JudgeChain) -> ChainVerdict: ...

    async def read_intervention(self, request: ReadIntervention) -> WordedIntervention | None:
        """`None` when the words are about something else."""
        ...
