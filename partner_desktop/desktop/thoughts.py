"""What models think while they answer: in the conversation in view it is shown, in the others it is kept."""

from __future__ import annotations

from partner_desktop.desktop.chat.feed import Feed
from partner_desktop.domain.events import ReplyEvent


class LiveThoughts:
    """By reply id; beside `LiveReplies`, and always asked before it: the answer ends the thinking."""

    def __init__(self, feed: Feed) -> None:
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
