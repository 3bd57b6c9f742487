"""What lies in `mcp/` is what is configured: saved, edited, broken, renamed, moved away and back."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from partner_desktop.domain.ability import AbilityFault
from partner_desktop.runner.mcp.configuration.folder import McpFolder, McpScan

ONE = '{"mcpServers": {"one": {"command": "first"}}}'


@pytest.fixture
def mcp(action_dir: Path) -> Path:
    folder = action_dir / "mcp"
    (folder / "desc").mkdir(parents=True)
    return folder


@pytest.fixture
def live(action_dir: Path) -> McpFolder:
    return McpFolder(action_dir)


def commands(scan: McpScan) -> dict[str, str]:
    return {name: each.config.command for name, each in scan.servers.items()}


def the_fault(scan: McpScan) -> AbilityFault:
    (entry,) = scan.faults
    assert entry.info is None
    assert entry.fault is not None
    return entry.fault


def save(path: Path, text: str) -> None:
    """As editors do: write beside it, then rename over it."""
    building = path.with_name(f".{path.name}.tmp")
    building.write_text(text, encoding="utf-8")
    building.rename(path)


def test_saved_edited_broken_repaired_and_deleted(mcp: Path, live: McpFolder) -> None:
    path = mcp / "a.json"
    assert not live.scan().servers
    save(path, ONE)
    assert commands(live.scan()) == {"one": "first"}
    save(path, ONE.replace("first", "second"))
    assert commands(live.scan()) == {"one": "second"}
    save(path, '{\n"mcpServers": {')
    broken = live.scan()
    assert commands(broken) == {"one": "second"}
    assert the_fault(broken).line == 2
    assert the_fault(broken).path == path
    assert live.scan() == broken
    save(path, '{"mcpServers": {"two": {"command": "third"}}}')
    repaired = live.scan()
    assert commands(repaired) == {"two": "third"}
    assert not repaired.faults
    save(path, "{")
    assert commands(live.scan()) == {"two": "third"}
    path.unlink()
    gone = live.scan()
    assert not gone.servers
    assert not gone.faults


def test_a_broken_entry_keeps_its_last_good_version_beside_its_edited_neighbour(
    mcp: Path, live: McpFolder
) -> None:
    path = mcp / "a.json"
    save(path, '{"a": {"command": "a1"}, "b": {"command": "b1"}}')
    live.scan()
    save(path, '{"a": {"comand": "a2"}, "b": {"command": "b2"}}')
    broken = live.scan()
    assert commands(broken) == {"a": "a1", "b": "b2"}
    assert "did you mean" in the_fault(broken).message
    save(path, '{"b": {"command": "b2"}}')
    assert commands(live.scan()) == {"b": "b2"}


def test_of_two_files_with_one_id_the_first_by_name_stays(mcp: Path, live: McpFolder) -> None:
    save(mcp / "b.json", ONE.replace("first", "from b"))
    assert commands(live.scan()) == {"one": "from b"}
    save(mcp / "a.json", ONE.replace("first", "from a"))
    scan = live.scan()
    assert commands(scan) == {"one": "from a"}
    assert the_fault(scan).path == mcp / "b.json"
    assert "a.json" in the_fault(scan).message
    assert the_fault(scan).line == 1
    (mcp / "a.json").unlink()
    assert commands(live.scan()) == {"one": "from b"}


@pytest.mark.parametrize("name", ["a.json.disabled", "a.disabled.json"])
def test_a_file_called_disabled_is_listed_and_switched_off(mcp: Path, live: McpFolder, name: str) -> None:
    save(mcp / "a.json", ONE)
    assert not live.scan().servers["one"].config.disabled
    (mcp / "a.json").rename(mcp / name)
    scan = live.scan()
    assert scan.servers["one"].config.disabled
    assert scan.servers["one"].path == mcp / name
    save(mcp / "z.json", ONE.replace("first", "on"))
    scan = live.scan()
    assert commands(scan) == {"one": "on"}, "what is on counts before what is off"
    assert the_fault(scan).path == mcp / name


def test_editors_noise_is_no_configuration(mcp: Path, live: McpFolder) -> None:
    for name in (
        "4913",
        "a.json~",
        ".a.json.swp",
        ".a.json",
        "a.json.bak",
        "a.json.tmp",
        "notes.txt",
        "run.py",
    ):
        (mcp / name).write_text("{")
    (mcp / "folder.json").mkdir()
    scan = live.scan()
    assert not scan.servers
    assert not scan.faults


def test_an_unchanged_file_is_not_read_again(mcp: Path, live: McpFolder) -> None:
    path = mcp / "a.json"
    save(path, ONE)
    first = live.scan().servers["one"]
    os.utime(mcp)
    assert live.scan().servers["one"] is first
    path.touch()
    again = live.scan().servers["one"]
    assert again is not first
    assert again.config == first.config


def test_a_folder_moved_away_and_back_brings_its_servers_back(mcp: Path, live: McpFolder) -> None:
    save(mcp / "a.json", ONE)
    before = live.scan()
    assert live.watched == [mcp]
    mcp.rename(mcp.with_name("elsewhere"))
    away = live.scan()
    assert not away.servers
    assert not away.faults
    mcp.with_name("elsewhere").rename(mcp)
    assert live.scan() == before
    shutil.rmtree(mcp)
    assert not live.scan().servers


def test_a_renamed_file_keeps_its_server_as_it_is(mcp: Path, live: McpFolder) -> None:
    save(mcp / "a.json", ONE)
    before = live.scan().servers["one"].config
    (mcp / "a.json").rename(mcp / "b.json")
    assert live.scan().servers["one"].config == before


def test_a_folder_in_the_way_of_mcp_is_told(action_dir: Path) -> None:
    (action_dir / "mcp").write_text("a file")
    (fault,) = [entry.fault for entry in McpFolder(action_dir).scan().faults]
    assert fault is not None
    assert "the folder cannot be read" in fault.message


def _link(path: Path) -> None:
    path.symlink_to(path.with_name("other"))


def _binary(path: Path) -> None:
    path.write_bytes(b'{"a":\n "\xff\xfe"}')


def _utf16(path: Path) -> None:
    path.write_bytes(ONE.encode("utf-16"))


def _huge(path: Path) -> None:
    path.write_text(" " * 1_000_001)


@pytest.mark.parametrize(
    ("make", "words", "line"),
    [
        (_link, "it is a link", None),
        (os.mkfifo, "no regular file", None),
        (_binary, "not valid UTF-8", 2),
        (_utf16, "not valid UTF-8", 1),
        (_huge, "larger than 1 MB", None),
    ],
)
def test_what_is_no_text_file_is_told(
    mcp: Path, live: McpFolder, make: Callable[[Path], None], words: str, line: int | None
) -> None:
    save(mcp / "fine.json", ONE)
    make(mcp / "odd.json")
    scan = live.scan()
    assert words in the_fault(scan).message
    assert the_fault(scan).line == line
    assert commands(scan) == {"one": "first"}


def test_faults_of_one_file_have_keys_of_their_own(mcp: Path, live: McpFolder) -> None:
    save(mcp / "a.json", '{"a": {}, "b": {}, "c": {"command": "x"}}')
    keys = [entry.key for entry in live.scan().faults]
    assert len(set(keys)) == 2


def test_no_more_servers_are_taken_than_can_be_run(mcp: Path, live: McpFolder) -> None:
    for number in range(3):
        entries = ",".join(f'"s{number}-{each}": {{"command": "x"}}' for each in range(200))
        save(mcp / f"{number}.json", f"{{{entries}}}")
    scan = live.scan()
    assert len(scan.servers) == 500
    assert len(scan.faults) == 100


def test_descriptions_live_like_servers(mcp: Path, live: McpFolder) -> None:
    save(mcp / "desc" / "time::now.desc.json", '{"description": "The time"}')
    save(mcp / "desc" / "git__Log_all__x.desc.json", '{"description": "The log"}')
    scan = live.scan()
    assert set(scan.descriptions) == {"time::now", "git::Log_all__x"}
    assert not scan.faults
    save(mcp / "desc" / "time::now.desc.json", '{"description":\n 3}')
    broken = live.scan()
    assert broken.descriptions["time::now"].descriptor.description == "The time"
    assert the_fault(broken).line == 1
    assert the_fault(broken).path == mcp / "desc" / "time::now.desc.json"
    save(mcp / "desc" / "time__now.desc.json", '{"description": "Another"}')
    (mcp / "desc" / "git__Log_all__x.desc.json").unlink()
    (mcp / "desc" / "time::now.desc.json").unlink()
    after = live.scan()
    assert after.descriptions["time::now"].descriptor.description == "Another"
    assert set(after.descriptions) == {"time::now"}
    assert not after.faults


def test_two_descriptions_of_one_tool_are_told(mcp: Path, live: McpFolder) -> None:
    save(mcp / "desc" / "a::b.desc.json", '{"description": "first"}')
    save(mcp / "desc" / "a__b.desc.json", '{"description": "second"}')
    scan = live.scan()
    assert scan.descriptions["a::b"].descriptor.description == "first"
    assert "already described" in the_fault(scan).message
