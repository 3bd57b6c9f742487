"""The shipped samples, run as Partner runs them: a process, `--key=value`, JSON on stdin and stdout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from partner_desktop.abilities.ability_file import AbilityFile, read_ability
from partner_desktop.domain.meta_action import Route
from tests.support import REPOSITORY, WAIT_S

pytestmark = pytest.mark.integration

SAMPLES = REPOSITORY / "action" / "dynamic"
COUNT_WORDS = SAMPLES / "count_words"
FIND_DUPLICATES = SAMPLES / "find_duplicates.py"

not_as_root = pytest.mark.skipif(os.geteuid() == 0, reason="root can read everything")


def run(
    script: Path, *arguments: str | bytes, stdin: bytes = b"", home: Path | None = None
) -> tuple[int, bytes, str]:
    """Exit code, stdout and stderr of a run."""
    outcome = subprocess.run(
        [sys.executable, script, *arguments],
        input=stdin,
        capture_output=True,
        timeout=WAIT_S * 2,
        check=False,
        env={"PATH": os.defpath, "LC_ALL": "C.UTF-8", "HOME": str(home or "/nonexistent")},
    )
    return outcome.returncode, outcome.stdout, outcome.stderr.decode()


def result(
    script: Path, *arguments: str | bytes, stdin: bytes = b"", home: Path | None = None
) -> dict[str, Any]:
    """The JSON object of a run that succeeded."""
    code, stdout, stderr = run(script, *arguments, stdin=stdin, home=home)
    assert (code, stderr) == (0, "")
    found = json.loads(stdout)
    assert isinstance(found, dict)
    json.dumps(found, ensure_ascii=False).encode()  # no half characters in it
    return found


def refused(script: Path, *arguments: str | bytes, stdin: bytes = b"") -> str:
    """The sentence of a run that failed."""
    code, stdout, stderr = run(script, *arguments, stdin=stdin)
    assert (code, stdout) == (1, b"")
    assert stderr.endswith(".\n")
    assert stderr.count("\n") == 1, "one sentence, no traceback"
    return stderr.strip()


def counted(path: Path | bytes) -> dict[str, Any]:
    return result(COUNT_WORDS / "run.py", b"--file=" + os.fsencode(path))


def searched(folder: Path, *more: str) -> dict[str, Any]:
    return result(FIND_DUPLICATES, f"--folder={folder}", *more)


def names(group: dict[str, Any]) -> set[str]:
    return {Path(path).name for path in group["files"]}


@pytest.fixture(params=[COUNT_WORDS, FIND_DUPLICATES], ids=["count_words", "find_duplicates"])
def sample(request: pytest.FixtureRequest) -> AbilityFile:
    path: Path = request.param
    return read_ability(path, location="local", route=Route.MCP)


def test_a_sample_describes_itself_completely(sample: AbilityFile) -> None:
    info = sample.info
    assert sample.hints == ()
    assert info.annotations.read_only is True
    assert info.annotations.destructive is False
    assert set(info.path_params().values()) == {"read"}
    assert any(alias.isascii() for alias in info.aliases)
    assert any(not alias.isascii() for alias in info.aliases)
    assert all(schema.get("description") for schema in info.properties().values())


def test_the_parameters_of_find_duplicates_have_types_and_defaults() -> None:
    info = read_ability(FIND_DUPLICATES, location="local", route=Route.MCP).info
    assert info.required() == ("folder",)
    defaults = {name: schema.get("default") for name, schema in info.properties().items()}
    assert defaults == {"folder": None, "min_size_bytes": 1, "include_hidden": False}


# --- count_words -------------------------------------------------------------------------------------------


def test_words_lines_and_characters_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("The quick brown fox.\nThe lazy dog - it's asleep!\n\nlast", encoding="utf-8")
    found = counted(path)
    assert found["words"] == 10
    assert found["lines"] == 4
    assert found["characters"] == 54
    assert found["unique_words"] == 9
    assert found["summary"] == "a.txt has 10 words in 4 lines, less than a minute to read."


def test_the_file_may_come_on_stdin_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("one two", encoding="utf-8")
    found = result(COUNT_WORDS / "run.py", stdin=json.dumps({"file": str(path)}).encode())
    assert found["words"] == 2


def test_the_home_folder_may_be_written_short(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one", encoding="utf-8")
    assert result(COUNT_WORDS / "run.py", "--file=~/a.txt", home=tmp_path)["words"] == 1


def test_each_chinese_character_counts_as_a_word(tmp_path: Path) -> None:
    path = tmp_path / "文章.txt"
    path.write_text("你好，世界！Hello world，これは本です。", encoding="utf-8")
    found = counted(path)
    assert found["words"] == 4 + 2 + 6
    assert found["summary"].startswith("文章.txt has 12 words")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32", "gb18030"])
def test_usual_encodings_are_recognised(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text("你好世界，今天天气很好 word", encoding=encoding)
    assert counted(path)["words"] == 11


def test_western_text_that_is_not_utf8_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("Café à la crème, s'il vous plaît".encode("latin-1"))
    assert counted(path)["words"] == 7


@pytest.mark.parametrize(("end", "lines"), [("\n", 3), ("\r\n", 3), ("\r", 3)])
def test_every_kind_of_line_end_ends_one_line(tmp_path: Path, end: str, lines: int) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(f"a{end}b{end}c".encode())
    assert counted(path)["lines"] == lines


def test_a_line_end_that_lies_across_two_pieces_is_one(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"x" + b"14 characters.\r\n" * 70_000)
    assert counted(path)["lines"] == 70_000


def test_a_large_file_is_counted_across_its_pieces(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    path.write_bytes(b"four words a line\r\n" * 300_000)
    found = counted(path)
    assert (found["words"], found["lines"], found["unique_words"]) == (1_200_000, 300_000, 4)
    assert found["summary"].endswith("about 5,217 minutes to read.")


def test_one_endless_line_without_blanks_is_counted_too(tmp_path: Path) -> None:
    path = tmp_path / "line.txt"
    path.write_bytes(b"x" * 5_000_000)
    found = counted(path)
    assert (found["characters"], found["lines"]) == (5_000_000, 1)


def test_an_empty_file_has_no_words(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.touch()
    found = counted(path)
    assert found["summary"] == "a.txt is empty."
    assert (found["words"], found["lines"], found["reading_time_minutes"]) == (0, 0, 0)


def test_a_name_that_is_no_text_is_shown_without_breaking_the_line(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/two\nlines\xff.txt"
    Path(os.fsdecode(path)).write_bytes(b"one")
    assert counted(path)["summary"] == "two�lines�.txt has 1 word in 1 line, less than a minute to read."


def test_count_words_refuses_what_it_cannot_count_with_a_sentence(tmp_path: Path) -> None:
    script = COUNT_WORDS / "run.py"
    binary = tmp_path / "a.bin"
    binary.write_bytes(b"\x7fELF\0\0\0")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert "There is no file" in refused(script, f"--file={tmp_path}/none.txt")
    assert "is a folder" in refused(script, f"--file={tmp_path}")
    assert "does not look like a text file" in refused(script, f"--file={binary}")
    assert "not a regular file" in refused(script, f"--file={pipe}")
    assert "cannot be read" in refused(script, f"--file={loop}")
    assert "Which file?" in refused(script)
    assert "Which file?" in refused(script, stdin=b"not json")


@not_as_root
def test_a_file_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("secret", encoding="utf-8")
    path.chmod(0)
    assert "cannot be read" in refused(COUNT_WORDS / "run.py", f"--file={path}")


# --- find_duplicates ---------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two groups of duplicates, and files that only look alike."""
    for name, content in {
        "a.txt": b"same",
        "deep/b.txt": b"same",
        "deep/er/c.txt": b"same",
        "other.txt": b"mesa",
        "big1": b"x" * 100_000,
        "big2": b"x" * 100_000,
        "big3": b"x" * 50_000 + b"y" + b"x" * 49_999,
        ".hidden": b"same",
        ".cache/b.txt": b"same",
        "empty1": b"",
        "empty2": b"",
    }.items():
        path = tmp_path / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return tmp_path / "files"


