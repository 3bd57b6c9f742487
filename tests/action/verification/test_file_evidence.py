"""What files tell of one step, each a row: as it says, or otherwise in one thing."""

from __future__ import annotations

import hashlib
import io
import zipfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from partner_desktop.action.undo.changes import Changes, PathChange
from partner_desktop.action.verification.file_evidence import MOST_FILES, FileLook, StepFiles
from partner_desktop.action.verification.file_formats import MOST_BYTES
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.run_facts import PathUse
from partner_desktop.files.tree import Kind, TreeEntry

BEGAN = datetime.now(UTC) - timedelta(minutes=1)
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 40 + b"\x00\x00\x00\x00IEND\xaeB`\x82"
LITE = b"SQLite format 3\x00" + (512).to_bytes(2, "big") + b"0" * (512 - 18)


def zipped(*names: str) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        for name in names:
            archive.writestr(name, name * 100)
    return whole.getvalue()


def look(
    folder: Path,
    data: JsonObject,
    *,
    later: tuple[str, ...] = (),
    closed: tuple[str, ...] = (),
    began: datetime = BEGAN,
    changes: Changes | None = None,
) -> FileLook:
    run = ActionRecord(
        *("a1", "c1", "e1", "local::make", "Make", ""),
        params={},
        schema={},
        status=ActionStatus.SUCCEEDED,
        created_at=BEGAN,
        started_at=began,
        paths=(PathUse("folder", str(folder), "write"),),
        data=data,
    )
    return StepFiles(run, changes, later=later, closed=closed).look()


@pytest.mark.parametrize(
    ("name", "content", "claims", "holds"),
    [
        ("a.txt", b"four", {"size": 4, "lines": 1}, True),
        ("a.txt", b"four", {"size": True}, True),
        ("a.txt", b"four", {"size_bytes": 5}, False),
        ("a.txt", b"one\ntwo\n", {"lines": 3}, False),
        ("a.txt", b"four", {"sha256": hashlib.sha256(b"four").hexdigest().upper()}, True),
        ("a.txt", b"four", {"hash": "sha256:" + hashlib.sha256(b"four").hexdigest()}, True),
        ("a.txt", b"four", {"hash": "sha256:" + "0" * 64}, False),
        ("a.txt", b"four", {"checksum": hashlib.md5(b"for", usedforsecurity=False).hexdigest()}, False),
        ("a.txt", b"four", {"created_at": datetime.now(UTC).isoformat()}, True),
        ("a.txt", b"four", {"taken_at": "2019-04-01", "expires_at": "2031-01-01"}, True),
        ("a.txt", b"four", {"written_at": (BEGAN + timedelta(seconds=1)).isoformat()}, True),
        ("a.txt", b"four", {"modified": (BEGAN - timedelta(days=2)).isoformat()}, False),
        ("a.csv", b"name\nann\nbob\n", {"rows": 2}, True),
        ("a.csv", b'name,note\nann,"one\ntwo"\nbob,"three\nfour"\n', {"rows": 2}, True),
        ("a.txt", b"a report\n", {"files": 12}, True),
        ("a.csv", b"name\nann\nbob\n", {"rows": 7}, False),
        ("a.json", b'{"people": [1, 2]}', {"count": 2}, True),
        ("a.json", b'{"people": [1, 2', {}, False),
        ("a.png", PNG, {}, True),
        ("a.png", PNG[:30], {}, False),
        ("a.pdf", b"%PDF-1.7 and no end", {}, False),
        ("a.db", LITE, {}, True),
        ("a.db", LITE[:-9], {}, False),
        ("a.zip", zipped("a", "b"), {"files": 2}, True),
        ("a.zip", zipped("a", "b")[:-30], {}, False),
        ("a.gz", b"\x1f\x8b no more", {}, False),
    ],
)
def test_a_file_is_looked_at(
    tmp_path: Path, name: str, content: bytes, claims: JsonObject, holds: bool
) -> None:
    (tmp_path / name).write_bytes(content)
    for path in (str(tmp_path / name), name):
        found = look(tmp_path, {"path": path, **claims})
        facts = [fact for fact in found.facts if fact.subject == str(tmp_path / name)]
        assert [fact.holds for fact in facts] == [holds], found


@pytest.mark.parametrize(
    ("claims", "told"),
    [
        ({}, "is there."),
        ({"size": 4}, "is there, with the size that it says."),
        ({"sha256": hashlib.sha256(b"four").hexdigest()}, "is there, with the contents that it says."),
        (
            {"size": 4, "sha256": hashlib.sha256(b"four").hexdigest()},
            "is there, with the size and contents that it says.",
        ),
        (
            {"lines": 1, "size": 4, "sha256": hashlib.sha256(b"four").hexdigest()},
            "is there, with the size, contents and count that it says.",
        ),
        ({"size": 4, "again": {"file": "a.txt"}}, "is there, with the size that it says."),
        ({"size": 4, "sha256": "0" * 64}, "The contents of"),
    ],
)
def test_of_a_file_one_thing_is_told_with_what_was_compared_and_nothing_of_its_folder(
    tmp_path: Path, claims: JsonObject, told: str
) -> None:
    (tmp_path / "a.txt").write_bytes(b"four")
    (fact,) = look(tmp_path, {"path": "a.txt", "in": {"folder": str(tmp_path)}, **claims}).facts
    assert fact.subject == str(tmp_path / "a.txt")
    assert told in fact.text


