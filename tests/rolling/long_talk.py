"""A conversation that grows, and what there is of it afterwards."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

from partner_desktop.app import Partner
from partner_desktop.base.clock import Clock
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import DialogRolledEvent, Event
from partner_desktop.domain.message import Role
from partner_desktop.domain.remembered import MemoryUnit
from partner_desktop.domain.snapshot import PromptPart
from partner_desktop.mind.question import Mind
from tests.runtime.minds import ScriptedMind
from tests.support import WAIT_S, FakeClock, HastyClock, Watcher


def plain_mind() -> ScriptedMind:
    """Answers every message with one short sentence."""
    return ScriptedMind(lambda request: [f"Fine, {(request.text.split() or ['so'])[0]}."])


@asynccontextmanager
async def talking(
    home: Home, action_dir: Path, mind: Mind, *, clock: Clock | None = None, used: Path | None = None
) -> AsyncIterator[tuple[Partner, Watcher]]:
    """A Partner with such a mind; `used` is a home to begin with."""
    if used is not None and not home.root.exists():
        shutil.copytree(used, home.root)
    partner = Partner(home, action_dir, meaning=False, mind=mind, clock=clock, quiet_clock=HastyClock())
    watcher = Watcher()
    partner.subscribe(watcher)
    await partner.launch()
    try:
        yield partner, watcher
    finally:
        await partner.close()


async def say(partner: Partner, watcher: Watcher, texts: Iterable[str], conversation_id: str = "") -> str:
    """Say it, one after the other, each to its end; the conversation's id."""
    for text in texts:
        message = await partner.messages.send(text, conversation_id=conversation_id or None)
        conversation_id = message.conversation_id
        done = await watcher.until(lambda event: event.type == "done")
        watcher.events.remove(done)
    return conversation_id


async def rolled(watcher: Watcher) -> MemoryUnit:
    """The next unit that is told of."""
    event = await watcher.until(lambda event: isinstance(event, DialogRolledEvent))
    assert isinstance(event, DialogRolledEvent)
    assert event.conversation_id == event.unit.conversation_id
    watcher.events.remove(event)
    return event.unit


async def rolled_in_time(partner: Partner, watcher: Watcher, clock: FakeClock) -> MemoryUnit:
    """The next unit that is told of; minutes pass until then."""
    async with asyncio.timeout(WAIT_S):
        while not rolls(watcher.events):
            clock.move(timedelta(minutes=1))
            await partner.memory.units("")  # so long as the database takes, others go on
    return await rolled(watcher)


def rolls(events: Iterable[Event]) -> list[MemoryUnit]:
    return [event.unit for event in events if isinstance(event, DialogRolledEvent)]


async def line(partner: Partner, conversation_id: str) -> list[tuple[int, str]]:
    """Everything that was said, with its place."""
    found = await partner.messages.list(conversation_id, limit=500)
    return [(one.position, one.text) for one in found if one.role is not Role.ACTION]


async def opened(partner: Partner, unit: MemoryUnit) -> list[tuple[int, str]]:
    """The messages of a unit, slice by slice."""
    slices = await partner.memory.slices(conversation_id=unit.conversation_id, limit=1_000)
    own = sorted((one for one in slices if one.unit_id == unit.id), key=lambda one: one.first)
    return [(each.position, each.text) for one in own for each in (await partner.memory.show(one.id)).turns]


def dialog_of(parts: Iterable[PromptPart]) -> list[str]:
    return [part.text for part in parts if part.name == "dialog"]


def history_of(parts: Iterable[PromptPart]) -> str:
    return "\n".join(part.text for part in parts if part.name == "dialog_history")
