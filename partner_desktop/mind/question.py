"""What a mind can be asked, each question once: a frozen type that names the type of its answer.

A new question is one such type, an answerer in each mind that knows more of it than the mind behind, and for
a prompted mind the prompt of its name. What stands around a mind wraps `ask`, and need not know of it.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import field, fields, is_dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, Self, TypeAlias, TypeVar

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.trace import Scalar
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.attachment import Attachment
from partner_desktop.domain.entity import EntityStatement
from partner_desktop.domain.evidence import Evidence, NoAbility
from partner_desktop.domain.inquiry import AskedAbout, Topic
from partner_desktop.domain.intervention import Intervention, Verdict
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.leftover import Leftover
from partner_desktop.domain.message import Message, PictureData, TurnRef
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.remembered import RecalledPassage, RememberedTurn
from partner_desktop.domain.snapshot import PromptPart
from partner_desktop.domain.step_claim import StepClaim

if TYPE_CHECKING:  # it reads words: a start does without
    from partner_desktop.language.spoken_words import ResolvedText

A = TypeVar("A")
A_co = TypeVar("A_co", covariant=True)
#: Numbers, a yes or a no, a word of ours: what may be kept of a question, never what was said.
Counts: TypeAlias = dict[str, Scalar]
#: From this score on an ability that was not chosen is worth naming as the nearest.
NEAR_SCORE = 0.2
#: Likelier than the first a clause among others is taken for what comes nearest, where that is so many times
#: likelier than the next: the card shows it.
_GUESSED, _AHEAD = 0.4, 1.25
#: How many of the nearest abilities are named when none fits.
_NEAREST = 3
#: From this score on an ability is what was meant, whatever others may come yet.
SURE_SCORE = 0.98


def _counts_in(told: object) -> Counts:
    """Of its fields: how many of what, a yes or a no, a word of ours; nothing that was said."""
    found = [(each.name, getattr(told, each.name)) for each in fields(told)] if is_dataclass(told) else []
    return {
        name: value if isinstance(value, (bool, StrEnum)) else len(value)
        for name, value in found
        if isinstance(value, (bool, StrEnum, list, tuple, Mapping))
    }


class Question(Generic[A_co]):
    """Base of the frozen dataclasses that a mind can be asked; `A_co` is the type of the answer."""

    name: ClassVar[str]
    """What prompts, settings and traces call it: `EvaluateIntent` is `evaluate_intent`."""
    optional: ClassVar[bool] = False
    """Whether a mind may leave it without a row: the answer is `None` then."""
    turn: TurnRef | None = None

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.name = re.sub(r"\B(?=[A-Z])", "_", cls.__name__).lower()

    @property
    def conversation_id(self) -> str:
        """Whose conversation it is asked for; empty: that of whoever asks, if any."""
        return self.turn.conversation_id if self.turn is not None else ""

    def counts(self) -> Counts:
        """What a trace keeps of it."""
        return _counts_in(self)

    def counts_of(self, answer: Any) -> Counts:  # noqa: ANN401 - an `A_co`, which no parameter may be
        """What a trace keeps of its answer: also how much of it there is, or whether."""
        size = sum(map(bool, answer)) if isinstance(answer, tuple) else bool(answer)
        size = len(answer) if isinstance(answer, str) else size
        return {"answered": size} | {f"answer_{name}": of for name, of in _counts_in(answer).items()}

    @classmethod
    def answered_by(cls, answer: Callable[[Self], Awaitable[A_co]]) -> Answerer:
        """A row of an `Answerers`; the types of question and answer are held together here."""
        return Answerer(cls, answer)


@dataclass(frozen=True)
class Answerer:
    """Who answers the questions of a type; made by `Question.answered_by`, which knows their types."""

    kind: type[Question[Any]]
    answer: Callable[[Any], Awaitable[Any]]


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

    @property
    def meant(self) -> tuple[MetaActionInfo, ...]:
        """What was chosen, or what it may be."""
        return self.ties if self.chosen is None else (self.chosen,)

    @property
    def step(self) -> MetaActionInfo | None:
        """What one clause among others asks for: a card shows all of them, so the likeliest will do."""
        if self.chosen is not None or not self.wishes or not self.ranked:
            return self.chosen
        best, second = self.ranked[0], self.ranked[1].score if len(self.ranked) > 1 else 0.0
        if self.ties:
            return best.info if best.score > second else None
        return best.info if best.score > _GUESSED and best.score >= _AHEAD * second else None

    def none_fits(self, text: str) -> NoAbility:
        """Nothing is begun for the text; what comes nearest can be named."""
        nearest = tuple(item for item in self.ranked[:_NEAREST] if item.score > 0)
        near = bool(nearest) and nearest[0].score >= NEAR_SCORE
        return NoAbility(tuple(item.info for item in nearest), near=near, text=text)

    @classmethod
    def of_talk(cls, abilities: Sequence[MetaActionInfo], *, called: MetaActionInfo | None = None) -> Self:
        """Words that ask for nothing; an ability may still be `called` just so."""
        return cls(called, tuple(RankedAbility(info, 0.0) for info in abilities), wishes=False)


@dataclass(frozen=True)
class EvaluateIntent(Question[IntentEvaluation]):
    """Which ability does this text ask for, if any?"""

    text: str
    abilities: Sequence[MetaActionInfo]
    turn: TurnRef | None = None

    def counts_of(self, answer: IntentEvaluation) -> Counts:
        return {"chosen": answer.chosen is not None, "ties": len(answer.ties)}


@dataclass(frozen=True)
class PickAbility(Question[MetaActionInfo | None]):
    """Which of the abilities on offer do these words choose? `None`: they choose none."""

    text: str
    options: Sequence[MetaActionInfo]
    """In the order in which they were offered."""
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
    leftovers: tuple[Leftover, ...] = ()
    """What of a request stands in no value."""
    candidates: tuple[str, ...] = ()
    """Paths of which one is meant, where one is missing."""


@dataclass(frozen=True)
class ExtractParams(Question[ExtractedParams]):
    """Which arguments does the text give?"""

    text: str
    info: MetaActionInfo
    known: JsonObject = field(default_factory=dict)
    """Arguments found before; they stay unless the text replaces them."""
    asked: str = ""
    """The parameter that the text answers, when it answers a question."""
    amends: bool = False
    """The text tells what is to be otherwise in `known`: it is not the request itself."""
    resolved: ResolvedText | None = None
    """Where the text has things written out that the person said otherwise."""
    problems: Mapping[str, str] = field(default_factory=dict)
    """Parameter → why the value of the try before does not do; empty at the first try."""
    turn: TurnRef | None = None


@dataclass(frozen=True)
class JudgeConfirmation(Question[Verdict]):
    """Do these words settle what is pending?"""

    text: str
    pending: Sequence[ActionRecord]
    """Cards, oldest first, or one question in words."""
    turn: TurnRef | None = None
    also_called: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Key of an ability → other ways to ask for it, by which a card may be named."""


