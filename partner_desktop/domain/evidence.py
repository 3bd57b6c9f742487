"""Evidence: what really happened in a turn, typed. A reply may claim nothing else."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.command_session import CommandSession
from partner_desktop.domain.entity import Attribute, Entity, EntityFact, KnownOfPerson
from partner_desktop.domain.inquiry import AskedAbout, Deed
from partner_desktop.domain.message import Message
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.remembered import RecalledPassage, RememberedTurn
from partner_desktop.domain.schedule import Schedule

#: It may have been done already; something before it went wrong; it is not what was approved.
AsksAnew = Literal["", "left_open", "rerouted", "broke_before", "changed"]

#: Why a yes in words approved nothing: Partner said something else since; nothing holds the action, so that
#: the words must name it. Empty: it was no plain yes, or could mean several.
NoYes = Literal["", "not_last", "halted", "not_named"]


@dataclass(frozen=True)
class Proposed:
    """A card waits for the person's decision."""

    action: ActionRecord
    place: Message | None = None
    """The message kept free above the card, for the sentence that leads to it."""
    why: AsksAnew = ""
    """Of a step of a chain that was approved: why it asks all the same."""
    unused: tuple[str, ...] = ()
    """What of the words is in no argument, as it was said."""
    unsaid: str = ""
    """The folder that it looks into though none was said."""


@dataclass(frozen=True)
class Started:
    """A run began without a question: policy or an earlier grant allows it."""

    action: ActionRecord


@dataclass(frozen=True)
class Withheld:
    """Nothing ran: policy, or the standing answer of whoever asked, forbids it."""

    action: ActionRecord
    reason: str


@dataclass(frozen=True)
class Asked:
    """A required parameter is missing; the person is asked for it."""

    action: ActionRecord
    param: str
    hint: str
    """The parameter's own description."""
    problem: str = ""
    """Why what was given does not do; empty when nothing was given."""
    back: Literal["", "which", "why", "unknown", "later", "again"] = ""
    """What the person said in place of an answer; `later`: something else, so that it is asked when that is
    done; `again`: that is done."""
    examples: tuple[str, ...] = ()
    """What there is to choose from, as far as it is known."""


@dataclass(frozen=True)
class Choice:
    """Several abilities may have been meant; the person is asked which."""

    action: ActionRecord
    options: tuple[MetaActionInfo, ...]
    """The likeliest first."""
    again: bool = False
    """The answer before did not settle it."""


@dataclass(frozen=True)
class Finished:
    """An action reached its end, whatever the outcome."""

    action: ActionRecord
    steps: tuple[ActionRecord, ...] = ()
    """Of a chain: what its steps did, in order."""


@dataclass(frozen=True)
class Dropped:
    """The person called an open question or proposal off."""

    action: ActionRecord


@dataclass(frozen=True)
class Reminded:
    """A card waits still, and its time is nearly up: `action.waits_until`."""

    action: ActionRecord


@dataclass(frozen=True)
class Amended:
    """The person wants a waiting action otherwise; it was not run, and its card asks again."""

    action: ActionRecord
    """As it is shown now."""
    changed: tuple[str, ...] = ()
    """The arguments that have another value now; empty: nothing of it could be changed."""
    problem: str = ""
    """Why not, where that is known."""


@dataclass(frozen=True)
class Unsettled:
    """The words are no plain yes or no, could mean several waiting actions, or are a yes that does not do."""

    actions: tuple[ActionRecord, ...]
    why: NoYes = ""
    near: tuple[str, ...] = ()
    """Paths of which one was meant, where the words do not tell which."""


@dataclass(frozen=True)
class Described:
    """The person asked what waits or runs, and with what; nothing was done."""

    actions: tuple[ActionRecord, ...]
    """Empty: there is nothing."""
    step: int = 0
    """Of the only one, a chain: the number of the step that was asked about; 0: all."""
    beyond: bool = False
    """It was asked what nobody here can say, too."""


@dataclass(frozen=True)
class Recounted:
    """The person asked about what was done; nothing was done now."""

    asked: AskedAbout
    deeds: tuple[Deed, ...]
    """What it is about, the newest first; empty: there is nothing of the kind."""
    today: date
    unknown: tuple[ActionRecord, ...] = ()
    """Runs among which such a deed might be, for nothing watched what they change."""


@dataclass(frozen=True)
class Explained:
    """The person asked what an ability does, or what can be done."""

    asked: AskedAbout
    abilities: tuple[MetaActionInfo, ...]
    """Those that do it, the likeliest first; empty: nothing does."""
    nearest: tuple[MetaActionInfo, ...] = ()
    """With none: what comes near."""
    waiting: tuple[ActionRecord, ...] = ()
    """The card that the question is about."""


@dataclass(frozen=True)
class Disclosed:
    """The person asked who answers, who gets what is said, or where it is kept."""

    asked: AskedAbout
    model: str = ""
    """The model that answers; empty: none does."""
    away: tuple[tuple[str, str], ...] = ()
    """The models in use that are no files on this computer, with their addresses."""
    servers: tuple[str, ...] = ()
    """Programs of others whose tools can be called."""
    online: tuple[MetaActionInfo, ...] = ()
    """The abilities that may reach the network."""
    home: str = ""
    """Where everything is kept."""


@dataclass(frozen=True)
class Intervened:
    """The person wanted a chain otherwise."""

    action: ActionRecord
    """As it is now."""
    done: tuple[str, ...] = ()
    """What was changed, a sentence each."""
    refused: tuple[str, ...] = ()
    """What was not, and why, a sentence each."""


