"""One yes to a plan is also to what its check will look with, as the card shows it, and to nothing else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from partner_desktop.action.plans.planned_checks import MOST_LOOKS
from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import AbilitiesEvent
from partner_desktop.domain.verification import VerdictStatus
from partner_desktop.permission.request import ApprovalMode
from tests.action.verification.people_abilities import write
from tests.action.verification.sample_plans import ONBOARDING, arguments, install
from tests.support import HastyClock, Watcher

pytestmark = pytest.mark.integration

LOOKS = ["local::query_profile", "local::query_access", "local::query_shipment"]


@pytest.fixture
async def partner(home: Home, action_dir: Path) -> AsyncIterator[Partner]:
    install("onboarding", action_dir / "dynamic")
    one = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    await one.launch()
    try:
        yield one
    finally:
        await one.close()


async def proposed(partner: Partner, user_home: Path) -> ActionRecord:
    watcher = Watcher()
    stop = partner.subscribe(watcher)
    await partner.abilities.run(
        ONBOARDING, arguments(user_home / "Company"), cwd=str(user_home), standing=ApprovalMode.ASK
    )
    await watcher.done()
    stop()
    return (await partner.actions.list())[0]


async def approved(partner: Partner, card: ActionRecord) -> ActionRecord:
    """Over."""
    watcher = Watcher()
    stop = partner.subscribe(watcher)
    await partner.actions.approve(card.id, scope="once")
    await watcher.done(card.exchange_id)
    stop()
    record = await partner.actions.get(card.id)
    assert record.status is ActionStatus.SUCCEEDED, record.error
    return record


async def decided(partner: Partner, key: str) -> list[tuple[str, str]]:
    entries = await partner.audit.newest(limit=200)
    return [(entry.outcome, entry.by_whom) for entry in entries if entry.action_key == key]


async def test_the_card_names_what_will_look_and_one_yes_is_to_both(
    partner: Partner, user_home: Path
) -> None:
    card = await proposed(partner, user_home)
    assert [look.key for look in card.plan.looks] == LOOKS
    assert card.plan.looks[0].title == "Look up profile"
    record = await approved(partner, card)
    assert record.verification is not None
    assert record.verification.overall is VerdictStatus.VERIFIED
    assert len(record.verification.verdicts) == record.verification.counts[VerdictStatus.VERIFIED]
    again = await proposed(partner, user_home)
    assert again.plan.looks == (), "what may look by itself already is not asked for"


async def test_a_look_that_was_edited_after_the_yes_does_not_look(
    partner: Partner, action_dir: Path, user_home: Path
) -> None:
    card = await proposed(partner, user_home)
    script = action_dir / "dynamic" / "query_access.py"
    watcher = Watcher()
    partner.subscribe(watcher)
    script.write_text(f"{script.read_text()}# another one\n")
    await watcher.until(
        lambda event: (
            isinstance(event, AbilitiesEvent)
            and any(each.key == "local::query_access" for each in event.changed)
        )
    )
    record = await approved(partner, card)
    assert record.verification is not None
    verdict = {each.owner: each.status for each in record.verification.verdicts}
    assert verdict["access"] is VerdictStatus.UNABLE, "nobody said yes to what it is now"
    assert verdict["hr"] is VerdictStatus.VERIFIED


async def added(partner: Partner, action_dir: Path, *names: str, **more: Any) -> None:  # Any: of `write`
    """Further abilities of the owner `hr` that say of themselves that they only look; listed."""
    watcher = Watcher()
    stop = partner.subscribe(watcher)
    for name in names:
        write(action_dir / "dynamic", name, "print(1)\n", owner="hr", looks=True, **more)

    keys = {f"local::{name}" for name in names}
    await watcher.until(
        lambda _: keys <= {each.key for each in partner.abilities.list() if each.info is not None}
    )
    stop()


async def test_no_more_looks_are_asked_for_than_a_card_has_room_for(
    partner: Partner, action_dir: Path, user_home: Path
) -> None:
    await added(partner, action_dir, *(f"see_{number}" for number in range(MOST_LOOKS)), reads=("folder",))
    assert len((await proposed(partner, user_home)).plan.looks) == MOST_LOOKS


async def test_what_may_change_something_or_looks_where_nobody_said_is_not_asked_for(
    partner: Partner, action_dir: Path, user_home: Path
) -> None:
    await added(partner, action_dir, "see_and_write", writes=("folder",))
    await added(partner, action_dir, "see_elsewhere", reads=("ledger",))
    assert [look.key for look in (await proposed(partner, user_home)).plan.looks] == LOOKS


async def test_a_look_that_a_rule_denies_since_the_card_was_shown_is_no_part_of_its_yes(
    partner: Partner, user_home: Path
) -> None:
    card = await proposed(partner, user_home)
    await partner.permissions.deny("local::query_access")
    record = await approved(partner, card)
    assert record.verification is not None
    verdict = {each.owner: each.status for each in record.verification.verdicts}
    assert verdict["access"] is VerdictStatus.UNABLE
    assert verdict["hr"] is VerdictStatus.VERIFIED


async def test_a_no_to_the_plan_lets_nothing_look(partner: Partner, user_home: Path) -> None:
    card = await proposed(partner, user_home)
    await partner.actions.reject(card.id)
    for key in LOOKS:
        assert await decided(partner, key) == []
