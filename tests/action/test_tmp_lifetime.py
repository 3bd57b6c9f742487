"""What lies in `tmp/`: it runs, is unlisted after its time, and only what Partner made is ever removed."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from partner_desktop.abilities.folders import TMP_LISTED_S
from partner_desktop.abilities.persistence import REGISTER
from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import ResultEvent
from partner_desktop.permission.request import ApprovalMode
from tests.support import UPPER_SCRIPT, FakeClock, Watcher

from .listing import gone, keys, listed, put, trash_of

#: Real windows, processes and folders: for the whole gate.
pytestmark = pytest.mark.integration


@pytest.fixture
async def partner(home: Home, action_dir: Path, clock: FakeClock) -> AsyncIterator[Partner]:
    """A Partner whose time the test moves."""
    one = Partner(home, action_dir, clock=clock, meaning=False)
    await one.launch()
    yield one
    await one.close()


async def pass_time(partner: Partner, clock: FakeClock, watcher: Watcher, action_dir: Path) -> None:
    """Half an hour and a bit; Partner looks again because something else was saved."""
    clock.move(timedelta(seconds=TMP_LISTED_S + 60))
    stamp = f"again{clock.monotonic_s():.0f}"
    await put(watcher, action_dir / "dynamic" / f"{stamp}.py", "print(1)\n", f"local::{stamp}")
    assert keys(partner) >= {f"local::{stamp}"}


async def try_out(partner: Partner, watcher: Watcher, source: Path) -> None:
    """Drop a file on the window and choose to try it for now."""
    source.write_text(UPPER_SCRIPT)
    await partner.abilities.add_script(source, folder="tmp")
    await watcher.until(listed(f"origin::{source.name}"))


@pytest.mark.promise("actions.folder.tmp")
async def test_a_file_in_tmp_runs_and_is_unlisted_after_its_time_but_the_persons_stays(
    partner: Partner, watcher: Watcher, action_dir: Path, clock: FakeClock
) -> None:
    path = action_dir / "tmp" / "upper.py"
    await put(watcher, path, UPPER_SCRIPT, "origin::upper.py")
    await partner.abilities.run(
        "origin::upper.py", {"text": "hi"}, cwd="", standing=ApprovalMode.ALL, exchange_id=""
    )
    result = await watcher.until(lambda event: isinstance(event, ResultEvent))
    assert isinstance(result, ResultEvent)
    assert result.action.stdout.strip() == "HI"
    await watcher.done()
    clock.move(timedelta(seconds=TMP_LISTED_S - 60))
    await put(watcher, action_dir / "dynamic" / "soon.py", "print(1)\n", "local::soon")
    assert "origin::upper.py" in keys(partner)
    clock.move(timedelta(seconds=120))
    (action_dir / "dynamic" / "later.py").write_text("print(1)\n")
    await watcher.until(gone("origin::upper.py"))
    assert path.read_text() == UPPER_SCRIPT


@pytest.mark.promise("actions.folder.tmp")
async def test_what_partner_made_goes_to_the_trash_when_its_time_is_over(
    partner: Partner, watcher: Watcher, action_dir: Path, clock: FakeClock, user_home: Path
) -> None:
    source = user_home / "upper.py"
    await try_out(partner, watcher, source)
    await pass_time(partner, clock, watcher, action_dir)
    assert not (action_dir / "tmp" / "upper.py").exists()
    assert UPPER_SCRIPT in [path.read_text() for path in trash_of().glob("upper*.py")]
    assert source.read_text() == UPPER_SCRIPT, "the file it was copied from is the person's"


@pytest.mark.promise("actions.folder.tmp")
async def test_what_the_person_changed_is_the_persons(
    partner: Partner, watcher: Watcher, action_dir: Path, clock: FakeClock, user_home: Path
) -> None:
    await try_out(partner, watcher, user_home / "upper.py")
    (action_dir / "tmp" / "upper.py").write_text(UPPER_SCRIPT + "print('mine')\n")
    await pass_time(partner, clock, watcher, action_dir)
    await pass_time(partner, clock, watcher, action_dir)
    assert (action_dir / "tmp" / "upper.py").exists()
    assert "origin::upper.py" not in keys(partner)


async def test_a_file_that_was_replaced_under_its_name_is_the_persons(
    partner: Partner, watcher: Watcher, action_dir: Path, clock: FakeClock, user_home: Path
) -> None:
    await try_out(partner, watcher, user_home / "upper.py")
    (action_dir / "tmp" / "upper.py").unlink()
    await watcher.until(gone("origin::upper.py"))
    await put(watcher, action_dir / "tmp" / "upper.py", "print('new')\n", "origin::upper.py")
    await pass_time(partner, clock, watcher, action_dir)
    assert (action_dir / "tmp" / "upper.py").exists()


@pytest.mark.parametrize(
    "text", ["no JSON", "[]", '{"made": 3}', '{"made": {"upper.py": 7}}', '{"made": {"../mine.txt": "x"}}']
)
async def test_a_register_that_is_not_partners_removes_nothing(
    partner: Partner, watcher: Watcher, action_dir: Path, clock: FakeClock, text: str
) -> None:
    (action_dir / "mine.txt").write_text("mine")
    await put(watcher, action_dir / "tmp" / "upper.py", UPPER_SCRIPT, "origin::upper.py")
    (action_dir / "tmp" / REGISTER).write_text(text)
    await pass_time(partner, clock, watcher, action_dir)
    assert (action_dir / "tmp" / "upper.py").exists()
    assert (action_dir / "mine.txt").read_text() == "mine"


async def test_keeping_moves_what_partner_made(
    partner: Partner, watcher: Watcher, action_dir: Path, clock: FakeClock, user_home: Path
) -> None:
    await try_out(partner, watcher, user_home / "upper.py")
    await partner.abilities.persist("origin::upper.py", await partner.abilities.draft("origin::upper.py"))
    assert [path.name for path in (action_dir / "tmp").iterdir()] == [REGISTER]
    await pass_time(partner, clock, watcher, action_dir)
    assert "local::upper" in keys(partner), "kept is kept"


async def test_keeping_leaves_the_persons_file_and_lists_it_again_once_it_is_edited(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    path = action_dir / "tmp" / "upper.py"
    await put(watcher, path, UPPER_SCRIPT, "origin::upper.py")
    await partner.abilities.persist("origin::upper.py", await partner.abilities.draft("origin::upper.py"))
    assert path.read_text() == UPPER_SCRIPT
    assert keys(partner) == {"local::upper"}
    await put(watcher, path, UPPER_SCRIPT + "print(2)\n", "origin::upper.py")
    assert keys(partner) == {"local::upper", "origin::upper.py"}


async def test_the_register_says_what_was_made_and_kept(
    partner: Partner, watcher: Watcher, action_dir: Path, user_home: Path
) -> None:
    await try_out(partner, watcher, user_home / "upper.py")
    body = json.loads((action_dir / "tmp" / REGISTER).read_text())
    assert list(body["made"]) == ["upper.py"]
    await partner.abilities.persist("origin::upper.py", await partner.abilities.draft("origin::upper.py"))
    body = json.loads((action_dir / "tmp" / REGISTER).read_text())
    assert body["made"] == {}
    assert body["kept"]["upper.py"].endswith(" local::upper")


async def test_the_persons_file_is_listed_again_when_what_was_kept_of_it_is_gone(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await put(watcher, action_dir / "tmp" / "upper.py", UPPER_SCRIPT, "origin::upper.py")
    draft = await partner.abilities.draft("origin::upper.py")
    key = await partner.abilities.persist("origin::upper.py", replace(draft, description="Shout it"))
    renamed = await partner.abilities.describe(
        key, replace(await partner.abilities.draft(key), name="shouting")
    )
    assert "origin::upper.py" not in keys(partner), "it goes by its new name"
    await partner.abilities.remove(renamed)
    await watcher.until(lambda _event: "origin::upper.py" in keys(partner))
