"""A person who talks with a real Partner about abilities: says things, says yes, reads the answers."""

from __future__ import annotations

from dataclasses import dataclass, field

from partner_desktop.app import Partner
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.events import DoneEvent, Event, ProposalEvent, ResultEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.message import Role
from partner_desktop.domain.permission import Scope
from tests.support import Watcher


@dataclass
class Person:
    """In one conversation."""

    partner: Partner
    conversation_id: str
    watcher: Watcher = field(default_factory=Watcher)

    @staticmethod
    async def of(partner: Partner) -> Person:
        conversation = await partner.conversations.create()
        person = Person(partner, conversation.id)
        partner.subscribe(person.watcher)
        return person

    async def say(self, text: str) -> str:
        """Say something; what Partner answered."""
        self.watcher.events.clear()
        await self.partner.messages.send(text, conversation_id=self.conversation_id)
        await self.watcher.done()
        return await self.answer()

    async def answer(self) -> str:
        messages = await self.partner.messages.list(self.conversation_id)
        return [message.text for message in messages if message.role is Role.PARTNER][-1]

    @property
    def card(self) -> ActionRecord:
        """The card that waits."""
        return [event.action for event in self.watcher.events if isinstance(event, ProposalEvent)][-1]

    async def approve(self, params: JsonObject | None = None, *, scope: Scope = "once") -> ActionRecord:
        """Say yes to the card; how the run ended, when its answer is there too."""
        card = self.card
        self.watcher.events.clear()
        await self.partner.actions.approve(card.id, scope=scope, params=params)

        def ended(event: Event) -> bool:
            return isinstance(event, ResultEvent) and event.action.id == card.id

        result = await self.watcher.until(ended)
        await self.watcher.until(lambda event: isinstance(event, DoneEvent))
        assert isinstance(result, ResultEvent)
        return result.action

    async def say_and_approve(self, text: str, **params: str) -> ActionRecord:
        """Say something, and yes to what comes of it, with these arguments on the card."""
        await self.say(text)
        return await self.approve({**self.card.params, **params} if params else None)