@dataclass(frozen=True)
class NoAbility:
    """Nothing here does what was asked; `nearest` are the closest that exist, best first."""

    nearest: tuple[MetaActionInfo, ...]
    near: bool
    """Whether the nearest share anything with the request at all."""
    text: str = ""
    """What of the turn's words this is about; empty: all of them."""
    left_out: bool = False
    """It is a part of a request, and the other parts were seen to."""
    condition: bool = False
    """It is, or hangs on, a condition: nothing can be made to depend on that."""
    exclusion: bool = False
    """What the nearest would have to leave out, or keep to, and cannot: nothing was begun."""


@dataclass(frozen=True)
class Initiated:
    """Partner began this turn itself; `text` is what about. Nobody said it."""

    text: str


@dataclass(frozen=True)
class CommandEnded:
    """A command in the background came to its end by itself; `output` are its last lines."""

    session: CommandSession
    output: str = ""


@dataclass(frozen=True)
class Remembered:
    """What was said earlier that answers the words; no passage: nothing that fits was said."""

    passages: tuple[RecalledPassage, ...]
    asked: bool = True
    """Whether the words ask about earlier talk; if not, they asked for a fact, and it was said here."""


@dataclass(frozen=True)
class KnownFacts:
    """What is known of whom or what the words ask about."""

    entities: tuple[Entity, ...]
    """Of whom; several of one name are all of them."""
    attribute: Attribute | None = None
    """Only this was asked for; `None`: everything that is known of them."""
    facts: tuple[EntityFact, ...] = ()
    """With `attribute`: the answer, what holds first; empty: it is not known."""
    everything: KnownOfPerson | None = None
    """The words ask what is known about the person at all."""


@dataclass(frozen=True)
class Learnt:
    """The person told something of a person or a thing, or put right what was known."""

    entities: tuple[Entity, ...]
    """Whom the facts are about, as they are known now."""
    facts: tuple[EntityFact, ...]
    """What was told; `former` ones do not hold any more."""
    before: tuple[EntityFact, ...] = ()
    """What was put right."""
    doubt: tuple[Entity, ...] = ()
    """Two who may be one; asked once, and of few."""
    settled: bool | None = None
    """Such a question was answered: they are one (`entities`), or they are two."""
    unclear: bool = False
    """Something that was shown is wrong, and the words do not say which, or what is right."""


@dataclass(frozen=True)
class FirstMeeting:
    """The person and Partner have hardly spoken yet; said once."""

    known: KnownOfPerson


@dataclass(frozen=True)
class SaidOfToday:
    """The person said something about this very day, on an earlier one; it is remarked on once."""

    turn: RememberedTurn
    """With the sentence alone."""


@dataclass(frozen=True)
class Scheduled:
    """A schedule was made of an action, by the person's yes or without a question."""

    action: ActionRecord
    schedule: Schedule


#: What the person had done to schedules.
ScheduleDeed = Literal[
    "listed", "cancelled", "skipped", "moved", "paused", "resumed", "run", "snoozed", "noted", "done"
]


@dataclass(frozen=True)
class Planned:
    """Schedules that the person asked about, or did something to."""

    deed: ScheduleDeed
    """`noted`: a reminder was set, and nobody needed to be asked; `done`: what it was about is done."""
    schedules: tuple[Schedule, ...]
    """As they are now; empty: there is none of the kind."""
    since: datetime | None = None
    until: datetime | None = None
    """With `listed`: only what is due then was asked for."""
    at: datetime | None = None
    """With `skipped`, `moved` and `snoozed`: the time that it is about now."""
    more: int = 0
    """So many of the kind are not among `schedules`."""


@dataclass(frozen=True)
class NoSuchTime:
    """Something is to be done later, and it cannot be said when: nothing was planned."""

    text: str
    why: Literal["past", "never", "unclear", "often", "long", "unjoined"]
    """There is no such time at all (`never`); it is too often; what is to be told then is too long; none can
    tell which of the times that come again and again it would be (`unjoined`)."""
    waiting: tuple[ActionRecord, ...] = ()
    """The cards that were to be at that time: they wait as they were."""


#: How the ids begin under which it is owed that missed times are told.
MISSED_SUBJECTS = "missed:"


@dataclass(frozen=True)
class Missed:
    """What was due while Partner was closed, or the machine slept: told once."""

    schedules: tuple[Schedule, ...]
    """Each with its `last` firing, which stands for all that it missed."""
    told: str = ""
    """Under which the turn that tells it is owed."""


Evidence = (
    Proposed
    | Started
    | Withheld
    | Asked
    | Choice
    | Finished
    | Dropped
    | Reminded
    | Scheduled
    | Planned
    | NoSuchTime
    | Missed
    | Amended
    | Unsettled
    | Described
    | Recounted
    | Explained
    | Disclosed
    | Intervened
    | NoAbility
    | Initiated
    | CommandEnded
    | Remembered
    | KnownFacts
    | Learnt
    | FirstMeeting
    | SaidOfToday
)
#: What tells of no single action.
Untied = (
    NoAbility
    | Planned
    | NoSuchTime
    | Missed
    | Unsettled
    | Described
    | Recounted
    | Explained
    | Disclosed
    | Initiated
    | CommandEnded
    | Remembered
    | KnownFacts
    | Learnt
    | FirstMeeting
    | SaidOfToday
)


def is_found_out(evidence: Evidence) -> bool:
    """Whether nothing was begun or changed for it, so that it may be found out once more."""
    if isinstance(evidence, Planned):
        return evidence.deed == "listed"
    return isinstance(evidence, Untied)


def actions_of(evidence: Evidence) -> tuple[ActionRecord, ...]:
    """The actions that it tells of."""
    if isinstance(evidence, Explained | NoSuchTime):
        return evidence.waiting
    if isinstance(evidence, Unsettled | Described):
        return evidence.actions
    return () if isinstance(evidence, Untied) else (evidence.action,)
