"""Feeding: what one step takes from those before it, and what a finished step offers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from partner_desktop.action.feeds.input_sources import fed, value_from
from partner_desktop.action.plans.plan_draft import StepDraft
from partner_desktop.action.runs.step_outcomes import files_of
from partner_desktop.domain.action import ActionStatus, ResultPart, RunFile
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.run_facts import PathUse
from tests.action.plans.abilities import (
    COUNT,
    FIND,
    PACK,
    PAINT,
    REPEAT,
    SEARCH,
    TRASH,
    WRITE,
    ZIP,
    ability,
    path,
    result,
    step,
)

SEARCHED = step(FIND, "find duplicates in ~/Pictures", folder="~/Pictures")
ZIPPED = step(ZIP, "zip ~/Pictures", source="~/Pictures")
TEXT: JsonObject = {"type": "string", "description": "the text to write"}
NUMBER: JsonObject = {"type": "integer", "description": "how many words"}


def feeds(draft: StepDraft) -> dict[str, str]:
    return {feed.param: feed.step for feed in draft.feeds}


@pytest.mark.parametrize("words", ["zip the folder", "zip it", "and zip", "把文件夹压缩", "把它压缩"])
def test_a_folder_that_was_said_once_holds_for_the_next_step(words: str) -> None:
    drafted = fed(step(ZIP, words), ["source"], [SEARCHED])
    assert (drafted.params, drafted.feeds) == ({"source": "~/Pictures"}, ())


def test_a_folder_is_not_taken_for_a_file() -> None:
    assert fed(step(COUNT, "count the words"), ["file"], [SEARCHED]).params == {}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("write the result to notes.txt", {"text": "result"}),
        ("write it to notes.txt", {"text": "it"}),
        ("save the list as notes.txt", {"text": "list"}),
        ("把结果写入 notes.txt", {"text": "结果"}),
        ("write it to notes.txt", {}),
    ],
)
def test_what_a_step_tells_is_the_text_that_the_next_one_writes(words: str, said: dict[str, str]) -> None:
    missing = [] if said else ["text"]
    drafted = fed(step(WRITE, words, file="notes.txt", **said), missing, [SEARCHED])
    assert drafted.params == {"file": "notes.txt"}
    assert feeds(drafted) == {"text": SEARCHED.id}


@pytest.mark.parametrize(
    ("words", "text", "points"),
    [
        ("note it down", "it down", True),
        ("note down that", "that", True),
        ("add it to my journal", "it to my journal", True),
        ("记下结果到日记", "结果到日记", True),
        ("note it rained", "it rained", False),
        ("note down that the car is red", "that the car is red", False),
        ("note 'it down'", "it down", False),
    ],
)
def test_the_rest_of_a_sentence_behind_it_is_no_text(words: str, text: str, points: bool) -> None:
    note = ability("note", "Add a note to the journal, 写日记", text=TEXT)
    drafted = fed(step(note, words, text=text), [], [SEARCHED])
    expected = ({}, {"text": SEARCHED.id}) if points else ({"text": text}, {})
    assert (drafted.params, feeds(drafted)) == expected


def test_what_stands_in_quotes_is_meant_as_it_is() -> None:
    drafted = fed(step(WRITE, "write 'the result' to notes.txt", text="the result"), ["file"], [SEARCHED])
    assert drafted.params == {"text": "the result"}
    assert drafted.feeds == ()


def test_a_file_to_write_is_never_the_folder_or_file_of_an_earlier_step() -> None:
    read = step(COUNT, "count the words in a.txt", file="a.txt")
    assert "file" not in fed(step(WRITE, "write it down"), ["file", "text"], [read]).params


@pytest.mark.parametrize(
    "words", ["put it into the trash", "put the archive into the trash", "trash the result"]
)
def test_it_is_what_the_step_before_made(words: str) -> None:
    assert feeds(fed(step(TRASH, words), ["what"], [ZIPPED])) == {"what": ZIPPED.id}


def test_the_folder_is_the_one_that_was_said_although_the_step_made_something_of_it() -> None:
    drafted = fed(step(TRASH, "put the folder into the trash"), ["what"], [ZIPPED])
    assert (drafted.params, drafted.feeds) == ({"what": "~/Pictures"}, ())


def test_a_file_that_is_only_written_then_is_known_before() -> None:
    written = step(WRITE, "write hello to notes.txt", file="notes.txt", text="hello")
    drafted = fed(step(COUNT, "count the words in it"), ["file"], [written])
    assert (drafted.params, drafted.feeds) == ({"file": "notes.txt"}, ())


def test_what_is_brought_is_written_as_soon_as_it_is_known() -> None:
    written = step(WRITE, "write hello", text="hello")
    counting = fed(step(COUNT, "count the words in it"), ["file"], [written])
    assert feeds(counting) == {"file": written.id}
    told = fed(counting, (), [replace(written, params={**written.params, "file": "notes.txt"})])
    assert (told.params, told.feeds) == ({"file": "notes.txt"}, ())


def test_that_folder_is_no_file_that_was_named_after_it(tmp_path: Path) -> None:
    copy = ability(
        "copy",
        "Copy a file or folder",
        source=path("the file or folder to copy"),
        target=path("the folder that it is copied into", "write"),
    )
    copied = step(copy, "copy a.md there", source=str(tmp_path / "a.md"), target=str(tmp_path))
    drafted = fed(step(ZIP, "zip that folder"), ["source"], [copied])
    assert drafted.params == {"source": str(tmp_path)}


@pytest.mark.parametrize("words", ["move it there too", "~/b.png 也移过去", "put it into it"])
def test_there_is_where_the_step_before_put_things(words: str, tmp_path: Path) -> None:
    move = ability(
        "move",
        "Move a file or folder",
        source=path("the file or folder to move", "write", **{"x-partner-there": True}),
        target=path("the folder to move it into", "write"),
    )
    moved = step(move, "move a.png to the folder", source=str(tmp_path / "a.png"), target=str(tmp_path))
    drafted = fed(step(move, words, source="~/b.png"), ["target"], [moved])
    assert drafted.params == {"source": "~/b.png", "target": str(tmp_path)}


def test_what_a_step_makes_may_be_called_by_its_name() -> None:
    make = ability("make", "Make a folder", folder=path("the folder to make", "write"))
    copy = ability("copy", "Copy a file", source=path("the file to copy"), target=path("where to", "write"))
    made = step(make, "make a folder Old", folder="~/nowhere/Old")
    copied = step(copy, "copy a.md into it", source="~/nowhere/a.md", target="~/nowhere/Old")
    assert fed(step(ZIP, "zip Old"), ["source"], [made, copied]).params == {"source": "~/nowhere/Old"}


def test_this_folder_is_the_one_that_was_named_before() -> None:
    drafted = fed(step(ZIP, "zip this folder", source="."), [], [SEARCHED])
    assert drafted.params == {"source": "~/Pictures"}
    assert fed(step(ZIP, "zip this folder", source="."), [], []).params == {"source": "."}


def test_the_things_in_a_place_do_not_go_there() -> None:
    drafted = fed(step(ZIP, "zip the pictures in ~/Pictures", source="~/Pictures"), [], [])
    assert drafted.params == {"source": "~/Pictures"}


def test_where_something_goes_is_not_what_it_is() -> None:
    drafted = fed(step(ZIP, "back it up to ~/Safe", source="~/Safe"), [], [SEARCHED])
    assert drafted.params == {"target": "~/Safe", "source": "~/Pictures"}


def test_a_place_is_meant_although_it_need_not_be_said() -> None:
    drafted = fed(step(SEARCH, "search for cats in it", words="cats"), ["folder"], [SEARCHED])
    assert drafted.params == {"words": "cats", "folder": "~/Pictures"}


def test_a_choice_and_a_name_to_look_for_are_never_fed() -> None:
    assert fed(step(PAINT, "paint it", colour="it"), [], [SEARCHED]).feeds == ()
    assert fed(step(SEARCH, "search in it", folder="~/b"), ["words"], [SEARCHED]).feeds == ()


def test_a_command_line_is_never_fed() -> None:
    free = replace(WRITE, free_args=True)
    assert fed(step(free, "write it to notes.txt"), ["text", "file"], [SEARCHED]).feeds == ()


def test_a_number_is_fed_only_where_the_words_mean_it() -> None:
    counted = step(COUNT, "count the words in a.txt", file="a.txt")
    assert feeds(fed(step(REPEAT, "say hello that number of times"), ["times"], [counted])) == {
        "times": counted.id
    }
    assert fed(step(REPEAT, "say hello often"), ["times"], [counted]).feeds == ()


def test_without_an_earlier_step_nothing_is_made_up() -> None:
    drafted = fed(step(ZIP, "zip the folder", source="the folder"), [], [])
    assert (drafted.params, drafted.feeds) == ({}, ()), "it is asked for"


@pytest.mark.parametrize(
    ("description", "makes"),
    [("Draw a chart of a table", True), ("画一张图表", True), ("Look through a table", False)],
)
def test_what_is_made_in_a_workspace_is_brought_and_not_what_it_was_made_of(
    description: str, makes: bool
) -> None:
    info = ability("chart", description, looks=True, table=path("the table to look at"))
    drawn = step(info, "make a chart from data.csv", table="data.csv")
    shrink = ability("shrink", "Shrink a picture", picture=path("the picture to shrink"))
    drafted = fed(step(shrink, "shrink it"), ["picture"], [drawn])
    assert feeds(drafted) == ({"picture": drawn.id} if makes else {})


# What a result offers.


def test_a_file_that_the_result_names_comes_before_the_folder_that_was_written_to(tmp_path: Path) -> None:
    archive, target = tmp_path / "a.zip", tmp_path / "Backups"
    archive.write_text("")
    target.mkdir()
    made = result(
        {"summary": "Done.", "backup": str(archive), "folder": str(tmp_path / "gone")},
        paths=(PathUse("target", str(target), "write"),),
    )
    assert value_from(path("the file or folder"), made) == (str(archive), str(target))
    assert value_from(path("the folder"), made) == (str(target),)


def test_a_line_that_is_a_path_and_what_a_run_left_are_offered(tmp_path: Path) -> None:
    (tmp_path / "left.csv").write_text("")
    made = result(stdout=f"{tmp_path / 'left.csv'}\n")
    assert value_from(path("the file"), made) == (str(tmp_path / "left.csv"),)
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "inside.csv").write_text("")
    left = result(files=(RunFile("inside.csv", 0), RunFile("../left.csv", 0)))
    assert value_from(path("the file"), left, workspace=workspace) == (str(workspace / "inside.csv"),)
    assert value_from(path("the file"), left) == ()


def test_what_a_run_left_comes_before_what_it_was_given_and_names_again(tmp_path: Path) -> None:
    for name in ("in.csv", "a.csv", "b.png"):
        (tmp_path / name).write_text("")
    given = PathUse("table", str(tmp_path / "in.csv"), "read")
    told = {"summary": "Done.", "table": given.path}
    one = result(told, paths=(given,), files=(RunFile("a.csv", 0),))
    assert value_from(path("the file"), one, workspace=tmp_path) == (str(tmp_path / "a.csv"), given.path)
    two = replace(one, files=(RunFile("a.csv", 0), RunFile("b.png", 0)))
    assert value_from(path("the file"), two, workspace=tmp_path) == (), "which of them is asked"
    for schema, words, name in (
        (path("the picture to shrink"), "", "b.png"),
        (path("the file"), "send the CSV to Ann", "a.csv"),
        (path("the file"), "send b.png to Ann", "b.png"),
    ):
        assert value_from(schema, two, workspace=tmp_path, words=words)[0] == str(tmp_path / name)


def test_only_what_a_run_that_succeeded_wrote_counts_as_made() -> None:
    use = PathUse("target", "/out/a.txt", "write")
    read = PathUse("source", "/in/a.txt", "read")
    runs = [result(paths=(use, read), parts=(ResultPart("file", path="/out/part.png"),))]
    assert files_of(runs) == {"/out/a.txt", "/out/part.png"}
    for status in (ActionStatus.FAILED, ActionStatus.CANCELLED, ActionStatus.RUNNING):
        assert files_of([replace(run, status=status) for run in runs]) == set()


def test_a_list_of_paths_holds_those_that_are_there(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("")
    (tmp_path / "b").write_text("")
    found = result({"groups": [{"files": [str(tmp_path / "a"), str(tmp_path / "b"), "/nowhere/c"]}]})
    (paths,) = value_from(PACK.properties()["files"], found)
    assert paths == [str(tmp_path / "a"), str(tmp_path / "b")]


def test_a_text_is_all_that_was_told_the_sentence_first() -> None:
    told = result({"items": ["a", "b"], "count": 2, "summary": "Two names fit."})
    assert value_from(TEXT, told)[0] == "Two names fit.\nItems:\n  - a\n  - b\nCount: 2"
    listed = result({"files": [{"path": "/a", "size": 1.0}], "count": 1, "summary": "1 file is twice."})
    assert value_from(TEXT, listed)[0] == "1 file is twice.\n- path: /a, size: 1"
    bare = result({"reading_time_minutes": 2.5, "words": {"all": 3, "once": []}})
    assert value_from(TEXT, bare)[0] == "Reading time (minutes): 2.5\nWords:\n  All: 3\n  Once:"
    assert value_from(TEXT, result(stdout="plain\n")) == ("plain",)
    assert value_from(TEXT, result()) == ()


def test_a_text_that_was_cut_is_read_from_where_it_lies(tmp_path: Path) -> None:
    whole = tmp_path / "stdout"
    whole.write_text("all of it")
    assert value_from(TEXT, result(stdout="all", truncated=True, stdout_path=str(whole))) == ("all of it",)


def test_a_number_is_the_one_that_is_called_so_or_the_only_one() -> None:
    assert value_from(NUMBER, result({"lines": 3, "words": 12}))[0] == 12
    assert value_from(NUMBER, result(stdout="It has 1,204 words.")) == (1204,)
    assert value_from(NUMBER, result(stdout="2 of 3")) == ()
    assert value_from(NUMBER, result({"words": 1.5})) == (), "what breaks the schema is not offered"
    assert value_from(NUMBER, result({"done": True})) == ()


def test_a_choice_is_never_offered() -> None:
    assert value_from({"type": "string", "enum": ["red"]}, result(stdout="red")) == ()


def test_a_result_that_is_nested_or_long_beyond_reason_is_looked_at_for_a_while_only() -> None:
    deep: object = "x"
    for _ in range(200):
        deep = {"more": [deep]}
    assert value_from(path("the file"), result({"deep": deep, "many": ["/nowhere"] * 100_000})) == ()
