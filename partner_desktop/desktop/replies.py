"""Replies in progress, of all conversations: the one in view is shown, the others are kept up to now."""

from __future__ import annotations

from dataclasses import dataclass, field

from partner_desktop.desktop.announce import announce
from partner_desktop.desktop.chat.feed import Feed
from partner_desktop.domain.events import ReplyEvent, ReplyMode
from partner_desktop.domain.message import MessageState

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

    def __init__(self, feed: Feed) -> None:
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
