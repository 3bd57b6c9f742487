"""What flows through a turn: inputs from a source, and the context that modules run in."""

from __future__ import annotations

from collections.abc import Coroutine, Iterable, Sequence
from dataclasses import field, replace
from datetime import datetime
from typing import Any, TypeVar

from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.tasks import uninterrupted
from partner_desktop.domain.attachment import Attachment
from partner_desktop.domain.evidence import Evidence, Proposed, Untied, is_found_out
from partner_desktop.domain.message import Message, MessagePicture, TurnRef
from partner_desktop.permission.request import ApprovalMode
from partner_desktop.runtime.exchanges import Exchange, ExchangeStatus
from partner_desktop.runtime.interruption import Interruption

T = TypeVar("T")

#: Gateways whose client waits for its answer before it says more, and must get it: nothing merges there.
LINE_BY_LINE = frozenset({"terminal"})


#: Where messages come from that have a person behind them who sees questions.
_PERSONS = ("window", "terminal")


@dataclass(frozen=True)
class Source:
    """Where input comes from. A conversation is part of it: its turns run one after another."""

    gateway: str
    conversation_id: str

    @property
    def is_person(self) -> bool:
        """Whether a person said it, who sees questions; else a program, or nobody."""
        return self.gateway in _PERSONS


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
    words_only: bool = False
    """It is answered anew: what it means is looked at, and nothing is begun for it."""
    message_id: str = ""
    """The message on disk, or the action whose outcome a restart tells; empty in other self turns."""
    pictures: tuple[MessagePicture, ...] = ()
    """What was shown with it."""
    attachments: tuple[Attachment, ...] = ()
    """What else came with it."""

    @property
    def is_self(self) -> bool:
        return not self.text

    @property
    def rights(self) -> tuple[str, ApprovalMode, str, frozenset[str], bool]:
        """What inputs must share to be answered together: none may lend another what it may do."""
        return self.source.gateway, self.exchange.standing, self.exchange.cwd, self.skip, self.words_only


@dataclass(frozen=True)
class TimedEntry:
    """One of the things said in a turn, and when."""

    at: datetime
    offset_ms: int
    """After the first of the turn; 0 where the clock was set back."""
    text: str


@dataclass(frozen=True)
class Handled:
    """Inputs that are dealt with, and what came of them; a rerun does not begin that again."""

    inputs: tuple[FlowInput, ...]
    evidence: Evidence | None
    """`None`: there is nothing to say of it (any more)."""


@dataclass(eq=False)
class ReplyDraft:
    """A reply's row, and how far its events are counted."""

    message: Message
    seq: int = 0
    kept: bool = False
    """It came to its end, be it broken off or stopped: it stays unless the turn runs again."""


