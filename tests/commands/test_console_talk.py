"""Questions on the terminal: a key is for the one that has stood there for a moment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import PartnerError
from partner_desktop.commands.console.talk import Talk
from partner_desktop.commands.console.transcript import Transcript
from partner_desktop.domain.events import AbilitiesEvent
from partner_desktop.gateways.partner_client import LocalClient
from tests.support import UPPER_SCRIPT, WAIT_S, FakeClock, Watcher

pytestmark = pytest.mark.integration


class Person:
    """Somebody before a terminal whose clock stands still."""

    def __init__(self, partner: Partner) -> None:
        self.clock = FakeClock()
        self.lines: list[str] = []
        self._news = asyncio.Event()
        transcript = Transcript(self.lines.append, lambda: 200)
        self.talk = Talk(LocalClient(partner), transcript, "ask", changed=self._news.set, clock=self.clock)

    @property
    def asked(self) -> tuple[str, bool]:
        """Which action the next key would answer, and whether it would."""
        question = self.talk.question
        return (str(question["id"]) if question else "", self.talk.listens)

    async def until(self, holds: Callable[[], object]) -> None:
        async with asyncio.timeout(WAIT_S):
            while not holds():
                self._news.clear()
                await self._news.wait()

    async def propose(self, *texts: str) -> None:
        """Say things that each bring a question."""
        for text in texts:
            self.talk.say(f'shout "{text}" in capital letters')
            await self.until(lambda: not self.talk.busy)


@pytest.fixture
async def person(partner: Partner, shout: Path) -> AsyncIterator[Person]:
    assert shout.read_text() == UPPER_SCRIPT
    one = Person(partner)
    yield one
    await one.talk.close()


async def test_a_question_that_comes_up_because_another_was_settled_is_read_first(
    partner: Partner, person: Person
) -> None:
    await person.propose("first", "second")
    second, first = [record.id for record in await partner.actions.list()]
    person.clock.move(timedelta(seconds=1))
    assert person.asked == (first, True)
    await partner.actions.reject(first)
    await person.until(lambda: person.asked[0] == second)
    assert person.asked == (second, False), "the key for the first is none for the second"
    person.clock.move(timedelta(seconds=1))
    assert person.asked == (second, True)


async def test_a_question_that_changed_keeps_its_place_and_is_read_first(
    partner: Partner, watcher: Watcher, person: Person, shout: Path
) -> None:
    await person.propose("first", "second")
    _, first = [record.id for record in await partner.actions.list()]
    person.clock.move(timedelta(seconds=1))
    watcher.events.clear()
    shout.write_text(UPPER_SCRIPT + "print('and more')\n")
    await watcher.until(lambda event: isinstance(event, AbilitiesEvent))
    with pytest.raises(PartnerError):
        await partner.actions.approve(first, scope="once")
    await person.until(lambda: person.lines.count("  text: first") == 2)
    assert person.asked == (first, False)
