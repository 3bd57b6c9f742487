"""Abilities of one owner on a real database of people, and some of others, that tell the truth or lie."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from partner_desktop.app import Partner
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import AbilitiesEvent, ProposalEvent, ResultEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.permission import Scope
from partner_desktop.domain.verification import StepVerdict, Verification
from tests.action.plans.running import Wanted
from tests.support import Watcher

HEAD = """\
# /// partner
# description = "{description}"
# owner = "{owner}"
# annotations = {{ readOnlyHint = {looks} }}
{facts}{params}# ///
import json, os, pathlib, sqlite3, sys, time
given = json.load(sys.stdin)
"""

PARAM = """\
# [params.{name}]
# type = "string"
"""
PATH = """\
# [params.{name}]
# type = "string"
# format = "path"
# access = "{access}"
"""

#: Opens the database, as far as the sandbox lets it.
OPEN = """\
db = sqlite3.connect(given["db"], isolation_level=None)
db.execute("PRAGMA journal_mode=MEMORY")
db.execute("CREATE TABLE IF NOT EXISTS people (employee_id TEXT PRIMARY KEY, employee_name TEXT)")
"""
READ = """\
db = sqlite3.connect("file:" + given["db"] + "?mode=ro&immutable=1", uri=True)
db.row_factory = sqlite3.Row
row = db.execute("SELECT * FROM people WHERE employee_id = ?", (given["employee_id"],)).fetchone()
"""
HIRE = (
    OPEN
    + """\
db.execute("INSERT OR REPLACE INTO people VALUES (?, ?)", (given["employee_id"], given["employee_name"]))
print(json.dumps({"employee_id": given["employee_id"], "employee_name": given["employee_name"]}))
"""
)
QUERY = (
    READ
    + """\
print(json.dumps({"found": row is not None, **(dict(row) if row else {})}))
"""
)


def write(
    folder: Path,
    name: str,
    code: str,
    *,
    owner: str = "",
    looks: bool = False,
    params: tuple[str, ...] = ("employee_id",),
    reads: tuple[str, ...] = (),
    writes: tuple[str, ...] = (),
    facts: str = "",
    description: str = "",
) -> None:
    """One script; without any place it reads `db` where it only looks, and else writes it."""
    if not reads and not writes:
        reads, writes = (("db",), ()) if looks else ((), ("db",))
    told = [PARAM.format(name=each) for each in params]
    told += [PATH.format(name=each, access="read") for each in reads]
    told += [PATH.format(name=each, access="write") for each in writes]
    head = HEAD.format(
        description=description or name.replace("_", " ").capitalize(),
        owner=owner or name,
        looks=str(looks).lower(),
        facts=f"# {facts}\n" if facts else "",
        params="".join(told),
    )
    (folder / f"{name}.py").write_text(head + code)


async def add(watcher: Watcher, folder: Path, name: str, code: str, **more: Any) -> None:  # Any: of `write`
    """Write a script, also anew, and wait until it is listed."""
    before = len(watcher.events)
    write(folder, name, code, **more)
    await watcher.until(lambda event: isinstance(event, AbilitiesEvent) and event in watcher.events[before:])


def write_people(folder: Path) -> None:
    """`local::hire_employee`, `local::query_employee` of the owner `hr`, and what needs nobody."""
    person = ("employee_id", "employee_name")
    write(folder, "hire_employee", HIRE, owner="hr", params=person, writes=("db",))
    write(folder, "query_employee", QUERY, owner="hr", looks=True, params=("employee_id",), reads=("db",))
    code = 'pathlib.Path(given["file"]).write_text(given["line"])\n'
    code += 'print(json.dumps({"path": given["file"], "size": len(given["line"])}))\n'
    write(folder, "keep_note", code, params=("line",), writes=("file",))


def make_people(path: Path, *rows: tuple[str, str]) -> None:
    """The database, with these in it."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE IF NOT EXISTS people (employee_id TEXT PRIMARY KEY, employee_name TEXT)")
        db.executemany("INSERT OR REPLACE INTO people VALUES (?, ?)", rows)
        db.commit()


def people_in(path: Path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(path)) as db:
        return [tuple(row) for row in db.execute("SELECT * FROM people ORDER BY employee_id")]


async def trust(
    partner: Partner, watcher: Watcher, key: str, params: JsonObject, *, scope: Scope = "once"
) -> None:
    """The person's yes to one run: from then on what only looks needs none."""
    conversation = await partner.conversations.create("trust")
    exchange = partner._parts.core.exchanges.open(conversation.id)
    before = len(watcher.events)
    await partner._parts.actions.desk.begin(key, params, exchange, text=key)
    card = await watcher.until(lambda e: isinstance(e, ProposalEvent) and e in watcher.events[before:])
    assert isinstance(card, ProposalEvent)
    await partner.actions.approve(card.action.id, scope=scope)
    await watcher.until(lambda e: isinstance(e, ResultEvent) and e.action.id == card.action.id)


def hired(db: Path, employee_id: str = "E7", name: str = "Ann Lee", key: str = "hire_employee") -> Wanted:
    return Wanted({"employee_id": employee_id, "employee_name": name, "db": str(db)}, key=f"local::{key}")


def verification_of(record: ActionRecord) -> Verification:
    assert record.status is ActionStatus.SUCCEEDED, record
    assert record.verification is not None
    return record.verification


def verdicts(record: ActionRecord) -> list[str]:
    """The status of each, in order."""
    return [each.status.value for each in verification_of(record).verdicts]


def verdict(record: ActionRecord, number: int = 1) -> StepVerdict:
    return verification_of(record).verdicts[number - 1]
