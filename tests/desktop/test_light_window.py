"""What the start of the window does not pay for: sources that PySide would read, and what shows replies."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import REPOSITORY

#: The real window in a process of its own: what was imported when it was up, and when a reply was shown.
_PROBE = """
import asyncio, json, linecache, sys
from pathlib import Path

from partner_desktop.base.paths import Home
from partner_desktop.desktop.launch import import_qt

import_qt()
from PySide6.QtWidgets import QApplication

from partner_desktop.domain.events import DoneEvent
from tests.benchmarks.open_window import with_window

place = Path(sys.argv[1])


def there():
    reply = "partner_desktop.desktop.chat.reply.reply"
    names = ("html.entities", "markdown_it", "pygments", "linkify_it", reply)
    return [name for name in names if name in sys.modules]


async def scenario(partner):
    told = {"sources": sorted(linecache.cache), "start": there()}
    over = asyncio.Event()
    partner.subscribe(lambda event: over.set() if isinstance(event, DoneEvent) else None)
    window = next(one for one in QApplication.topLevelWidgets() if type(one).__name__ == "MainWindow")
    window.page.composer.submitted.emit("hello")
    await asyncio.wait_for(over.wait(), 30)
    return told | {"reply": there()}


print(json.dumps(with_window(Home(place / "home"), place / "action", scenario)))
"""


@pytest.mark.integration
def test_a_window_without_a_conversation_has_read_no_source_and_nothing_that_shows_replies(
    tmp_path: Path,
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PROBE, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
        cwd=REPOSITORY,
        timeout=90,
    )
    told = json.loads(done.stdout)
    assert [name for name in told["sources"] if "partner_desktop" in name] == []
    assert told["start"] == []
    assert len(told["reply"]) == 5
