"""Plans and steps made for tests of what is pure about them."""

from __future__ import annotations

from datetime import UTC, datetime

from partner_desktop.domain.plan import Plan, Stage, Step, StepInput, StepStatus
from partner_desktop.domain.run_facts import Isolation, Risk

NOW = datetime(2026, 11, 22, 9, 0, tzinfo=UTC)


def step(name: str, status: StepStatus = StepStatus.PLANNED, *, needs: str = "", mends: str = "") -> Step:
    """A step whose id and title are its name; `needs` names the one that brings its path."""
    return Step(
        id=name,
        key=f"local::{name.lower()}",
        title=name,
        text=f"do {name}",
        params={},
        schema={},
        risk=Risk.WRITE,
        isolation=Isolation(sandboxed=True, net=False, summary="held"),
        feeds=(StepInput("path", needs),) if needs else (),
        mends=mends,
        approved=True,
        status=status,
    )


def chain(*stages: list[Step], at: int = 0) -> Plan:
    return Plan(tuple(Stage(tuple(steps)) for steps in stages), at=at)


def names(of: Plan) -> list[list[str]]:
    """The ids, stage by stage."""
    return [[each.id for each in stage.steps] for stage in of.stages]
