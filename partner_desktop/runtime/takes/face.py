"""The part of the app's public face that begins things anew; `app.Partner` inherits it."""

from __future__ import annotations

from partner_desktop.domain.message import Conversation, Message
from partner_desktop.domain.take import Line
from partner_desktop.runtime.takes.branching import Branching
from partner_desktop.runtime.takes.takes import Takes


class TakesFace:
    """Errors are those of `Takes` and `Branching`. Whoever inherits sets both."""

    _takes: Takes
    _branching: Branching

    async def line(self, conversation_id: str) -> Line:
        """The forks of the line that is shown, and what can be had anew."""
        return await self._takes.line(conversation_id)

    async def regenerate(self, reply_id: str) -> None:
        """Have an answer anew: the words alone, nothing is done twice."""
        await self._takes.regenerate(reply_id)

    async def edit(self, message_id: str, text: str, *, source: str = "window", cwd: str = "") -> Message:
        """Say something else in place of a message; what followed is set aside, not lost."""
        return await self._takes.edit(message_id, text, source=source, cwd=cwd)

    async def choose_take(self, take_id: str) -> None:
        """Show another of the ways in which the conversation went on."""
        await self._takes.choose(take_id)

    async def branch(self, message_id: str) -> Conversation:
        """A new conversation with everything up to a message."""
        return await self._branching.branch(message_id)
