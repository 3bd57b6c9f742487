"""Store: what the window knows of Partner, by id, and the one door through which Partner's events come in.

Contract: one per window, on its loop. Until `begin` it is empty; that is all the difference that a missing
Partner makes. What is known is read here and copied nowhere: a view shows a record when `changed` tells of
it, and looks it up when it comes into being later. An older record never replaces a newer one. `happened`
comes after the records have taken an event in, for whoever is about what is no record: pieces of a reply,
notices, errors.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import (
    AbilitiesEvent,
    ActionEvent,
    ConversationEvent,
    ConversationGoneEvent,
    DecisionEvent,
    DownloadsEvent,
    ElicitationEvent,
    Event,
    MessageEvent,
    ModelsEvent,
    ProgressEvent,
    ProposalEvent,
    ReplyEvent,
    ReplyMode,
    ResultEvent,
    RunEvent,
    ServersEvent,
    SessionEvent,
    TurnEvent,
)
from partner_desktop.domain.message import Conversation, Message
from partner_desktop.domain.model_status import ModelStatus

if TYPE_CHECKING:
    from pathlib import Path

    from partner_desktop.app import Partner
    from partner_desktop.config.field import ConfigFile
    from partner_desktop.domain.ability import Ability
    from partner_desktop.domain.command_session import CommandSession, Stream
    from partner_desktop.domain.elicitation import Elicitation
    from partner_desktop.domain.mcp_server import ServerStatus
    from partner_desktop.domain.model_download import Download
    from partner_desktop.runner.sandbox_probe import SandboxProbe

T = TypeVar("T")

#: Older actions that have ended are asked for again when their card comes to view.
_MOST_ACTIONS = 500
#: Replies that were taken back and that a page of history, read before, could still bring.
_MOST_WITHDRAWN = 100


class Records(QObject, Generic[T]):
    """Of one kind, by id, those that were heard of last at the end.

    `changed(ids, gone)`: tuples of the ids that are new or otherwise, and of those that are no more.
    """

    changed = Signal(object, object)

    def __init__(
        self,
        id_of: Callable[[T], str],
        *,
        is_older: Callable[[T, T], bool] = lambda _new, _known: False,
        most: int | None = None,
        may_go: Callable[[T], bool] = lambda _record: True,
    ) -> None:
        """`is_older(new, known)`: it came late and is left aside; `most`: so many are kept, and of what is
        beyond that the oldest that `may_go` is forgotten, without a word, for it goes on to be."""
        super().__init__()
        self._id_of = id_of
        self._is_older = is_older
        self._most = most
        self._may_go = may_go
        self._known: dict[str, T] = {}

    def get(self, record_id: str) -> T | None:
        """As it is now."""
        return self._known.get(record_id)

    def values(self) -> list[T]:
        """All."""
        return list(self._known.values())

    def those(self, ids: Iterable[str]) -> list[T]:
        """Some of them, as far as they are known."""
        return [self._known[one] for one in ids if one in self._known]

    def __contains__(self, record_id: Hashable) -> bool:
        return record_id in self._known

    def __len__(self) -> int:
        return len(self._known)

    def take(self, changed: Iterable[T] = (), removed: Iterable[str] = ()) -> None:
        """What is new or otherwise, and what is gone."""
        ids = tuple(self._id_of(record) for record in changed if self._put(record))
        gone = tuple(one for one in removed if self._known.pop(one, None) is not None)
        self._trim()
        if ids or gone:
            self.changed.emit(ids, gone)

    def take_all(self, records: Iterable[T]) -> None:
        """All there are now, in their order; what is not among them is gone."""
        before, self._known = self._known, {self._id_of(record): record for record in records}
        self.changed.emit(tuple(self._known), tuple(one for one in before if one not in self._known))

    def _put(self, record: T) -> bool:
        record_id = self._id_of(record)
        known = self._known.get(record_id)
        if known is not None and self._is_older(record, known):
            return False
        self._known.pop(record_id, None)
        self._known[record_id] = record
        return True

    def _trim(self) -> None:
        beyond = len(self._known) - self._most if self._most is not None else 0
        if beyond > 0:
            for record_id in [one for one, record in self._known.items() if self._may_go(record)][:beyond]:
                del self._known[record_id]


@dataclass
class LiveReply:
    """A reply in progress: its pieces are put together when someone asks, not with each of them."""

    id: str
    conversation_id: str
    position: int = 0
    pieces: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    withdrawn: bool = False
    """It was taken back: another one answers everything, and this one was never there."""

    @property
    def text(self) -> str:
        self.pieces = ["".join(self.pieces)]
        return self.pieces[0]

    def add(self, event: ReplyEvent) -> None:
        self.position = event.position
        if event.reasoning:
            self.thoughts.append(event.reasoning)
        if event.mode is ReplyMode.REPLACE:
            self.pieces.clear()
        self.pieces.append(event.content)


class Store(QObject):
    """One window's. `filled(partner)`: Partner is there, and what is known at once stands in the store;
    `happened(event)`: every event, once the records are as it says."""

    filled = Signal(object)
    happened = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.partner: Partner | None = None
        """For operations; views follow the records, and need not know whether it is there."""
        self.conversations: Records[Conversation] = Records(lambda one: one.id)
        self.actions: Records[ActionRecord] = Records(
            lambda one: one.id,
            is_older=lambda new, known: new.is_older_than(known),
            most=_MOST_ACTIONS,
            may_go=lambda one: one.status.ended,
        )
        self.decisions: Records[DecisionEvent] = Records(lambda one: one.action_id, most=_MOST_ACTIONS)
        """The last on each action."""
        self.progress: Records[ProgressEvent] = Records(lambda one: one.action_id)
        """How far each run is."""
        self.questions: Records[Elicitation] = Records(lambda one: one.id)
        """What servers ask the person."""
        self.turns: Records[TurnEvent] = Records(lambda one: one.turn_id)
        """Those that run."""
        self.replies: Records[LiveReply] = Records(
            lambda one: one.id, most=_MOST_WITHDRAWN, may_go=lambda one: one.withdrawn
        )
        self.abilities: Records[Ability] = Records(lambda one: one.key)
        self.servers: Records[ServerStatus] = Records(lambda one: one.id)
        self.commands: Records[CommandSession] = Records(lambda one: one.id)
        self.models: Records[ModelStatus] = Records(lambda one: one.name)
        self.mind = "starter"
        """Who answers where nothing else was chosen: `starter`, or the name of a model."""
        self.downloads: Records[Download] = Records(lambda one: one.id)
        self._leave: Callable[[], None] = lambda: None

    def begin(self, partner: Partner) -> None:
        """Partner is there: know what it knows at once, and take everything from now on."""
        self.partner = partner
        self._leave = partner.subscribe(self.take)
        self.abilities.take_all(partner.abilities.list())
        self.servers.take_all(partner.servers.list())
        self.questions.take_all(partner.servers.elicitations())
        self.commands.take_all(partner.commands.list())
        self.look_at_models()
        self.downloads.take_all(partner.downloads.list())
        self.filled.emit(partner)

    async def read(self) -> None:
        """What has to be read from the disk.

        Raises:
            PartnerError: It cannot be read.
        """
        if self.partner is not None:
            await self.read_actions()
            self.conversations.take(await self.partner.conversations.list(archived=None))

    async def read_actions(self, conversation_id: str = "") -> None:
        """The latest, of one conversation or of all."""
        if self.partner is not None:
            found = await self.partner.actions.list(limit=100)
            # They come newest first, and are kept in the order in which they were heard of.
            self.actions.take(one for one in reversed(found) if conversation_id in ("", one.conversation_id))

    def look_at_models(self) -> None:
        """As they are now: the events come a moment later."""
        if self.partner is not None:
            self.mind = self.partner.models.mind()
            self.models.take_all(self.partner.models.list())

    @property
    def ready(self) -> bool:
        return self.partner is not None

    @property
    def settings_files(self) -> Sequence[ConfigFile]:
        """Of the settings, with what is wrong with them."""
        return self.partner.config.files() if self.partner is not None else ()

    @property
    def settings_folder(self) -> Path | None:
        """Where they lie."""
        return self.partner.config.folder if self.partner is not None else None

    @property
    def action_dir(self) -> Path | None:
        """Where abilities lie."""
        return self.partner.action_dir if self.partner is not None else None

    @property
    def all_paused(self) -> bool:
        """Whether no schedule begins anything at present."""
        return self.partner is not None and self.partner.schedules.all_paused

    @property
    def is_quiet(self) -> bool:
        """Whether nobody is to be called for at this hour."""
        return self.partner is None or self.partner.schedules.is_quiet

    @property
    def sandbox(self) -> SandboxProbe | None:
        """Whether scripts can be held here; the settings may switch it off and on again."""
        return self.partner.sandbox if self.partner is not None else None

    def printed(self, action_id: str) -> Mapping[Stream, str]:
        """What a run that goes on has printed so far."""
        return self.partner.actions.output(action_id) if self.partner is not None else {}

    def chosen_in(self, conversation_id: str) -> str:
        """The model that was chosen for a conversation, or `starter`; empty: as everywhere."""
        return self.partner.models.chosen(conversation_id) if self.partner is not None else ""

    def end(self) -> None:
        self._leave()
        self._leave = lambda: None

    @property
    def in_work(self) -> set[str]:
        """The conversations where a turn or a run goes on."""
        turns = {one.conversation_id for one in self.turns.values()}
        actions = self.actions.values()
        return turns | {one.conversation_id for one in actions if one.status is ActionStatus.RUNNING}

    def asked_in(self, conversation_id: str) -> ActionRecord | None:
        """The action that asks in words for something of the person's, the latest."""
        asking = (
            one
            for one in reversed(self.actions.values())
            if one.status is ActionStatus.ASKING and one.conversation_id == conversation_id
        )
        return next(asking, None) if conversation_id else None

    def take(self, event: Event) -> None:  # noqa: PLR0912 - one small answer to each kind
        match event:
            case ReplyEvent():
                self._take_reply(event)
            case MessageEvent():
                self._move_up(event.message)
            case ResultEvent():
                self.progress.take(removed=[event.action.id])
                self.actions.take([event.action])
            case ProposalEvent() | RunEvent() | ActionEvent():
                self.actions.take([event.action])
            case DecisionEvent():
                self.decisions.take([event])
            case ProgressEvent():
                self.progress.take([event])
            case TurnEvent():
                self.turns.take(*(([event],) if event.state == "started" else ((), [event.turn_id])))
            case ElicitationEvent():
                question = event.elicitation
                self.questions.take(*(([question],) if event.open else ((), [question.id])))
            case SessionEvent():
                session = event.session
                self.commands.take(*(((), [session.id]) if event.gone else ([session],)))
            case AbilitiesEvent():
                self.abilities.take(event.changed, event.removed)
            case ServersEvent():
                self.servers.take(event.changed, event.removed)
            case ConversationEvent():
                self.conversations.take([event.conversation])
            case ConversationGoneEvent():
                self._forget(event.conversation.id)
            case ModelsEvent():
                self.mind = event.mind
                self.models.take_all(event.models)
            case DownloadsEvent():
                self.downloads.take_all(event.downloads)
            case _:
                pass
        self.happened.emit(event)
        if isinstance(event, ReplyEvent) and event.done and not event.withdrawn:
            self.replies.take(removed=[event.reply_id])  # the database has it

    def _take_reply(self, event: ReplyEvent) -> None:
        live = self.replies.get(event.reply_id) or LiveReply(event.reply_id, event.conversation_id)
        if event.withdrawn:
            live = LiveReply(event.reply_id, event.conversation_id, withdrawn=True)
        else:
            live.add(event)
        self.replies.take([live])

    def _move_up(self, message: Message) -> None:
        """The conversation that was spoken in last stands first."""
        known = self.conversations.get(message.conversation_id)
        if known is not None and message.created_at > known.updated_at:
            self.conversations.take([replace(known, updated_at=message.created_at)])

    def _forget(self, conversation_id: str) -> None:
        """With everything in it."""
        gone = [one.id for one in self.actions.values() if one.conversation_id == conversation_id]
        self.actions.take(removed=gone)
        self.conversations.take(removed=[conversation_id])
