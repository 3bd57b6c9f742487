"""Replies in progress, of all conversations: the one in view is shown, the others are kept up to now."""

from __future__ import annotations

from partner_desktop.desktop.announce import announce
from partner_desktop.desktop.chat.feed import Feed
from partner_desktop.domain.events import ReplyEvent, ReplyMode
from partner_desktop.domain.message import MessageState


class LiveReplies:
    """By reply id; a reply that is done is forgotten, the database has it."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._texts: dict[str, tuple[str, str, int]] = {}

    def note(self, event: ReplyEvent, *, in_view: bool) -> None:
        """A piece of a reply came."""
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
        for reply_id, (owner, text, position) in self._texts.items():
            if owner == conversation_id:
                self._feed.reply(reply_id, position).replace(text)

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
