"""An ability is born of a paste, tried, run, kept, used after a restart, edited, removed and brought back."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from tests.action.listing import keys, put
from tests.support import HastyClock

from .talking import Person

pytestmark = pytest.mark.integration

SNIPPET = '''\
"""Turn words around."""
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--words", required=True, help="the words to turn around")
print(parser.parse_args().words[::-1])
'''
PASTE = f"Here is something I use:\n```python\n{SNIPPET}```"


@pytest.mark.promise("actions.persist")
@pytest.mark.promise("actions.folder.tmp")
async def test_a_pasted_snippet_becomes_an_ability_that_stays(
    home: Home, partner: Partner, action_dir: Path
) -> None:
    person = await Person.of(partner)
    # Pasted in one message, wished for in the next: the card shows the source, and nothing is there yet.
    await person.say(PASTE)
    await person.say("Make this an ability called turn around")
    assert person.card.key == "builtin::dynamic::generate"
    assert await partner.abilities.source(person.card.id) == SNIPPET
    assert not person.card.grantable, "no yes for good to code that nobody has seen yet"
    assert keys(partner) == set()

    # Tried on its card: it asks for its argument, and the card waits as before.
    tried = await partner.actions.try_out(person.card.id)
    assert tried.sandboxed
    assert "--words" in tried.stderr
    assert (await partner.actions.get(person.card.id)).status is ActionStatus.WAITING

    # Made.
    made = await person.approve()
    assert made.status is ActionStatus.SUCCEEDED, made.error
    (key,) = keys(partner)
    assert key.startswith("origin::")
    assert key.endswith("-turn_around.py")
    answer = await person.answer()
    assert "30 minutes" in answer
    assert "keep it" in answer

    # Run by "run it", with the argument that the code declares.
    await person.say("run it")
    assert (await person.say("abc def")) != ""
    assert person.card.key == key
    tried = await partner.actions.try_out(person.card.id, params={"words": "try"})
    assert tried.stdout.strip() == "yrt"
    ran = await person.approve()
    assert ran.stdout.strip() == "fed cba"

    # Kept, and used by words after a restart.
    kept = await person.say_and_approve("keep it")
    assert kept.status is ActionStatus.SUCCEEDED, kept.error
    assert kept.once
    assert keys(partner) == {"local::turn_around"}
    await partner.close()
    again = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    await again.launch()
    try:
        await _next_day(again, action_dir)
    finally:
        await again.close()


async def _next_day(partner: Partner, action_dir: Path) -> None:
    person = await Person.of(partner)
    await person.say('turn around the words "good day"')
    assert person.card.key == "local::turn_around"
    assert person.card.params == {"words": "good day"}
    assert (await person.approve()).stdout.strip() == "yad doog"

    # Allowed for good, edited: it asks again, and says why.
    await person.say('turn around the words "again"')
    await person.approve(scope="always")
    path = action_dir / "dynamic" / "turn_around.py"
    await put(person.watcher, path, path.read_text() + 'print("edited")\n', "local::turn_around")
    await person.say('turn around the words "asks"')
    assert person.card.was_allowed
    assert (await person.approve()).stdout.split() == ["sksa", "edited"]

    # Removed, and brought back: as it was, and it asks.
    await person.say_and_approve("remove turn around")
    assert keys(partner) == set()
    assert not path.exists()
    back = await person.say_and_approve("undo")
    assert back.status is ActionStatus.SUCCEEDED, back.error
    assert keys(partner) == {"local::turn_around"}
    assert "edited" in path.read_text()
    await person.say('turn around the words "back"')
    asked = await partner.actions.get(person.card.id)
    assert (asked.key, asked.status) == ("local::turn_around", ActionStatus.WAITING)
    assert not asked.was_allowed  # removing it took that back
