"""What lies in `action/` is an ability at once; what is broken says where and why."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from partner_desktop.abilities.folders import TMP_LISTED_S, LiveFolders
from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.events import AbilitiesEvent, Event
from tests.model.engine import until
from tests.support import UPPER_SCRIPT, FakeClock, Watcher

# A whole story of its own: it belongs to the whole gate.
pytestmark = pytest.mark.integration


def listed(key: str) -> Callable[[Event], bool]:
    def fits(event: Event) -> bool:
        return isinstance(event, AbilitiesEvent) and any(a.key == key and a.usable for a in event.changed)

    return fits


def broken(path: Path) -> Callable[[Event], bool]:
    def fits(event: Event) -> bool:
        return isinstance(event, AbilitiesEvent) and any(
            a.fault is not None and a.fault.path in (path, path / "desc.json") for a in event.changed
        )

    return fits


def gone(key: str) -> Callable[[Event], bool]:
    return lambda event: isinstance(event, AbilitiesEvent) and key in event.removed


def by_key(partner: Partner, key: str) -> Ability:
    return next(ability for ability in partner.abilities.list() if ability.key == key)


def faults(partner: Partner) -> list[str]:
    return [a.fault.message for a in partner.abilities.list() if a.fault]


@pytest.mark.promise("actions.folder.dynamic")
async def test_a_script_saved_is_listed_edited_is_updated_deleted_is_gone(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    path = action_dir / "dynamic" / "upper.py"
    path.write_text(UPPER_SCRIPT)
    await watcher.until(listed("local::upper"))
    first = by_key(partner, "local::upper").info
    assert first is not None
    assert first.description == "Shout a text in capital letters"
    watcher.events.clear()
    path.write_text(UPPER_SCRIPT.replace("Shout", "Cry"))
    await watcher.until(listed("local::upper"))
    second = by_key(partner, "local::upper").info
    assert second is not None
    assert second.description.startswith("Cry")
    assert second.content_hash != first.content_hash
    path.unlink()
    await watcher.until(gone("local::upper"))


FIELDS = "f'" + "{1}" * 400_000 + "'\n"  # Python's own parser takes minutes for it, and holds all of Partner


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (FIELDS, ""),
        (f'"""Count the fields."""\n{FIELDS}', "Count the fields."),
        (f"# Count them.\n{FIELDS}", "Count them."),
        ("for x in y:" * 400_000, ""),
        ('"""' + '\\"' * 400_000, ""),
        ("\n" * 8_000_000 + '"""Too far below."""', ""),
    ],
    ids=["fields", "docstring", "comment", "nested", "no end", "far below"],
)
async def test_a_script_that_is_hard_to_read_is_listed_like_any_other(
    partner: Partner, watcher: Watcher, action_dir: Path, text: str, told: str
) -> None:
    (action_dir / "dynamic" / "hard.py").write_text(text)
    await watcher.until(listed("local::hard"))
    info = by_key(partner, "local::hard").info
    assert info is not None
    assert info.description == told


