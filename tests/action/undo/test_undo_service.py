"""What a script did to files is taken back, whatever it was, and nothing else is touched."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus, Undo, UndoState
from partner_desktop.domain.events import ActionEvent, DoneEvent, RunEvent
from tests.action.listing import trash_of
from tests.action.undo.working import KEY, Fifo, Worker, tree_of

#: A Partner and real sandboxes each: for the whole gate.
pytestmark = pytest.mark.integration


def undo_of(undo: Undo | None) -> Undo:
    assert undo is not None
    return undo


def fill(folder: Path) -> None:
    """Some of everything."""
    for name, text in {
        "a.txt": "one",
        "b.txt": "two",
        "c.txt": "three",
        "empty": "",
        "d.txt": "four",
    }.items():
        (folder / name).write_text(text)
    (folder / "b.txt").chmod(0o640)
    (folder / "link").symlink_to("a.txt")
    (folder / "lost").symlink_to("/nowhere")
    for name in ("old/deep/er.txt", "gone/x/y.txt", "gone/z.txt", "becomes_file/in.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    os.link(folder / "c.txt", folder / "c_too.txt")
    os.mkfifo(folder / "pipe")
    for path in (*folder.rglob("*.txt"), folder / "old"):
        os.utime(path, ns=(1_600_000_000_123_456_789, 1_600_000_000_123_456_789))


MESS = """
open("a.txt", "a").write("more")
os.chmod("b.txt", 0o600)
open("c.txt", "w").write("through both names")
os.remove("empty")
os.mkdir("empty"); open("empty/within.txt", "w").write("new")
os.rename("d.txt", "renamed.txt")
os.remove("link"); os.symlink("b.txt", "link")
os.remove("lost"); open("lost", "w").write("a file now")
os.rename("old", "new_name")
shutil.rmtree("gone")
shutil.rmtree("becomes_file"); open("becomes_file", "w").write("x")
os.makedirs("made/below"); open("made/below/one.txt", "w").write("1"); open("made/two.txt", "w").write("2")
open("extra_\\udcff.txt", "w").write("a name that is no text")
os.symlink("/etc/passwd", "made_link"); os.mkfifo("made_pipe")
"""


async def test_whatever_a_script_did_to_a_folder_is_taken_back(
    work: Worker, papers: Path, home: Home
) -> None:
    fill(papers)
    before = tree_of(papers)
    record = await work(MESS, papers)
    assert record.status is ActionStatus.SUCCEEDED, record.stderr
    assert tree_of(papers) != before
    undo = undo_of(record.undo)
    assert (undo.state, undo.note) == (UndoState.POSSIBLE, "")
    assert undo.count > 10
    folder = home.undo / record.id
    assert {path.stat().st_mode & 0o077 for path in (home.undo, *folder.rglob("*"))} == {0}
    assert not any(path.read_bytes() == b"four" for path in folder.glob("copies/*"))  # it was only renamed

    told = await work.partner.actions.undo(record.id)
    assert told == f"Taken back: {undo.count} files are as before Worker ran."
    assert tree_of(papers) == before
    assert (papers / "c.txt").stat().st_ino == (papers / "c_too.txt").stat().st_ino
    assert (trash_of() / "made" / "below" / "one.txt").read_text() == "1"
    assert not folder.exists()
    assert undo_of((await work.partner.actions.get(record.id)).undo).state is UndoState.DONE
    event = await work.watcher.until(lambda event: isinstance(event, ActionEvent))
    assert isinstance(event, ActionEvent)
    assert undo_of(event.action.undo).state is UndoState.DONE
    (entry,) = [entry for entry in await work.partner.audit.newest() if entry.kind == "undo"]
    assert (entry.action_id, entry.outcome, entry.by_whom) == (record.id, "done", "person")

    with pytest.raises(UsageError, match="was taken back already"):
        await work.partner.actions.undo(record.id)
    assert tree_of(papers) == before


async def test_a_run_that_changes_nothing_leaves_nothing(work: Worker, papers: Path, home: Home) -> None:
    (papers / "a.txt").write_text("one")
    record = await work("open('a.txt').read()", papers)
    assert record.undo is None
    assert list(home.undo.iterdir()) == []
    with pytest.raises(UsageError, match="changed no files"):
        await work.partner.actions.undo(record.id)


async def test_a_change_that_hides_its_time_is_found(work: Worker, papers: Path) -> None:
    file = papers / "a.txt"
    file.write_text("honest")
    record = await work(
        "s = os.stat('a.txt'); open('a.txt', 'w').write('forged'); "
        "os.utime('a.txt', ns=(s.st_mtime_ns, s.st_mtime_ns))",
        papers,
    )
    assert file.read_text() == "forged"
    await work.partner.actions.undo(record.id)
    assert file.read_text() == "honest"


async def test_a_file_with_a_name_elsewhere_is_put_back_under_both(
    work: Worker, papers: Path, user_home: Path
) -> None:
    (papers / "a.txt").write_text("one")
    os.link(papers / "a.txt", user_home / "same.txt")
    record = await work("open('a.txt', 'w').write('changed')", papers)
    assert (user_home / "same.txt").read_text() == "changed"
    await work.partner.actions.undo(record.id)
    assert (user_home / "same.txt").read_text() == (papers / "a.txt").read_text() == "one"


async def test_what_went_on_changing_is_named_and_nothing_is_done(work: Worker, papers: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (papers / name).write_text("one")
    record = await work(
        "open('a.txt', 'w').write('2'); open('b.txt', 'w').write('2'); os.mkdir('new')", papers
    )
    (papers / "b.txt").write_text("by hand")
    with pytest.raises(UsageError, match=r"because this changed since the run: ~/papers/b\.txt\.$"):
        await work.partner.actions.undo(record.id)
    assert (papers / "a.txt").read_text() == "2"
    assert (papers / "b.txt").read_text() == "by hand"
    assert undo_of((await work.partner.actions.get(record.id)).undo).state is UndoState.POSSIBLE


@pytest.mark.parametrize(
    ("moved", "left"), [(("a.txt", "b.txt"), "b.txt"), (("old", "new"), "new/in.txt")], ids=["file", "folder"]
)
async def test_what_was_moved_and_edited_since_is_not_moved_back(
    work: Worker, papers: Path, moved: tuple[str, str], left: str
) -> None:
    (papers / "old").mkdir()
    for name in ("a.txt", "old/in.txt"):
        (papers / name).write_text("one")
    record = await work(f"os.rename(*{moved!r})", papers)
    (papers / left).write_text("by hand")
    with pytest.raises(UsageError, match=rf"because this changed since the run: ~/papers/{left}\.$"):
        await work.partner.actions.undo(record.id)
    assert (papers / left).read_text() == "by hand"


async def test_what_the_person_put_where_something_has_to_come_back_refuses_the_undo(
    work: Worker, papers: Path
) -> None:
    (papers / "a").write_text("one")
    record = await work("os.remove('a'); os.mkdir('a')", papers)
    (papers / "a" / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match=r"because this changed since the run: ~/papers/a/mine\.txt\.$"):
        await work.partner.actions.undo(record.id)
    assert [*tree_of(papers)] == ["a", "a/mine.txt"]


async def test_a_copy_that_is_not_whole_is_not_put_over_the_file(
    work: Worker, papers: Path, home: Home
) -> None:
    (papers / "a.txt").write_text("one and more")
    record = await work("open('a.txt', 'w').write('two')", papers)
    (copy,) = (home.undo / record.id / "copies").iterdir()
    os.truncate(copy, 3)
    with pytest.raises(UsageError, match=r"^Nothing was taken back: its copy is not whole\.$"):
        await work.partner.actions.undo(record.id)
    assert [*tree_of(papers)] == ["a.txt"]
    assert (papers / "a.txt").read_text() == "two"


async def test_nothing_is_taken_back_from_under_a_run_that_works_there(work: Worker, papers: Path) -> None:
    (papers / "a.txt").write_text("one")
    record = await work("open('a.txt', 'w').write('two')", papers)
    begun = Fifo(papers / "begun")
    work.watcher.events.clear()
    code = "open('begun', 'w').write('x'); time.sleep(60)"
    await work.begin(KEY, {"code": code, "folder": str(papers)}, "run")
    await begun.written()
    with pytest.raises(UsageError, match="being done there just now"):
        await work.partner.actions.undo(record.id)
    assert (papers / "a.txt").read_text() == "two"
    event = await work.watcher.until(lambda event: isinstance(event, RunEvent))
    assert isinstance(event, RunEvent)
    await work.partner.actions.cancel(event.action.id)
    await work.watcher.until(lambda event: isinstance(event, DoneEvent))
    await work.partner.actions.undo(record.id)
    assert (papers / "a.txt").read_text() == "one"


async def test_what_the_person_put_beside_stays(work: Worker, papers: Path) -> None:
    record = await work("os.mkdir('new'); open('new/a.txt', 'w').write('1')", papers)
    (papers / "new" / "mine.txt").write_text("mine")
    await work.partner.actions.undo(record.id)
    assert [*tree_of(papers)] == ["new", "new/mine.txt"]


async def test_of_two_runs_on_a_file_the_newer_is_undone_first(work: Worker, papers: Path) -> None:
    (papers / "a.txt").write_text("one")
    first = await work("open('a.txt', 'w').write('two')", papers)
    second = await work("open('a.txt', 'w').write('three')", papers)
    with pytest.raises(UsageError, match=r"changed since the run: ~/papers/a\.txt"):
        await work.partner.actions.undo(first.id)
    await work.partner.actions.undo(second.id)
    assert (papers / "a.txt").read_text() == "two"
    await work.partner.actions.undo(first.id)
    assert (papers / "a.txt").read_text() == "one"


@pytest.mark.parametrize("swapped", ["folder", "file"])
async def test_a_link_that_was_put_in_the_way_is_not_followed(
    work: Worker, papers: Path, user_home: Path, swapped: str
) -> None:
    (papers / "a.txt").write_text("one")
    record = await work("open('a.txt', 'w').write('two')", papers)
    target = user_home / "private"
    target.mkdir()
    (papers / "a.txt").rename(target / "a.txt")
    if swapped == "folder":
        papers.rmdir()
        papers.symlink_to(target)
    else:
        (papers / "a.txt").symlink_to(target / "a.txt")
    with pytest.raises(UsageError, match="is a link now" if swapped == "folder" else "changed since"):
        await work.partner.actions.undo(record.id)
    assert [path.read_text() for path in target.iterdir()] == ["two"]


async def test_a_cancelled_run_can_be_undone(work: Worker, papers: Path) -> None:
    (papers / "a.txt").write_text("one")
    begun = Fifo(papers / "begun")
    code = "open('a.txt', 'w').write('two'); open('begun', 'w').write('x'); time.sleep(60)"
    await work.begin(KEY, {"code": code, "folder": str(papers)}, "run")
    event = await work.watcher.until(lambda event: isinstance(event, RunEvent))
    assert isinstance(event, RunEvent)
    await begun.written()
    with pytest.raises(UsageError, match="still runs"):
        await work.partner.actions.undo(event.action.id)
    await work.partner.actions.cancel(event.action.id)
    await work.watcher.until(lambda event: isinstance(event, DoneEvent))
    assert (await work.partner.actions.get(event.action.id)).status is ActionStatus.CANCELLED
    await work.partner.actions.undo(event.action.id)
    assert (papers / "a.txt").read_text() == "one"
