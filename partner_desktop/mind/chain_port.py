"""What the runtime asks a mind about work of several steps: typed requests and answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.intervention import Intervention
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.turn_ref import TurnRef
from partner_desktop.mind.question import Counts, Question


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
class ExtractIntents(Question[Intents]):
    """Which things are asked for in this text, and in which order?"""

    text: str
    abilities: Sequence[MetaActionInfo]
    turn: TurnRef | None = None

    def counts(self) -> Counts:
        return {"abilities": len(self.abilities)}

    def counts_of(self, answer: Intents) -> Counts:
        return {"stages": len(answer.stages)}


@dataclass(frozen=True)
class CorrectChain(Question[tuple[Intervention, ...]]):
    """Something went wrong: how is the chain to be changed so that it still does what was asked?

    No change at all: the mind knows no way.
    """

    action: ActionRecord
    """The chain, as it stands; `request_text` is what was asked."""
    steps: Sequence[ActionRecord]
    """What ran so far, in order, with the outcomes."""
    problem: str
    """What went wrong, in a sentence."""
    abilities: Sequence[MetaActionInfo]
    turn: TurnRef | None = None

    def counts(self) -> Counts:
        return {"steps": len(self.steps)}

    def counts_of(self, answer: tuple[Intervention, ...]) -> Counts:
        return {"interventions": len(answer)}


@dataclass(frozen=True)
class ChainVerdict:
    """`reason` is one sentence for the person; it may be empty with `ok`."""

    ok: bool
    reason: str = ""


@dataclass(frozen=True)
class JudgeChain(Question[ChainVerdict]):
    """Is the chain on its way to what was asked (`final`: is that done)?"""

    action: ActionRecord
    steps: Sequence[ActionRecord]
    final: bool
    turn: TurnRef | None = None

    def counts(self) -> Counts:
        return {"steps": len(self.steps), "final": self.final}

    def counts_of(self, answer: ChainVerdict) -> Counts:
        return {"ok": answer.ok}


@dataclass(frozen=True)
class WordedIntervention:
    """What the words want of which chain."""

    action_id: str
    interventions: tuple[Intervention, ...]
    order: tuple[str, ...] = ()
    """The ids of all its steps as they are to follow each other; empty: the order stays."""


@dataclass(frozen=True)
class ReadIntervention(Question[WordedIntervention | None]):
    """Do these words want something of a chain that waits or runs to be otherwise?

    `None`: they are about something else.
    """

    text: str
    chains: Sequence[ActionRecord]
    """The chains that wait or run, oldest first."""
    abilities: Sequence[MetaActionInfo]
    turn: TurnRef | None = None

    def counts(self) -> Counts:
        return {"chains": len(self.chains)}

    def counts_of(self, answer: WordedIntervention | None) -> Counts:
        return {"meant": answer is not None}
