"""The folder for machines without Python: what can be held without building it (tests/long/packages does)."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections import Counter
from collections.abc import Iterator, Mapping
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
def recipe() -> Iterator[Mapping[str, Any]]:
    """What stands in the builder, which finds its parts beside itself."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(_SCRIPT.parent))
        yield run_path(str(_SCRIPT)) | run_path(str(_SCRIPT.with_name("frozen_parts.py")))


def _imported() -> set[str]:
    """Every module that Partner's own code names in an import."""
    names: set[str] = set()
    for path in _PRODUCT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def test_of_qt_those_modules_are_kept_that_the_window_uses(recipe: Mapping[str, Any]) -> None:
    used = {name.split(".")[1] for name in _imported() if name.startswith("PySide6.")}
    assert used == {*recipe["QT_MODULES"]}


def test_no_module_that_partner_imports_is_left_out(recipe: Mapping[str, Any]) -> None:
    site = Path(sysconfig.get_path("purelib"))
    kept, left_out = 0, []
    for name in _imported():
        path = name.replace(".", "/")
        for found in (*site.glob(f"{path}.*"), *site.glob(f"{path}/__init__.py")):
            if found.suffix in {".py", ".so"}:
                kept += 1
                reason = recipe["reason_left_out"](found.relative_to(site).as_posix())
                left_out += [] if reason is None else [(name, reason)]
    assert kept > 50
    assert not left_out


def test_packages_of_others_run_without_their_sources_and_partner_keeps_its_own(
    recipe: Mapping[str, Any], tmp_path: Path
) -> None:
    for name, text in {
        "other/__init__.py": "from other.part import WORD",
        "other/part.py": "WORD = 'said by another'",
        "single.py": "WORD = 'said alone'",
        "partner_desktop/__init__.py": "WORD = 'said here'",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    left_out: Counter[str] = Counter()
    recipe["compile_without_sources"](tmp_path, left_out)
    assert [path.name for path in tmp_path.rglob("*.py")] == ["__init__.py"]
    assert left_out["sources of others' packages"] > 0
    said = "import other, single, partner_desktop as own; print(other.WORD, single.WORD, own.WORD, sep=', ')"
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {said}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "said by another, said alone, said here\n", done.stderr


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
