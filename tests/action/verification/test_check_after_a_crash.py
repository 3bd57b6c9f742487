"""After kill -9 in the check of a plan: nothing of the plan runs twice, and what has a verdict keeps it."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import record_from_text
from tests.action.verification.people_abilities import verdicts, verification_of, write
from tests.features.test_chains_after_a_crash import chain_of, started
from tests.support import REPOSITORY

#: Real processes that die.
pytestmark = [pytest.mark.integration, pytest.mark.slow]

_DEATH_S = 60

_NOTES = """\
with open(given["file"], "a") as file:
    file.write("{name}\\n")
size = os.path.getsize(given["file"])
print(json.dumps({{"path": given["file"], "size": size, "summary": "{name} is done"}}))
"""


async def _dies(home: Home, action_dir: Path, moment: str, text: str = "") -> None:
    module = "tests.action.verification.dying_in_a_check"
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", module, str(home.root), str(action_dir), moment, text),
        cwd=REPOSITORY,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
    )
    async with asyncio.timeout(_DEATH_S):
        assert await process.wait() == -signal.SIGKILL, moment


@pytest.mark.promise("verification.once")
async def test_a_plan_that_is_killed_at_every_transition_of_its_check_is_checked_once(
    home: Home, action_dir: Path, user_home: Path
) -> None:
    for name in ("sow", "reap"):
        code = _NOTES.format(name=name)
        write(action_dir / "dynamic", name, code, params=(), writes=("file",))
        text = (action_dir / "dynamic" / f"{name}.py").read_text()
        default = f'# access = "write"\n# default = "{user_home / name}.txt"\n'
        (action_dir / "dynamic" / f"{name}.py").write_text(text.replace('# access = "write"\n', default))
    await _dies(home, action_dir, "begun", "sow then reap")
    await _dies(home, action_dir, "verdict:1")
    with closing(sqlite3.connect(home.database)) as db:
        (text,) = db.execute("SELECT record FROM actions WHERE parent = ''").fetchone()
    record = record_from_text(text)
    assert record.verification is not None
    ((path,),) = [[fact.subject for fact in each.facts] for each in record.verification.verdicts]
    kept = Path(path).read_text()
    Path(path).unlink()  # were it asked again, it would fail
    await _dies(home, action_dir, "verdict:2")
    await _dies(home, action_dir, "ended")
    async with started(home, action_dir) as (partner, _):
        plan = await chain_of(partner)
        assert plan.status is ActionStatus.SUCCEEDED, plan
        assert verdicts(plan) == ["verified", "verified"]
        assert verification_of(plan).begun_at == record.verification.begun_at, "it was begun once"
        assert [step.resumes for step in await partner.actions.steps(plan.id)] == [0, 0]
    Path(path).write_text(kept)
    assert [(user_home / f"{name}.txt").read_text() for name in ("sow", "reap")] == ["sow\n", "reap\n"]
