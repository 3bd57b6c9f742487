"""The wheel in a clean environment, far from the checkout: it starts, chats, runs a script."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.metadata import files, requires
from pathlib import Path

import pytest

from tests.long.packages.first_session import Installed, first_session
from tests.packaging.built import REPOSITORY, build_packages

pytestmark = pytest.mark.long

_ENGINE = "llama_cpp_python"


@pytest.mark.promise("packaging.wheel")
def test_the_wheel_in_a_clean_environment_works_without_the_engine_and_then_with_it(tmp_path: Path) -> None:
    (wheel,) = build_packages(REPOSITORY, tmp_path / "built", "wheel")
    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-I", "-m", "venv", venv], check=True)
    constraints = REPOSITORY / "packaging" / "constraints.txt"
    pip = (venv / "bin" / "python", "-I", "-m", "pip", "install", "--quiet", "--only-binary=:all:")
    subprocess.run([*pip, "-c", constraints, wheel], check=True)
    person = tmp_path / "person"
    person.mkdir()
    installed = Installed([str(venv / "bin" / "partner-desktop")], person / "home")

    engine = installed.findings()["engine"]
    assert engine["state"] == "missing"
    assert engine["detail"].endswith("it comes with: `pip install 'partner-desktop[engine]'`")
    first_session(installed)

    _copy_engine(venv)
    needed = [line for line in requires(_ENGINE) or () if "extra ==" not in line]
    subprocess.run([*pip, "-c", constraints, *needed], check=True)
    found = installed.findings()
    assert found["engine"]["state"] == "ok"
    assert found["meaning"]["state"] == "ok"
    assert "all-MiniLM-L6-v2" in found["meaning"]["detail"]
    first_session(installed)


def _copy_engine(venv: Path) -> None:
    """What the bootstrap has built for this environment: to compile it again takes minutes."""
    parts = files(_ENGINE) or []
    assert parts, f"{_ENGINE} is not installed here"
    (site,) = venv.glob("lib/python*/site-packages")
    for part in parts:
        target = site / part
        if target.resolve().is_relative_to(site.resolve()):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(part.locate(), target)
