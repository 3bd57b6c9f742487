"""What Partner reports, put where it belongs. Each kind of event has one small answer here."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.desktop.chat.message_list import MessageList
from partner_desktop.desktop.chat.suggestions import answers_to
from partner_desktop.desktop.notices import Notice
from partner_desktop.desktop.runs.decisions import Decisions
from partner_desktop.desktop.session.outbox import Outbox
from partner_desktop.desktop.sidebar.conversation_controller import ConversationBook
from partner_desktop.desktop.window import MainWindow
from partner_desktop.desktop.wording import announce, tr
from partner_desktop.desktop.work import Controller, Work
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import (
    AbilitiesEvent,
    ActionEvent,
    ConversationEvent,
    DecisionEvent,
    ErrorEvent,
    Event,
    MessageEvent,
    ModuleEvent,
    NoticeEvent,
    ProposalEvent,
    ReplyEvent,
    ReplyMode,
    ResultEvent,
    RunEvent,
    TurnEvent,
)
from partner_desktop.domain.message import Conversation, Message, MessageState, Role
from partner_desktop.runtime.reports import LAST_RUN

if TYPE_CHECKING:
    from partner_desktop.app import Partner


class Inbox(Controller):
    """Knows where turns run."""

    def __init__(
        self, window: MainWindow, work: Work, outbox: Outbox, decisions: Decisions, book: ConversationBook
    ) -> None:
        super().__init__(window, work)
        self._outbox = outbox
        self._decisions = decisions
        self._book = book
        self._feed = window.page.feed
        self._replies = LiveReplies(window.page.feed)
        self._thoughts = LiveThoughts(window.page.feed)
        self._turns: dict[str, set[str]] = {}
        self._questions: dict[str, ActionRecord] = {}

    def _begin(self, partner: Partner) -> None:
        for notice in partner.start_notices():
            self.deliver(notice)
        tab = self._window.panel.abilities_tab
        tab.show_folder(partner.action_dir)
        tab.change(partner.abilities.list(), ())

    def ignore(self) -> None:
        """Take nothing more."""
        super().ignore()
        self._window.tray.close()

    def deliver(self, event: Event) -> None:
        match event:
            case MessageEvent():
                self._take_message(event.message)
            case ReplyEvent():
                in_view = self._takes_new(event.conversation_id)
                self._thoughts.note(event, in_view=in_view)
                self._replies.note(event, in_view=in_view)
            case ProposalEvent() | RunEvent() | ResultEvent() | ActionEvent():
                self.note_action(event.action)
            case DecisionEvent():
                self._decisions.note_decision(event)
            case TurnEvent():
                self._take_turn(event)
            case ModuleEvent():
                if self._in_view(event.conversation_id):
                    self._feed.note_module(event.module, works=event.state == "running")
            case AbilitiesEvent():
                self._window.panel.abilities_tab.change(event.changed, event.removed)
            case ConversationEvent():
                self._take_conversation(event.conversation)
            case NoticeEvent():
                self._window.notices.tell(event.title, event.text, level=event.level, about=event.about)
                self._window.tray.show(Notice(event.title, event.text, event.level))
            case ErrorEvent():
                self._take_error(event)
            case _:
                pass  # nothing to show

    def note_action(self, record: ActionRecord) -> None:
        """An action as it is now."""
        self._decisions.note(record)
        self._window.panel.actions_tab.show_action(record)
        running = record.status is ActionStatus.RUNNING
        self._book.note_work(record.conversation_id, record.id, goes_on=running)
        self._note_question(record)

    def _note_question(self, record: ActionRecord) -> None:
        """Questions in words have no card: their answers are offered over the composer."""
        known = self._questions.get(record.conversation_id)
        if record.status is ActionStatus.ASKING:
            self._questions[record.conversation_id] = record
        elif known is not None and known.id == record.id:
            del self._questions[record.conversation_id]
        if self._in_view(record.conversation_id):
            self.show_answers()

    def show_answers(self) -> None:
        """Offer the answers to the open question, by the names that abilities have now."""
        question = self._questions.get(self._outbox.place.conversation_id)
        self._window.page.answers.offer(answers_to(question, self._title_of))

    def _title_of(self, key: str) -> str:
        known = self._window.panel.abilities_tab.abilities
        return next((ability.info.title for ability in known if ability.key == key and ability.info), key)

    def show_place(self) -> None:
        """The open place changed: title, marks and the stop button follow."""
        conversation_id = self._outbox.place.conversation_id
        known = self._book.get(conversation_id)
        self._window.page.header.set_title(known.title if known is not None else "")
        self._window.page.header.show_remembered(known.remembered if known is not None else None)
        self._window.page.header.model_switch.show_place(conversation_id if known is not None else "")
        self._window.sidebar.show_current(conversation_id)
        self._show_turns()
        self.show_answers()

    @property
    def shown_id(self) -> str:
        """The open conversation; empty for a new chat."""
        return self._outbox.place.conversation_id

    def show_live(self) -> None:
        """The open place was filled: what is in progress there is shown too."""
        self._thoughts.show(self._outbox.place.conversation_id)
        self._replies.show(self._outbox.place.conversation_id)

    def _in_view(self, conversation_id: str) -> bool:
        return bool(conversation_id) and conversation_id == self._outbox.place.conversation_id

    def _takes_new(self, conversation_id: str) -> bool:
        """Whether what comes now belongs at the end of what is shown."""
        return self._in_view(conversation_id) and not self._feed.detached

    def _take_error(self, event: ErrorEvent) -> None:
        if not event.report:
            self._window.notices.fault(event.message, about=_turn_of(event.conversation_id))
            announce(self._window, event.message, urgent=True)
        elif event.where == LAST_RUN:
            title = lambda: tr("Partner ended unexpectedly last time")  # noqa: E731 - words of a language
            self._window.notices.crash(event.report, title=title, text=event.message)
        else:
            self._window.notices.crash(event.report)

    def _take_message(self, message: Message) -> None:
        self._outbox.accepted(message)
        self._book.move_up(message)
        if self._takes_new(message.conversation_id):
            self._window.page.show_feed()
            if message.role is not Role.PARTNER or not self._feed.has(message.id, message.position):
                self._feed.add_message(message)

    def _take_turn(self, event: TurnEvent) -> None:
        running = self._turns.setdefault(event.conversation_id, set())
        if event.state == "started":
            running.add(event.turn_id)
            self._window.notices.settle(_turn_of(event.conversation_id))
        else:
            running.discard(event.turn_id)
        self._book.note_work(event.conversation_id, event.turn_id, goes_on=event.state == "started")
        if self._in_view(event.conversation_id):
            self._show_turns()
            self._feed.set_busy(busy=event.state == "started")

    def _show_turns(self) -> None:
        running = bool(self._turns.get(self._outbox.place.conversation_id))
        self._window.page.composer.set_running(running)

    def _take_conversation(self, conversation: Conversation) -> None:
        self._book.put(conversation)
        if self._in_view(conversation.id):
            self.show_place()


def _turn_of(conversation_id: str) -> str:
    """What went wrong in a conversation stays until it goes on."""
    return f"turn:{conversation_id}" if conversation_id else ""


class LiveThoughts:
    """By reply id; beside `LiveReplies`, and always asked before it: the answer ends the thinking."""

    def __init__(self, feed: MessageList) -> None:
        self._feed = feed
        self._thoughts: dict[str, tuple[str, int, list[str]]] = {}

    def note(self, event: ReplyEvent, *, in_view: bool) -> None:
        """A piece of a reply came, with or without a thought."""
        if event.done:
            self._thoughts.pop(event.reply_id, None)
        elif event.reasoning:
            new: tuple[str, int, list[str]] = (event.conversation_id, event.position, [])
            self._thoughts.setdefault(event.reply_id, new)[2].append(event.reasoning)
        if event.reasoning and in_view and not event.withdrawn:
            self._feed.set_busy(busy=False)
            view = self._feed.reply(event.reply_id, event.position)
            view.think(event.reasoning, whole=event.done)

    def show(self, conversation_id: str) -> None:
        """The conversation came to view: what is thought there so far is shown."""
        for reply_id, (owner, position, pieces) in self._thoughts.items():
            if owner == conversation_id:
                self._feed.reply(reply_id, position).think("".join(pieces), whole=True)


#: Replies that were taken back and that a page of history, read before, could still bring.
_MOST_WITHDRAWN = 100


@dataclass
class _Live:
    """A reply in progress: its pieces are put together when someone asks, not with each of them."""

    conversation_id: str
    position: int = 0
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        self.pieces = ["".join(self.pieces)]
        return self.pieces[0]


class LiveReplies:
    """By reply id; a reply that is done is forgotten, the database has it."""

    def __init__(self, feed: MessageList) -> None:
        self._feed = feed
        self._live: dict[str, _Live] = {}
        self._withdrawn: dict[str, str] = {}

    def note(self, event: ReplyEvent, *, in_view: bool) -> None:
        """A piece of a reply came."""
        if event.withdrawn:
            self._take_back(event)
            return
        live = self._live.setdefault(event.reply_id, _Live(event.conversation_id))
        live.position = event.position
        if event.mode is ReplyMode.REPLACE:
            live.pieces.clear()
        live.pieces.append(event.content)
        if event.done:
            del self._live[event.reply_id]
        if in_view:
            self._show(event, live)

    def show(self, conversation_id: str) -> None:
        """The conversation came to view: what is in progress there is shown as far as it is."""
        for reply_id, owner in self._withdrawn.items():
            if owner == conversation_id:
                self._feed.remove(reply_id)  # the page may have been read before it went
        for reply_id, live in self._live.items():
            if live.conversation_id == conversation_id:
                self._feed.reply(reply_id, live.position).replace(live.text)

    def _take_back(self, event: ReplyEvent) -> None:
        """More was said: another reply answers everything, and this one was never there."""
        self._live.pop(event.reply_id, None)
        self._withdrawn[event.reply_id] = event.conversation_id
        while len(self._withdrawn) > _MOST_WITHDRAWN:
            del self._withdrawn[next(iter(self._withdrawn))]
        self._feed.remove(event.reply_id)

    def _show(self, event: ReplyEvent, live: _Live) -> None:
        if event.content or event.done:
            self._feed.set_busy(busy=False)
        view = self._feed.reply(event.reply_id, event.position)
        if event.done:
            whole = event.text or live.text
            view.finish(whole, MessageState.STOPPED if event.stopped else event.state)
            announce(view, whole)
        elif event.mode is ReplyMode.REPLACE:
            view.replace(event.content)
        elif event.content:
            view.add(event.content)
