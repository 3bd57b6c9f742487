"""Checkouts for the bootstrap's tests."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.packaging.small_checkout import PATIENCE_S, Prepare, SmallCheckout, add_programs, make_checkout


@pytest.fixture(scope="package")
def installed(tmp_path_factory: pytest.TempPathFactory) -> SmallCheckout:
    """A checkout after its first run, on a machine without a compiler; shared, because it takes seconds."""
    checkout = make_checkout(tmp_path_factory.mktemp("bootstrap"), "small-package", "llama-cpp-python>=0.3")
    result = checkout.run("run")
    assert result.returncode == 0, result.stderr
    return checkout


@pytest.fixture(scope="package")
def empty_venv(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the bootstrap makes before it installs, by the same command; shared, because it takes seconds."""
    venv = tmp_path_factory.mktemp("empty") / ".venv"
    subprocess.run([sys.executable, "-I", "-m", "venv", str(venv)], check=True, timeout=PATIENCE_S)
    return venv


@pytest.fixture
def prepare(tmp_path: Path, empty_venv: Path) -> Prepare:
    """Makes the checkout of a test whose story begins with pip, with an environment of its own."""

    def prepare_checkout(*dependencies: str) -> SmallCheckout:
        checkout = make_checkout(tmp_path, *dependencies)
        shutil.copytree(empty_venv, checkout.venv, symlinks=True)
        return checkout

    return prepare_checkout


@pytest.fixture
def with_compiler(installed: SmallCheckout) -> Iterator[SmallCheckout]:
    """The installed checkout, with a compiler and without an engine."""
    add_programs(installed, "cc", "c++", "bwrap")
    installed.forget_engine()
    yield installed
    for name in ("cc", "c++", "bwrap"):
        Path(installed.environment["PATH"], name).unlink()
    installed.forget_engine()
