"""The requests to try name what is really there, and read like something a person says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from partner_desktop.desktop.session.examples import (
    KnownPaths,
    example_request,
    examples,
    look_for_paths,
    own_folders,
)
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo

from .moments import Moments
from .samples import ability
from .server_samples import tool
from .stage import Stage

THERE = KnownPaths(folder="~/Documents", file="~/Documents/plan.md")


def needing(name: str, description: str, *aliases: str) -> MetaActionInfo:
    """An ability that needs one path."""
    schema: JsonObject = {
        "type": "object",
        "properties": {name: {"type": "string", "format": "path", "description": description}},
        "required": [name],
    }
    info = ability("some_script", "Do it", aliases=aliases).info
    assert info is not None
    return replace(info, params=schema)


COUNT_SCRIPT = """# /// partner
# description = "Do it"
# aliases = ["how many words are in a file"]
# [params.file]
# type = "string"
# format = "path"
# description = "the text file to count"
# ///
"""
COUNT = needing("file", "the text file to count", "how many words are in a file", "统计字数")


def test_a_path_is_named_only_where_there_is_one() -> None:
    assert example_request(COUNT, known=THERE) == "how many words are in ~/Documents/plan.md"
    assert example_request(COUNT) == "how many words are in a file"
    assert example_request(COUNT, chinese=True, known=THERE) == "统计字数 ~/Documents/plan.md"
    assert example_request(COUNT, chinese=True) == "统计字数"


def test_what_is_to_be_made_is_not_what_is_there() -> None:
    made = needing("folder", "the folder to make", "create a folder", "make a new directory called")
    folder: JsonObject = {"type": "string", "format": "path", "x-partner-new": True}
    new = replace(made, params=made.params | {"properties": {"folder": folder}})
    assert example_request(new, known=THERE) == "create a folder"


def test_a_text_file_is_not_offered_where_a_picture_is_wanted() -> None:
    crop = needing("image", "the photo to crop", "crop a photo to a square")
    assert example_request(crop, known=THERE) == "crop a photo to a square"


def test_a_whole_request_is_preferred_to_a_label() -> None:
    note = ability("note", "Note", aliases=("take a note", "make a note that", "add to my journal")).info
    assert note is not None
    assert example_request(note) == "add to my journal"
    short = ability("tell_time", "Time", aliases=("clock", "time now"))
    assert examples([short]) == ["clock"]


def labelled(server: str, name: str, label: str) -> Ability:
    made = tool(server, name)
    assert made.info is not None
    return replace(made, info=replace(made.info, label=label))


def test_every_server_gets_its_turn_with_an_easy_tool_in_plain_words() -> None:
    many = [labelled("many", name, f"Get {name.title()} Tool") for name in ("sum", "log", "env")]
    assert examples([*many, labelled("time", "now", "Tell the time")]) == [
        "get env",
        "tell the time",
        "get log",
        "get sum",
    ]


def test_only_a_real_text_file_directly_in_a_folder_is_found(tmp_path: Path, user_home: Path) -> None:
    documents, downloads = user_home / "Documents", user_home / "Downloads"
    assert look_for_paths([documents, downloads]) == KnownPaths()
    (downloads / "inner").mkdir(parents=True)
    (downloads / "inner" / "deep.md").write_text("deep")
    (downloads / "a.txt").write_bytes(b"\0\1")
    (downloads / "b.txt").touch()
    (downloads / "c.txt").mkdir()
    (downloads / "d e.txt").write_text("would need quotation marks")
    (downloads / "f.jpg").write_text("no text by its name")
    assert look_for_paths([documents, downloads]) == KnownPaths(folder="~/Downloads")
    (downloads / "g.md").write_text("words")
    assert look_for_paths([documents, downloads]) == KnownPaths("~/Downloads", "~/Downloads/g.md")


def test_the_first_screen_names_a_file_that_is_there(stage: Stage, moments: Moments) -> None:
    moments.write("DELETE FROM conversations")
    moments.add_script("count.py", COUNT_SCRIPT)
    for folder in own_folders():
        folder.mkdir(parents=True)
        (folder / "plan.md").write_text("words")
    welcome = stage.open(moments).page.welcome
    stage.until(lambda: [b for b in welcome.buttons if "plan.md" in b.text()])
    (button,) = [one for one in welcome.buttons if "plan.md" in one.text()]
    assert button.text() == "how many words are in ~/Documents/plan.md"
