"""A conversation with a Partner whose answers are numbered."""

from __future__ import annotations

from collections.abc import Sequence

from partner_desktop.app import Partner
from partner_desktop.domain.message import Line, Message
from tests.runtime.minds import ScriptedMind
from tests.support import Watcher


class Talk:
    """What a person says and does there."""

    def __init__(self, partner: Partner, watcher: Watcher, mind: ScriptedMind) -> None:
        self.partner, self.watcher, self.mind = partner, watcher, mind
        self.id = ""

    async def say(self, text: str) -> Message:
        """Say something, to its end."""
        self.watcher.events.clear()
        message = await self.partner.messages.send(text, conversation_id=self.id or None)
        self.id = message.conversation_id
        await self.watcher.done()
        return message

    async def edit(self, message: Message, text: str) -> Message:
        self.watcher.events.clear()
        new = await self.partner.messages.edit(message.id, text)
        await self.watcher.done()
        return new

    async def regenerate(self, reply: Message) -> None:
        self.watcher.events.clear()
        await self.partner.messages.regenerate(reply.id)
        await self.watcher.done()

    async def choose(self, fork: int, take: int) -> None:
        self.watcher.events.clear()
        await self.partner.messages.choose((await self.line()).forks[fork].takes[take])

    async def shown(self) -> Sequence[Message]:
        return await self.partner.messages.list(self.id)

    async def texts(self) -> list[str]:
        return [message.text for message in await self.shown()]

    async def line(self) -> Line:
        return await self.partner.messages.line(self.id)

    async def last(self) -> Message:
        return (await self.shown())[-1]

    async def forks(self) -> list[tuple[int, int, str]]:
        """Of each fork: which way of how many is shown, and the text that it stands at."""
        known = {message.id: message.text for message in await self.shown()}
        return [
            (fork.active + 1, len(fork.takes), known[fork.shown_at]) for fork in (await self.line()).forks
        ]
