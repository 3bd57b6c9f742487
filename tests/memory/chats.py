"""Chats to bring in, and what is asked of memory about them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import aclosing, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from partner_desktop.app import Partner
from partner_desktop.base.clock import Clock
from partner_desktop.base.paths import Home
from partner_desktop.domain.remembered import ChatImport, Recall
from tests.support import HastyClock, Watcher

MARCH = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


def turn(text: str, role: str = "user", **more: object) -> dict[str, object]:
    """A line of an export."""
    return {"text": text, "role": role, **more}


def written(path: Path, lines: Iterable[Mapping[str, object]]) -> Path:
    """A file of JSON lines."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def trips(numbers: Iterable[int]) -> list[dict[str, object]]:
    """A chat of two turns for each number, a day each."""
    return [
        line
        for number in numbers
        for line in (
            turn(
                f"I booked the ferry to island{number}.",
                conversation=f"trip-{number}",
                title=f"Trip {number}",
                at=(MARCH + timedelta(days=number)).isoformat(),
            ),
            turn(
                "It has a lighthouse.",
                "assistant",
                conversation=f"trip-{number}",
                at=(MARCH + timedelta(days=number, minutes=1)).isoformat(),
            ),
        )
    ]


async def followed(partner: Partner, one: ChatImport) -> list[ChatImport]:
    """Everything that is told of an import, to its end."""
    async with aclosing(partner.memory.follow_import(one.id)) as told:
        return [each async for each in told]


async def brought_in(partner: Partner, path: Path) -> ChatImport:
    """An import, at its end."""
    return (await followed(partner, await partner.memory.import_from(path)))[-1]


def texts(recall: Recall) -> list[str]:
    """What was recalled, best first."""
    return [each.turn.text for each in recall.turns]


@asynccontextmanager
async def living(
    home: Home, action_dir: Path, *, clock: Clock | None = None, meaning: bool = False
) -> AsyncIterator[tuple[Partner, Watcher]]:
    """A Partner on a home, as often as a test wants."""
    partner = Partner(home, action_dir, meaning=meaning, clock=clock, quiet_clock=HastyClock())
    watcher = Watcher()
    partner.subscribe(watcher)
    await partner.launch()
    try:
        yield partner, watcher
    finally:
        await partner.close()
