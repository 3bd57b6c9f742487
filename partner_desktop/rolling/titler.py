"""ConversationTitler: a model gives a conversation its title, once it is known what it is about.

Contract: until then, and without a model, the title is the first thing said. It is asked for after a turn,
while nobody waits for an answer, and once for each conversation; what the person called it stays.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from partner_desktop.base import log
from partner_desktop.base.errors import PartnerError
from partner_desktop.base.tasks import TaskSet
from partner_desktop.capabilities import ModelCapability
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.domain.events import Event, TurnEvent
from partner_desktop.domain.message import Message, MessageState, Role
from partner_desktop.mind.question import Mind, TitleDialog
from partner_desktop.rolling.roller import RollingSettings
from partner_desktop.runtime.dialog import Dialog, title_of
from partner_desktop.runtime.interruption import QuietTurns, TurnInterrupted

_log = log.area("rolling")

#: Messages that are looked at; a conversation that has more has its title for good.
_MOST = 12
#: How often a model begins anew because somebody spoke, and how many seconds it waits for the end of a turn.
_TRIES, _TURN_S = 3, 300.0


class ConversationTitler:
    """A channel, which hears of turns, and a part of the AgentContext, which ends what it does."""

    name = "titler"

    def __init__(
        self, dialog: Dialog, models: ModelCapability, settings: ConfigHandle[RollingSettings]
    ) -> None:
        self._dialog = dialog
        self._models = models
        self._settings = settings
        self._mind: Mind | None = None
        self._turns = QuietTurns()
        self._tasks = TaskSet("titler")
        self._begun: set[str] = set()
        """Conversations whose title is being made, or settled."""

    def think_with(self, mind: Mind) -> None:
        """Set who is asked; wired once by the app."""
        self._mind = mind

    async def launch(self) -> None:
        """It waits for the first turn."""

    async def shutdown(self) -> None:
        await self._tasks.close()

    def accepts(self, event: Event) -> bool:
        """Turns only."""
        return isinstance(event, TurnEvent)

    def deliver(self, event: Event) -> None:
        """A turn began or ended; after one, the conversation may want its title."""
        assert isinstance(event, TurnEvent)
        self._turns.hear(event)
        place = event.conversation_id
        by_model = self._settings.value.titles == "model" and self._models.serves("title_dialog")
        if event.state == "ended" and place and by_model and place not in self._begun:
            self._begun.add(place)
            with suppress(RuntimeError):  # we are closing
                self._tasks.start(place, self._title(place))

    async def _title(self, conversation_id: str) -> None:
        try:
            named = (await self._dialog.conversation(conversation_id)).title
            said = await self._dialog.recent(conversation_id, limit=_MOST + 1)
            spoken = _spoken(said)
            if not any(one.role is Role.PARTNER for one in spoken):
                self._begun.discard(conversation_id)  # there is nothing to go by yet
                return
            if len(said) > _MOST or not _is_first(named, spoken):
                return
            title = await self._ask(spoken)
            if title:
                await self._dialog.retitle_if(conversation_id, named, title)
        except PartnerError as error:
            _log.warning("no title for %s: %s", conversation_id, error)

    async def _ask(self, spoken: Sequence[Message]) -> str:
        assert self._mind is not None
        question = TitleDialog([(one.role is Role.USER, one.text) for one in spoken])
        with suppress(TimeoutError):
            for _ in range(_TRIES):
                async with asyncio.timeout(_TURN_S):
                    await self._turns.wait()
                with suppress(TurnInterrupted):
                    return await self._turns.unless_disturbed(self._mind.ask(question)) or ""
        return ""


def _spoken(messages: Sequence[Message]) -> list[Message]:
    """What was said in words, and is whole."""
    return [
        one for one in messages if one.role is not Role.ACTION and one.text and one.state is MessageState.DONE
    ]


def _is_first(title: str, spoken: Sequence[Message]) -> bool:
    """Whether a title is nothing but the first thing that the person said."""
    first = next((one for one in spoken if one.role is Role.USER), None)
    return first is not None and title == title_of(first.text)