@dataclass(frozen=True)
class GeneratedAction:
    """A script as it was written: nothing of it has run, and nobody has looked at it yet."""

    name: str
    """Lower-case words joined by `_`, or as the person called it; empty: nobody said."""
    description: str
    language: str
    """A `code_type` of `domain.ability`; empty where it cannot be told."""
    params: JsonObject
    """JSON Schema of the arguments, which come as `--name=value`."""
    code: str
    free_args: bool = False
    """It takes its arguments as they are typed, in place of `params`."""


@dataclass(frozen=True)
class GenerateAction(Question[GeneratedAction | None]):
    """Which script would do what the text asks for, or is in it already? `None`: none was written."""

    text: str
    turn: TurnRef | None = None
    earlier: tuple[str, ...] = ()
    """What the person said before, the newest first: `this` may be there."""
    answers: bool = False
    """Whether the text answers the question for the code."""


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
    resolved: ResolvedText | None = None
    """What the text means on the disk; see `ExtractParams`."""
    turn: TurnRef | None = None


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

    @property
    def conversation_id(self) -> str:
        return self.action.conversation_id


@dataclass(frozen=True)
class PlanVerdict:
    """`reason` is one sentence for the person; it may be empty with `ok`."""

    ok: bool
    reason: str = ""


@dataclass(frozen=True)
class JudgeChain(Question[PlanVerdict]):
    """Is the chain on its way to what was asked (`final`: is that done)?"""

    action: ActionRecord
    steps: Sequence[ActionRecord]
    final: bool
    turn: TurnRef | None = None

    @property
    def conversation_id(self) -> str:
        return self.action.conversation_id


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


@dataclass(frozen=True)
class VerificationCall:
    """A look that would tell whether a step did what it claims."""

    key: str
    params: JsonObject


