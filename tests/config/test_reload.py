"""A saved file is in force at once, what is broken changes nothing, and what turns it down is rolled back."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

from partner_desktop.base.errors import ConfigError, ModelError, WiringError
from partner_desktop.config.center import ConfigCenter
from partner_desktop.config.handle import Apply
from partner_desktop.domain.events import ConfigEvent
from partner_desktop.gateways.settings import GatewaySettings
from tests.config.rooms import CellarSettings, GateSettings, Room, StoveSettings, launched


async def test_a_saved_file_is_taken_over_and_told_with_what_changed(tmp_path: Path) -> None:
    async with launched(Room(tmp_path / "config")) as room:
        room.put("heat_w = 500\nashes = '/x'\n[chimney]\nsweep = false\n")
        notice = await room.notice("taken over")
        assert notice.text == (
            'stove.toml: taken over (heat_w 300 → 500, ashes "/tmp/ashes" → "/x", '
            "chimney.sweep true → false; ashes from the next start on)."
        )
        assert room.stove.value.heat_w == 500
        assert room.value("stove", ("chimney", "sweep")) is False
        assert room.cellar.value == CellarSettings()


async def test_only_what_changed_is_applied_and_an_equal_file_not_at_all(tmp_path: Path) -> None:
    room = Room(tmp_path / "config")
    applied: list[object] = []

    async def note(new: object) -> None:
        applied.append(new)

    room.stove.on_change(note)
    room.cellar.on_change(note)
    async with launched(room):
        room.put("# another comment\nheat_w = 300\n")
        room.put("bottles = 7\n", "cellar")
        await room.change("cellar")
        room.put("heat_w = 301\n")
        await room.change()
        assert applied == [CellarSettings(bottles=7), StoveSettings(heat_w=301)]


@pytest.mark.parametrize("broken", ["heat_w = 'hot'\n", "heat_w = \n", "", b"\xff\xfe", "x = 1\n"])
async def test_a_broken_file_is_told_and_the_settings_from_before_hold_until_it_is_right(
    tmp_path: Path, broken: str | bytes
) -> None:
    async with launched(Room(tmp_path / "config")) as room:
        room.put("heat_w = 500\n")
        await room.change()
        room.put(broken)
        notice = await room.notice("stove.toml")
        assert notice.level == "error"
        assert "The settings from before hold until it is corrected." in notice.text
        assert f"The file is {room.file}." in notice.text
        assert room.stove.value.heat_w == 500
        assert len(room.center.files()[1].problems) == 1
        room.put("heat_w = 500\n# right\n")
        await room.notice("stove.toml is right again")
        assert room.center.files()[1].problems == ()


async def test_an_applier_that_refuses_rolls_back_those_before_it(tmp_path: Path) -> None:
    room = Room(tmp_path / "config")
    seen: list[tuple[str, int]] = []

    async def first(new: StoveSettings) -> None:
        seen.append(("first", new.heat_w))

    async def second(new: StoveSettings) -> None:
        seen.append(("second", new.heat_w))

    async def refuses(new: StoveSettings) -> None:
        seen.append(("refuses", new.heat_w))
        if new.heat_w > 1_000:
            raise ModelError("The stove is too small for that.")

    for apply in (first, second, refuses):
        room.stove.on_change(apply)
    async with launched(room):
        room.put("heat_w = 2000\n")
        notice = await room.notice("not taken over")
        assert notice.text == (
            "stove.toml: it was not taken over: The stove is too small for that. "
            "The settings from before hold."
        )
        assert seen == [("first", 2000), ("second", 2000), ("refuses", 2000), ("second", 300), ("first", 300)]
        assert room.stove.value.heat_w == 300
        seen.clear()
        room.put("heat_w = 900\n")
        await room.notice("taken over (heat_w 300 → 900)")
        assert seen == [("first", 900), ("second", 900), ("refuses", 900)]


async def _hang(_new: StoveSettings) -> None:
    await asyncio.Event().wait()


async def _hold_on(_new: StoveSettings) -> None:
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        return


async def _cancel_itself(_new: StoveSettings) -> None:
    raise asyncio.CancelledError


async def _break(_new: StoveSettings) -> None:
    raise RuntimeError("no wood")


@pytest.mark.parametrize(
    ("apply", "said"),
    [
        (_hang, "took longer than 0.05 s"),
        (_hold_on, "took longer than 0.05 s"),
        (_cancel_itself, "gave up"),
        (_break, "an unexpected error came up (RuntimeError: no wood)"),
    ],
)
async def test_an_applier_that_hangs_raises_or_cancels_itself_turns_the_change_down(
    tmp_path: Path, apply: Apply[StoveSettings], said: str
) -> None:
    room = Room(tmp_path / "config", apply_timeout_s=0.05)
    undo = room.stove.on_change(apply)
    async with launched(room):
        room.put("heat_w = 500\n")
        notice = await room.notice("not taken over")
        assert said in notice.text
        assert room.stove.value.heat_w == 300
        undo()
        room.put("bottles = 1\n", "cellar")
        await room.change("cellar")
        room.put("heat_w = 501\n")
        await room.notice("heat_w 300 → 501")


async def test_a_file_edited_while_a_part_hangs_over_it_is_taken_over_after_that(tmp_path: Path) -> None:
    room = Room(tmp_path / "config", apply_timeout_s=0.1)

    async def hang_at_first(new: StoveSettings) -> None:
        if new.heat_w == 500:
            room.put("heat_w = 501\n")
            await asyncio.Event().wait()

    room.stove.on_change(hang_at_first)
    async with launched(room):
        room.put("heat_w = 500\n")
        await room.notice("took longer than 0.1 s")
        await room.notice("heat_w 300 → 501")
        assert room.stove.value.heat_w == 501


async def test_a_change_of_one_file_does_not_wait_for_another_that_hangs(tmp_path: Path) -> None:
    room = Room(tmp_path / "config", apply_timeout_s=60)
    room.stove.on_change(_hang)
    async with launched(room):
        room.put("heat_w = 500\n")
        room.put("bottles = 1\n", "cellar")
        await room.change("cellar")
        assert room.cellar.value.bottles == 1


async def test_of_two_quick_edits_the_last_one_holds(tmp_path: Path) -> None:
    async with launched(Room(tmp_path / "config")) as room:
        for heat in (400, 500, 600):
            room.put(f"heat_w = {heat}\n")
        await room.notice("→ 600")
        assert room.stove.value.heat_w == 600


async def test_a_file_that_is_still_being_written_is_not_told_of(tmp_path: Path) -> None:
    async with launched(Room(tmp_path / "config")) as room:
        with room.file.open("w") as file:
            file.write("heat_w = 5")
            file.flush()
            file.write("00\nname = 'Z")
            file.flush()
            file.write("ita'\n")
        await room.notice("taken over")
        assert room.notices() == []
        assert (room.stove.value.heat_w, room.stove.value.name) == (500, "Zita")


async def test_a_change_behind_a_link_is_seen(tmp_path: Path) -> None:
    room = Room(tmp_path / "config")
    room.folder.mkdir()
    target = tmp_path / "elsewhere.toml"
    target.write_text("heat_w = 1\n")
    room.file.symlink_to(target)
    async with launched(room):
        target.write_text("heat_w = 2\n")
        await room.notice("heat_w 1 → 2")


async def test_a_deleted_file_and_a_deleted_folder_change_nothing_and_are_followed(tmp_path: Path) -> None:
    async with launched(Room(tmp_path / "config")) as room:
        room.put("heat_w = 500\n")
        await room.change()
        room.file.unlink()
        room.put("bottles = 1\n", "cellar")
        await room.change("cellar")
        assert room.stove.value.heat_w == 500
        shutil.rmtree(room.folder)
        room.put("heat_w = 700\n")
        await room.notice("heat_w 500 → 700")
        assert room.cellar.value.bottles == 1


async def test_a_missing_file_is_made_at_the_next_start_and_an_old_one_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "config"
    async with launched(Room(folder)) as room:
        assert room.said.events == []
        assert "# heat_w = 300" in room.file.read_text()
        room.file.unlink()
    (folder / "cellar.toml").write_text("bottles = 3\n")
    async with launched(Room(folder)) as room:
        assert "# heat_w = 300" in room.file.read_text()
        assert (folder / "cellar.toml").read_text() == "bottles = 3\n"
        assert room.cellar.value.bottles == 3


async def test_a_file_that_is_broken_at_the_start_leaves_its_defaults_and_the_app_starts(
    tmp_path: Path,
) -> None:
    room = Room(tmp_path)
    room.put("bottles = 3\n", "cellar")
    room.put("heat_w = 500\nfuel = 'coal'\n")
    async with launched(room):
        assert room.stove.value == StoveSettings()
        assert room.cellar.value.bottles == 3
        (notice,) = room.center.start_notices()
        assert "stove.toml, line 2: fuel must be one of" in notice.text
        assert "The defaults hold until it is corrected." in notice.text
        room.put("heat_w = 500\nfuel = 'gas'\n")
        await room.notice("taken over")
        assert room.center.start_notices() == []


async def test_a_folder_that_cannot_be_made_leaves_the_defaults_and_is_told(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("I am a file.")
    async with launched(Room(tmp_path / "config")) as room:
        assert room.stove.value == StoveSettings()
        assert any("the defaults hold" in notice.text.lower() for notice in room.center.start_notices())


@pytest.mark.promise("framework.config.docs")
async def test_a_missing_required_setting_stops_the_start_and_says_type_range_unit_and_an_example(
    tmp_path: Path,
) -> None:
    center = ConfigCenter(tmp_path)
    handle = center.register("gate", GateSettings)
    with pytest.raises(ConfigError) as caught:
        await center.launch()
    said = str(caught.value)
    assert "code is missing and has no default" in said
    assert "a whole number from 1,000 to 9,999 digits, for example code = 1234" in said
    assert "What opens it." in said
    assert "gate.toml" in said
    with pytest.raises(ConfigError, match="not read yet"):
        _ = handle.value
    assert "# code = 1234" in (tmp_path / "gate.toml").read_text()
    (tmp_path / "gate.toml").write_text("code = 4321\n")
    again = ConfigCenter(tmp_path)
    handle = again.register("gate", GateSettings)
    await again.launch()
    await again.shutdown()
    assert handle.value.code == 4321


def test_two_packages_cannot_share_a_name(tmp_path: Path) -> None:
    room = Room(tmp_path)
    with pytest.raises(WiringError, match="cellar were registered twice"):
        room.center.register("cellar", CellarSettings())


async def test_an_event_says_which_file_changed(tmp_path: Path) -> None:
    async with launched(Room(tmp_path / "config")) as room:
        room.put("bottles = 1\n", "cellar")
        event = await room.said.until(lambda event: isinstance(event, ConfigEvent))
        assert event.to_json()["name"] == "cellar"


async def test_what_is_said_of_a_file_takes_the_place_of_what_was_said_of_it_before(tmp_path: Path) -> None:
    async with launched(Room(tmp_path / "config")) as room:
        room.put("heat_w = 'hot'\n")
        wrong = await room.notice("heat_w must be")
        room.put("heat_w = 300\n")
        right = await room.notice("is right again")
    assert wrong.about == right.about == "settings stove"


async def test_what_a_table_holds_is_not_told_when_it_changes(tmp_path: Path) -> None:
    room = Room(tmp_path / "config")
    room.center.register("gateways", GatewaySettings())
    async with launched(room):
        room.put("[[gateway]]\nname = 'post'\nparams = { token = 's3cret' }\n", "gateways")
        notice = await room.notice("taken over")
    assert notice.text == "gateways.toml: taken over (gateway changed)."
