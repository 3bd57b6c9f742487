"""What is said and done in the open conversation, shown in the chat while it happens; and what the person
is told beside it: notices, errors, crashes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from partner_desktop.desktop.chat.suggestions import answers_to
from partner_desktop.desktop.notices import Notice
from partner_desktop.desktop.operations.update_notice import tell_of_update
from partner_desktop.desktop.window_context import Controller, WindowContext
from partner_desktop.desktop.wording import announce, tr
from partner_desktop.domain.events import (
    ErrorEvent,
    Event,
    MessageEvent,
    ModuleEvent,
    NoticeEvent,
    ReplyEvent,
    ReplyMode,
    TurnEvent,
)
from partner_desktop.domain.message import Message, MessageState, Role
from partner_desktop.runtime.reports import LAST_RUN

if TYPE_CHECKING:
    from partner_desktop.app import Partner
    from partner_desktop.desktop.chat.reply.reply import ReplyView
    from partner_desktop.desktop.session.outbox import Outbox
    from partner_desktop.desktop.window_store import LiveReply


class ChatController(Controller):
    """`outbox` holds what is under way there."""

    def __init__(self, context: WindowContext, outbox: Outbox) -> None:
        super().__init__(context)
        self._outbox = outbox
        self._page = self._window.page
        self._feed = self._page.feed
        context.place_changed.connect(self.show_place)
        context.place_filled.connect(self.show_live)
        store = self._store
        store.actions.changed.connect(lambda _ids, _gone: self.show_answers())
        store.turns.changed.connect(lambda _ids, _gone: self._show_turns())
        store.conversations.changed.connect(self._renew_head)

    def _begin(self, partner: Partner) -> None:
        for notice in partner.start_notices():
            self._store.take(notice)

    def deliver(self, event: Event) -> None:
        match event:
            case MessageEvent():
                self._take_message(event.message)
            case ReplyEvent():
                self._take_reply(event)
            case TurnEvent():
                self._take_turn(event)
            case ModuleEvent() if self._in_view(event.conversation_id):
                self._feed.note_module(event.module, works=event.state == "running")
            case NoticeEvent():
                if event.about == "update":
                    tell_of_update(self._context, event)
                else:
                    self._context.notices.tell(event.title, event.text, level=event.level, about=event.about)
                self._window.tray.show(Notice(event.title, event.text, event.level))
            case ErrorEvent():
                self._take_error(event)
            case _:
                pass

    def _in_view(self, conversation_id: str) -> bool:
        return bool(conversation_id) and conversation_id == self._context.navigation.conversation_id

    def _takes_new(self, conversation_id: str) -> bool:
        """Whether what comes now belongs at the end of what is shown."""
        return self._in_view(conversation_id) and not self._feed.detached

    # Of the open place.

    def show_place(self) -> None:
        """The open place changed: title, marks and the stop button follow."""
        known = self._store.conversations.get(self._context.navigation.conversation_id)
        header = self._page.header
        header.set_title(known.title if known is not None else "")
        header.show_remembered(known.remembered if known is not None else None)
        header.model_switch.show_place(known.id if known is not None else "")
        self._window.sidebar.show_current(self._context.navigation.conversation_id)
        self._show_turns()
        self.show_answers()

    def _renew_head(self, ids: tuple[str, ...], _gone: tuple[str, ...]) -> None:
        if self._context.navigation.conversation_id in ids:
            self.show_place()

    def show_answers(self) -> None:
        """Offer the answers to the open question, by the names that abilities have now.

        Questions in words have no card: their answers are offered over the composer.
        """
        question = self._store.asked_in(self._context.navigation.conversation_id)
        self._page.answers.offer(answers_to(question, self._title_of))

    def _title_of(self, key: str) -> str:
        ability = self._store.abilities.get(key)
        return ability.info.title if ability is not None and ability.info is not None else key

    def _show_turns(self) -> None:
        place = self._context.navigation.conversation_id
        running = bool(place) and any(turn.conversation_id == place for turn in self._store.turns.values())
        self._page.composer.set_running(running)

    def show_live(self) -> None:
        """The open place was filled: what is in progress there is shown too."""
        place = self._context.navigation.conversation_id
        for live in self._store.replies.values():
            if live.conversation_id != place:
                continue
            if live.withdrawn:
                self._feed.remove(live.id)  # the page may have been read before it went
                continue
            view = self._feed.reply(live.id, live.position)
            if live.thoughts:
                view.think("".join(live.thoughts), whole=True)
            view.replace(live.text)

    # What comes.

    def _take_message(self, message: Message) -> None:
        self._outbox.accepted(message)
        if self._takes_new(message.conversation_id):
            self._page.show_feed()
            if message.role is not Role.PARTNER or not self._feed.has(message.id, message.position):
                self._feed.add_message(message)

    def _take_turn(self, event: TurnEvent) -> None:
        if event.state == "started":
            self._context.notices.settle(_turn_of(event.conversation_id))
        if self._in_view(event.conversation_id):
            self._feed.set_busy(busy=event.state == "started")

    def _take_reply(self, event: ReplyEvent) -> None:
        if event.withdrawn:
            self._feed.remove(event.reply_id)
        elif self._takes_new(event.conversation_id):
            if event.reasoning or event.content or event.done:
                self._feed.set_busy(busy=False)
            view = self._feed.reply(event.reply_id, event.position)
            show_reply(view, event, self._store.replies.get(event.reply_id))

    def _take_error(self, event: ErrorEvent) -> None:
        notices = self._context.notices
        if not event.report:
            notices.fault(event.message, about=_turn_of(event.conversation_id))
        elif event.where == LAST_RUN:
            title = lambda: tr("Partner ended unexpectedly last time")  # noqa: E731 - words of a language
            notices.crash(event.report, title=title, text=event.message)
        else:
            notices.crash(event.report)


def show_reply(view: ReplyView, event: ReplyEvent, live: LiveReply | None) -> None:
    """The next piece of a reply, or the whole of it, which is read out; `live`: as far as it was before."""
    if event.reasoning:  # before the answer, which ends the thinking
        view.think(event.reasoning, whole=event.done)
    if event.done:
        whole = event.text or (live.text if live is not None else "")
        view.finish(whole, MessageState.STOPPED if event.stopped else event.state)
        announce(view, whole)
    elif event.mode is ReplyMode.REPLACE:
        view.replace(event.content)
    elif event.content:
        view.add(event.content)


def _turn_of(conversation_id: str) -> str:
    """What went wrong in a conversation stays until it goes on."""
    return f"turn:{conversation_id}" if conversation_id else ""
