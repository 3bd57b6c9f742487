"""Says lines to a Partner without a model, each in its own process, and prints what came of each as JSON.

`python -m tests.features.spoken_turns HOME ACTION_DIR LINE …`; a line `---` begins a new conversation.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import ReplyEvent
from tests.support import Watcher


async def _say(home: Path, action_dir: Path, lines: list[str]) -> None:
    partner, watcher = Partner(Home(home), action_dir, meaning=False), Watcher()
    await partner.launch()
    partner.subscribe(watcher)
    conversation: str | None = None
    try:
        for line in lines:
            if line == "---":
                conversation = None
                continue
            watcher.events.clear()
            sent = await partner.messages.send(line, conversation_id=conversation)
            conversation = sent.conversation_id
            await watcher.done()
            newest = next(iter(await partner.actions.list()), None)
            replies = [event.text for event in watcher.events if isinstance(event, ReplyEvent) and event.done]
            card = [newest.key, newest.status.value, newest.params] if newest is not None else []
            print(json.dumps({"line": line, "action": card, "reply": " ".join(replies)}), flush=True)
    finally:
        await partner.close()


if __name__ == "__main__":
    asyncio.run(_say(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]))
