"""A real Partner in a process of its own that dies by SIGKILL while it takes things in.

    python -m tests.memory.dying HOME ACTION_DIR import FILE
    python -m tests.memory.dying HOME ACTION_DIR talk CONVERSATION TEXT

`import` dies with the first that is told of a chat that is in, `talk` when the text was answered.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import ChatImportEvent, Event, ReplyEvent
from tests.support import HastyClock


def _die_at_the_moment(event: Event) -> None:
    came = isinstance(event, ChatImportEvent) and event.progress.chats
    if came or (isinstance(event, ReplyEvent) and event.done):
        os.kill(os.getpid(), signal.SIGKILL)


async def live(home: Path, action_dir: Path, what: str, *words: str) -> None:
    """Until it dies."""
    partner = Partner(Home(home), action_dir, meaning=False, quiet_clock=HastyClock())
    partner.subscribe(_die_at_the_moment)
    await partner.launch()
    if what == "import":
        await partner.memory.import_from(Path(words[0]))
    else:
        await partner.messages.send(words[1], conversation_id=words[0] or None)
    await asyncio.sleep(60)


if __name__ == "__main__":
    asyncio.run(live(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:]))
