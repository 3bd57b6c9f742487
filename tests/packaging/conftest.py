"""Checkouts for the bootstrap's tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.packaging.small_checkout import SmallCheckout, add_programs, make_checkout


@pytest.fixture(scope="package")
def installed(tmp_path_factory: pytest.TempPathFactory) -> SmallCheckout:
    """A checkout after its first run, on a machine without a compiler; shared, because it takes seconds."""
    checkout = make_checkout(tmp_path_factory.mktemp("bootstrap"), "small-package", "llama-cpp-python>=0.3")
    result = checkout.run("run")
    assert result.returncode == 0, result.stderr
    return checkout


@pytest.fixture
def with_compiler(installed: SmallCheckout) -> Iterator[SmallCheckout]:
    """The installed checkout, with a compiler and without an engine."""
    add_programs(installed, "cc", "c++", "bwrap")
    installed.forget_engine()
    yield installed
    for name in ("cc", "c++", "bwrap"):
        Path(installed.environment["PATH"], name).unlink()
    installed.forget_engine()
