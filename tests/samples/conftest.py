"""The shipped samples, ready to be run."""

from __future__ import annotations

import pytest

from partner_desktop.base.paths import Home
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.runner.script_route import ScriptRoute
from tests.samples.stage import SampleRunner, read_samples


@pytest.fixture(scope="session")
def sample_infos(tmp_path_factory: pytest.TempPathFactory) -> dict[str, MetaActionInfo]:
    return read_samples(tmp_path_factory.mktemp("snapshots"))


@pytest.fixture
async def samples(sample_infos: dict[str, MetaActionInfo], home: Home) -> SampleRunner:
    """The app's route for scripts, with the sandbox of this machine."""
    home.prepare()
    scripts = ScriptRoute(home)
    await scripts.launch()
    return SampleRunner(sample_infos, scripts, home.runs)
