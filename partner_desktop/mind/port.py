"""Every question that the runtime asks a mind, once: a typed request and a typed answer."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, Self

from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.card_verdict import Verdict
from partner_desktop.domain.evidence import Evidence
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.message import Message
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.snapshot import PromptPart
from partner_desktop.domain.turn_ref import TurnRef
from partner_desktop.mind.chain_port import ChainMind

#: From this score on an ability that was not chosen is worth naming as the nearest.
NEAR_SCORE = 0.2
#: From this score on an ability is what was meant, whatever others may come yet.
SURE_SCORE = 0.98


@dataclass(frozen=True)
class EvaluateIntent:
    """Which ability does this text ask for, if any?"""

    text: str
    abilities: Sequence[MetaActionInfo]
    turn: TurnRef | None = None


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
    wishes: bool = True
    """Whether the words may ask for an ability at all: small talk and what is to be left do not."""

    @classmethod
    def of_talk(cls, abilities: Sequence[MetaActionInfo], *, called: MetaActionInfo | None = None) -> Self:
        """Words that ask for nothing; an ability may still be `called` just so."""
        return cls(called, tuple(RankedAbility(info, 0.0) for info in abilities), wishes=False)


@dataclass(frozen=True)
class PickAbility:
    """Which of the abilities on offer do these words choose?"""

    text: str
    options: Sequence[MetaActionInfo]
    """In the order in which they were offered."""
    turn: TurnRef | None = None


@dataclass(frozen=True)
class ExtractParams:
    """Which arguments does the text give?"""

    text: str
    info: MetaActionInfo
    known: JsonObject = field(default_factory=dict)
    """Arguments found before; they stay unless the text replaces them."""
    asked: str = ""
    """The parameter that the text answers, when it answers a question."""
    amends: bool = False
    """The text tells what is to be otherwise in `known`: it is not the request itself."""
    problems: Mapping[str, str] = field(default_factory=dict)
    """Parameter → why the value of the try before does not do; empty at the first try."""
    turn: TurnRef | None = None


@dataclass(frozen=True)
class ExtractedParams:
    """What was found. Values have the types that the schema asks for."""

    values: dict[str, Json]
    missing: tuple[str, ...]
    """Required parameters without a value, in declared order."""
    problem: str = ""
    """Why the text does not give the asked parameter, or the first that is missing."""
    unsure: bool = False
    """With an asked parameter: the text may as well be about something else (a name, or a request?)."""


@dataclass(frozen=True)
class JudgeConfirmation:
    """Do these words settle what is pending?"""

    text: str
    pending: Sequence[ActionRecord]
    """Cards, oldest first, or one question in words."""
    turn: TurnRef | None = None
    also_called: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Key of an ability → other ways to ask for it, by which a card may be named."""


@dataclass(frozen=True)
class GenerateAction:
    """Which script would do what the text asks for, or is in it already?"""

    text: str
    turn: TurnRef | None = None
    earlier: tuple[str, ...] = ()
    """What the person said before, the newest first: `this` may be there."""
    answers: bool = False
    """Whether the text answers the question for the code."""


@dataclass(frozen=True)
class GeneratedAction:
    """A script as it was written: nothing of it has run, and nobody has looked at it yet."""

    name: str
    """Lower-case words joined by `_`, or as the person called it; empty: nobody said."""
    description: str
    language: str
    """A `code_type` of `domain.script_language`; empty where it cannot be told."""
    params: JsonObject
    """JSON Schema of the arguments, which come as `--name=value`."""
    code: str
    free_args: bool = False
    """It takes its arguments as they are typed, in place of `params`."""


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
    turn: TurnRef | None = None


class Thought(str):
    """A piece of a reply that is thought, not said: shown folded, never part of the answer."""

    __slots__ = ()


class Cut(str):
    """The end of a reply that would have gone on: it reached its longest length. It holds no words."""

    __slots__ = ()


class Mind(ChainMind, Protocol):
    """Something that can answer all the questions."""

    @property
    def name(self) -> str:
        """Who answers now; it may change from one question to the next."""
        ...

    async def evaluate_intent(self, request: EvaluateIntent) -> IntentEvaluation: ...

    async def pick_ability(self, request: PickAbility) -> MetaActionInfo | None:
        """The option that was chosen; `None` when the words choose none."""
        ...

    async def extract_params(self, request: ExtractParams) -> ExtractedParams: ...

    async def judge_confirmation(self, request: JudgeConfirmation) -> Verdict: ...

    async def generate_action(self, request: GenerateAction) -> GeneratedAction | None:
        """A script; `None` when none was written."""
        ...

    def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        """The answer, in pieces that are shown as they come; what is thought before it as `Thought`.

        A `Cut` comes last where the answer would have been longer.

        Raises:
            ContextOverflowError: The prompt is too long for the model; nothing was answered.
            ModelError: The model failed in the midst of the answer; what came before stands.
        """
        ...