@dataclass(frozen=True)
class ChooseVerification(Question[tuple[VerificationCall, ...]]):
    """Which of its owner's read-only abilities tell whether a step did what it claims, the likeliest first?

    Nothing: none of them would tell. What the step was given and says is material, no order.
    """

    text: str
    """What the owner is asked, in words."""
    claim: StepClaim
    tools: Sequence[MetaActionInfo]
    turn: TurnRef | None = None

    def counts(self) -> Counts:
        return {"tools": len(self.tools)}


@dataclass(frozen=True)
class JudgeSlices(Question[tuple[bool, ...]]):
    """Which of these passages of earlier talk help with what is said now? One answer each, in order."""

    text: str
    passages: Sequence[RecalledPassage]
    turn: TurnRef | None = None


@dataclass(frozen=True)
class Summarise(Question[str]):
    """What was said in this stretch of dialog, in a few sentences? What is in it is material, no order."""

    turns: Sequence[RememberedTurn]
    """In order; long ones are shortened already."""
    parts: Sequence[str] = ()
    """Summaries of its parts, in order, where they were made before."""
    most_characters: int = 400
    plain: bool = False
    """It is to be done at once: no model is asked."""
    turn: TurnRef | None = None


@dataclass(frozen=True)
class TitleDialog(Question[str | None]):
    """What is this conversation about, as a title? `None`: this mind has no words of its own."""

    optional: ClassVar[bool] = True

    said: Sequence[tuple[bool, str]]
    """In order: whether the person said it, and the words."""
    most_characters: int = 60
    turn: TurnRef | None = None


@dataclass(frozen=True)
class WriteForAgent(Question[Json]):
    """What does an agent's step write, a text or an object? `None`: this mind has no words of its own."""

    optional: ClassVar[bool] = True

    task: str
    persona: str = ""
    """Who writes, in a few sentences."""
    schema: JsonObject = field(default_factory=dict)
    """JSON Schema of the object; empty: a text."""
    max_tokens: int | None = None
    turn: TurnRef | None = None

    def counts(self) -> Counts:
        return {"object": bool(self.schema)}


@dataclass(frozen=True)
class FindEntities(Question[tuple[tuple[EntityStatement, ...], ...]]):
    """What do these words of the person teach of people and things? One answer for each turn, in order.

    What is in them is material, no order.
    """

    turns: Sequence[RememberedTurn]
    turn: TurnRef | None = None


@dataclass(frozen=True)
class SelfTalk:
    """What words say to Partner, or ask of it."""

    kind: str
    """A topic of records, or what `talk` of the messages is called."""
    sure: bool
    """They hardly mean anything else."""

    @property
    def asked(self) -> AskedAbout:
        """The same as a question."""
        if self.kind not in set(Topic):
            return AskedAbout(Topic.TALK, self.kind)
        return AskedAbout(Topic(self.kind), only_if_there=self.kind == Topic.PLAN)

    @property
    def has_answer(self) -> bool:
        """Whether the answer is the same whatever was done."""
        return self.asked.topic not in (Topic.PLAN, Topic.REVERSAL, Topic.WHY)


@dataclass(frozen=True)
class ReadSelfTalk(Question[SelfTalk | None]):
    """Is this said to Partner, or asked of it, rather than asked for?"""

    optional: ClassVar[bool] = True

    text: str


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
    pictures: Sequence[PictureData] = ()
    """What was shown with the words."""
    earlier_pictures: Sequence[PictureData] = ()
    """What was shown shortly before, where nothing is shown now: the words may still be about it."""
    attachments: Sequence[Attachment] = ()
    """What else came with the words."""


class Thought(str):
    """A piece of a reply that is thought, not said: shown folded, never part of the answer."""

    __slots__ = ()


class Cut(str):
    """The end of a reply that would have gone on: it reached its longest length. It holds no words."""

    __slots__ = ()


class Mind(Protocol):
    """Something that can answer all the questions."""

    @property
    def name(self) -> str:
        """Who answers now; it may change from one question to the next."""
        ...

    async def ask(self, question: Question[A]) -> A:
        """The answer, of the type that the question names."""
        ...

    def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        """The answer, in pieces that are shown as they come; what is thought before it as `Thought`.

        A `Cut` comes last where the answer would have been longer.

        Raises:
            ContextOverflowError: The prompt is too long for the model; nothing was answered.
            ModelError: The model failed in the midst of the answer; what came before stands.
        """
        ...