@dataclass(eq=False)
class RunningFlowContext:
    """One run of a turn: its inputs in order of arrival, and where answers go."""

    conversation_id: str
    inputs: tuple[FlowInput, ...]
    turn_id: str = field(default_factory=new_id)
    handled: list[Handled] = field(default_factory=list)
    """What was begun, in this run or in one before it that was interrupted."""
    drafts: list[ReplyDraft] = field(default_factory=list)
    """What this run shows as its answer; taken back when the turn runs again."""
    found: list[Evidence] = field(default_factory=list)
    """What this run found out without beginning anything."""
    interruption: Interruption = field(default_factory=Interruption)
    signs: int = 0
    """Grows with every sign of life of a module: what works visibly is not ended as hanging."""
    overdue: set[str] = field(default_factory=set)
    """Modules that were ended because they hung."""
    status_before: ExchangeStatus | None = None
    """What the exchange's status was before a module of this run failed."""

    def __post_init__(self) -> None:
        for item in self.inputs:
            for evidence in item.evidence:
                self._keep_place(evidence)

    @property
    def exchange(self) -> Exchange:
        """The exchange of the latest input; answers belong to it."""
        return self.inputs[-1].exchange

    @property
    def by_person(self) -> bool:
        """Whether all of it was said by a person."""
        return all(item.source.is_person for item in self.inputs)

    @property
    def text(self) -> str:
        """All that was said, one line an input."""
        return joined(self.inputs)

    @property
    def entries(self) -> tuple[TimedEntry, ...]:
        """Everything that was said, with its time."""
        first = self.inputs[0].at
        return tuple(
            TimedEntry(item.at, max(0, round((item.at - first).total_seconds() * 1000)), item.text)
            for item in self.inputs
            if not item.is_self
        )

    @property
    def ref(self) -> TurnRef:
        """Which turn this is, for whoever is asked something in it."""
        said = tuple(item.message_id for item in self.inputs if item.text and item.message_id)
        return TurnRef(self.conversation_id, self.turn_id, said, pictures=len(self.pictures))

    @property
    def pictures(self) -> tuple[MessagePicture, ...]:
        """All that was shown, in order."""
        return tuple(picture for item in self.inputs for picture in item.pictures)

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        """All that came with what was said, in order."""
        return tuple(each for item in self.inputs for each in item.attachments)

    @property
    def skip(self) -> frozenset[str]:
        """The union of what the inputs leave out."""
        return frozenset().union(*(item.skip for item in self.inputs))

    @property
    def words_only(self) -> bool:
        """Whether everything is answered anew; such inputs are never merged with others."""
        return all(item.words_only for item in self.inputs)

    @property
    def is_self(self) -> bool:
        return all(item.is_self for item in self.inputs)

    # What was done for whom.

    @property
    def unhandled(self) -> tuple[FlowInput, ...]:
        """What was said and is not dealt with yet."""
        done = {id(item) for handled in self.handled for item in handled.inputs}
        return tuple(item for item in self.inputs if not item.is_self and id(item) not in done)

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """All that came of the inputs so far, in order."""
        begun = [handled.evidence for handled in self.handled if handled.evidence is not None]
        return (*begun, *self.found)

    def note(self, inputs: Iterable[FlowInput], evidence: Evidence | None) -> None:
        """Keep what came of some inputs; `None` when it failed, which is reported elsewhere.

        Of one action only the latest counts: a question that was answered is no question any more.
        """
        if evidence is not None and is_found_out(evidence):
            self.found.append(evidence)
            return
        if evidence is not None and not isinstance(evidence, Untied):
            self.retract(evidence.action.id)
        self.handled.append(Handled(tuple(inputs), evidence))
        if evidence is not None:
            self._keep_place(evidence)

    def keep(self, evidence: Evidence) -> None:
        """Keep what came of a part of inputs that are dealt with: a rerun does not find it out again."""
        self.handled.append(Handled((), evidence))

    def retract(self, action_id: str) -> None:
        """What was said of an action is no longer so; its inputs stay dealt with."""
        self.handled = [
            replace(one, evidence=None) if _is_of(one.evidence, action_id) else one for one in self.handled
        ]

    def draft(self, message: Message) -> ReplyDraft:
        """The draft that is kept in a row; a new one unless it is known."""
        for draft in self.drafts:
            if draft.message.id == message.id:
                return draft
        self.drafts.append(ReplyDraft(message))
        return self.drafts[-1]

    async def begun(self, work: Coroutine[Any, Any, Evidence]) -> Evidence:
        """What `work` sets off, to its end also when the turn is stopped meanwhile: the place that it keeps
        free above a card is known then, and goes with the turn.
        """

        async def to_its_end() -> Evidence:
            evidence = await work
            self._keep_place(evidence)
            return evidence

        return await uninterrupted(to_its_end())

    def _keep_place(self, evidence: Evidence) -> None:
        """The place above a card is a draft that nothing was written to yet."""
        if isinstance(evidence, Proposed) and evidence.place is not None:
            self.draft(evidence.place)

    # Interruption.

    @property
    def interrupted(self) -> bool:
        """Whether more was said: end as soon as nothing is left half done."""
        return self.interruption.asked

    async def unless_interrupted(self, work: Coroutine[Any, Any, T]) -> T:
        """Await slow work without lasting effects; see `Interruption.unless_asked`.

        Raises:
            TurnInterrupted: More was said before it was done.
        """
        return await self.interruption.unless_asked(work)

    def again(self, inputs: Sequence[FlowInput]) -> RunningFlowContext:
        """The next run of the same turn: what was begun is carried over, what was shown is not."""
        handled = [
            replace(one, evidence=replace(one.evidence, place=None))
            if isinstance(one.evidence, Proposed)
            else one
            for one in self.handled
        ]
        return RunningFlowContext(self.conversation_id, tuple(inputs), turn_id=self.turn_id, handled=handled)


def joined(inputs: Iterable[FlowInput]) -> str:
    """What was said, one line an input."""
    return "\n".join(item.text for item in inputs if item.text)


def _is_of(evidence: Evidence | None, action_id: str) -> bool:
    if evidence is None or isinstance(evidence, Untied):
        return False
    return evidence.action.id == action_id
