"""What a release says about itself; building one takes minutes (`tests/long/packages/test_release.py`)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

import partner_desktop
from tests.packaging.built import REPOSITORY

pytestmark = pytest.mark.integration

_CHANGES = """\
# Changelog

## Unreleased

- Not yet.

## 0.2.0 (2026-11-28)

- Second.

  ## not a heading

## [0.1.0]

- First.
"""


@pytest.fixture(scope="module")
def notes() -> Mapping[str, Any]:
    return run_path(str(REPOSITORY / "packaging" / "release_notes.py"))


def test_the_version_stands_in_one_place(notes: Mapping[str, Any]) -> None:
    version = partner_desktop.__version__
    assert notes["product_version"](REPOSITORY) == version
    for name in (
        "pyproject.toml",
        "packaging/debian/control",
        "packaging/debian/partner-desktop.metainfo.xml",
    ):
        assert version not in (REPOSITORY / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("version", "said", "final"),
    [
        ("0.2.0", "- Second.\n\n  ## not a heading", True),
        ("0.1.0", "- First.", True),
        ("0.3.0", "- Not yet.", False),
    ],
)
def test_the_changelogs_section_is_that_of_the_version(
    notes: Mapping[str, Any], version: str, said: str, *, final: bool
) -> None:
    assert notes["changelog_section"](_CHANGES, version) == (
        f"# Partner Desktop {version}\n\n{said}\n",
        final,
    )


def test_a_changelog_that_says_nothing_of_it_is_told(notes: Mapping[str, Any]) -> None:
    with pytest.raises(SystemExit, match="says nothing under"):
        notes["changelog_section"]("# Changelog\n\n## Unreleased\n\n## 1.0\n\n- One.\n", "9.9")


def test_the_checksums_are_those_that_sha256sum_checks(notes: Mapping[str, Any], tmp_path: Path) -> None:
    (tmp_path / "one.whl").write_bytes(b"one")
    (tmp_path / "two.deb").write_bytes(b"two")
    assert notes["write_checksums"](tmp_path) == ["one.whl", "two.deb"]
    check = ("sha256sum", "--strict", "--check", "SHA256SUMS")
    assert subprocess.run(check, cwd=tmp_path, check=False, capture_output=True).returncode == 0
    (tmp_path / "two.deb").write_bytes(b"other")
    assert subprocess.run(check, cwd=tmp_path, check=False, capture_output=True).returncode != 0


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    made = tmp_path / "made"
    made.mkdir()
    (made / "mine.txt").write_text("mine", encoding="utf-8")
    command = (sys.executable, REPOSITORY / "packaging" / "release", made)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "is not empty" in done.stderr
    assert [path.name for path in made.iterdir()] == ["mine.txt"]
