"""A backup holds every file as it is, has its name only when it is whole, and never replaces another one."""

from __future__ import annotations

import json
import os
import resource
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from partner_desktop.domain.json_value import JsonObject
from tests.samples.stage import SampleRunner, script_of, straight, tree

pytestmark = pytest.mark.integration


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "Notes"
    (found / "deep" / "er").mkdir(parents=True)
    (found / "empty").mkdir()
    (found / "a.txt").write_text("text " * 1000)
    (found / "deep" / "er" / "照片 😀.jpg").write_bytes(os.urandom(5000))
    (found / ".hidden").write_text("hidden")
    (found / "run.sh").write_text("echo")
    (found / "run.sh").chmod(0o755)
    (found / "link.txt").symlink_to("a.txt")
    (found / "loop").symlink_to(".")
    os.utime(found / "run.sh", (0, 0))
    os.mkfifo(found / "pipe")
    return found


def contents(path: Path | str) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


async def test_a_backup_holds_everything_and_links_as_links(
    samples: SampleRunner, folder: Path, tmp_path: Path
) -> None:
    target = tmp_path / "backups"
    target.mkdir()
    found = await samples.result("zip_folder", source=str(folder), target=str(target))
    (archive,) = target.iterdir()
    assert found["archives"] == [str(archive)]
    packed = contents(archive)
    assert packed == {
        "Notes/a.txt": (folder / "a.txt").read_bytes(),
        "Notes/deep/er/照片 😀.jpg": (folder / "deep" / "er" / "照片 😀.jpg").read_bytes(),
        "Notes/.hidden": b"hidden", "Notes/run.sh": b"echo", "Notes/link.txt": b"a.txt", "Notes/loop": b".",
        "Notes/empty/": b"",
    }  # fmt: skip
    with zipfile.ZipFile(archive) as opened:
        assert stat.S_ISLNK(opened.getinfo("Notes/link.txt").external_attr >> 16)
        assert opened.getinfo("Notes/run.sh").external_attr >> 16 & 0o777 == 0o755
    assert found["summary"].startswith("Packed 4 files (")
    assert found["left_out_devices_and_pipes"] == 1


async def test_the_name_has_the_day_and_a_second_backup_gets_a_number(
    samples: SampleRunner, folder: Path, tmp_path: Path
) -> None:
    target = tmp_path / "backups"
    first = await samples.result("zip_folder", source=str(folder), target=str(target))
    data = Path(first["archives"][0]).read_bytes()
    second = await samples.result("zip_folder", source=str(folder), target=str(target))
    one, two = Path(first["archives"][0]), Path(second["archives"][0])
    assert one.name.startswith("Notes 20")
    assert two.name == f"{one.stem} (2).zip"
    assert one.read_bytes() == data
    assert sorted(path.name for path in target.iterdir()) == sorted([one.name, two.name])


async def test_without_a_target_it_goes_to_the_backups_in_the_home_folder(
    samples: SampleRunner, folder: Path, user_home: Path
) -> None:
    found = await samples.result("zip_folder", source=str(folder))
    assert [str(path) for path in (user_home / "Backups").iterdir()] == found["archives"]


async def test_earlier_backups_beside_the_files_are_not_packed_again(
    samples: SampleRunner, folder: Path
) -> None:
    (folder / "pipe").unlink()
    await samples.result("zip_folder", source=str(folder), target=str(folder))
    found = await samples.result("zip_folder", source=str(folder), target=str(folder))
    assert not [name for name in contents(found["archives"][0]) if name.endswith(".zip")]
    inside = folder / "backups"
    found = await samples.result("zip_folder", source=str(folder), target=str(inside))
    found = await samples.result("zip_folder", source=str(folder), target=str(inside))
    assert not [name for name in contents(found["archives"][0]) if "backups" in name]


