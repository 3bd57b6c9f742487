"""Replies in progress, of all conversations: the one in view is shown, the others are kept up to now."""

from __future__ import annotations

from partner_desktop.desktop.announce import announce
from partner_desktop.desktop.chat.feed import Feed
from partner_desktop.domain.events import ReplyEvent, ReplyMode
from partner_desktop.domain.message import MessageState

#: Replies that were taken back and that a page of history, read before, could still bring.
_MOST_WITHDRAWN = 100


class LiveReplies:
    """By reply id; a reply that is done is forgotten, the database has it."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._texts: dict[str, tuple[str, str, int]] = {}
        self._withdrawn: dict[str, str] = {}

    def note(self, event: ReplyEvent, *, in_view: bool) -> None:
        """A piece of a reply came."""
        if event.withdrawn:
            self._take_back(event)
            return
        before = self._texts.get(event.reply_id, ("", "", 0))[1]
        text = before + event.content if event.mode is ReplyMode.APPEND else event.content
        if event.done:
            self._texts.pop(event.reply_id, None)
        else:
            self._texts[event.reply_id] = (event.conversation_id, text, event.position)
        if in_view:
            self._show(event, event.text or text)

    def show(self, conversation_id: str) -> None:
        """The conversation came to view: what is in progress there is shown as far as it is."""
        for reply_id, owner in self._withdrawn.items():
            if owner == conversation_id:
                self._feed.remove(reply_id)  # the page may have been read before it went
        for reply_id, (owner, text, position) in self._texts.items():
            if owner == conversation_id:
                self._feed.reply(reply_id, position).replace(text)

    def _take_back(self, event: ReplyEvent) -> None:
        """More was said: another reply answers everything, and this one was never there."""
        self._texts.pop(event.reply_id, None)
        self._withdrawn[event.reply_id] = event.conversation_id
        while len(self._withdrawn) > _MOST_WITHDRAWN:
            del self._withdrawn[next(iter(self._withdrawn))]
        self._feed.remove(event.reply_id)

    def _show(self, event: ReplyEvent, whole: str) -> None:
        if event.content or event.done:
            self._feed.set_busy(busy=False)
        view = self._feed.reply(event.reply_id, event.position)
        if event.done:
            view.finish(whole, MessageState.STOPPED if event.stopped else MessageState.DONE)
            announce(view, whole)
        elif event.mode is ReplyMode.REPLACE:
            view.replace(event.content)
        elif event.content:
            view.add(event.content)
