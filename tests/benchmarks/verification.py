"""`verification`: what checking a plan afterwards adds: time, and calls that only look.

The sample plan that takes a new colleague in runs again and again, each time for another person: five calls
that write, then what Partner asks by itself. The time that checking takes is that from the moment at which it
begins to its end, as the record tells it; beside it stands the time of the plan's own steps in the same run.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
from pathlib import Path
from typing import Any

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.verification import VerdictStatus
from partner_desktop.permission.request import ApprovalMode
from tests.action.verification.sample_plans import ONBOARDING, arguments, install
from tests.benchmarks.figures import percentile
from tests.support import Watcher

#: Seconds that checking may add, and calls that it may make.
ADDED_S, CALLS = 1.5, 8
ROUNDS = 12


def measure() -> dict[str, Any]:
    return asyncio.run(_measure())


async def _measure() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        action_dir = root / "action"
        install("onboarding", action_dir / "dynamic")
        partner = Partner(Home(root / "home"), action_dir, meaning=False)
        await partner.launch()
        try:
            runs = [await _run(partner, number, root / "company") for number in range(ROUNDS)]
        finally:
            await partner.close()
    added = [_seconds(record) for record in runs]
    own = [record.duration_ms / 1000 - checked for record, checked in zip(runs, added, strict=True)]
    calls = [_calls(record) for record in runs]
    verified = [_verified(record) for record in runs]
    return {
        "rounds": ROUNDS,
        "steps": len(runs[0].plan.steps),
        "verified": min(verified),
        "calls": max(calls),
        "calls_limit": CALLS,
        "added_s": round(statistics.median(added), 3),
        "added_p95_s": round(percentile(added, 95), 3),
        "added_limit_s": ADDED_S,
        "plan_s": round(statistics.median(own), 3),
        "ratio": round(statistics.median(added) / statistics.median(own), 3),
        "ok": max(calls) <= CALLS
        and percentile(added, 95) <= ADDED_S
        and min(verified) == len(runs[0].plan.steps),
    }


async def _run(partner: Partner, number: int, folder: Path) -> ActionRecord:
    watcher = Watcher()
    stop = partner.subscribe(watcher)
    await partner.abilities.run(
        ONBOARDING, arguments(folder, f"E{number}"), cwd=str(folder.parent), standing=ApprovalMode.ALL
    )
    await watcher.done()
    stop()
    records = await partner.actions.list()
    record = next(each for each in records if each.plan.arguments.get("employee_id") == f"E{number}")
    assert record.status is ActionStatus.SUCCEEDED, record.error
    return record


def _seconds(record: ActionRecord) -> float:
    found = record.verification
    assert found is not None
    assert found.ended_at is not None
    return (found.ended_at - found.begun_at).total_seconds()


def _calls(record: ActionRecord) -> int:
    return sum(len(each.abilities) for each in record.verification.verdicts) if record.verification else 0


def _verified(record: ActionRecord) -> int:
    return record.verification.counts[VerdictStatus.VERIFIED] if record.verification else 0
