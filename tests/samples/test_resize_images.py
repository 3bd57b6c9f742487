"""New pictures in a folder of their own, the originals untouched; with whatever program this machine has."""

from __future__ import annotations

import shutil
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from partner_desktop.domain.json_value import JsonObject
from tests.samples.stage import SampleRunner, script_of, straight, tree

pytestmark = pytest.mark.integration


def has_program() -> bool:
    """Whether the interpreter that runs scripts has Pillow, or ImageMagick is here."""
    interpreter = getattr(sys, "_base_executable", sys.executable)
    programs = (shutil.which(name, path="/usr/bin:/usr/local/bin") for name in ("magick", "convert"))
    return _works(interpreter, "-c", "import PIL") or any(
        _works(each, "-version") for each in programs if each
    )


def _works(*command: str) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


needs_program = pytest.mark.skipif(not has_program(), reason="neither Pillow nor ImageMagick is here")


def png(width: int, height: int) -> bytes:
    """A picture without a library: a half transparent red one."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + b"\xff\0\0\x80" * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def size_of_png(data: bytes) -> tuple[int, int]:
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def size_of_jpg(data: bytes) -> tuple[int, int]:
    place = 2
    while data[place + 1] not in (0xC0, 0xC1, 0xC2):
        place += 2 + struct.unpack(">H", data[place + 2 : place + 4])[0]
    height, width = struct.unpack(">HH", data[place + 5 : place + 9])
    return width, height


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "Trip"
    (found / "inner").mkdir(parents=True)
    (found / "wide.png").write_bytes(png(400, 200))
    (found / "tall.PNG").write_bytes(png(30, 120))
    (found / "small.png").write_bytes(png(20, 10))
    (found / "notes.txt").write_text("no picture")
    (found / "link.png").symlink_to("wide.png")
    (found / "inner" / "deep.png").write_bytes(png(400, 200))
    return found


@needs_program
async def test_pictures_become_smaller_and_the_originals_stay(
    samples: SampleRunner, folder: Path, user_home: Path
) -> None:
    before = tree(folder)
    found = await samples.result("resize_images", images=str(folder), longest_side=100)
    made = user_home / "Resized images" / "Trip"
    sizes = {path.name: size_of_png(path.read_bytes()) for path in made.iterdir()}
    assert sizes == {"wide.png": (100, 50), "tall.PNG": (25, 100), "small.png": (20, 10)}
    assert (made / "small.png").read_bytes() == before["small.png"]
    assert tree(folder) == before
    assert found["summary"].startswith(f"Made 3 pictures in {made}: ")
    assert {row["picture"] for row in found["pictures"]} == set(sizes)


@needs_program
async def test_one_picture_is_converted_without_changing_its_size(
    samples: SampleRunner, folder: Path, tmp_path: Path
) -> None:
    target = tmp_path / "out"
    asked: JsonObject = {
        "images": str(folder / "wide.png"),
        "format": "jpg",
        "quality": 70,
        "target": str(target),
    }
    await samples.result("resize_images", **asked)
    (made,) = target.iterdir()
    assert made.name == "wide.jpg"
    assert size_of_jpg(made.read_bytes()) == (400, 200)


@needs_program
async def test_a_second_run_overwrites_nothing(samples: SampleRunner, folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.mkdir()
    (target / "wide.png").write_text("mine")
    for _ in range(2):
        await samples.result(
            "resize_images", images=str(folder / "wide.png"), longest_side=50, target=str(target)
        )
    assert (target / "wide.png").read_text() == "mine"
    assert {path.name for path in target.iterdir()} == {"wide.png", "wide (2).png", "wide (3).png"}


@needs_program
async def test_odd_names_and_what_is_no_picture_do_no_harm(samples: SampleRunner, tmp_path: Path) -> None:
    folder, target = tmp_path / "odd", tmp_path / "out"
    folder.mkdir()
    odd = ["-resize 1.png", "%d [0] a:b.png", "@x.png", "two\nlines.png", "😀.png", "x" * 251 + ".png"]
    for name in odd:
        (folder / name).write_bytes(png(40, 20))
    (folder / "broken.png").write_bytes(png(40, 20)[:60])
    (folder / "text.jpg").write_text("push graphic-context")
    (folder / "really a png.jpg").write_bytes(png(40, 20))
    found = await samples.result("resize_images", images=str(folder), longest_side=20, target=str(target))
    made = {path.name for path in (target / "odd").iterdir()}
    assert made == {*odd, "really a png.jpg"}
    assert len(found["could_not_be_used"]) == 2
    assert "2 files could not be used" in found["summary"]


@needs_program
async def test_a_folder_without_pictures_says_so_and_makes_nothing(
    samples: SampleRunner, tmp_path: Path, user_home: Path
) -> None:
    (tmp_path / "none").mkdir()
    found = await samples.result("resize_images", images=str(tmp_path / "none"))
    assert found["summary"].startswith("There is no picture in ")
    assert not (user_home / "Resized images").exists()


@needs_program
async def test_a_file_that_is_no_picture_is_refused_with_a_sentence(
    samples: SampleRunner, folder: Path
) -> None:
    said = await samples.refused("resize_images", images=str(folder / "notes.txt"))
    assert said == "notes.txt: it is no picture."


def test_without_a_program_it_says_in_one_sentence_how_to_get_one(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "PIL.py").write_text("raise ImportError")
    surroundings = {"PATH": str(tmp_path), "PYTHONPATH": str(tmp_path)}
    said = straight("resize_images", f"--images={folder}", f"--target={tmp_path}/out", env=surroundings)
    assert said == "This needs Pillow or ImageMagick: install the package python3-pil or imagemagick."
    assert not (tmp_path / "out").exists()


def test_what_cannot_be_resized_is_refused_with_a_sentence(folder: Path) -> None:
    assert "There is no file or folder" in straight("resize_images", f"--images={folder}/none")
    assert "between 16 and" in straight("resize_images", f"--images={folder}", "--longest_side=3")
    assert "whole number" in straight("resize_images", f"--images={folder}", "--longest_side=big")
    assert "must be same" in straight("resize_images", f"--images={folder}", "--format=pdf")
    assert "is not a folder" in straight(
        "resize_images", f"--images={folder}", f"--target={script_of('resize_images')}"
    )
    assert "Which pictures?" in straight("resize_images")
