"""What one turn of a story came to: the actions that it touched, what ran, what was said, what stays open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import (
    ActionEvent,
    ErrorEvent,
    Event,
    NoticeEvent,
    ProposalEvent,
    ReplyEvent,
    ResultEvent,
    RunEvent,
)
from partner_desktop.domain.plan import CHAIN_KEY
from partner_desktop.domain.run_facts import Risk

_STATES = {
    ActionStatus.WAITING: "card",
    ActionStatus.ASKING: "asks",
    ActionStatus.SUCCEEDED: "ran",
}


def state_of(action: ActionRecord) -> str:
    """Where it stands, in the word that stories have for it."""
    return _STATES.get(action.status, action.status.value)


@dataclass
class TurnOutcome:
    """Records are as the turn left them, oldest first."""

    said: str
    actions: Sequence[ActionRecord] = ()
    """Made, changed or spoken of in this turn, steps of plans too."""
    made: frozenset[str] = frozenset()
    """The ids of those that were not there before."""
    ran: Sequence[ActionRecord] = ()
    """What began to run, steps of plans too."""
    open: Sequence[ActionRecord] = ()
    """What waits for the person now, whenever it was made."""
    replies: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Notices and errors."""
    took_s: float = 0.0
    timed_out: bool = False
    verdict: str = "pass"
    skipped: bool = False

    @property
    def own(self) -> list[ActionRecord]:
        """The actions without the steps of plans."""
        return [action for action in self.actions if not action.parent_id]

    @property
    def wrote(self) -> list[ActionRecord]:
        """What ran and was more than a look."""
        return [action for action in self.ran if action.risk is not Risk.READ and action.key != CHAIN_KEY]

    @property
    def words(self) -> str:
        """Everything that a person could read: replies and what was printed."""
        return "\n".join((*self.replies, *(action.stdout for action in self.actions)))

    @property
    def prose(self) -> list[str]:
        """The replies, without those that are the text of a file."""
        texts = [action.stdout.strip() for action in self.actions if action.key == "builtin::files::read"]
        return [reply for reply in self.replies if not any(text and text in reply for text in texts)]

    @property
    def waits_to_look(self) -> bool:
        """One card alone waits, it came up in this turn, and it would only look."""
        if len(self.open) != 1:
            return False
        (card,) = self.open
        return (
            state_of(card) == "card"
            and card.risk is Risk.READ
            and card.id in {action.id for action in self.actions}
        )

    def take(self, events: Iterable[Event]) -> None:
        """Add what was said."""
        for event in events:
            if isinstance(event, ReplyEvent) and event.done and event.text and not event.withdrawn:
                self.replies.append(event.text)
            elif isinstance(event, NoticeEvent):
                self.notes.append(event.text)
            elif isinstance(event, ErrorEvent):
                self.notes.append(event.message)


def records_in(events: Iterable[Event]) -> Iterator[ActionRecord]:
    """Every action that events speak of, as it was then."""
    for event in events:
        if isinstance(event, ProposalEvent | ActionEvent | RunEvent | ResultEvent):
            yield event.action


def runs_in(events: Iterable[Event]) -> Iterator[ActionRecord]:
    """Every action that began to run, once."""
    seen = set[str]()
    for event in events:
        if isinstance(event, RunEvent) and event.action.id not in seen:
            seen.add(event.action.id)
            yield event.action