async def test_hidden_files_are_left_out_when_asked(
    samples: SampleRunner, folder: Path, tmp_path: Path
) -> None:
    asked: JsonObject = {"source": str(folder), "target": str(tmp_path / "b"), "include_hidden": False}
    found = await samples.result("zip_folder", **asked)
    assert "Notes/.hidden" not in contents(found["archives"][0])


async def test_a_single_file_can_be_packed(samples: SampleRunner, folder: Path, tmp_path: Path) -> None:
    found = await samples.result("zip_folder", source=str(folder / "a.txt"), target=str(tmp_path / "b"))
    assert contents(found["archives"][0]) == {"a.txt": (folder / "a.txt").read_bytes()}


async def test_names_that_are_no_text_are_packed_and_unreadable_files_are_named(
    samples: SampleRunner, tmp_path: Path
) -> None:
    folder = tmp_path / "odd"
    folder.mkdir()
    for name in (b"caf\xe9.txt", b"caf%e9.txt", b"two\nlines", b"x" * 250):
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_bytes(name)
    (folder / "secret").write_text("secret")
    (folder / "secret").chmod(0)
    found = await samples.result("zip_folder", source=str(folder), target=str(tmp_path / "b"))
    packed = contents(found["archives"][0])
    assert packed == {
        "odd/caf%e9 [odd name 1].txt": b"caf\xe9.txt", "odd/caf%e9.txt": b"caf%e9.txt",
        "odd/two\nlines": b"two\nlines", f"odd/{'x' * 250}": b"x" * 250,
        **({} if "could_not_be_read" in found else {"odd/secret": b"secret"}),
    }  # fmt: skip
    if samples.sandboxed or os.geteuid() != 0:
        assert "1 place could not be read" in found["summary"]
        assert found["could_not_be_read"] == [str(folder / "secret")]


def limited(folder: Path, target: Path, *, limit_bytes: int) -> subprocess.CompletedProcess[str]:
    """A run in which no file may become larger than this, as in a sandbox."""
    return subprocess.run(
        [sys.executable, script_of("zip_folder"), f"--source={folder}", f"--target={target}"],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=10,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, limit_bytes)),
    )


def test_where_files_may_not_grow_the_backup_becomes_several_archives(tmp_path: Path) -> None:
    folder, target = tmp_path / "Films", tmp_path / "b"
    folder.mkdir()
    for number in range(10):
        (folder / f"{number}.mp4").write_bytes(os.urandom(200_000))
    (folder / "large.mp4").write_bytes(os.urandom(1_000_000))
    done = limited(folder, target, limit_bytes=800_000)
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    archives = sorted(target.iterdir())
    assert [path.stem[17:] for path in archives] == [
        f"part {n} of {len(archives)}" for n in range(1, len(archives) + 1)
    ]
    assert len(archives) >= 3
    packed: dict[str, bytes] = {}
    for archive in archives:
        packed |= contents(archive)
    del_large = {f"Films/{name}": data for name, data in tree(folder).items() if name != "large.mp4"}
    assert packed == del_large
    assert "1 file is not in it: larger than" in found["summary"]
    assert found["too_large"] == [str(folder / "large.mp4")]


def test_a_backup_that_fails_leaves_nothing_behind(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "b"
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "nothing in" in straight("zip_folder", f"--source={empty}", f"--target={target}")
    assert list(target.iterdir()) == []


def test_what_cannot_be_packed_is_refused_with_a_sentence(folder: Path, tmp_path: Path) -> None:
    assert "There is no folder" in straight("zip_folder", f"--source={folder}/none", f"--target={tmp_path}/b")
    assert "neither a folder nor a file" in straight(
        "zip_folder", f"--source={folder}/pipe", f"--target={tmp_path}/b"
    )
    assert "is not a folder" in straight("zip_folder", f"--source={folder}", f"--target={folder}/a.txt")
    assert "true or false" in straight("zip_folder", f"--source={folder}", "--include_hidden=perhaps")
    assert "Which folder?" in straight("zip_folder")
