"""The folder for machines without Python: what can be held without building it (tests/long/packages does)."""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

from tests.packaging.built import REPOSITORY

pytestmark = pytest.mark.integration

_SCRIPT = REPOSITORY / "packaging" / "frozen_folder.py"
_PRODUCT = REPOSITORY / "partner_desktop"
_WHERE = "import json, sys; print(json.dumps([sys.executable, sys.prefix, sys.path, sys.flags.safe_path]))"


@pytest.fixture(scope="module")
def recipe() -> Mapping[str, Any]:
    return run_path(str(_SCRIPT))


def test_every_module_of_qt_that_the_window_uses_is_kept(recipe: Mapping[str, Any]) -> None:
    texts = [path.read_text(encoding="utf-8") for path in _PRODUCT.rglob("*.py")]
    used = {name for text in texts for name in re.findall(r"(?:from|import) PySide6\.(\w+)", text)}
    assert used
    assert used <= set(recipe["QT_MODULES"])


def test_nothing_that_partner_itself_ships_is_left_out(recipe: Mapping[str, Any]) -> None:
    names = [str(path.relative_to(REPOSITORY)) for path in _PRODUCT.rglob("*") if path.is_file()]
    left_out = [
        name for name in names for one in recipe["LEFT_OUT_OF_PACKAGES"] if fnmatch.fnmatchcase(name, one)
    ]
    assert not left_out


def test_wherever_the_folder_lies_its_launcher_finds_its_python_and_its_packages(
    recipe: Mapping[str, Any], tmp_path: Path
) -> None:
    version = recipe["VERSION"]
    made = tmp_path / "made"
    site = made / "app" / "lib" / version / "site-packages"
    (site / "partner_desktop").mkdir(parents=True)
    (site / "partner_desktop" / "__main__.py").write_text(_WHERE, encoding="utf-8")
    (made / "python" / "bin").mkdir(parents=True)
    shutil.copy(os.path.realpath(sys.executable), made / "python" / "bin" / version)
    (made / "python" / "lib").symlink_to(Path(sys.base_prefix) / "lib")
    recipe["make_environment"](made)

    moved = made.rename(tmp_path / "some where else")
    (tmp_path / "json.py").write_text("raise SystemExit('of somebody else')", encoding="utf-8")
    done = subprocess.run(
        [moved / "partner-desktop"],
        cwd=tmp_path,
        env={
            "PATH": os.defpath,
            "PYTHONPATH": str(tmp_path),
            "PYTHONHOME": "/nowhere",
            "LD_LIBRARY_PATH": str(Path(sys.base_prefix) / "lib"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    program, prefix, path, safe = json.loads(done.stdout)
    assert (program, prefix) == (str(moved / "app" / "bin" / "python"), str(moved / "app"))
    assert str(moved / "app" / "lib" / version / "site-packages") in path
    assert str(tmp_path) not in path
    assert safe