def test_of_a_folder_what_was_counted_is_told_beside_what_lies_in_it(tmp_path: Path) -> None:
    made = tmp_path / "made"
    made.mkdir()
    (made / "a.txt").write_bytes(b"four")
    data: JsonObject = {"folder": str(made), "files": 1, "made": {"path": str(made / "a.txt")}}
    texts = {fact.subject: fact.text for fact in look(tmp_path, data).facts}
    assert texts.keys() == {str(made), str(made / "a.txt")}
    assert "holds at least as many as it says" in texts[str(made)]


@pytest.mark.parametrize(("claims", "holds"), [({}, False), ({"changed": False}, True)])
def test_a_file_that_lay_there_before_is_no_work_of_a_step(
    tmp_path: Path, claims: JsonObject, holds: bool
) -> None:
    (tmp_path / "a.txt").write_text("a")
    later = datetime.now(UTC) + timedelta(hours=1)
    found = look(tmp_path, {"path": str(tmp_path / "a.txt"), **claims}, began=later)
    assert [fact.holds for fact in found.facts] == [holds]


def test_a_place_that_was_given_and_that_nothing_was_done_to_tells_nothing(tmp_path: Path) -> None:
    assert [fact.holds for fact in look(tmp_path, {}).facts] == [True]
    assert look(tmp_path, {}, began=datetime.now(UTC) + timedelta(hours=1)).facts == ()


def test_no_more_files_are_looked_at_and_no_more_of_one_is_read_than_is_bounded(tmp_path: Path) -> None:
    names = [str(tmp_path / f"{number}.txt") for number in range(MOST_FILES + 9)]
    assert len(look(tmp_path, {"files": [*names]}).facts) == MOST_FILES
    with (tmp_path / "a.png").open("wb") as large:
        large.truncate(MOST_BYTES + 1)
    found = look(tmp_path, {"path": str(tmp_path / "a.png"), "sha256": "0" * 64})
    assert [fact.holds for fact in found.facts if fact.subject.endswith(".png")] == [True]
    assert not found.measured, "what is said of it was not compared"


def test_what_the_journal_saw_counts_where_the_result_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "gone.txt").write_text("still here")
    was = TreeEntry(Kind.FILE, 0o644, 10, 0, 0, 1, 1, 1)
    moved = PathChange(str(tmp_path / "from.txt"), was, was, now_at=str(tmp_path / "to.txt"))
    changes = Changes([PathChange(str(tmp_path / "gone.txt"), was, None), moved])
    found = {Path(fact.subject).name: fact.holds for fact in look(tmp_path, {}, changes=changes).facts}
    assert found == {"gone.txt": False, "from.txt": True, "to.txt": False}


def test_what_was_moved_or_removed_is_not_there_any_more(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("b")
    (tmp_path / "c.txt").write_text("c")
    data: JsonObject = {
        "moved": 1,
        "from": str(tmp_path / "a.txt"),
        "to": str(tmp_path / "b.txt"),
        "deleted": [str(tmp_path / "c.txt"), str(tmp_path / "d.txt")],
    }
    found = {Path(fact.subject).name: fact.holds for fact in look(tmp_path, data).facts}
    assert found | {tmp_path.name: True} == {
        "a.txt": True,
        "b.txt": True,
        "c.txt": False,
        "d.txt": True,
        tmp_path.name: True,
    }


def test_what_was_copied_is_there_still(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    (tmp_path / "b.txt").write_text("a")
    data: JsonObject = {"from": str(tmp_path / "a.txt"), "to": str(tmp_path / "b.txt")}
    assert all(fact.holds for fact in look(tmp_path, data).facts)


def test_what_a_later_step_may_have_changed_speaks_against_nobody(tmp_path: Path) -> None:
    data: JsonObject = {"path": str(tmp_path / "a.txt"), "size": 4}
    found = look(tmp_path, data, later=(str(tmp_path),))
    assert found.changed_later
    assert all(fact.holds for fact in found.facts)


def test_what_may_not_be_looked_at_is_not(tmp_path: Path) -> None:
    data: JsonObject = {"path": str(tmp_path / "key"), "sha256": "0" * 64}
    (tmp_path / "key").write_text("secret")
    found = look(tmp_path, data, closed=(str(tmp_path / "key"), str(tmp_path)))
    assert found.facts == ()


@pytest.mark.parametrize("param", ["folder", ""])
def test_a_file_that_nobody_touched_is_no_ones_work_and_a_folder_tells_nothing(
    tmp_path: Path, param: str
) -> None:
    """Also where a script declares its folder for every run; `param`: that it is given to."""
    inner = tmp_path / "sub"
    inner.mkdir()
    old = inner / "report.txt"
    old.write_text("12345")
    now = datetime.now(UTC) + timedelta(minutes=1)
    run = ActionRecord(
        *("a1", "c1", "e1", "local::make", "Make", ""),
        params={},
        schema={},
        status=ActionStatus.SUCCEEDED,
        created_at=now,
        started_at=now,
        paths=(PathUse(param, str(tmp_path), "write"),),
        data={"path": str(old), "size": 5},
    )
    assert [fact.holds for fact in StepFiles(run).look().facts] == [False]
    folder = StepFiles(replace(run, data={"folder": str(tmp_path)})).look()
    assert folder.facts == (), "what is further in may be otherwise"


@pytest.mark.parametrize(("count", "holds"), [(2, True), (3, True), (4, False)])
def test_a_folder_holds_what_was_put_there_and_may_hold_more(tmp_path: Path, count: int, holds: bool) -> None:
    inner = tmp_path / "photos" / "2026"
    inner.mkdir(parents=True)
    for name in ("a.txt", "b.txt"):
        (inner / name).write_text(name)
    found = look(tmp_path, {"folder": str(tmp_path / "photos"), "files": count})
    assert all(fact.holds for fact in found.facts) is holds, found
