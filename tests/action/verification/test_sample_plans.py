"""Two plans that have nothing in common, run and checked by the same code, which knows of neither."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from partner_desktop.abilities.ability_file import read_ability
from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import Route
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
from tests.support import REPOSITORY, WAIT_S, HastyClock, Watcher
from tests.tables import all_rows

pytestmark = pytest.mark.integration
_CHINESE = re.compile(r"[\u4e00-\u9fff]")


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
    assert {each.owner for each in found.verdicts} == {"hr", "access", "computers", "stock", "mail"}


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


@all_rows("place", sorted(SAMPLES.glob("*/*")))
def test_a_sample_is_told_in_both_languages(place: Path) -> None:
    found = read_ability(place, location="local", route=Route.MCP).info
    english, chinese = found.spoken("en"), found.spoken("zh")
    texts = [english.title, english.description, *_words(english.params)]
    assert not any(map(_CHINESE.search, texts)), texts
    told = [chinese.title, chinese.description]
    for name, schema in chinese.properties().items():
        assert isinstance(schema, dict)
        told += [str(schema.get("title", name)), str(schema["description"])]
    assert all(map(_CHINESE.search, told)), told


def _words(params: JsonObject) -> list[str]:
    properties = params["properties"]
    assert isinstance(properties, dict)
    return [str(each) for each in properties.values()]


@pytest.mark.parametrize("said", ["办入职", "办理入职手续", "入职"])
def test_the_onboarding_is_known_by_what_is_said_of_it(said: str) -> None:
    place = SAMPLES / "onboarding" / "onboard_employee"
    assert said in read_ability(place, location="local", route=Route.MCP).info.aliases


@pytest.mark.parametrize(
    "script", ["create_profile", "grant_access", "request_computer", "ship_computer", "send_welcome"]
)
@pytest.mark.parametrize(("language", "is_chinese"), [("en", False), ("zh", True)])
def test_a_script_tells_what_it_did_in_the_language_that_is_spoken(
    tmp_path: Path, script: str, language: str, is_chinese: bool
) -> None:
    given = {**arguments(tmp_path / "Company"), "building": "B", "model": "M"}
    assert bool(_CHINESE.search(_summary("onboarding", script, given, language))) is is_chinese


@pytest.mark.parametrize("language", ["en", "zh"])
def test_photos_are_told_of_in_the_language_that_is_spoken(tmp_path: Path, language: str) -> None:
    write_photos(tmp_path / "Card", 2)
    given: JsonObject = {"source": str(tmp_path / "Card"), "folder": str(tmp_path / "New")}
    for script in ("copy_photos", "name_photos", "contact_sheet", "index_photos", "count_photos"):
        summary = _summary("photo_import", script, given, language)
        assert "2" in summary
        assert bool(_CHINESE.search(summary)) is (language == "zh"), summary


def _summary(sample: str, script: str, given: JsonObject, language: str) -> str:
    """What a script says of its run."""
    done = subprocess.run(
        [sys.executable, SAMPLES / sample / f"{script}.py"],
        input=json.dumps(given),
        env={**os.environ, "PARTNER_LANG": language},
        capture_output=True,
        text=True,
        check=True,
        timeout=WAIT_S,
    )
    return str(json.loads(done.stdout)["summary"])


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
