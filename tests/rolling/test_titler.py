"""A model gives a conversation its title, once, while nobody waits; what the person called it stays."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from partner_desktop.base.clock import SystemClock
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.domain.events import ConversationEvent, Event, TurnEvent
from partner_desktop.domain.message import Role
from partner_desktop.mind.question import TitleDialog
from partner_desktop.rolling.roller import RollingSettings
from partner_desktop.rolling.titler import ConversationTitler
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.dialog import Dialog
from partner_desktop.storage.database import Database
from tests.mind.scripted_models import ScriptedModels
from tests.runtime.minds import ScriptedMind
from tests.support import Watcher

pytestmark = pytest.mark.promise("desktop.conversations")


class Listener(Watcher):
    """A watcher that the channels know."""

    name = "listener"

    def accepts(self, event: Event) -> bool:
        return event is not None

    def deliver(self, event: Event) -> None:
        self(event)


class Titles:
    """A titler over a dialog on a real database; a mind that answers with `title` when it may."""

    def __init__(self, folder: Path, settings: RollingSettings) -> None:
        (folder / "backups").mkdir()
        clock, channels = SystemClock(), ChannelRegistry()
        self.database = Database(folder / "partner.db", backups=folder / "backups", clock=clock)
        self.dialog = Dialog(self.database, channels, clock=clock)
        self.watcher = Listener()
        channels.register(self.watcher)
        self.titler = ConversationTitler(self.dialog, ScriptedModels(), ConfigHandle("rolling", settings))
        self.mind = ScriptedMind()
        self.mind.add(TitleDialog.answered_by(self._answer))
        self.titler.think_with(self.mind)
        self.title: str | None = "A week in Ulm"
        self.asked: list[TitleDialog] = []
        self.begun, self.may = asyncio.Event(), asyncio.Event()
        self.may.set()

    async def _answer(self, question: TitleDialog) -> str | None:
        self.asked.append(question)
        self.begun.set()
        await self.may.wait()
        return self.title

    def turn(self, conversation_id: str, state: str) -> None:
        event = TurnEvent(conversation_id=conversation_id, turn_id="t", state=state)  # type: ignore[arg-type] # one of three
        assert self.titler.accepts(event)
        self.titler.deliver(event)

    async def talk(self, *texts: str) -> str:
        """A conversation in which this was said, and its turn ended."""
        conversation = await self.dialog.create()
        for number, text in enumerate(texts):
            await self.dialog.append(conversation.id, Role.PARTNER if number % 2 else Role.USER, text)
        self.turn(conversation.id, "ended")
        return conversation.id

    async def called(self, conversation_id: str) -> str:
        return (await self.dialog.conversation(conversation_id)).title

    async def titled(self, conversation_id: str, title: str) -> None:
        def is_it(event: Event) -> bool:
            renamed = isinstance(event, ConversationEvent) and event.conversation.id == conversation_id
            return renamed and event.conversation.title == title  # type: ignore[attr-defined] # it is one

        await self.watcher.until(is_it)
        assert await self.called(conversation_id) == title


@pytest.fixture
async def titles(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Titles]:
    settings = RollingSettings(titles=getattr(request, "param", "model"))
    one = Titles(tmp_path, settings)
    await one.database.launch()
    yield one
    await one.titler.shutdown()
    await one.database.shutdown()


async def test_after_the_first_answer_a_model_says_what_it_is_about_once(titles: Titles) -> None:
    one = await titles.talk("hey, I want to see Ulm next week", "Lovely. For how long?")
    await titles.titled(one, "A week in Ulm")
    assert [list(each.said) for each in titles.asked] == [
        [(True, "hey, I want to see Ulm next week"), (False, "Lovely. For how long?")]
    ]
    titles.turn(one, "ended")
    two = await titles.talk("and now?", "Well.")
    await titles.titled(two, "A week in Ulm")
    assert len(titles.asked) == 2


async def test_what_the_person_calls_it_meanwhile_stays(titles: Titles) -> None:
    titles.may.clear()
    one = await titles.talk("hey, I want to see Ulm", "Lovely.")
    await titles.begun.wait()
    await titles.dialog.retitle(one, "Ulm!")
    titles.may.set()
    two = await titles.talk("another one", "Yes.")
    await titles.titled(two, "A week in Ulm")
    assert await titles.called(one) == "Ulm!"


async def test_a_turn_that_begins_has_the_model_for_itself(titles: Titles) -> None:
    titles.may.clear()
    one = await titles.talk("hey, I want to see Ulm", "Lovely.")
    await titles.begun.wait()
    titles.begun.clear()
    titles.turn("c", "started")
    titles.turn("c", "ended")
    await titles.begun.wait()
    titles.may.set()
    await titles.titled(one, "A week in Ulm")
    assert len(titles.asked) == 2, "it was begun anew"


@pytest.mark.parametrize("titles", ["words"], indirect=True)
async def test_by_words_no_model_is_asked(titles: Titles) -> None:
    one = await titles.talk("hey, I want to see Ulm", "Lovely.")
    await titles.titler.shutdown()
    assert (await titles.called(one), titles.asked) == ("hey, I want to see Ulm", [])


async def test_a_mind_without_words_of_its_own_leaves_the_first_ones(titles: Titles) -> None:
    titles.title = None
    one = await titles.talk("hey, I want to see Ulm", "Lovely.")
    await titles.begun.wait()
    titles.title = "Another"
    two = await titles.talk("another one", "Yes.")
    await titles.titled(two, "Another")
    assert await titles.called(one) == "hey, I want to see Ulm"