def test_identical_files_are_grouped_those_that_waste_most_first(folder: Path) -> None:
    found = searched(folder)
    assert [names(group) for group in found["groups"]] == [{"big1", "big2"}, {"a.txt", "b.txt", "c.txt"}]
    assert [group["copies"] for group in found["groups"]] == [2, 3]
    assert (found["duplicate_groups"], found["needless_copies"], found["wasted_bytes"]) == (2, 3, 100_008)
    assert found["wasted"] == "100.0 kB"
    assert (
        found["summary"] == f"2 files are there more than once in {folder}: 3 needless copies take 100.0 kB."
    )


def test_hidden_files_and_empty_files_count_only_when_asked_for(folder: Path) -> None:
    hidden = searched(folder, "--include_hidden=true")
    assert hidden["groups"][1]["copies"] == 5
    empty = searched(folder, "--min_size_bytes=0")
    assert {"empty1", "empty2"} in [names(group) for group in empty["groups"]]
    large = searched(folder, "--min_size_bytes=1000")
    assert [names(group) for group in large["groups"]] == [{"big1", "big2"}]


def test_the_folder_may_come_on_stdin_alone(folder: Path) -> None:
    payload = {"folder": str(folder), "min_size_bytes": 1000, "include_hidden": False}
    assert result(FIND_DUPLICATES, stdin=json.dumps(payload).encode())["duplicate_groups"] == 1


