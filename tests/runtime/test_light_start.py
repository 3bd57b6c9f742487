"""A start does not pay for what reads messages; the first message brings it in, off the loop."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import REPOSITORY

#: A Partner of its own process: what was imported at its start, and later on the thread of the loop.
_PROBE = """
import asyncio, json, sys, threading
from pathlib import Path

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import DoneEvent

home, warm = Path(sys.argv[1]), sys.argv[2] == "warm"
READING = (
    "partner_desktop.language.",
    "partner_desktop.mind.starter.",
    "partner_desktop.action.turns.turn_planning",
)


def there():
    return sorted(name for name in sys.modules if name.startswith(READING))


class OnLoop:
    names = []

    def find_spec(self, name, path, target=None):
        if threading.current_thread() is threading.main_thread() and name.startswith(READING):
            self.names.append(name)


async def main():
    partner = Partner(Home(home / "home"), home / "action", meaning=False)
    await partner.launch()
    told = {"start": there()}
    sys.meta_path.insert(0, OnLoop())
    if warm:
        await partner.warm_up()
    told["before"] = there()
    over = asyncio.Event()
    partner.subscribe(lambda event: over.set() if isinstance(event, DoneEvent) else None)
    await partner.messages.send("hello", conversation_id=None)
    await asyncio.wait_for(over.wait(), 30)
    told["after"], told["on_loop"] = there(), OnLoop.names
    await partner.close()
    print(json.dumps(told))


asyncio.run(main())
"""


def told(tmp_path: Path, how: str) -> dict[str, list[str]]:
    command = [sys.executable, "-c", _PROBE, str(tmp_path), how]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=REPOSITORY, timeout=60)
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


@pytest.mark.integration
def test_the_first_message_brings_in_what_reads_it_and_never_on_the_loop(tmp_path: Path) -> None:
    seen = told(tmp_path, "cold")
    assert seen["start"] == [
        "partner_desktop.language.anaphora",
        "partner_desktop.language.rule_table",
        "partner_desktop.mind.starter.meaning",
    ]
    assert seen["before"] == seen["start"]
    assert "partner_desktop.mind.starter.mind" in seen["after"]
    assert "partner_desktop.action.turns.turn_planning" in seen["after"]
    assert seen["on_loop"] == []


@pytest.mark.integration
def test_whoever_begins_to_write_does_not_wait_for_it_with_the_message(tmp_path: Path) -> None:
    seen = told(tmp_path, "warm")
    assert seen["before"] != seen["start"]
    assert seen["after"] == seen["before"]
