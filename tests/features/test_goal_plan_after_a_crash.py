"""After kill -9 in a computed plan: it goes on towards its goal, by another way where it had begun one."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import ResultEvent
from tests.features.test_chains_after_a_crash import Dies, chain_of, dies, started

__all__ = ["dies"]

#: Real processes that die.
pytestmark = [pytest.mark.integration, pytest.mark.slow]

_STEP = """\
# /// partner
# description = "{description}"
# {facts}
# annotations = {{ readOnlyHint = true, idempotentHint = true }}
# [params.{param}]
# type = "string"
# ///
import json, sys
given = json.load(sys.stdin)
{code}
"""
_STEPS = (
    ("Sow", 'outputs = "Seedling"\n# cost = 1', "where", 'print("seedling")'),
    ("Water", 'inputs = { plant = "Seedling" }\n# outputs = "Crop"', "plant", 'sys.exit("no water")'),
    ("Rain", 'inputs = { plant = "Seedling" }\n# outputs = "Crop"\n# cost = 4', "plant", 'print("crop")'),
    ("Reap", 'inputs = { crop = "Crop" }\n# outputs = "Harvest"', "crop", 'print("the harvest is done")'),
)


@pytest.mark.promise("planning.replan")
@pytest.mark.promise("actions.resume")
async def test_a_computed_plan_that_is_killed_at_every_transition_comes_to_its_goal(
    home: Home, action_dir: Path, dies: Dies
) -> None:
    for number, (description, facts, param, code) in enumerate(_STEPS, 1):
        text = _STEP.format(description=description, facts=facts, param=param, code=code)
        (action_dir / "dynamic" / f"step{number}.py").write_text(text)
    await dies("proposed", 'I want a harvest where "north"')
    await dies("approved")
    for number in (1, 2):
        for moment in ("begins", "ends", "stage"):
            await dies(f"{moment}:{number}")
    async with started(home, action_dir) as (partner, watcher):
        plan = await chain_of(partner)
        assert plan.chain is not None
        assert [step.key for step in plan.chain.steps] == [f"local::step{number}" for number in (1, 2, 3, 4)]
        (change,) = [each for each in plan.chain.changes if each.kind == "reroute"]
        assert "no water" in change.text, "planned again once, and the card still says why"
        *_, card = await partner.actions.steps(plan.id)
        assert (card.key, card.status) == ("local::step3", ActionStatus.WAITING)
        await partner.actions.approve(card.id, scope="once")
        await watcher.until(lambda e: isinstance(e, ResultEvent) and e.action.id == plan.id)
        plan = await chain_of(partner)
        assert plan.status is ActionStatus.SUCCEEDED, plan.error
        ran = await partner.actions.steps(plan.id)
        assert [step.key[-1] for step in ran if step.status is ActionStatus.SUCCEEDED] == ["1", "3", "4"]
