"""Wheel and source archive hold what the app needs, nothing that a user dropped, the same bytes each time."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.packaging.built import REPOSITORY, build_packages, copy_checkout

pytestmark = [pytest.mark.integration, pytest.mark.slow]

_SHIPPED = "partner_desktop/_shipped/"
_SAMPLES = (
    "count_words/desc.json", "count_words/run.py", "daily_note.py", "disk_usage.py", "find_duplicates.py",
    "recent_files.sh", "rename_files/desc.json", "rename_files/names.py", "rename_files/run.py",
    "rename_files/steps.py", "rename_files/words.py", "resize_images/desc.json", "resize_images/images.py",
    "resize_images/run.py", "search_text.py", "tidy_folder/desc.json", "tidy_folder/plan.py",
    "tidy_folder/run.py", "tidy_folder/undo_log.py", "tidy_folder/words.py", "zip_folder.py",
)  # fmt: skip


@dataclass(frozen=True)
class Built:
    """A wheel and a source archive of a checkout that a user has dropped things into."""

    checkout: Path
    wheel: Path
    sdist: Path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("packages")
    checkout = copy_checkout(folder / "checkout")
    (checkout / "action" / "dynamic" / "my_diary.py").write_text("print('mine')\n")
    wheel, sdist = build_packages(checkout, folder, "wheel", "sdist")
    return Built(checkout, wheel, sdist)


def _tracked(folder: str) -> set[str]:
    """Every file there, but for what Python compiled."""
    paths = (REPOSITORY / folder).rglob("*")
    return {
        str(path.relative_to(REPOSITORY))
        for path in paths
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.mark.promise("packaging.wheel")
def test_the_wheel_holds_code_types_resources_and_samples_and_nothing_of_the_users(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as archive:
        names = set(archive.namelist())
    expected = _tracked("partner_desktop")
    assert {"partner_desktop/py.typed", "partner_desktop/storage/sql/0001_first.sql"} <= expected
    expected |= {_SHIPPED + name for name in _tracked("resources") | _tracked("action/samples")}
    expected |= {f"{_SHIPPED}action/dynamic/{name}" for name in _SAMPLES}
    assert expected <= names
    assert all(name in expected or ".dist-info/" in name for name in names)
    assert built.wheel.name.endswith("-py3-none-any.whl")


def test_built_again_or_from_the_source_archive_they_are_the_same_bytes(built: Built, tmp_path: Path) -> None:
    (built.checkout / "pyproject.toml").touch()
    built.checkout.joinpath("resources").chmod(0o700)
    wheel, sdist = build_packages(built.checkout, tmp_path / "again", "wheel", "sdist")
    assert wheel.read_bytes() == built.wheel.read_bytes()
    assert sdist.read_bytes() == built.sdist.read_bytes()
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.glob("partner_desktop-*")
    assert not list(unpacked.rglob("my_diary.py"))
    (from_archive,) = build_packages(unpacked, tmp_path / "from_archive", "wheel")
    assert from_archive.read_bytes() == built.wheel.read_bytes()


def test_an_installed_wheel_finds_what_it_ships(built: Built, tmp_path: Path) -> None:
    installed = tmp_path / "installed"
    with zipfile.ZipFile(built.wheel) as archive:
        archive.extractall(installed)
    home = tmp_path / "home"
    listed = subprocess.run(
        [sys.executable, "-m", "partner_desktop", "actions", "list", "--home", str(home)],
        cwd=tmp_path,
        env={"PYTHONPATH": str(installed), "PATH": os.defpath, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert listed.returncode == 0, listed.stderr
    for sample in ("count_words", "find_duplicates", "resize_images", "recent_files"):
        assert f"local::{sample}" in listed.stdout
    assert (home / "action" / "dynamic" / "count_words" / "run.py").is_file()
