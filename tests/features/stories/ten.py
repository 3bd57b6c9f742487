"""The ten stories. What is expected beyond the judge's rules is asked only of a mind that understands."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import ProposalEvent, RunEvent
from tests.features.stories.person import PATIENCE_S, Person
from tests.features.stories.sensible import Knows


@dataclass(frozen=True)
class Story:
    """`knows` and `stages`: what the scripted mind says."""

    name: str
    tell: Callable[[Person], Awaitable[None]]
    knows: tuple[Knows, ...] = ()
    stages: tuple[tuple[str, ...], ...] = ()
    answers: dict[str, str] = field(default_factory=dict)


def _archives(person: Person) -> list[str]:
    folder = person.folder / "Backups"
    found = sorted(folder.glob("*.zip")) if folder.is_dir() else []
    return [name for path in found for name in zipfile.ZipFile(path).namelist()]


async def find_then_zip(person: Person) -> None:
    await person.say("find duplicates in ~/Pictures and then zip the folder")
    await person.settle()
    if person.sensible:
        record = await person.last()
        assert record.status is ActionStatus.SUCCEEDED, record.error
        assert record.chain is not None
        assert len(record.chain.stages) == 2
        assert len(person.approved) == 1
        assert any(name.endswith("sea.txt") for name in _archives(person))
        assert "Find duplicates" in (await person.answers_seen())[-1] or person.partner.models.list()


async def read_and_tell(person: Person) -> None:
    await person.say("how many words are in ~/notes.txt")
    await person.settle()
    if person.sensible:
        assert (await person.last()).status is ActionStatus.SUCCEEDED


async def asked_in_between(person: Person) -> None:
    await person.say("find duplicates and then zip the folder")
    await person.settle()
    if person.sensible:
        record = await person.last()
        assert record.status is ActionStatus.SUCCEEDED, record.error
        assert record.chain is not None


async def turned_down(person: Person) -> None:
    shutil.rmtree(person.folder / "Backups", ignore_errors=True)  # what a story before this one was let zip
    await person.say("find duplicates in ~/Pictures and then zip the folder")
    await person.settle(yes=False)
    assert not _archives(person)
    if person.sensible:
        assert (await person.last()).status is ActionStatus.REJECTED


async def only_talk(person: Person) -> None:
    await person.say("hello, how are you?")
    await person.say("tell me a joke")
    await person.settle(yes=False)
    if person.sensible:
        assert await person.records() == []


async def stopped_midway(person: Person) -> None:
    await person.begin("take a slow walk and then count the words in ~/notes.txt")
    if person.sensible:
        card = await _first_card(person)
        person.approved.add(card.id)
        await person.partner.actions.approve(card.id, scope="once")
        await person.watcher.until(_runs_step, wait_s=PATIENCE_S)
        await person.say("stop")
        await person.quiet()
        assert (await person.partner.actions.get(card.id)).status is ActionStatus.CANCELLED
        assert not (person.folder / "walked").exists()
    await person.settle(yes=False)


async def first_step_fails(person: Person) -> None:
    await person.say("trip over a stone and then zip ~/Pictures")
    await person.settle()
    if person.sensible:
        chain = next(one for one in await person.records() if one.chain is not None)
        assert chain.status is not ActionStatus.SUCCEEDED
        assert "trip" in " ".join(await person.answers_seen()).lower() or person.partner.models.list()


async def half_is_unknown(person: Person) -> None:
    await person.say("count the words in ~/notes.txt and then fly me to the moon")
    await person.settle()
    if person.sensible:
        assert [one.key for one in await person.records()] == ["local::count_words"]


async def in_chinese(person: Person) -> None:
    await person.say("查找重复文件 ~/Pictures，然后打包文件夹 ~/Pictures")
    await person.settle()
    if person.sensible:
        record = await person.last()
        assert record.status is ActionStatus.SUCCEEDED, record.error
        assert record.chain is not None


async def said_no_then_changed(person: Person) -> None:
    await person.say("find duplicates in ~/Pictures and then zip the folder")
    await person.say("leave out the zip")
    await person.settle()
    assert not _archives(person) or not person.sensible


def _runs_step(event: object) -> bool:
    return isinstance(event, RunEvent) and bool(event.action.parent_id)


async def _first_card(person: Person) -> ActionRecord:
    event = await person.watcher.until(lambda one: isinstance(one, ProposalEvent), wait_s=PATIENCE_S)
    assert isinstance(event, ProposalEvent)
    return event.action


_FIND = Knows("duplicates", "find_duplicates", (("folder", "~/Pictures"),))
_ZIP = Knows("zip", "zip_folder", (("source", "~/Pictures"),))
_COUNT = Knows("words in ~/notes.txt", "count_words", (("file", "~/notes.txt"),))

TEN = (
    Story(
        "find duplicates and zip the folder",
        find_then_zip,
        (_FIND, _ZIP),
        (("find duplicates in ~/Pictures",), ("zip the folder",)),
    ),
    Story("count the words of a file", read_and_tell, (Knows("words are in", "count_words"),)),
    Story(
        "a folder is asked for",
        asked_in_between,
        (Knows("duplicates", "find_duplicates"), Knows("zip", "zip_folder")),
        (("find duplicates",), ("zip the folder",)),
        {"folder": "~/Pictures", "source": "~/Pictures"},
    ),
    Story(
        "the plan is turned down",
        turned_down,
        (_FIND, _ZIP),
        (("find duplicates in ~/Pictures",), ("zip the folder",)),
    ),
    Story("only talk", only_talk),
    Story(
        "stopped in the middle",
        stopped_midway,
        (Knows("slow walk", "slow_walk"), _COUNT),
        (("take a slow walk",), ("count the words in ~/notes.txt",)),
    ),
    Story(
        "the first step fails",
        first_step_fails,
        (Knows("stone", "trip"), _ZIP),
        (("trip over a stone",), ("zip ~/Pictures",)),
    ),
    Story(
        "half of it is unknown",
        half_is_unknown,
        (_COUNT,),
        (("count the words in ~/notes.txt",), ("fly me to the moon",)),
    ),
    Story(
        "in Chinese",
        in_chinese,
        (Knows("查找重复文件", "find_duplicates", (("folder", "~/Pictures"),)), Knows("打包", "zip_folder")),
        (("查找重复文件 ~/Pictures",), ("打包文件夹 ~/Pictures",)),
    ),
    Story(
        "the plan is shortened",
        said_no_then_changed,
        (_FIND, _ZIP),
        (("find duplicates in ~/Pictures",), ("zip the folder",)),
    ),
)
