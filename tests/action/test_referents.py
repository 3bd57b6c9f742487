"""What the actions of a conversation leave for words to mean: from real runs, their records and the disk."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from partner_desktop.action.store import ActionStore
from partner_desktop.action.turns.referents import Referents
from partner_desktop.action.undo.disk import UndoDisk
from partner_desktop.app import Partner
from partner_desktop.base.clock import SystemClock
from partner_desktop.base.ids import new_id
from partner_desktop.base.paths import Home
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.referent import Referent, ResultItem
from partner_desktop.permission.request import ApprovalMode
from partner_desktop.runtime.attachment_store import AttachmentStore
from partner_desktop.storage.database import Database
from tests.samples.stage import SAMPLES
from tests.support import Watcher

#: A Partner each.
pytestmark = pytest.mark.integration

Run: TypeAlias = Callable[..., Awaitable[tuple[Referent, ...]]]


@pytest.fixture
async def run(partner: Partner, watcher: Watcher, home: Home, action_dir: Path) -> AsyncIterator[Run]:
    """Runs an ability in one conversation, and gives what is left there by then, the newest first."""
    for sample in ("find_duplicates.py", "disk_usage.py", "search_text.py", "zip_folder.py"):
        shutil.copy(SAMPLES / sample, action_dir / "dynamic")
    await watcher.until(
        lambda _: sum(info.key.startswith("local::") for info in partner.abilities.list()) == 4
    )
    database = Database(home.database, backups=home.backups, clock=SystemClock())
    await database.launch()
    conversation_id = (await partner.conversations.create()).id
    referents = Referents(ActionStore(database), UndoDisk(home.undo, own=()), AttachmentStore(database))

    async def run(key: str, **params: object) -> tuple[Referent, ...]:
        exchange_id, given = new_id(), {name: str(value) for name, value in params.items()}
        arguments: JsonObject = {**given}
        await partner.abilities.run(
            key,
            arguments,
            cwd="",
            conversation_id=conversation_id,
            standing=ApprovalMode.ALL,
            exchange_id=exchange_id,
        )
        await watcher.done(exchange_id)
        return await referents.of(conversation_id)

    yield run
    await database.shutdown()


@pytest.fixture
def pictures(user_home: Path) -> Path:
    folder = user_home / "Pictures"
    (folder / "old").mkdir(parents=True)
    (folder / "hill.jpg").write_text("a hill, wide")
    (folder / "sea.jpg").write_text("sea")
    (folder / "old" / "sea (1).jpg").write_text("sea")
    os.utime(folder / "hill.jpg", (1_700_000_000, 1_700_000_000))
    return folder


def shown(items: tuple[ResultItem, ...], home: Path) -> list[str]:
    """Each item in a word or two: its path in the home, and what is known of it."""
    return [
        " ".join(
            [
                str(Path(item.path).relative_to(home)) + "/" * item.is_folder,
                *(name for name in ("made", "given", "gone") if getattr(item, name)),
                *([f"group {item.group}"] if item.group else []),
            ]
        )
        for item in items
    ]


async def test_a_listing_leaves_what_it_showed_in_its_order(
    run: Run, pictures: Path, user_home: Path
) -> None:
    [left] = await run("builtin::list_folder", folder=pictures)
    assert shown(left.items, user_home) == [
        "Pictures/old/",
        "Pictures/hill.jpg",
        "Pictures/sea.jpg",
        "Pictures/ given",
    ]
    assert (left.items[1].size_bytes, left.items[1].modified_s) == (12, 1_700_000_000.0)
    assert (left.place, left.searched) == (str(pictures), False)


async def test_copies_of_a_file_are_a_group(run: Run, pictures: Path, user_home: Path) -> None:
    [left] = await run("local::find_duplicates", folder=pictures)
    assert shown(left.items, user_home) == [
        "Pictures/sea.jpg group 1",
        "Pictures/old/sea (1).jpg group 1",
        "Pictures/ given",
    ]
    assert left.counts["needless_copies"] == 1


async def test_of_a_search_the_hits_are_what_it_was_about(run: Run, pictures: Path, user_home: Path) -> None:
    (pictures / "list.txt").write_text("a boat")
    [left] = await run("local::search_text", folder=pictures, text="boat")
    assert shown(left.items, user_home) == ["Pictures/list.txt", "Pictures/ given"]
    assert left.searched


async def test_what_was_made_moved_and_thrown_away_is_told_apart(
    run: Run, pictures: Path, user_home: Path
) -> None:
    desktop = user_home / "Desktop"
    desktop.mkdir()
    await run("local::zip_folder", source=pictures, target=desktop)
    await run("builtin::files::move", source=pictures / "sea.jpg", target=desktop / "sea.jpg")
    await run("builtin::files::make_folder", folder=desktop / "box")
    thrown, box, moved, packed = await run("builtin::files::trash", path=pictures / "hill.jpg")
    [archive] = desktop.glob("*.zip")
    assert shown(thrown.items, user_home) == ["Pictures/hill.jpg given gone"]
    assert (shown(box.items, user_home), box.place) == (["Desktop/box/ made"], str(desktop / "box"))
    assert shown(moved.items, user_home) == ["Desktop/sea.jpg made", "Pictures/sea.jpg given gone"]
    assert moved.place == str(desktop)
    assert shown(packed.items, user_home)[0] == f"Desktop/{archive.name} made"


async def test_what_was_made_is_what_the_result_names_and_no_folder_made_to_hold_it(
    run: Run, pictures: Path, user_home: Path
) -> None:
    [packed] = await run("local::zip_folder", source=pictures, target=user_home / "Backups")
    [archive] = (user_home / "Backups").glob("*.zip")
    assert shown(packed.items, user_home) == [
        f"Backups/{archive.name} made",
        "Backups/ given",
        "Pictures/ given",
    ]
    assert packed.place == str(archive.parent)


async def test_what_is_gone_by_now_is_no_item_or_gone(run: Run, pictures: Path, user_home: Path) -> None:
    await run("builtin::list_folder", folder=pictures)
    (pictures / "hill.jpg").unlink()
    _, left = await run("builtin::time")
    assert shown(left.items, user_home) == ["Pictures/old/", "Pictures/sea.jpg", "Pictures/ given"]


async def test_a_result_of_nothing_leaves_nothing(run: Run) -> None:
    [left] = await run("builtin::time")
    assert (left.key, left.items, left.place) == ("builtin::time", (), "")
