"""A home in which something was said and done: its conversation as a file, and its backup."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from tests.support import HastyClock, Watcher

_SCRIPT = """# /// partner
# description = "Make a word upper case"
# [params.word]
# type = "string"
# description = "the word"
# ///
print("DONE")
"""


@dataclass(frozen=True)
class SmallHome:
    """What was made there."""

    home: Home
    action_dir: Path
    conversation: Path
    backup: Path


def make_small_home(folder: Path) -> SmallHome:
    """Say something, run something, export it and back it up."""
    return asyncio.run(_make(folder))


async def _make(folder: Path) -> SmallHome:
    home = Home(folder / "home")
    action_dir = home.root / "action"
    for part in ("dynamic", "tmp", "mcp/desc"):
        (action_dir / part).mkdir(parents=True)
    (action_dir / "dynamic" / "upper.py").write_text(_SCRIPT)
    made = SmallHome(home, action_dir, folder / "conversation.json", folder / "backup.zip")
    partner, watcher = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock()), Watcher()
    partner.subscribe(watcher)
    await partner.launch()
    try:
        first = await partner.messages.send("hello", conversation_id=None)
        await watcher.done()
        await partner.messages.send('make the word "tea" upper case', conversation_id=first.conversation_id)
        await watcher.until(lambda event: event.type == "proposal")
        (asked,) = await partner.actions.list()
        await partner.actions.approve(asked.id, scope="once")
        await watcher.until(lambda event: event.type == "result")
        await partner.conversations.export_to(first.conversation_id, made.conversation, kind="json")
        await partner.backup.write(made.backup)
    finally:
        await partner.close()
    return made
