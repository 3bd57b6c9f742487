"""Names of the home: what is known, what is not, and that nothing is listed twice that did not change."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from partner_desktop.files.home_index import HomeIndex


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def furnish(home: Path, *names: str) -> None:
    for name in names:
        path = home / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("content", encoding="utf-8")


def names(index: HomeIndex, cwd: str = "") -> list[str]:
    return [os.path.relpath(entry.path, index.home) for entry in index.entries(cwd)]


def settle(*folders: Path) -> None:
    """Let folders look as if nothing had changed there for long."""
    for folder in folders:
        os.utime(folder, (1_000_000_000, 1_000_000_000))


def test_three_levels_are_known_folders_first_and_no_deeper(home: Path) -> None:
    furnish(home, "b.txt", "A/x.txt", "A/B/y.txt", "A/B/C/z.txt")
    index = HomeIndex(home)
    assert names(index) == ["A", "b.txt", "A/B", "A/x.txt", "A/B/C", "A/B/y.txt"]
    assert [entry.is_folder for entry in index.entries()] == [True, False, True, False, True, False]


@pytest.mark.parametrize(
    "hidden",
    [".ssh/id", ".config.toml", "work/node_modules/a/b.js", "work/venv/x.py", "work/__pycache__/x.pyc"],
)
def test_what_nobody_names_is_not_known(home: Path, hidden: str) -> None:
    furnish(home, "work/plan.md", hidden)
    assert names(HomeIndex(home)) == ["work", "work/plan.md"]


def test_an_environment_of_python_is_known_by_its_mark(home: Path) -> None:
    furnish(home, "tools/pyvenv.cfg", "tools/lib/a.py")
    assert names(HomeIndex(home)) == ["tools"]


def test_an_enormous_folder_is_known_and_what_is_in_it_is_not(home: Path) -> None:
    (home / "many").mkdir()
    for number in range(2_002):
        (home / "many" / f"{number}").touch()
    assert names(HomeIndex(home)) == ["many"]


def test_links_lead_nowhere_out_of_the_home_and_are_not_walked(tmp_path: Path, home: Path) -> None:
    furnish(tmp_path, "outside/secret.txt", "home/A/x.txt")
    (home / "out").symlink_to(tmp_path / "outside")
    (home / "inside").symlink_to(home / "A")
    (home / "round").symlink_to(home)
    (home / "broken").symlink_to(home / "nothing")
    assert names(HomeIndex(home)) == ["A", "inside", "A/x.txt"]


def test_what_changes_is_seen_and_what_does_not_is_the_same_object(home: Path) -> None:
    furnish(home, "A/x.txt", "B/y.txt")
    settle(home / "A", home / "B", home)
    index = HomeIndex(home)
    first = index.entries()
    assert index.entries() is first
    furnish(home, "A/new.txt")
    (home / "B" / "y.txt").unlink()
    assert names(index) == ["A", "B", "A/new.txt", "A/x.txt"]


def test_a_folder_is_listed_again_only_when_it_changed(home: Path) -> None:
    furnish(home, "A/x.txt")
    settle(home / "A", home)
    index = HomeIndex(home)
    index.entries()
    furnish(home, "A/unseen.txt")
    settle(home / "A")  # its time tells nothing of what came
    assert names(index) == ["A", "A/x.txt"]


def test_a_folder_that_may_not_be_read_is_known_as_one(home: Path) -> None:
    furnish(home, "closed/x.txt", "open/y.txt")
    (home / "closed").chmod(0)
    try:
        known = names(HomeIndex(home))
    finally:
        (home / "closed").chmod(0o700)
    assert known[:2] == ["closed", "open"]
    assert "open/y.txt" in known


def test_the_working_folder_is_known_wherever_it_lies(tmp_path: Path, home: Path) -> None:
    work = tmp_path / "work"
    furnish(tmp_path, "home/A/x.txt", "work/plan.md")
    index = HomeIndex(home)
    assert "../work/plan.md" in names(index, str(work))
    assert "../work" not in names(index, str(tmp_path)), "a folder that holds the home is not walked"
    assert names(index) == ["A", "A/x.txt"]


def test_a_home_that_is_not_there_has_no_names(tmp_path: Path) -> None:
    assert HomeIndex(tmp_path / "nowhere").entries() == ()


def test_several_threads_may_ask_at_once(home: Path) -> None:
    furnish(home, *(f"{folder}/{name}.txt" for folder in "ABCDE" for name in range(20)))
    index, found = HomeIndex(home), list[int]()
    threads = [threading.Thread(target=lambda: found.append(len(index.entries()))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [105] * 8
