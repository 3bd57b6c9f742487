"""What tests of discovery share: a small model, and a home with folders of programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.model.discovery.program_folders import ProgramFolders
from tests.model.tiny import make_tiny_model


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_tiny_model(tmp_path_factory.mktemp("small") / "small.gguf", width=32, layers=1)


@pytest.fixture
def programs(tmp_path: Path, small: Path) -> ProgramFolders:
    user_home = tmp_path / "somebody"
    user_home.mkdir()
    return ProgramFolders(user_home, small)
