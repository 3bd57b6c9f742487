"""A form changes the same files: one setting at a time, everything else as the person wrote it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from partner_desktop.base.errors import ConfigError, ModelError
from partner_desktop.config.center import ConfigCenter
from partner_desktop.domain.events import ConfigEvent
from partner_desktop.domain.json_value import Json
from tests.config.rooms import CellarSettings, Room, StoveSettings, launched
from tests.support import unwritable

HAND_WRITTEN = """\
# mine
name = "Zita" # after an aunt

heat_w   =   400
# mode = "night"

[chimney]
# height_m = 4.5
sweep = false # too high
"""


async def test_a_new_file_keeps_its_words_and_gets_the_setting_where_it_stood_commented_out(
    tmp_path: Path,
) -> None:
    async with launched(Room(tmp_path / "config")) as room:
        before = room.file.read_text()
        await room.center.set("stove", ("heat_w",), 800)
        assert room.file.read_text() == before.replace("# heat_w = 300\n", "heat_w = 800\n")
        assert room.stove.value == StoveSettings(heat_w=800)
        await room.center.set("stove", ("chimney", "height_m"), 6)
        assert "\nheight_m = 6\n" in room.file.read_text()
        assert room.value("stove", ("chimney", "height_m")) == 6.0
        await room.center.reset("stove", ("heat_w",))
        await room.center.reset("stove", ("chimney", "height_m"))
        assert room.file.read_text() == before
        assert room.stove.value == StoveSettings()


async def test_what_a_person_wrote_stays_as_it_is(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.put(HAND_WRITTEN)
    async with launched(room):
        await room.center.set("stove", ("name",), 'Lou "x" é\n')
        await room.center.set("stove", ("mode",), "night")
        await room.center.set("stove", ("beside",), ["cat", "dog"])
        await room.center.set("stove", ("chimney", "sweep"), True)
        await room.center.reset("stove", ("heat_w",))
    text = room.file.read_text()
    assert '# mine\nname = "Lou \\"x\\" é\\n" # after an aunt\n' in text
    assert 'mode = "night"\n' in text
    assert "sweep = true # too high\n" in text
    assert "# heat_w = 300\n" in text
    assert room.stove.value.beside == ("cat", "dog")
    assert room.center.check() == []


@pytest.mark.parametrize(
    "text",
    [
        "name = 'B'\r\nheat_w = 1\r\n",
        "\ufeffheat_w = 1\n",
        "chimney = { sweep = false }\nheat_w = 1",
        "chimney.sweep = false\n",
        "beside = [\n  'a', # one\n  'b',\n]\n[shelves.left]\nboards = 3\n[chimney]\nsweep = false\n",
        "[shelves.left]\nboards = 3\n",
    ],
)
async def test_however_a_file_is_written_each_setting_can_be_set_and_reset(tmp_path: Path, text: str) -> None:
    room = Room(tmp_path)
    room.put(text)
    values: dict[tuple[str, ...], Json] = {
        ("heat_w",): 7,
        ("chimney", "height_m"): 2.5,
        ("chimney", "sweep"): True,
        ("beside",): ["x"],
        ("fuel",): "gas",
        ("limit",): 3,
        ("ashes",): "/a b",
    }
    async with launched(room):
        for key, value in values.items():
            await room.center.set("stove", key, value)
        assert {key: room.value("stove", key) for key in values} == values
        shelves = room.stove.value.shelves
        for key in values:
            await room.center.reset("stove", key)
        assert room.stove.value == StoveSettings(name=room.stove.value.name, shelves=shelves)
        assert room.stove.value.shelves == shelves
    if "\r\n" in text:
        assert b"\n" not in room.file.read_bytes().replace(b"\r\n", b"")


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        (("heat_w",), 6_000, "heat_w must be a whole number from 0 to 5,000 W"),
        (("heat_w",), "7", "heat_w must be a whole number"),
        (("fuel",), "coal", 'fuel must be one of "wood", "gas"'),
        (("nothing",), 1, "nothing is not a setting of stove"),
        (("chimney",), {}, "chimney is not a setting of stove that can be changed here"),
        (("name",), "x\ud800", "name"),
    ],
)
async def test_what_does_not_fit_is_refused_and_nothing_is_written(
    tmp_path: Path, key: tuple[str, ...], value: Json, said: str
) -> None:
    async with launched(Room(tmp_path / "config")) as room:
        before = room.file.read_bytes()
        with pytest.raises(ConfigError, match=said):
            await room.center.set("stove", key, value)
        assert room.file.read_bytes() == before
        assert room.stove.value == StoveSettings()
        with pytest.raises(ConfigError, match="no settings file called attic"):
            await room.center.set("attic", ("x",), 1)


async def test_a_broken_file_must_be_corrected_first_and_is_not_overwritten(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.put("heat_w = 1\nname = \n")
    async with launched(room):
        with pytest.raises(ConfigError, match=r"corrected first\. stove\.toml, line 2"):
            await room.center.set("stove", ("heat_w",), 5)
        assert room.file.read_text() == "heat_w = 1\nname = \n"


async def test_a_wrong_value_is_repaired_by_setting_it(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.put("heat_w = 'hot'\nname = 'Zita'\n")
    async with launched(room):
        assert room.stove.value == StoveSettings()
        await room.center.set("stove", ("heat_w",), 5)
        assert room.stove.value == StoveSettings(heat_w=5, name="Zita")
        assert room.center.files()[1].problems == ()


async def test_what_an_applier_refuses_is_not_written(tmp_path: Path) -> None:
    async with launched(Room(tmp_path / "config")) as room:

        async def refuse(_new: StoveSettings) -> None:
            raise ModelError("The stove is cold.")

        room.stove.on_change(refuse)
        before = room.file.read_bytes()
        with pytest.raises(ConfigError, match="The stove is cold"):
            await room.center.set("stove", ("heat_w",), 5)
        assert room.file.read_bytes() == before
        assert room.stove.value == StoveSettings()


async def test_an_edit_from_outside_in_the_middle_of_a_change_is_kept(tmp_path: Path) -> None:
    async with launched(Room(tmp_path / "config")) as room:

        async def edit(_new: StoveSettings) -> None:
            room.put("name = 'Zita' # from the editor\n")

        undo = room.stove.on_change(edit)
        room.stove.on_change(lambda _new: asyncio.sleep(0, undo()))
        await room.center.set("stove", ("heat_w",), 5)
        text = room.file.read_text()
        assert "name = 'Zita' # from the editor\n" in text
        assert "heat_w = 5\n" in text
        assert room.stove.value == StoveSettings(heat_w=5, name="Zita")


async def test_a_reload_waits_for_a_change_from_the_form(tmp_path: Path) -> None:
    async with launched(Room(tmp_path / "config")) as room:
        inside = 0

        async def alone(new: StoveSettings) -> None:
            nonlocal inside
            inside += 1
            assert inside == 1, "two changes of one file at once"
            if new.name == "Berta":
                room.put("name = 'Zita'\n")
                room.put("bottles = 1\n", "cellar")
                await room.change("cellar")  # so the watch has told of both
            inside -= 1

        room.stove.on_change(alone)
        await room.center.set("stove", ("heat_w",), 5)
        assert room.stove.value == StoveSettings(heat_w=5, name="Zita")


async def test_a_disk_that_refuses_leaves_the_old_setting_in_force(tmp_path: Path) -> None:
    async with launched(Room(tmp_path / "config")) as room:
        applied: list[int] = []

        async def note(new: StoveSettings) -> None:
            applied.append(new.heat_w)

        room.stove.on_change(note)
        with unwritable(room.file), pytest.raises(ConfigError, match="cannot be written"):
            await room.center.set("stove", ("heat_w",), 5)
        assert applied == [5, 300]
        assert room.stove.value == StoveSettings()


async def test_a_deleted_file_is_made_anew_with_the_setting(tmp_path: Path) -> None:
    async with launched(Room(tmp_path / "config")) as room:
        room.file.unlink()
        await room.center.set("stove", ("heat_w",), 5)
        assert "\nheat_w = 5\n" in room.file.read_text()


async def test_a_link_is_written_through(tmp_path: Path) -> None:
    room = Room(tmp_path)
    (tmp_path / "elsewhere").write_text("heat_w = 1\n")
    room.file.symlink_to(tmp_path / "elsewhere")
    async with launched(room):
        await room.center.set("stove", ("heat_w",), 5)
    assert room.file.is_symlink()
    assert (tmp_path / "elsewhere").read_text() == "heat_w = 5\n"


async def test_a_change_from_the_form_is_told_as_an_event_and_not_as_a_notice(tmp_path: Path) -> None:
    async with launched(Room(tmp_path / "config")) as room:
        await room.center.set("stove", ("heat_w",), 5)
        room.put("bottles = 1\n", "cellar")
        await room.notice("cellar.toml")
        assert room.notices() == []
        assert room.cellar.value == CellarSettings(bottles=1)


async def test_ten_changes_at_once_all_hold(tmp_path: Path) -> None:
    async with launched(Room(tmp_path / "config")) as room:
        changes = [room.center.set("stove", ("heat_w",), heat) for heat in range(1, 9)]
        changes += [room.center.set("stove", ("name",), "Zita"), room.center.set("cellar", ("bottles",), 9)]
        await asyncio.gather(*changes)
        assert room.stove.value == StoveSettings(heat_w=8, name="Zita")
        assert room.cellar.value.bottles == 9
        assert any(isinstance(event, ConfigEvent) for event in room.said.events)


def test_a_form_finds_everything_it_needs(tmp_path: Path) -> None:
    center = ConfigCenter(tmp_path)
    center.register("stove", StoveSettings(heat_w=250))
    (file,) = center.files()
    assert (file.name, file.path, file.description) == (
        "stove",
        tmp_path / "stove.toml",
        "How the stove burns.",
    )
    heat, ashes, beside = (file.field((key,)) for key in ("heat_w", "ashes", "beside"))
    assert heat is not None
    assert ashes is not None
    assert beside is not None
    assert (heat.title, heat.kind, heat.unit, heat.minimum, heat.maximum) == ("Heat", "int", "W", 0, 5_000)
    assert (heat.default, heat.value, heat.example, heat.required, heat.restart) == (
        250,
        250,
        500,
        False,
        False,
    )
    assert (ashes.kind, ashes.restart) == ("path", True)
    assert (beside.kind, beside.default) == ("list", [])
    assert [field.key for field in file.fields if field.kind == "choice"] == [("fuel",), ("mode",)]
    assert [field.name for field in file.fields if not field.editable] == [
        "chimney",
        "shelves",
        "shelves.<name>.boards",
    ]
