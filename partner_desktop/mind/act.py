"""Acts: what the person's words do, typed; and the state of the talk in which they do it.

What carries acts out reads no words. An interpretation is acts on what is open, and the words that are left
for something new.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime
from types import MappingProxyType
from typing import ClassVar, Literal, TypeAlias

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.evidence import NoYes
from partner_desktop.domain.inquiry import AskedAbout
from partner_desktop.domain.intervention import Confirmation, PlanEdit, Settled
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.message import TurnRef
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.plan import Plan
from partner_desktop.domain.remembered import FollowUp
from partner_desktop.domain.schedule import Schedule, Terms
from partner_desktop.domain.surroundings import NOWHERE, Surroundings
from partner_desktop.language.speech_acts.asked_about import ForgetOrder
from partner_desktop.language.spoken_words import PlainWords, ResolvedText
from partner_desktop.mind.question import (
    Counts,
    ExtractedParams,
    IntentEvaluation,
    Question,
    WordedIntervention,
)

# The state of the talk.


@dataclass(frozen=True)
class OpenQuestion:
    """What was asked in the chat and waits for its answer."""

    record: ActionRecord
    face: ActionRecord
    """What it is asked for: of a chain, one of its steps."""
    info: MetaActionInfo | None = None
    """The ability that lacks something; `None`: which of `options` was meant is what was asked."""
    options: tuple[MetaActionInfo, ...] = ()
    """In the order in which they were offered."""


@dataclass(frozen=True)
class TalkState:
    """What words may be about, as it is when they are read."""

    abilities: Sequence[MetaActionInfo]
    """All that can be called now."""
    question: OpenQuestion | None = None
    cards: tuple[ActionRecord, ...] = ()
    """What waits for a yes or no, oldest first."""
    told_since: frozenset[str] = frozenset()
    """Those that are the last thing, too, and were told only after the person spoke."""
    said_last: frozenset[str] = frozenset()
    """The ids of the cards that were told of last."""
    running: tuple[ActionRecord, ...] = ()
    """What runs and can be stopped, oldest first; a step is a part of its chain."""
    surroundings: Surroundings = NOWHERE
    """What of the disk and of earlier results words may mean."""
    also_called: Mapping[str, Sequence[str]] = field(default_factory=lambda: MappingProxyType({}))
    """Key of an ability → other ways to ask for it, by which a card may be named."""
    before: Confirmation = Confirmation.OTHER
    """The plain yes or no that could have meant several cards, said just before."""
    last: ActionRecord | None = None
    """What was done last."""
    schedules: tuple[Schedule, ...] = ()
    """All that there are, the one that was made or told of last at the end; not those that are over, but for
    a reminder that was told last."""
    planned_last: str = ""
    """The id of the schedule that alone was told of last, where nothing was said since."""
    asked_when: str = ""
    """What was wanted just before, and Partner asked when."""
    beside_open: bool = False
    """The words are about nothing that is open, though a question or a card was the last thing said."""

    @property
    def may_be_answered(self) -> bool:
        """Whether a number could be for a question or a card: one was the last thing said."""
        return self.question is not None or bool(self.said_last) or self.beside_open

    @property
    def something_open(self) -> bool:
        """Whether anything waits for the person, or runs."""
        return self.question is not None or bool(self.cards or self.running)

    def with_nothing_open(self) -> TalkState:
        """The same for words that are about nothing that is open."""
        return replace(
            self, question=None, cards=(), said_last=frozenset(), told_since=frozenset(), running=(),
            beside_open=self.may_be_answered,
        )  # fmt: skip


# Acts on what is open.


@dataclass(frozen=True)
class Fill:
    """The open question is answered."""

    found: ExtractedParams
    elsewise: bool = False
    """The words may as well ask for something else: they do where the answer fits nothing that is there."""


@dataclass(frozen=True)
class ChooseAbility:
    """One of the abilities on offer was meant."""

    info: MetaActionInfo
    found: ExtractedParams


@dataclass(frozen=True)
class CallOff:
    """The open question is called off."""


#: What words ask back in place of an answer.
AskedBack = Literal["", "which", "why", "unknown", "again"]


@dataclass(frozen=True)
class AskAgain:
    """The words are about the open question and no answer to it."""

    back: AskedBack = ""


@dataclass(frozen=True)
class Leave:
    """The person went on to something else; the open question is kept for later."""


@dataclass(frozen=True)
class Decide:
    """A yes or a no, card by card."""

    settled: tuple[Settled, ...]
    held: Mapping[str, NoYes] = field(default_factory=lambda: MappingProxyType({}))
    """Id of a card → why the yes does not approve it."""


@dataclass(frozen=True)
class Unwanted:
    """A card is not wanted."""

    card_id: str


@dataclass(frozen=True)
class AskWhich:
    """The words are no plain yes or no, or could mean several of what waits."""

    said: Confirmation = Confirmation.OTHER
    near: tuple[str, ...] = ()
    """Paths one of which is meant in place of what the card has."""


@dataclass(frozen=True)
class Unkept:
    """What an ability cannot leave out, or keep to."""

    info: MetaActionInfo
    words: str


@dataclass(frozen=True)
class AmendCard:
    """A waiting card is wanted otherwise; with the arguments as they are, nothing of it could be changed."""

    card: ActionRecord
    params: JsonObject
    step_id: str = ""
    """Of a chain: the step whose arguments these are."""
    edit: PlanEdit | None = None
    """Of a chain: all of it as it is wanted, in place of `params`."""
    changed: tuple[str, ...] = ()
    """With `edit`: the parameters that change."""
    unkept: Unkept | None = None
    """What the words want and the ability would go against: the card is not to be done at all."""

    @property
    def new_values(self) -> list[Json]:
        """The arguments that are other than the card's."""
        return [value for name, value in self.params.items() if self.card.params.get(name) != value]