async def test_a_description_that_is_too_large_is_told_as_broken(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    folder = action_dir / "dynamic" / "large"
    folder.mkdir()
    (folder / "run.py").write_text("print(1)\n")
    (folder / "desc.json").write_text(json.dumps({"description": "x" * 300_000}))
    await watcher.until(broken(folder))
    assert "larger than 256 KiB" in faults(partner)[0]


@pytest.mark.promise("actions.folder.singlefile")
async def test_one_file_with_a_partner_block_has_typed_parameters(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    (action_dir / "dynamic" / "typed.sh").write_text(
        """#!/bin/sh
# /// partner
# description = "Types of every kind"
# aliases = { en = ["kinds"], zh = ["类型"] }
# annotations = { readOnlyHint = true }
# timeoutSeconds = 5
# [params.folder]
# type = "string"
# format = "path"
# access = "write"
# [params.count]
# type = "integer"
# default = 3
# [params.note]
# type = "string"
# required = false
# ///
"""
    )
    await watcher.until(listed("local::typed"))
    info = by_key(partner, "local::typed").info
    assert info is not None
    assert info.required() == ("folder",)
    assert info.path_params() == {"folder": "write"}
    assert info.properties()["count"]["type"] == "integer"
    assert info.aliases == ("kinds", "类型")
    assert info.timeout_s == 5
    assert info.annotations.read_only is True


async def test_an_undescribed_script_takes_free_arguments_and_its_docstring_describes_it(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    (action_dir / "tmp" / "hello.py").write_text('"""Greet the\nwhole world."""\nprint("hi")\n')
    await watcher.until(listed("origin::hello.py"))
    info = by_key(partner, "origin::hello.py").info
    assert info is not None
    assert info.description == "Greet the whole world."
    assert list(info.properties()) == ["args"]
    assert info.title == "Hello"


@pytest.mark.promise("actions.folder.broken")
async def test_a_broken_descriptor_shows_file_line_and_reason_and_the_last_good_version_stays(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    folder = action_dir / "dynamic" / "loud"
    folder.mkdir()
    (folder / "run.py").write_text("print('LOUD')\n")
    (folder / "desc.json").write_text(json.dumps({"description": "Be loud", "params": {}}))
    await watcher.until(listed("local::loud"))
    (folder / "desc.json").write_text('{\n  "description": "Be loud",\n  oops\n}')
    await watcher.until(broken(folder))
    ability = by_key(partner, "local::loud")
    assert ability.usable, "the last good version stays"
    assert ability.fault is not None
    assert (ability.fault.path, ability.fault.line) == (folder / "desc.json", 3)
    assert "not valid JSON" in ability.fault.message
    shutil.rmtree(folder)
    await watcher.until(gone("local::loud"))


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.py", "# /// partner\n# description = 3x\n# ///\n", "not valid TOML"),
        ("b.py", "# /// partner\n# description = 'x'\nprint(1)\n", "not closed"),
        ("c.py", "# /// partner\n# timeoutSeconds = -1\n# ///\n", "`timeoutSeconds` does not fit"),
        ("d.py", "# /// partner\n# [params.n]\n# type = 'nmber'\n# ///\n", "did you mean `number`"),
        ("e.xyz", "no idea\n", "launcher"),
        ("bad::name.py", "print(1)\n", "rename it"),
    ],
)
async def test_each_broken_file_gets_one_sentence_and_hurts_no_other(
    partner: Partner, watcher: Watcher, action_dir: Path, name: str, text: str, says: str
) -> None:
    path = action_dir / "dynamic" / name
    path.write_text(text)
    (action_dir / "dynamic" / "fine.py").write_text("print(1)\n")
    await watcher.until(broken(path))
    await watcher.until(listed("local::fine"))
    (message,) = faults(partner)
    assert says in message


async def test_a_name_that_is_not_utf8_is_explained(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    name = os.fsdecode(b"caf\xe9.py")
    path = action_dir / "dynamic" / name
    path.write_text("print(1)\n")
    await watcher.until(broken(path))
    assert faults(partner) == ["its name is not valid UTF-8; rename it"]
    for event in watcher.events:
        json.dumps(event.to_json()).encode("utf-8")


def test_a_file_in_tmp_is_as_old_as_it_lies_there_and_not_as_its_content(tmp_path: Path) -> None:
    script = tmp_path / "action" / "tmp" / "upper.py"
    script.parent.mkdir(parents=True)
    script.write_text(UPPER_SCRIPT)
    os.utime(script, (0, 0))  # a copy that brought its time along
    put_at_s = script.stat().st_ctime
    folders = LiveFolders(tmp_path / "action", snapshots=tmp_path / "cache")
    assert len(folders.scan(now_s=put_at_s + TMP_LISTED_S - 1)) == 1
    assert folders.scan(now_s=put_at_s + TMP_LISTED_S + 1) == []


def test_snapshots_that_nothing_uses_any_more_are_removed(tmp_path: Path) -> None:
    scripts = [tmp_path / "action" / "dynamic" / name for name in ("upper.py", "lower.py")]
    scripts[0].parent.mkdir(parents=True)
    for script in scripts:
        script.write_text(UPPER_SCRIPT + f"# {script.name}\n")
    folders = LiveFolders(tmp_path / "action", snapshots=tmp_path / "cache")
    for left in (2, 1, 0):
        sources = [each.info.source for each in folders.scan(now_s=0) if each.info is not None]
        folders.prune()
        assert all(source is not None and source.exists() for source in sources)
        assert len(sources) == len(list((tmp_path / "cache").iterdir())) == left
        if scripts:
            scripts.pop().unlink()


def test_a_snapshot_that_was_tampered_with_is_made_anew(tmp_path: Path) -> None:
    script = tmp_path / "action" / "dynamic" / "upper.py"
    script.parent.mkdir(parents=True)
    script.write_text(UPPER_SCRIPT)
    for _ in range(2):  # each as after a start
        (ability,) = LiveFolders(tmp_path / "action", snapshots=tmp_path / "cache").scan(now_s=0)
        assert ability.info is not None
        assert ability.info.source is not None
        assert ability.info.source.read_text() == UPPER_SCRIPT
        ability.info.source.write_text("print('another')\n")


async def test_a_look_that_nobody_waits_for_any_more_breaks_nothing_of_the_next_one(
    partner: Partner, action_dir: Path, home: Home
) -> None:
    catalog, kept = partner._parts.actions.catalog, home.root / "cache" / "abilities"
    for number in range(400):
        (action_dir / "dynamic" / f"say_{number}.sh").write_text(f'# Say {number}\necho "{number}"\n')
    for _ in range(3):  # as a turn that is interrupted while it waits for a server's tools
        look = asyncio.create_task(catalog.refresh())
        await until(lambda: kept.is_dir() and any(kept.iterdir()))
        look.cancel()
        await asyncio.wait([look])
    await catalog.refresh()
    assert faults(partner) == []
    usable = [each.info for each in catalog.all() if each.key.startswith("local::say_") and each.info]
    assert len(usable) == 400
    assert all(info.source is not None and info.source.is_file() for info in usable)


async def test_of_two_abilities_of_one_name_the_second_says_so(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    (action_dir / "dynamic" / "same.py").write_text("print(1)\n")
    await watcher.until(listed("local::same"))
    second = action_dir / "dynamic" / "same.sh"
    second.write_text("echo 1\n")
    await watcher.until(broken(second))
    assert by_key(partner, "local::same").usable
    (message,) = faults(partner)
    assert "already called `same`" in message


async def test_an_action_folder_that_vanishes_is_shown_and_comes_back(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    (action_dir / "dynamic" / "one.py").write_text("print(1)\n")
    await watcher.until(listed("local::one"))
    shutil.rmtree(action_dir)
    await watcher.until(gone("local::one"))
    assert any("not there" in message for message in faults(partner))
    (action_dir / "dynamic").mkdir(parents=True)
    (action_dir / "dynamic" / "two.py").write_text("print(2)\n")
    await watcher.until(listed("local::two"))
    assert faults(partner) == []


def test_what_lies_in_tmp_is_unlisted_after_its_time_and_the_users_file_stays(
    home: Home, action_dir: Path, clock: FakeClock
) -> None:
    path = action_dir / "tmp" / "note.sh"
    path.write_text("echo 1\n")
    folders = LiveFolders(action_dir, snapshots=home.root / "cache")
    put_s = path.stat().st_ctime
    assert [a.key for a in folders.scan(now_s=put_s + TMP_LISTED_S - 1)] == ["origin::note.sh"]
    assert folders.scan(now_s=put_s + TMP_LISTED_S + 1) == []
    assert path.exists(), "only what Partner made is ever removed"
    clock.move(timedelta(seconds=1))


def test_only_what_changed_is_read_again(home: Home, action_dir: Path) -> None:
    for number in range(3):
        (action_dir / "dynamic" / f"s{number}.py").write_text(f"print({number})\n")
    folders = LiveFolders(action_dir, snapshots=home.root / "cache")
    first = {a.key: a.info for a in folders.scan(now_s=0)}
    (action_dir / "dynamic" / "s1.py").write_text("print('changed')\n")
    second = {a.key: a.info for a in folders.scan(now_s=0)}
    assert second["local::s0"] is first["local::s0"]
    assert second["local::s2"] is first["local::s2"]
    assert second["local::s1"] != first["local::s1"]


def test_editors_own_files_are_no_abilities(home: Home, action_dir: Path) -> None:
    for name in (".a.py.swp", "a.py~", "4913", "#a.py#.tmp", ".hidden.py"):
        (action_dir / "dynamic" / name).write_text("x")
    folders = LiveFolders(action_dir, snapshots=home.root / "cache")
    assert folders.scan(now_s=0) == []


def test_unknown_keys_are_hinted_at_with_the_nearest_known_one(home: Home, action_dir: Path) -> None:
    (action_dir / "dynamic" / "a.py").write_text("# /// partner\n# descripton = 'x'\n# cost = 1\n# ///\n")
    folders = LiveFolders(action_dir, snapshots=home.root / "cache")
    (ability,) = folders.scan(now_s=0)
    assert ability.hints == ("`descripton` is not a known key; did you mean `description`?",)
    assert replace(ability, hints=()).usable


async def test_an_action_folder_that_cannot_be_made_is_shown_and_partner_still_works(
    home: Home, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    partner = Partner(home, tmp_path / "file" / "action", meaning=False)
    await partner.launch()
    (fault,) = [ability.fault for ability in partner.abilities.list() if ability.fault]
    usable = [ability for ability in partner.abilities.list() if ability.usable]
    await partner.close()
    assert fault.path == tmp_path / "file" / "action"
    assert "folder" in fault.message
    assert usable, "builtins are there"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
async def test_a_read_only_action_folder_is_shown_and_what_lies_there_works(
    home: Home, action_dir: Path
) -> None:
    (action_dir / "dynamic" / "one.py").write_text("print(1)\n")
    (action_dir / "mcp" / "desc").mkdir(parents=True)
    action_dir.chmod(0o555)
    partner = Partner(home, action_dir, meaning=False)
    await partner.launch()
    found = {ability.key: ability for ability in partner.abilities.list()}
    await partner.close()
    action_dir.chmod(0o755)
    assert found["local::one"].usable
    fault = found["folder::action"].fault
    assert fault is not None
    assert "read-only" in fault.message
