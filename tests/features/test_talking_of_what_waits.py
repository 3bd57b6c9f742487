"""A person corrects, asks about and answers what waits, in everyday words. No model anywhere."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.domain.schedule import Schedule
from tests.features.test_dangerous_words import Person, action_dir, told

__all__ = ["action_dir"]

pytestmark = pytest.mark.integration

TALKS = tomllib.loads(Path(__file__).with_name("waiting_words.toml").read_text(encoding="utf-8"))


@pytest.fixture
def person(partner: Partner, user_home: Path) -> Person:
    return Person(partner, user_home)


def told_of(one: Schedule) -> str:
    """`once 07:30 起床`, `weekly 09:00 put the bins out`."""
    cycle, once = one.terms.cycle, one.terms.once
    assert cycle is not None or once is not None
    if cycle is not None:
        return f"{cycle.rule.partition(';')[0][5:].lower()} {cycle.times[0]:%H:%M} {one.terms.message}"
    return f"once {once.at:%H:%M} {one.terms.message}" if once is not None else ""


async def test_what_waits_becomes_what_was_said(partner: Partner, person: Person) -> None:
    wrong = {}
    for name, row in TALKS.items():
        await person.say(*row["said"])
        planned = await partner.schedules.list()
        found = {"cards": person.cards(), "disk": person.disk, "planned": [told_of(one) for one in planned]}
        found["ran"] = [one for one in person.ran() if not one.startswith("chain")]
        reminds = bool(row.get("planned"))
        kinds = ("planned",) if reminds else ("cards", "ran", "disk", "planned")
        if not all(told(found[kind], row.get(kind, [])) for kind in kinds):
            wrong[name] = found
        for one in planned:
            await partner.schedules.cancel(one.id)
    assert not wrong