@dataclass(frozen=True)
class Intervene:
    """A chain that waits or runs is wanted otherwise."""

    wish: WordedIntervention


@dataclass(frozen=True)
class Stop:
    """Runs are to end; no id: it cannot be told which."""

    ids: tuple[str, ...]


# New acts.


@dataclass(frozen=True)
class Recollection:
    """What a request may want of earlier talk."""

    asked: bool
    """The words ask what was said."""
    fact: bool
    """They ask for a fact, which may have been said."""
    follow_up: FollowUp | None = None


@dataclass(frozen=True)
class Condition:
    """What a request hangs on."""

    clause: str
    before: str
    """What is asked for in any case."""
    stretch: str
    """The condition with all that hangs on it."""


@dataclass(frozen=True)
class Request:
    """Something is asked for, or talked about."""

    inputs: tuple[int, ...]
    """Which of the things said it is, counted from 0."""
    resolved: ResolvedText
    evaluation: IntentEvaluation
    compound: bool = False
    """It may ask for several things."""
    recollection: Recollection | None = None
    condition: Condition | None = None
    preview: bool = False
    """Only what would come of it is wanted."""
    terms: Terms | None = None
    """When it is wanted, where that is not now; with a message, it is a reminder and nothing is meant by the
    evaluation."""

    @property
    def text(self) -> str:
        """What was said, with what its words mean written out."""
        return self.resolved.text


@dataclass(frozen=True)
class Again:
    """What was done last is wanted once more, as it was or with something else."""

    text: str
    record: ActionRecord | None
    """What is to be done; `None`: nothing was done here, or it cannot be so."""
    params: JsonObject = field(default_factory=dict)
    key: str = ""
    """The ability that looks at what it left, in place of its own."""
    chain: Plan | None = None
    terms: Terms | None = None
    """When, where it is wanted later."""


@dataclass(frozen=True)
class Forget:
    """What was said is to be erased."""

    text: str
    order: ForgetOrder


@dataclass(frozen=True)
class AskAbout:
    """Something is asked that records answer: what was done, what waits, what can be done."""

    asked: AskedAbout


@dataclass(frozen=True)
class NoTime:
    """Something is wanted later, and there is no such time, or it cannot be told which."""

    text: str
    why: Literal["past", "never", "unclear", "often", "unjoined"]


@dataclass(frozen=True)
class AskSchedules:
    """What is planned is asked for; between two times, where any is named."""

    text: str
    since: datetime | None = None
    until: datetime | None = None


#: What is to become of them.
ChangeDeed = Literal["cancelled", "skipped", "moved", "paused", "resumed", "run", "snoozed", "done"]


@dataclass(frozen=True)
class ChangeSchedule:
    """Something is to become of schedules that there are."""

    text: str
    deed: ChangeDeed
    ids: tuple[str, ...]
    """Of those that are meant; none: there is none of the kind."""
    at: datetime | None = None
    """With `skipped`: the single time; with `snoozed`: until when."""
    terms: Terms | None = None
    """With `moved`: when instead."""


OpenAct: TypeAlias = (
    Fill | ChooseAbility | CallOff | AskAgain | Leave | Decide | AskWhich | AmendCard | Intervene | Stop
)
#: What words may do by somebody's reading alone: a yes is none of it.
OpenWords: TypeAlias = Fill | CallOff | AskAgain | Leave | Unwanted | AmendCard | Stop | AskAbout
NewAct: TypeAlias = Request | Again | Forget | AskAbout | NoTime | AskSchedules | ChangeSchedule
Act: TypeAlias = OpenAct | NewAct


@dataclass(frozen=True)
class Interpretation:
    """What words do."""

    acts: tuple[Act, ...] = ()
    rest: str | None = None
    """What of the words is left for something new; `None`: nothing."""

    @classmethod
    def of(cls, *acts: Act) -> Interpretation:
        """All of the words do this."""
        return cls(acts)


@dataclass(frozen=True)
class Interpret(Question[Interpretation]):
    """What do these words do?

    Where something is open, `texts` is one thing said, and what it does to that is the answer, with what is
    left of it; else it is all that was said together.
    """

    texts: tuple[str, ...]
    state: TalkState
    at: datetime
    """When the first was said, by the person's clock."""
    unrecorded: bool = False
    """Records were looked at for it and say nothing: it is no question about them."""
    plainly: tuple[PlainWords, ...] = ()
    """How `texts` were said, where they were said otherwise."""
    turn: TurnRef | None = None

    def counts(self) -> Counts:
        return super().counts() | {"cards": len(self.state.cards)}

    def counts_of(self, answer: Interpretation) -> Counts:
        return {"acts": len(answer.acts), "left": answer.rest is not None}


@dataclass(frozen=True)
class ReadOpenWords(Question["OpenWords | None"]):
    """What do these words do to what is open? It is asked where no rule tells.

    `None`: that cannot be told. There is no answer that is a yes: whoever answers approves and runs nothing.
    """

    optional: ClassVar[bool] = True

    asked: Interpret
    """One thing said, while something is open."""
    turn: TurnRef | None = None

    def counts(self) -> Counts:
        return self.asked.counts()