def test_links_are_not_followed_and_names_of_one_file_are_no_duplicates(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"same")
    (tmp_path / "soft.txt").symlink_to("a.txt")
    (tmp_path / "hard.txt").hardlink_to(tmp_path / "a.txt")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "self").symlink_to("self")
    os.mkfifo(tmp_path / "pipe")
    found = searched(tmp_path)
    assert found["summary"] == f"No file is twice in {tmp_path} (1 file compared)."
    assert found["groups"] == []


def test_the_folder_itself_may_be_a_link(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "way").symlink_to(folder)
    assert searched(tmp_path / "way")["duplicate_groups"] == 2


def test_an_empty_folder_has_no_duplicates(tmp_path: Path) -> None:
    assert searched(tmp_path)["files_compared"] == 0


def test_only_the_first_groups_are_listed_and_the_rest_is_counted(tmp_path: Path) -> None:
    for number in range(25):
        (tmp_path / f"{number}.a").write_text(f"content {number:03}", encoding="utf-8")
        (tmp_path / f"{number}.b").write_text(f"content {number:03}", encoding="utf-8")
    found = searched(tmp_path)
    assert (found["duplicate_groups"], len(found["groups"]), found["groups_not_listed"]) == (25, 20, 5)


def test_names_that_are_no_text_are_shown_without_breaking_the_line(tmp_path: Path) -> None:
    for name in (b"two\nlines.txt", b"caf\xe9.txt"):
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_bytes(b"same")
    (group,) = searched(tmp_path)["groups"]
    assert names(group) == {"two�lines.txt", "caf�.txt"}


def test_find_duplicates_refuses_what_it_cannot_search_with_a_sentence(folder: Path) -> None:
    assert "There is no folder" in refused(FIND_DUPLICATES, f"--folder={folder}/none")
    assert "is not a folder" in refused(FIND_DUPLICATES, f"--folder={folder}/a.txt")
    assert "whole number" in refused(FIND_DUPLICATES, f"--folder={folder}", "--min_size_bytes=many")
    assert "less than 0" in refused(FIND_DUPLICATES, f"--folder={folder}", "--min_size_bytes=-1")
    assert "true or false" in refused(FIND_DUPLICATES, f"--folder={folder}", "--include_hidden=perhaps")
    assert "Which folder?" in refused(FIND_DUPLICATES)


@not_as_root
def test_what_may_not_be_read_is_counted_and_the_rest_is_searched(folder: Path) -> None:
    (folder / "big1").chmod(0)
    (folder / "deep").chmod(0)
    try:
        found = searched(folder)
    finally:
        (folder / "deep").chmod(0o700)
    assert found["summary"].endswith("2 places could not be read.")
    assert found["groups"] == []
