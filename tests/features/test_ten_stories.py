"""The same ten stories with three minds: they come to their end or to an honest question.

None crashes, goes round in circles, or runs what nobody said yes to, also where the mind is a model of random
weights.
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import AbilitiesEvent
from partner_desktop.domain.model_status import EndpointDraft
from tests.features.stories.person import Person
from tests.features.stories.sensible import SensibleModel
from tests.features.stories.ten import TEN, Story
from tests.model.endpoint.badly import BadServer
from tests.model.engine import needs_engine
from tests.model.tiny import make_tiny_model
from tests.samples.stage import SAMPLES
from tests.support import HastyClock, Watcher

# Whole stories: they belong to the whole gate.
pytestmark = pytest.mark.integration

SLOW_WALK = """\
# /// partner
# description = "Take a slow walk"
# aliases = ["walk slowly"]
# ///
import pathlib
import signal

signal.pause()
"""
TRIP = """\
# /// partner
# description = "Trip over a stone"
# ///
import sys

sys.exit("the stone was there")
"""


@pytest.fixture
def furnished(user_home: Path, action_dir: Path) -> Path:
    """A home with pictures and notes, and the abilities of the stories."""
    pictures = user_home / "Pictures"
    pictures.mkdir()
    for name, text in (("sea.txt", "sea"), ("sea copy.txt", "sea"), ("hill.txt", "hill")):
        (pictures / name).write_text(text)
    (user_home / "notes.txt").write_text("four words are here")
    folder = action_dir / "dynamic"
    for sample in ("find_duplicates.py", "zip_folder.py"):
        shutil.copy(SAMPLES / sample, folder / sample)
    shutil.copytree(SAMPLES / "count_words", folder / "count_words")
    (folder / "slow_walk.py").write_text(SLOW_WALK)
    (folder / "trip.py").write_text(TRIP)
    return user_home


@asynccontextmanager
async def person_of(home: Home, action_dir: Path, folder: Path, *, sensible: bool) -> AsyncIterator[Person]:
    partner = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    watcher = Watcher()
    await partner.launch()
    partner.subscribe(watcher)
    try:
        wanted = {"local::find_duplicates", "local::zip_folder", "local::count_words", "local::trip"}
        if not wanted <= {one.key for one in partner.abilities.list()}:
            await watcher.until(
                lambda event: (
                    isinstance(event, AbilitiesEvent)
                    and wanted <= {one.key for one in partner.abilities.list()}
                )
            )
        yield Person(partner, watcher, folder, sensible)
    finally:
        await partner.close()


async def told(story: Story, person: Person) -> None:
    person.answers = dict(story.answers)
    await story.tell(person)
    await person.judge()


@pytest.mark.parametrize("story", TEN, ids=lambda story: story.name)
async def test_without_a_model(story: Story, home: Home, action_dir: Path, furnished: Path) -> None:
    async with person_of(home, action_dir, furnished, sensible=True) as person:
        await told(story, person)


@pytest.mark.parametrize("story", TEN, ids=lambda story: story.name)
async def test_with_a_mind_that_understands(
    story: Story, home: Home, action_dir: Path, furnished: Path
) -> None:
    model = SensibleModel(story.knows, story.stages)
    async with (
        BadServer(model) as server,
        person_of(home, action_dir, furnished, sensible=True) as person,
    ):
        draft = EndpointDraft("sensible", server.address, "sensible")
        await person.partner.models.use(await person.partner.models.add_endpoint(draft, ""))
        await told(story, person)
    assert model.asked


@needs_engine
@pytest.mark.slow
async def test_with_a_model_of_random_weights(
    home: Home, action_dir: Path, furnished: Path, tmp_path: Path
) -> None:
    """All of them in one Partner: a model is opened once."""
    file = make_tiny_model(tmp_path / "tiny.gguf", context_tokens=32_768)
    async with person_of(home, action_dir, furnished, sensible=False) as person:
        await person.partner.models.add_file(file)
        await person.partner.config.set("model", ("max_tokens",), 40)
        for story in TEN:
            person.conversation_id = ""
            await told(story, person)
