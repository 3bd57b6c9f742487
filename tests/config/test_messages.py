"""Every mistake in a settings file has one clear sentence with its place."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from partner_desktop.config.toml_text import ConfigProblem
from tests.config.rooms import Room, StoveSettings


def problems(folder: Path, text: str | bytes) -> list[ConfigProblem]:
    room = Room(folder)
    room.put(text)
    return room.center.check()


def sentence(folder: Path, text: str | bytes) -> str:
    (problem,) = problems(folder, text)
    return str(problem)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '# one\nheat_w = "300"\n',
            (
                "stove.toml, line 2: heat_w must be a whole number from 0 to 5,000 W, "
                'for example heat_w = 500; it says "300".'
            ),
        ),
        ("\n\nheat_w = 6000\n", "stove.toml, line 3: heat_w must be a whole number from 0 to 5,000 W"),
        ("heat_w = 1.5\n", "it says 1.5."),
        ("heat_w = true\n", "it says true."),
        ('fuel = "coal"\n', 'fuel must be one of "wood", "gas", for example fuel = "wood"; it says "coal".'),
        ('mode = "dusk"\n', 'mode must be one of "day", "night"'),
        (
            "beside = 'basket'\n",
            'beside must be a list of texts, for example beside = ["basket"]; it says "basket".',
        ),
        (
            "beside = [\n  'a',\n  3,\n]\n",
            'must be a list of texts, for example beside = ["basket"]; its entry 2 says 3.',
        ),
        (f"name = '{'x' * 99}'\n", 'name must be a text, at most 20 characters, for example name = "Berta"'),
        (
            "[chimney]\n\nheight_m = 0\n",
            "stove.toml, line 3: chimney.height_m must be a number above 0 and at most 30 m",
        ),
        ("name = 'B'\nchimney.sweep = 1\n", "stove.toml, line 2: chimney.sweep must be true or false"),
        ("chimney = 3\n", "stove.toml, line 1: chimney must be a table"),
        (
            "[shelves.left]\nboards = 2\n[shelves.right]\nboards = 0\n",
            "line 4: shelves.right.boards must be a whole number",
        ),
        ("ashes = 3\n", "ashes must be a path, as text"),
        ("limit = 0\n", "limit must be a whole number of at least 1, for example limit = 7; it says 0."),
    ],
)
def test_a_wrong_value_is_told_with_line_range_unit_and_example(tmp_path: Path, text: str, said: str) -> None:
    assert said in sentence(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\nheatw = 3\n", "stove.toml, line 2: there is no setting heatw; the nearest one is heat_w."),
        (
            "[chimney]\nhight_m = 3\n",
            "line 2: there is no setting chimney.hight_m; the nearest one is chimney.height_m.",
        ),
        ("height_m = 3\n", "there is no setting height_m; the nearest one is chimney.height_m."),
        ("zzzzzzzz = 3\n", "there is no setting zzzzzzzz."),
        ("[fireplace]\nopen = true\n", "stove.toml, line 1: there is no setting fireplace."),
    ],
)
def test_an_unknown_key_is_told_with_its_line_and_the_nearest_known_one(
    tmp_path: Path, text: str, said: str
) -> None:
    assert said in sentence(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "name = 'B'\nheat_w 300\n",
            "stove.toml, line 2, column 8: a key needs “=” and a value. The line is: heat_w 300",
        ),
        (
            "heat_w = abc\n",
            "stove.toml, line 1, column 10: this is no value; texts stand in quotation marks.",
        ),
        ("heat_w = 1\nname = 'x'\nheat_w = 2\n", "stove.toml, line 3, column 11: this key stands twice."),
        ('name = "Ber', "stove.toml, line 1, column 12: the file ends before this is complete."),
        ("beside = ['a',\n", "stove.toml, line 1, column 15: the file ends before this is complete."),
        ("[chimney]\n[chimney]\n", "stove.toml, line 2, column 9: this table stands twice."),
        ("", "stove.toml: it is empty. Delete it, and the next start writes one"),
        ("\n \r\n", "stove.toml: it is empty."),
        (
            b"\x89PNG\r\n\x1a\n\x00\x00",
            "stove.toml, line 1: this is not text in UTF-8; save the file as UTF-8.",
        ),
        ("heat_w = 1\nname = 'ä'\n".encode("latin-1"), "stove.toml, line 2: this is not text in UTF-8"),
        (b"#" * (1024 * 1024 + 1), "stove.toml: it is larger than 1 MiB"),
        (
            "heat_w = \x1b]0;x\x07\x9b31mred\u202e\n",
            "The line is: heat_w = ⟨U+001B⟩]0;x⟨U+0007⟩⟨U+009B⟩31mred⟨U+202E⟩",
        ),
        ("limit = " + "9" * 5_000 + "\n", "stove.toml: it holds a value that cannot be used"),
        ("limit = 0x" + "f" * 9_000 + "\n", "stove.toml: it holds a value that is too deep or too long"),
        ("a." * 500_000 + "a = 1\n", "stove.toml: it is nested too deeply to be settings."),
        ("beside = " + "[" * 50_000, "stove.toml: it is nested too deeply to be settings."),
    ],
)
def test_what_is_no_toml_is_told_with_its_place_and_the_line(
    tmp_path: Path, text: str | bytes, said: str
) -> None:
    assert said in sentence(tmp_path, text)


def test_every_mistake_of_a_file_is_told_in_the_order_of_its_lines(tmp_path: Path) -> None:
    found = problems(tmp_path, "x = 1\nheat_w = 'a'\n[chimney]\nsweep = 0\n")
    assert [(problem.line, problem.key) for problem in found] == [
        (1, ("x",)),
        (2, ("heat_w",)),
        (4, ("chimney", "sweep")),
    ]


@pytest.mark.parametrize("text", [b"\xef\xbb\xbfheat_w = 7\n", b"heat_w = 7\r\nname = 'x'\r\n"])
def test_a_byte_order_mark_and_the_line_ends_of_another_system_are_no_mistake(
    tmp_path: Path, text: bytes
) -> None:
    assert problems(tmp_path, text) == []


def test_what_is_no_file_is_named(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.file.mkdir()
    (tmp_path / "cellar.toml").symlink_to(tmp_path / "nowhere")
    stove, cellar = room.center.check()
    assert str(stove) == "stove.toml: this is a folder; a settings file must be a text file."
    assert str(cellar) == f"cellar.toml: it is a link to {tmp_path / 'nowhere'}, which is not there."


def test_a_pipe_in_place_of_a_file_does_not_hang(tmp_path: Path) -> None:
    room = Room(tmp_path)
    os.mkfifo(room.file)
    (problem,) = room.center.check()
    assert "no regular file" in str(problem)


def test_a_link_in_a_circle_and_a_file_without_rights_are_sentences(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.file.symlink_to(room.file)
    (problem,) = room.center.check()
    assert "it cannot be read" in str(problem)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_a_sentence(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.put("heat_w = 1\n")
    room.file.chmod(0)
    (problem,) = room.center.check()
    assert "it cannot be read (Permission denied)." in str(problem)


def test_a_link_to_a_file_is_read(tmp_path: Path) -> None:
    room = Room(tmp_path)
    (tmp_path / "elsewhere").write_text("heat_w = 'x'\n")
    room.file.symlink_to(tmp_path / "elsewhere")
    (problem,) = room.center.check()
    assert problem.line == 1


def test_a_file_that_belongs_to_nothing_is_told_with_the_nearest_name(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.put("heat_w = 1\n", "stov")
    (problem,) = room.center.check()
    assert str(problem) == "stov.toml: no settings have this name; the nearest one is stove.toml."


def test_a_new_file_explains_every_key_and_says_nothing_itself(tmp_path: Path) -> None:
    room = Room(tmp_path)
    text = next(iter(room.center._entries.values())).file.fresh().decode()
    assert problems(tmp_path, text) == []
    assert "# A whole number from 0 to 5,000 W. Default: 300. Example: heat_w = 500\n# heat_w = 300\n" in text
    assert "It takes effect at the next start." in text.replace("\n# ", " ")
    assert "\n[chimney]\n" in text
    for name in StoveSettings.model_fields:
        assert name in text
    keys = text.partition("# The shelves")[0].splitlines(keepends=True)
    used = "".join(line.removeprefix("# ") if " = " in line[:20] else line for line in keys)
    assert problems(tmp_path, used) == []
