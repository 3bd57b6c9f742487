"""A small folder as one file: it starts mounted or unpacked, passes all on, and leaves nothing behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from partner_desktop.base.own_program import PROGRAM, start_command
from tests.packaging.built import REPOSITORY

pytestmark = pytest.mark.integration

_SCRIPT = REPOSITORY / "packaging" / "appimage.py"
_PROGRAM = """#!/bin/sh
printf '%s|' "$APPIMAGE" "$APPDIR" "$OWD" "$@"
ls -A "$APPDIR" | tr '\\n' ' '
exit 3
"""
TIMEOUT_S = 120
LOOK_S = 0.05
LARGE_BYTES = 600_000_000


def _make(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(_SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the builder makes, as far as the image looks at it."""
    made = tmp_path_factory.mktemp("frozen")
    program = made / "app" / "bin" / PROGRAM
    program.parent.mkdir(parents=True)
    program.write_text(_PROGRAM, encoding="utf-8")
    program.chmod(0o755)
    (made / PROGRAM).symlink_to(f"app/bin/{PROGRAM}")
    return made


@pytest.fixture(scope="module")
def image(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("mksquashfs") is None or not Path("/usr/include/squashfuse").is_dir():
        pytest.skip("squashfs-tools and the libraries of the head are not installed")
    target = tmp_path_factory.mktemp("made") / "Small.AppImage"
    made = _make(folder, target)
    assert made.returncode == 0, made.stderr
    return target


def _head(image: Path) -> bytes:
    asked = [str(image), "--appimage-offset"]
    offset = int(subprocess.run(asked, capture_output=True, timeout=TIMEOUT_S, check=True).stdout)
    return image.read_bytes()[:offset]


@pytest.mark.parametrize("way", ["mounted", "unpacked", "as asked"])
def test_it_starts_with_what_it_was_given_and_leaves_nothing(
    image: Path, tmp_path: Path, places: Path, way: str
) -> None:
    if way == "mounted" and not os.access("/dev/fuse", os.W_OK):
        pytest.skip("nothing can be mounted here")
    asked = {"APPIMAGE_EXTRACT_AND_RUN": "1"} if way == "unpacked" else {}
    option = ["--appimage-extract-and-run"] if way == "as asked" else []
    done = subprocess.run(
        [image, *option, "one", "two words"],
        env={"PATH": os.defpath, "TMPDIR": str(places)} | asked,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 3, done.stderr
    named, folder, here, *words, listed = done.stdout.split("|")
    assert (named, here, words) == (str(image), str(tmp_path), ["one", "two words"])
    assert Path(folder).parent == places
    assert listed.split() == [".DirIcon", "AppRun", "app", PROGRAM, f"{PROGRAM}.desktop", f"{PROGRAM}.svg"]
    ends = time.monotonic() + TIMEOUT_S
    while list(places.iterdir()):  # who serves the mount goes after the program
        assert time.monotonic() < ends, "something is left"
        time.sleep(LOOK_S)


@pytest.fixture(scope="module")
def large_image(folder: Path, tmp_path_factory: pytest.TempPathFactory, image: Path) -> Path:
    """Unpacking it takes a while: its file is packed to next to nothing. The head is that of `image`."""
    place = tmp_path_factory.mktemp("large")
    shutil.copytree(folder, place / "frozen", symlinks=True)
    with (place / "frozen" / "app" / "bin" / "zeros").open("wb") as zeros:
        zeros.truncate(LARGE_BYTES)
    (place / "runtime").write_bytes(_head(image))
    made = _make(place / "frozen", target := place / "Large.AppImage", "--runtime", place / "runtime")
    assert made.returncode == 0, made.stderr
    return target


@pytest.fixture
def places(tmp_path: Path) -> Path:
    """Where it makes its folder; nothing else is there."""
    made = tmp_path / "places"
    made.mkdir()
    return made


def _unpacking(image: Path, places: Path, *, most_bytes: int = 0) -> subprocess.Popen[str]:
    limit = f"ulimit -f {most_bytes // 512}; " if most_bytes else ""
    return subprocess.Popen(
        ["/bin/sh", "-c", f'{limit}exec "$0"', image],
        env={"PATH": os.defpath, "TMPDIR": str(places), "APPIMAGE_EXTRACT_AND_RUN": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_disk_that_is_full_is_told_and_nothing_is_left_on_it(large_image: Path, places: Path) -> None:
    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("nobody but root makes a small disk")
    mounting = ["mount", "-t", "tmpfs", "-o", "size=3500k", "tmpfs", str(places)]
    if subprocess.run(mounting, capture_output=True, timeout=TIMEOUT_S, check=False).returncode != 0:
        pytest.skip("nothing can be mounted here")
    try:
        process = _unpacking(large_image, places)
        _, said = process.communicate(timeout=TIMEOUT_S)
        left = list(places.iterdir())
    finally:
        subprocess.run(["umount", str(places)], timeout=TIMEOUT_S, check=True)
    assert process.returncode == 127
    assert said.startswith("AppImage: cannot write ")
    assert said.endswith("/app/bin/zeros: No space left on device\n")
    assert left == []


def test_what_stops_in_the_middle_of_a_file_leaves_nothing(large_image: Path, places: Path) -> None:
    process = _unpacking(large_image, places, most_bytes=2_500_000)
    process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 128 + signal.SIGXFSZ
    assert list(places.iterdir()) == []


def test_who_ends_it_while_it_unpacks_leaves_nothing(large_image: Path, places: Path) -> None:
    process = _unpacking(large_image, places)
    ends = time.monotonic() + TIMEOUT_S
    while not list(places.glob(".appimage_*/app/bin/zeros")):
        assert time.monotonic() < ends, "it does not unpack"
        assert process.poll() is None
    (folder,) = places.iterdir()
    assert folder.stat().st_mode & 0o777 == 0o700
    process.terminate()
    process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 128 + signal.SIGTERM
    assert list(places.iterdir()) == []


def test_it_is_unpacked_where_one_is_asked_to(image: Path, tmp_path: Path) -> None:
    subprocess.run([image, "--appimage-extract"], cwd=tmp_path, timeout=TIMEOUT_S, check=True)
    unpacked = tmp_path / "squashfs-root"
    assert (unpacked / "AppRun").readlink() == Path(PROGRAM)
    assert (unpacked / "app" / "bin" / PROGRAM).read_text(encoding="utf-8") == _PROGRAM
    assert os.access(unpacked / "app" / "bin" / PROGRAM, os.X_OK)


def test_its_head_has_the_mark_and_serves_as_the_head_of_another(image: Path, folder: Path) -> None:
    head = _head(image)
    assert head[8:11] == b"AI\x02"
    runtime, target = image.with_name("runtime"), image.with_name("Other.AppImage")
    runtime.write_bytes(head)
    made = _make(folder, target, "--runtime", runtime)
    assert made.returncode == 0, made.stderr
    assert target.read_bytes()[: len(head)] == head


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"#!/bin/sh\n", "is no program of 64 bits"), (b"", "is no program of 64 bits")],
    ids=["script", "empty"],
)
def test_what_is_no_head_is_refused(folder: Path, tmp_path: Path, content: bytes, reason: str) -> None:
    if shutil.which("mksquashfs") is None:
        pytest.skip("squashfs-tools is not installed")
    runtime = tmp_path / "runtime"
    runtime.write_bytes(content)
    made = _make(folder, tmp_path / "None.AppImage", "--runtime", runtime)
    assert made.returncode == 1
    assert reason in made.stderr
    assert not (tmp_path / "None.AppImage").exists()


def test_a_head_with_something_behind_it_is_refused(folder: Path, image: Path, tmp_path: Path) -> None:
    made = _make(folder, tmp_path / "None.AppImage", "--runtime", image)
    assert made.returncode == 1
    assert "does not end with its table of sections" in made.stderr


def test_others_start_the_image_and_not_what_is_mounted_for_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APPIMAGE", "/home/person/Partner.AppImage")
    monkeypatch.setenv("APPDIR", str(Path(sys.executable).parent))
    assert start_command() == ["/home/person/Partner.AppImage"]
    monkeypatch.setenv("APPDIR", "/tmp/.mount_of_another")
    assert start_command() != ["/home/person/Partner.AppImage"]
