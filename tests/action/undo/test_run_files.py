"""What a run made in its workspace is named, can be kept, and goes only when that was said."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.messages import speaking
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import RunFile
from partner_desktop.domain.events import ActionEvent
from tests.action.undo.working import Worker, tree_of
from tests.model.engine import until
from tests.support import FakeClock, HastyClock, Watcher

#: Real Partners and sandboxes.
pytestmark = pytest.mark.integration

MAKES = """
os.chdir(workspace)
open("report.txt", "w").write("done")
os.mkdir("pictures"); open("pictures/one.png", "w").write("12345"); os.symlink("/etc/passwd", "pictures/link")
open("a\\u202egnp.exe\\n", "w").close(); os.symlink("/etc", "etc"); os.mkfifo("pipe"); os.mkdir("empty")
"""


async def test_what_a_run_made_is_named_and_can_be_kept(work: Worker, papers: Path, user_home: Path) -> None:
    record = await work(MAKES, papers)
    assert record.files == (
        RunFile("a⟨U+202E⟩gnp.exe⟨↵⟩", 0),
        RunFile("pictures/one.png", 5),
        RunFile("report.txt", 4),
    )
    assert record.undo is None
    assert record.finished_at is not None
    assert record.files_until is not None
    assert (record.files_until - record.finished_at).days in (29, 30)

    target = user_home / "kept"
    target.mkdir()
    (target / "report.txt").write_text("mine")
    told = await work.partner.actions.keep_files(record.id, target)
    assert told == (
        "Copied 3 files to ~/kept. Left out, because they are no files: 3 links, pipes or the like."
    )
    assert sorted(tree_of(target)) == [
        "a\u202egnp.exe\n",
        "pictures",
        "pictures/one.png",
        "report(1).txt",
        "report.txt",
    ]
    assert (target / "report.txt").read_text() == "mine"
    assert (target / "report(1).txt").read_text() == "done"
    for folder, why in (
        (work.partner.home.root / "logs", "is Partner's own"),
        (user_home / "nowhere", "is no folder"),
        (target / "report.txt", "is no folder"),
    ):
        with pytest.raises(UsageError, match=why):
            await work.partner.actions.keep_files("last", folder)


async def test_a_run_that_made_nothing_leaves_no_folder(work: Worker, papers: Path, home: Home) -> None:
    record = await work("os.chdir(workspace); os.makedirs('a/b')", papers)
    assert (record.files, record.files_until) == ((), None)
    await until(lambda: not any(home.runs.iterdir()))
    with pytest.raises(UsageError, match="left no files"):
        await work.partner.actions.keep_files(record.id, papers)


async def test_the_folder_of_such_a_run_goes_at_the_next_start_when_partners_end_came_before(
    home: Home, action_dir: Path, papers: Path, work: Worker
) -> None:
    nothing = await work("pass", papers)
    something = await work("open(workspace / 'a.txt', 'w').write('1')", papers)
    await until(lambda: not (home.runs / nothing.id).exists())
    await work.partner.close()
    (home.runs / nothing.id / "workspace" / "a").mkdir(parents=True)
    partner = Partner(home, action_dir, meaning=False)
    await partner.launch()
    try:
        await until(lambda: not (home.runs / nothing.id).exists())
        assert (home.runs / something.id / "workspace" / "a.txt").read_text() == "1"
    finally:
        await partner.close()


async def test_of_very_many_files_a_hundred_are_named_and_all_are_kept(work: Worker, papers: Path) -> None:
    record = await work("[open(workspace / str(n), 'w').close() for n in range(120)]", papers)
    assert len(record.files) == 100
    assert (await work.partner.actions.keep_files(record.id, papers)).startswith("Copied 120 files")
    with speaking("zh"):
        told = await work.partner.actions.keep_files(record.id, papers)
        assert told.startswith("已把 120 个文件复制到")


async def test_files_that_nobody_kept_go_when_it_was_said(
    home: Home, action_dir: Path, papers: Path, work: Worker, clock: FakeClock
) -> None:
    record = await work("open(workspace / 'a.txt', 'w').write('1')", papers)
    await work.partner.close()
    for days, left in ((29, True), (2, False)):
        clock.move(timedelta(days=days))
        watcher = Watcher()
        partner = Partner(home, action_dir, meaning=False, clock=clock, quiet_clock=HastyClock())
        partner.subscribe(watcher)
        await partner.launch()
        try:
            if not left:
                await watcher.until(lambda event: isinstance(event, ActionEvent))
            assert bool((await partner.actions.get(record.id)).files) is left
            assert (home.runs / record.id).exists() is left
        finally:
            await partner.close()
