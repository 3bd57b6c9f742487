"""Ten steps that each lie about one thing are told failed, with what gives them away; none is verified."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.domain.json_value import JsonObject
from tests.action.plans.running import Wanted
from tests.action.verification.conftest import Ran
from tests.action.verification.people_abilities import OPEN, add, hired, verdict
from tests.support import Watcher

pytestmark = pytest.mark.integration

_WRITES = 'pathlib.Path(given["file"]).write_text("four")\n'


def _says(**claims: str) -> str:
    """The end of a script that tells these, each an expression."""
    return f"print(json.dumps({{{', '.join(f'{name!r}: {code}' for name, code in claims.items())}}}))\n"


#: What it lies about → what it does, what it says, and of which kind the fact is that gives it away.
_OF_FILES = {
    "missing": (_says(path='given["file"]', size="4"), "notes.txt", "file"),
    "size": (_WRITES + _says(path='given["file"]', size="40"), "notes.txt", "file"),
    "hash": (_WRITES + _says(path='given["file"]', sha256='"0" * 64'), "notes.txt", "file"),
    "broken": (
        'pathlib.Path(given["file"]).write_bytes(b"PK\\x03\\x04 half of it")\n' + _says(path='given["file"]'),
        "all.zip",
        "file",
    ),
    "count": (
        'pathlib.Path(given["file"]).write_text("[1, 2, 3]")\n' + _says(path='given["file"]', count="30"),
        "rows.json",
        "file",
    ),
    "stale": (_says(path='given["file"]'), "old.txt", "file"),
}
_OF_RECORDS = {
    "other record": (
        OPEN
        + 'db.execute("INSERT INTO people VALUES (?, ?)", ("E99", given["employee_name"]))\n'
        + _says(employee_id='given["employee_id"]'),
        "record",
    ),
    "record missing": (_says(employee_id='given["employee_id"]'), "record"),
    "other value": (
        OPEN
        + 'db.execute("INSERT INTO people VALUES (?, ?)", (given["employee_id"], "Nobody"))\n'
        + _says(employee_id='given["employee_id"]', employee_name='given["employee_name"]'),
        "record",
    ),
}
_MOVES_NOTHING = 'print(json.dumps({"moved": 1, "from": given["source"], "to": given["target"]}))\n'


@pytest.mark.promise("verification.rules")
@pytest.mark.parametrize("lie", _OF_FILES)
async def test_a_step_that_lies_about_a_file_is_told_failed(
    partner: Partner, watcher: Watcher, ran: Ran, scripts: Path, user_home: Path, lie: str
) -> None:
    code, name, kind = _OF_FILES[lie]
    path = user_home / name
    if lie == "stale":
        path.write_text("it lay here before")
    await add(watcher, scripts, "make_a_file", code, params=(), writes=("file",))
    params: JsonObject = {"file": str(path)}
    found = verdict(await ran(Wanted(params, key="local::make_a_file")))
    assert found.status == "failed", found
    (fact,) = [each for each in found.facts if not each.holds]
    assert (fact.kind, fact.subject) == (kind, str(path))
    assert fact.text == found.reason


@pytest.mark.promise("verification.rules")
@pytest.mark.promise("verification.evidence")
@pytest.mark.parametrize("lie", _OF_RECORDS)
async def test_a_step_that_lies_about_a_record_is_told_failed(
    partner: Partner, watcher: Watcher, ran: Ran, scripts: Path, trusted: Path, lie: str
) -> None:
    code, kind = _OF_RECORDS[lie]
    person = ("employee_id", "employee_name")
    await add(watcher, scripts, "pretend_to_hire", code, owner="hr", params=person)
    found = verdict(await ran(hired(trusted, key="pretend_to_hire")))
    assert found.status == "failed", found
    wrong = [each for each in found.facts if not each.holds]
    assert [each.kind for each in wrong] == [kind]
    assert wrong[0].ability == "local::query_employee"


@pytest.mark.promise("verification.rules")
async def test_a_step_that_says_it_moved_a_file_and_did_not_is_told_failed(
    partner: Partner, watcher: Watcher, ran: Ran, scripts: Path, user_home: Path
) -> None:
    await add(watcher, scripts, "move_it", _MOVES_NOTHING, params=(), writes=("source", "target"))
    (user_home / "a.txt").write_text("here")
    params: JsonObject = {"source": str(user_home / "a.txt"), "target": str(user_home / "b.txt")}
    found = verdict(await ran(Wanted(params, key="local::move_it")))
    assert found.status == "failed"
    assert {each.subject for each in found.facts if not each.holds} == set(params.values())
