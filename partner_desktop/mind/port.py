"""Every question that the runtime asks a mind, once: a typed request and a typed answer."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.evidence import Evidence
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.message import Message
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.snapshot import PromptPart

#: From this score on an ability that was not chosen is worth naming as the nearest.
NEAR_SCORE = 0.2


@dataclass(frozen=True)
class EvaluateIntent:
    """Which ability does this text ask for, if any?"""

    text: str
    abilities: Sequence[MetaActionInfo]


@dataclass(frozen=True)
class RankedAbility:
    """An ability and how well it fits."""

    info: MetaActionInfo
    score: float
    """0 (shares nothing) to 1 (says the same)."""


@dataclass(frozen=True)
class IntentEvaluation:
    """`chosen` is `None` when the mind abstains or cannot tell `ties` apart; `ranked` is best first."""

    chosen: MetaActionInfo | None
    ranked: tuple[RankedAbility, ...]
    ties: tuple[MetaActionInfo, ...] = ()
    """Abilities that fit well and about equally: one of them was meant, the person knows which."""


@dataclass(frozen=True)
class PickAbility:
    """Which of the abilities on offer do these words choose?"""

    text: str
    options: Sequence[MetaActionInfo]
    """In the order in which they were offered."""


@dataclass(frozen=True)
class ExtractParams:
    """Which arguments does the text give?"""

    text: str
    info: MetaActionInfo
    known: JsonObject = field(default_factory=dict)
    """Arguments found before; they stay unless the text replaces them."""
    asked: str = ""
    """The parameter that the text answers, when it answers a question."""
    problems: Mapping[str, str] = field(default_factory=dict)
    """Parameter → why the value of the try before does not do; empty at the first try."""


@dataclass(frozen=True)
class ExtractedParams:
    """What was found. Values have the types that the schema asks for."""

    values: dict[str, Json]
    missing: tuple[str, ...]
    """Required parameters without a value, in declared order."""
    problem: str = ""
    """With an asked parameter: why the text does not give it."""
    unsure: bool = False
    """With an asked parameter: the text may as well be about something else (a name, or a request?)."""


class Confirmation(StrEnum):
    """What the person's words mean for a pending proposal or question."""

    CONFIRM = "confirm"
    REJECT = "reject"
    OTHER = "other"
    """The words are about something else."""


@dataclass(frozen=True)
class JudgeConfirmation:
    """Do these words settle what is pending?"""

    text: str
    pending: Sequence[ActionRecord]


@dataclass(frozen=True)
class ReplyRequest:
    """What to answer, and all that may be claimed."""

    text: str
    """The person's words; empty in a self turn."""
    evidence: Sequence[Evidence]
    """What happened in this turn."""
    abilities: Sequence[MetaActionInfo]
    """What can be done here and now."""
    recent: Sequence[Message] = ()
    prompt: Sequence[PromptPart] = ()
    """The same as a prompt, ready for a model: what is sent is these texts, word by word."""


class Mind(Protocol):
    """Something that can answer all the questions."""

    name: str

    async def evaluate_intent(self, request: EvaluateIntent) -> IntentEvaluation: ...

    async def pick_ability(self, request: PickAbility) -> MetaActionInfo | None:
        """The option that was chosen; `None` when the words choose none."""
        ...

    async def extract_params(self, request: ExtractParams) -> ExtractedParams: ...

    async def judge_confirmation(self, request: JudgeConfirmation) -> Confirmation: ...

    def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        """The answer, in pieces that are shown as they come."""
        ...
