"""Two plans that have nothing in common, run and checked by the same code, which knows of neither."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.verification import VerdictStatus
from partner_desktop.permission.request import ApprovalMode
from tests.action.verification.sample_plans import (
    ONBOARDING,
    PHOTO_IMPORT,
    SAMPLES,
    arguments,
    install,
    remove_row,
    rows,
    write_photos,
)
from tests.support import REPOSITORY, HastyClock, Watcher

pytestmark = pytest.mark.integration


@pytest.fixture
async def partner(home: Home, action_dir: Path) -> AsyncIterator[Partner]:
    install("onboarding", action_dir / "dynamic")
    install("photo_import", action_dir / "dynamic")
    one = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    await one.launch()
    try:
        yield one
    finally:
        await one.close()


async def run(partner: Partner, key: str, params: JsonObject, cwd: Path) -> ActionRecord:
    """Approved and over."""
    watcher = Watcher()
    stop = partner.subscribe(watcher)
    await partner.abilities.run(key, params, cwd=str(cwd), standing=ApprovalMode.ASK)
    await watcher.done()
    (card,) = await partner.actions.list()
    watcher.events.clear()
    await partner.actions.approve(card.id, scope="once")
    await watcher.done(card.exchange_id)
    stop()
    return await partner.actions.get(card.id)


@pytest.mark.promise("verification.general")
async def test_the_onboarding_calls_each_once_and_then_asks_what_can_be_read_back(
    partner: Partner, user_home: Path
) -> None:
    company = user_home / "Company"
    record = await run(partner, ONBOARDING, arguments(company), user_home)
    assert record.status is ActionStatus.SUCCEEDED, record.error
    assert rows(company, "profiles") == [("E7", "Ann Lee", "Sales")]
    assert rows(company, "access") == [("E7", "Main building")]
    assert rows(company, "shipments") == [("E7", "Notebook 14", "shipped")]
    assert [path.name for path in (company / "outbox").iterdir()] == ["E7-1.eml"], "one letter"
    found = record.verification
    assert found is not None
    assert {each.status for each in found.verdicts} == {VerdictStatus.VERIFIED}, found
    called = sorted(key for each in found.verdicts for key in each.abilities)
    assert called == ["local::query_access", "local::query_profile", "local::query_shipment"]
    assert len(record.plan.steps) + len(called) == 8
    assert {each.owner for each in found.verdicts} == {"hr", "access", "it", "stock", "mail"}


@pytest.mark.promise("verification.general")
async def test_the_photo_import_is_checked_by_the_same_code(partner: Partner, user_home: Path) -> None:
    write_photos(user_home / "Card", 5)
    params: JsonObject = {"source": str(user_home / "Card"), "folder": str(user_home / "Imported")}
    record = await run(partner, PHOTO_IMPORT, params, user_home)
    assert record.status is ActionStatus.SUCCEEDED, record.error
    names = sorted(path.name for path in (user_home / "Imported").iterdir())
    assert names[-2:] == ["contact-sheet.html", "index.csv"]
    assert len(names) == 7
    found = record.verification
    assert found is not None
    assert {each.status for each in found.verdicts} == {VerdictStatus.VERIFIED}, found
    assert {each.owner for each in found.verdicts} == {"photos"}
    assert len(found.verdicts) == 4, "of one owner, and each of its steps is checked"


async def test_a_row_that_went_behind_everyones_back_is_missed_and_brought_back(
    partner: Partner, user_home: Path
) -> None:
    company = user_home / "Company"
    record = await run(partner, ONBOARDING, arguments(company), user_home)
    remove_row(company, "access")
    checked = await partner.plans.verify(record.id)
    found = checked.verification
    assert found is not None
    failed = [each for each in found.verdicts if each.status is VerdictStatus.FAILED]
    print(found)
    assert [each.owner for each in failed] == ["access"]
    assert any(not fact.holds and fact.ability == "local::query_access" for fact in failed[0].facts)
    assert rows(company, "access") == [], "nothing is written by itself"
    repair = await partner.actions.get(found.repair)
    assert repair.status is ActionStatus.WAITING
    assert [step.key for step in repair.plan.steps] == ["local::grant_access"]
    watcher = Watcher()
    partner.subscribe(watcher)
    await partner.actions.approve(repair.id, scope="once")
    await watcher.done(repair.exchange_id)
    assert rows(company, "access") == [("E7", "Main building")]
    mended = await partner.actions.get(repair.id)
    assert mended.verification is not None
    assert mended.verification.overall is VerdictStatus.VERIFIED
    assert len([*(company / "outbox").iterdir()]) == 1, "no second letter"


def test_no_word_of_the_samples_stands_in_the_code() -> None:
    """What they are about: the names of their scripts, owners, tables and tasks."""
    words = {path.stem for path in SAMPLES.rglob("*.py")} | {
        path.parent.name for path in SAMPLES.rglob("plan.json")
    }
    words |= {"employee", "onboarding", "contact_sheet", "department", "shipment"}
    pattern = re.compile("|".join(sorted(words)), re.IGNORECASE)
    places = [
        *(REPOSITORY / "partner_desktop").rglob("*.py"),
        *(REPOSITORY / "resources" / "prompts").rglob("*.md"),
    ]
    found = [f"{path.name}: {hit[0]}" for path in places if (hit := pattern.search(path.read_text()))]
    assert found == []
