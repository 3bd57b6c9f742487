"""The wheel carries what the app needs beside its code, and nothing that a user dropped into the checkout."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.integration


@pytest.fixture
def wheel(tmp_path: Path) -> zipfile.ZipFile:
    """The wheel, built from a copy of the tracked parts with something foreign dropped in."""
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    for name in ("partner_desktop", "resources", "action"):
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(REPOSITORY / name, checkout / name, ignore=ignore)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(REPOSITORY / name, checkout / name)
    (checkout / "action" / "dynamic" / "my_diary.py").write_text("print('mine')\n")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=checkout,
        check=True,
        capture_output=True,
        timeout=120,
    )
    (path,) = tmp_path.glob("*.whl")
    return zipfile.ZipFile(path)


def test_the_wheel_holds_resources_samples_and_migrations_and_nothing_of_the_users(
    wheel: zipfile.ZipFile,
) -> None:
    names = set(wheel.namelist())
    wheel.close()
    for name in (
        "partner_desktop/py.typed",
        "partner_desktop/storage/sql/0001_first.sql",
        "partner_desktop/desktop/theme/window.qss",
        "partner_desktop/_shipped/resources/fonts/Inter-Regular.ttf",
        "partner_desktop/_shipped/resources/icons/partner-64.png",
        "partner_desktop/_shipped/resources/models/all-MiniLM-L6-v2-Q8_0.gguf",
        "partner_desktop/_shipped/resources/models/README.md",
        "partner_desktop/_shipped/resources/models/catalog.toml",
        "partner_desktop/_shipped/resources/prompts/persona.en.md",
        "partner_desktop/_shipped/resources/prompts/persona.zh.md",
        "partner_desktop/_shipped/resources/prompts/evaluate_intent.zh.md",
        "partner_desktop/storage/sql/0005_context_snapshots.sql",
        "partner_desktop/_shipped/action/dynamic/count_words/run.py",
        "partner_desktop/_shipped/action/dynamic/count_words/desc.json",
        "partner_desktop/_shipped/action/dynamic/daily_note.py",
        "partner_desktop/_shipped/action/dynamic/disk_usage.py",
        "partner_desktop/_shipped/action/dynamic/find_duplicates.py",
        "partner_desktop/_shipped/action/dynamic/recent_files.sh",
        "partner_desktop/_shipped/action/dynamic/rename_files/desc.json",
        "partner_desktop/_shipped/action/dynamic/rename_files/names.py",
        "partner_desktop/_shipped/action/dynamic/rename_files/run.py",
        "partner_desktop/_shipped/action/dynamic/rename_files/steps.py",
        "partner_desktop/_shipped/action/dynamic/rename_files/words.py",
        "partner_desktop/_shipped/action/dynamic/resize_images/desc.json",
        "partner_desktop/_shipped/action/dynamic/resize_images/images.py",
        "partner_desktop/_shipped/action/dynamic/resize_images/run.py",
        "partner_desktop/_shipped/action/dynamic/search_text.py",
        "partner_desktop/_shipped/action/dynamic/tidy_folder/desc.json",
        "partner_desktop/_shipped/action/dynamic/tidy_folder/plan.py",
        "partner_desktop/_shipped/action/dynamic/tidy_folder/run.py",
        "partner_desktop/_shipped/action/dynamic/tidy_folder/undo_log.py",
        "partner_desktop/_shipped/action/dynamic/tidy_folder/words.py",
        "partner_desktop/_shipped/action/dynamic/zip_folder.py",
    ):
        assert name in names
    assert not [name for name in names if "my_diary" in name or "__pycache__" in name]


@pytest.mark.slow
def test_an_installed_wheel_finds_what_it_ships(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    installed = tmp_path / "installed"
    wheel.extractall(installed)
    wheel.close()
    home = tmp_path / "home"
    listed = subprocess.run(
        [sys.executable, "-m", "partner_desktop", "actions", "list", "--home", str(home)],
        cwd=tmp_path,
        env={"PYTHONPATH": str(installed), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert listed.returncode == 0, listed.stderr
    assert "local::count_words" in listed.stdout
    assert "local::find_duplicates" in listed.stdout
    assert "local::resize_images" in listed.stdout
    assert "local::recent_files" in listed.stdout
    assert (home / "action" / "dynamic" / "count_words" / "run.py").is_file()
